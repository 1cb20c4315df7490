/** The sessions of the caller, of browsers and programs. */

import { sql } from 'kysely'
import { type PersonCtx, queryOne } from '../../kernel/context.ts'
import { type Endpoint, personalEndpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty } from '../../kernel/general-endpoints.ts'
import { pageParameters } from '../../kernel/page.ts'
import { boolean, datetime, nullable, object, text, uuid } from '../../kernel/schema/index.ts'
import { deviceOf } from './device.ts'
import { pageOf, pageOutput } from './endpoints.ts'
import { endSessions } from './sessions.ts'

const output = object(
  {
    id: uuid(),
    created_at: datetime({ description: 'When the person signed in' }),
    last_used_at: datetime({ description: 'When the session last received an access token' }),
    expires_at: datetime({ description: 'When it ends if it is not used until then' }),
    device: text({ description: 'The browser and the system, from the User-Agent header' }),
    user_agent: nullable(text()),
    is_current: boolean({ description: 'Whether this request belongs to the session' }),
  },
  { title: 'Session' },
)

interface Row {
  id: string
  created_at: string
  last_used_at: string
  expires_at: string
  user_agent: string | null
}

/** Of the tokens of a session, one has not been used. */
const selectOpen = ({ user }: PersonCtx) =>
  sql<Row>`select family_id as id, started_at as created_at, created_at as last_used_at, expires_at, user_agent
    from refresh_tokens where user_id = ${user} and used_at is null and expires_at > now()`

/** A key must not list or end the sessions of its owner. */
function checkPerson({ caller }: PersonCtx): void {
  if (caller.kind !== 'user') throw errors.personOnly()
}

async function list(ctx: PersonCtx, query: { page: number; page_size: number }) {
  checkPerson(ctx)
  const page = await pageOf(ctx, selectOpen(ctx), sql`last_used_at desc, id`, query)
  const items = page.items.map(({ user_agent, ...session }) => ({
    ...session,
    device: deviceOf(user_agent),
    user_agent,
    is_current: session.id === ctx.caller.sessionId,
  }))
  return { ...page, items }
}

async function revoke(ctx: PersonCtx, id: string): Promise<object> {
  checkPerson(ctx)
  const session = await queryOne(ctx, sql`select id from (${selectOpen(ctx)}) open where id = ${id}`)
  if (!session) throw errors.notFound('Session')
  await endSessions(ctx, ctx.user, id)
  return {}
}

const tag = 'Sign-in'

export const sessionListEndpoints: Endpoint[] = [
  personalEndpoint({
    method: 'GET',
    path: '/api/sessions',
    tag,
    summary: 'List your sessions',
    description:
      'Where the person is signed in, last used first. A new password ends all sessions but the current one.',
    query: object(pageParameters()),
    response: pageOutput(output),
    run: (ctx, { query }) => list(ctx, query),
  }),
  personalEndpoint({
    method: 'DELETE',
    path: '/api/sessions/{session_id}',
    tag,
    summary: 'End a session',
    description: 'Its access tokens end with it, at once.',
    response: empty,
    run: (ctx, { params }) => revoke(ctx, params.session_id),
  }),
]
