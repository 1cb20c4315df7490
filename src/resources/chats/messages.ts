/** The messages of a chat. */
import { sql } from 'kysely'
import { type Ctx, transaction } from '../../kernel/context.ts'
import { crud, lockRecords } from '../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { endpointsOf, pageOf } from '../../kernel/general-endpoints.ts'
import { listParameters } from '../../kernel/list-parameters.ts'
import { listRecords } from '../../kernel/list-query.ts'
import { defineRecord, type Operations } from '../../kernel/resource.ts'
import {
  dict,
  type Infer,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { living, rows, updateRows } from '../../kernel/statements.ts'
import { base as baseFields } from '../shared/fields.ts'
import { titleFrom } from './title.ts'

const role = () => oneOf(['user', 'assistant', 'system', 'tool'])
const content = () => text({ min: 1, max: 100_000 })

export const message = defineRecord({
  table: 'chat_messages',
  label: 'Message',
  input: object({
    role: withDefault(role(), 'user'),
    content: content(),
    attachments: optional(dict()),
    metadata: optional(dict()),
  }),
  output: object(
    {
      ...baseFields,
      role: role(),
      content: text({ description: 'Empty while the assistant is about to answer' }),
      chat_id: uuid(),
      attachments: dict(),
      metadata: dict(),
    },
    { title: 'ChatMessage' },
  ),
  computed: {
    // an answer shows the caller's own feedback
    metadata: ctx => sql`(case when r.role = 'assistant' then (r.metadata - 'feedback') || coalesce((
        select jsonb_build_object('feedback', jsonb_build_object('rating', f.rating, 'comment', f.comment))
        from ${rows(ctx, 'chat_feedback')} f where f.message_id = r.id and f.user_id = ${ctx.user}), '{}')
      else r.metadata end)`,
  },
  search: 'text',
  hasBytes: true,
  defaultSort: { by: 'created_at', order: 'asc' },
  filters: { role: { schema: role(), where: (_, value) => sql`r.role = ${value}` } },
  // a deleted chat's messages are hidden with it
  visible: ctx => sql`exists (select from ${living(ctx, 'chats')} c where c.id = r.chat_id)`,
})
export type ChatMessageInput = Infer<typeof message.input>
export type ChatMessage = Infer<typeof message.output>

const base = crud(message)

/** Metadata keys that only the assistant writes, in its answers. */
const OF_AN_ANSWER = [
  ...['status', 'question_id', 'cut_short', 'reason', 'error', 'citations', 'conflicts', 'grounded', 'model'],
  ...[
    'data',
    'tools',
    'memory',
    'usage',
    'proposals',
    'version',
    'replaces',
    'fallback',
    'answers_earlier_wording',
  ],
]

const isAnswer = ({ role, metadata }: ChatMessage): boolean =>
  role === 'assistant' && typeof metadata.question_id === 'string' && typeof metadata.status === 'string'

/**
 * An answered message can be edited: its answers stay, marked as answers to an earlier version. The assistant's
 * messages cannot be edited.
 */
function edit(ctx: Ctx, id: string, input: Partial<ChatMessageInput>): Promise<ChatMessage> {
  return transaction(ctx, async tx => {
    await lockRecords(tx, message.table, [id])
    const before = await base.get(tx, id)
    const reworded = input.content !== undefined && input.content !== before.content
    if (isAnswer(before)) {
      if (reworded || (input.role ?? before.role) !== before.role)
        throw errors.conflict('An answer of the assistant cannot be edited: ask for a new one')
      const own = Object.entries(before.metadata).filter(([name]) => OF_AN_ANSWER.includes(name))
      const metadata = input.metadata && { ...input.metadata, ...Object.fromEntries(own) }
      return base.update(tx, id, metadata ? { ...input, metadata } : input)
    }
    if (!reworded) return base.update(tx, id, input)
    await updateRows(
      tx,
      message.table,
      sql`metadata = r.metadata || '{"answers_earlier_wording": true}', updated_at = now()`,
      sql`r.chat_id = ${before.chat_id} and r.role = 'assistant' and r.metadata->>'question_id' = ${id}`,
    )
    const metadata = { ...(input.metadata ?? before.metadata), edited_at: new Date().toISOString() }
    return base.update(tx, id, { ...input, metadata })
  })
}

export const messages: Operations<ChatMessageInput, ChatMessage> = { ...base, update: edit }

/** The first message sets the title of a chat without one; every message makes the chat the latest. */
export function addMessage(ctx: Ctx, chatId: string, input: ChatMessageInput): Promise<ChatMessage> {
  const speaks = input.role === 'user' || input.role === 'assistant'
  const title = speaks ? titleFrom(input.content) : null
  return transaction(ctx, async tx => {
    const [chat] = await updateRows(
      tx,
      'chats',
      { updated_at: sql`now()`, title: sql`coalesce(r.title, ${title}::text)` },
      sql`r.id = ${chatId} and r.deleted_at is null`,
      sql`r.id`,
    )
    if (!chat) throw errors.notFound('Chat')
    return base.create(tx, input, { set: { chat_id: chatId } })
  })
}

const tag = 'Chat messages'

const EDITING =
  'An absent field is not changed. Editing a question does not remove its answers; they get ' +
  '`answers_earlier_wording` in their metadata. `POST …/regenerate` answers the new wording. Messages of the ' +
  'assistant cannot be edited (409).'

/** One message at a time has the general patterns; they are listed in their chat and written through the assistant. */
const single = endpointsOf({
  name: 'chats',
  path: '/api/chats/messages',
  idParam: 'message_id',
  tag,
  record: message,
  operations: messages,
})
  .filter(endpoint => endpoint.path.includes('{message_id}'))
  .map(endpoint => (endpoint.method === 'PUT' ? { ...endpoint, description: EDITING } : endpoint))

export const messageEndpoints = (chats: Pick<Operations, 'get'>): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/chats/{chat_id}/messages',
    tag,
    permission: 'chats:read',
    summary: 'List the messages of a chat',
    description: 'Oldest first.',
    query: listParameters(message),
    response: pageOf({ record: message }),
    run: async (ctx, { params, query }) => {
      await chats.get(ctx, params.chat_id)
      return listRecords(ctx, message, query, [sql`r.chat_id = ${params.chat_id}`])
    },
  }),
  ...single,
]
