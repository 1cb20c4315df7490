/** Links for reading a chat from outside its account. Only hashes of their tokens are stored. */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty, pageOf } from '../../kernel/general-endpoints.ts'
import { listParameters } from '../../kernel/list-parameters.ts'
import { listRecords } from '../../kernel/list-query.ts'
import { defineRecord, type Operations } from '../../kernel/resource.ts'
import {
  boolean,
  datetime,
  type Infer,
  type Issue,
  int,
  nullable,
  object,
  optional,
  rule,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import { rows, updateRows } from '../../kernel/statements.ts'

const share = defineRecord({
  table: 'chat_shares',
  label: 'Share',
  input: object({
    expires_at: optional(
      nullable(
        rule(datetime({ description: 'In the future; null for a share without an end' }), time =>
          Date.parse(time) > Date.now() ? undefined : 'the time must be in the future',
        ),
      ),
    ),
    is_public: optional(boolean()),
    include_later: optional(
      boolean({ description: 'Also show messages written after the share was created' }),
    ),
  }),
  output: object(
    {
      id: uuid(),
      chat_id: uuid(),
      token: nullable(text(), { description: 'Shown only once, in the response that creates the share' }),
      url: nullable(text(), { description: 'Contains the token and is shown with it' }),
      page_url: nullable(text({ description: 'The HTML page of a public share; shown with the token' })),
      created_by: uuid(),
      created_at: datetime(),
      expires_at: nullable(datetime()),
      revoked_at: nullable(datetime()),
      is_public: boolean({ description: 'Readable without credentials' }),
      include_later: boolean({ description: 'Also shows messages written after the share was created' }),
      view_count: int({ min: 0 }),
    },
    { title: 'ChatShare' },
  ),
  computed: {
    token: () => sql`null::text`,
    url: () => sql`null::text`,
    page_url: () => sql`null::text`,
    view_count: ctx => sql`coalesce(
      (select v.view_count from ${rows(ctx, 'chat_share_views')} v where v.share_id = r.id), 0)`,
  },
})
export type ShareInput = Infer<typeof share.input>
export type Share = Infer<typeof share.output>

const operations = crud(share)

export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

export async function createShare(ctx: Ctx, chatId: string, options: ShareInput): Promise<Share> {
  const token = randomBytes(32).toString('base64url')
  const share = await operations.create(ctx, options, {
    set: { chat_id: chatId, token_hash: tokenHash(token), created_by: ctx.user },
  })
  const at = ctx.services.config.publicUrl ?? ''
  const page_url = options.is_public ? `${at}/share/${token}` : null
  return { ...share, token, url: `${at}/api/chats/shares/${token}`, page_url }
}

/** By its token, or by its id if the caller no longer has the token. */
export async function revokeShare(ctx: Ctx, tokenOrId: string): Promise<void> {
  const issues: Issue[] = []
  const id = uuid().check(tokenOrId, [], issues)
  const named = issues.length === 0 ? sql`r.id = ${id}` : sql`r.token_hash = ${tokenHash(tokenOrId)}`
  const gone = await updateRows(
    ctx,
    'chat_shares',
    { revoked_at: sql`now()`, updated_at: sql`now()` },
    sql`${named} and r.revoked_at is null`,
    sql`r.id`,
  )
  if (gone.length === 0) throw errors.notFound('Share')
}

const tag = 'Chat shares'

export const shareEndpoints = (chats: Pick<Operations, 'get'>): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/api/chats/{chat_id}/share',
    tag,
    permission: 'chats:write',
    summary: 'Share a chat',
    description:
      'Any authenticated caller who has the token can read the messages up to now, with `include_later` also later ones; with `is_public`, ' +
      'even without credentials, and as a page at `page_url`. The token is shown only once.',
    body: share.input,
    bodyOptional: true,
    response: share.output,
    status: 201,
    shownOnce: ['token', 'url', 'page_url'],
    run: async (ctx, { params, body }) => {
      await chats.get(ctx, params.chat_id)
      return createShare(ctx, params.chat_id, body)
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/chats/{chat_id}/shares',
    tag,
    permission: 'chats:read',
    summary: 'List the shares of a chat',
    description:
      'With revoked and expired ones. `token`, `url` and `page_url` are null: they are shown only when a share is created.',
    query: listParameters(share),
    response: pageOf({ record: share }),
    run: async (ctx, { params, query }) => {
      await chats.get(ctx, params.chat_id)
      return listRecords(ctx, share, query, [sql`r.chat_id = ${params.chat_id}`])
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/chats/shares/{token}',
    tag,
    permission: 'chats:write',
    summary: 'Revoke a share',
    description: 'By its token or its id.',
    params: object({ token: text() }),
    response: empty,
    run: async (ctx, { params }) => {
      await revokeShare(ctx, params.token)
      return {}
    },
  }),
]
