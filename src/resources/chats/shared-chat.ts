/** A chat as someone sees it who has the token of one of its shares. */
import { type RawBuilder, sql } from 'kysely'
import { query, queryOne, type ServiceCtx } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import type { Item, PublicEndpoint } from '../../kernel/resource.ts'
import { list, object, text } from '../../kernel/schema/index.ts'
import { message } from './messages.ts'
import { chat } from './record.ts'
import { tokenHash } from './shares.ts'

/** No account has this id: statements that carry it see nothing but what the share functions hand out. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

/**
 * Settings, metadata and attachments are the account's own business, and what was written after the share was
 * made is nobody's yet: the functions of the database do not hand them out.
 */
export async function sharedChat(ctx: ServiceCtx, token: string, signedIn: boolean): Promise<Item> {
  const db = ctx.services.engine.as({
    accountId: NO_ACCOUNT,
    actorKind: 'system',
    actorId: null,
    userId: null,
  })
  const hash = tokenHash(token)
  const shared = (name: string): RawBuilder<Item> =>
    sql<Item>`select s.* from ${sql.ref(name)}(${hash}, ${signedIn}) s`
  const found = await queryOne({ db }, shared('shared_chat'))
  // without credentials there is one answer for all that is not public, so nobody learns which tokens exist
  if (!found) throw signedIn ? errors.notFound('Share') : errors.notAuthenticated()
  const messages = await query({ db }, shared('shared_messages'))
  return {
    ...found,
    settings: {},
    metadata: {},
    messages: messages.map(row => ({ ...row, attachments: {}, metadata: {} })),
  }
}

export const sharedChatEndpoint: PublicEndpoint = {
  method: 'GET',
  path: '/api/chats/shares/{token}',
  tag: 'Chat shares',
  permission: 'public',
  summary: 'Read a shared chat',
  description:
    'For any authenticated caller, whatever their account; a public share needs no credentials. ' +
    'Settings, metadata and attachments are left empty.',
  params: object({ token: text() }),
  response: object({ ...chat.output.fields, messages: list(message.output) }, { title: 'SharedChat' }),
  single: true,
  run: async (ctx, request) => {
    const signedIn = (await request.credentials())?.person !== undefined
    return sharedChat(ctx, request.params.token, signedIn)
  },
}
