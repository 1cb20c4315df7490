/** A chat as a reader with a share token sees it. */
import { sql } from 'kysely'
import { query, queryOne, type ServiceCtx } from '../../kernel/context.ts'
import { publicEndpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { combined, type Infer, list, object, text } from '../../kernel/schema/index.ts'
import { type ChatMessage, message } from './messages.ts'
import { type Chat, chat } from './record.ts'
import { tokenHash } from './shares.ts'

/** No account has this id: statements with it see only what the share functions return. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
/** Removes ids of records from answers: they are of no use outside of the account. */
const withoutIds = (text: string): string => text.replace(UUID, '…')

const sharedChat = combined(chat.output, object({ messages: list(message.output) }), { title: 'SharedChat' })
export type SharedChat = Infer<typeof sharedChat>

/**
 * Settings, metadata and attachments are internal, and messages after the share was created are not shared: the
 * database functions do not return them. undefined: there is no such share.
 */
export async function findShared(
  ctx: ServiceCtx,
  token: string,
  signedIn: boolean,
  most: number | null = null,
): Promise<SharedChat | undefined> {
  const db = ctx.services.engine.as({
    accountId: NO_ACCOUNT,
    actorKind: 'system',
    actorId: null,
    userId: null,
  })
  const hash = tokenHash(token)
  const chat = await queryOne({ db }, sql<Chat>`select s.* from shared_chat(${hash}, ${signedIn}) s`)
  if (!chat) return undefined
  const messages = await query(
    { db },
    sql<ChatMessage>`select s.* from shared_messages(${hash}, ${signedIn}, ${most}::int) s`,
  )
  return {
    ...chat,
    title: withoutIds(chat.title),
    folder_id: null,
    settings: {},
    metadata: {},
    messages: messages.map(row => ({
      ...row,
      content: withoutIds(row.content),
      attachments: {},
      metadata: {},
    })),
  }
}

export const sharedChatEndpoint = publicEndpoint({
  method: 'GET',
  path: '/api/chats/shares/{token}',
  tag: 'Chat shares',
  summary: 'Get a shared chat',
  description:
    'For any authenticated caller, whatever their account; a public share needs no credentials. ' +
    'Returns the messages of users and the assistant up to the creation of the share, or also later ones with ' +
    '`include_later`. Settings, metadata and attachments are empty, and ids of records are omitted.',
  params: object({ token: text() }),
  readsCredentials: true,
  response: sharedChat,
  single: true,
  run: async (ctx, request) => {
    const signedIn = (await request.credentials())?.person !== undefined
    const chat = await findShared(ctx, request.params.token, signedIn)
    if (chat) return chat
    // without credentials, private and unknown shares get the same answer, so that tokens cannot be probed
    throw signedIn ? errors.notFound('Share') : errors.notAuthenticated()
  },
})
