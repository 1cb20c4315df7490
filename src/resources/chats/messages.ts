/** What is said in a chat. */
import { sql } from 'kysely'
import { type Ctx, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { endpointsOf, pageOf } from '../../kernel/general-endpoints.ts'
import { listParameters } from '../../kernel/list-parameters.ts'
import { listRecords } from '../../kernel/list-query.ts'
import type { Endpoint, Item, ListQuery, Operations, RecordType, Resource } from '../../kernel/resource.ts'
import {
  boolean,
  dict,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { living, updateRows } from '../../kernel/statements.ts'
import { base as baseFields } from '../shared/fields.ts'
import { titleFrom } from './title.ts'

const role = () => oneOf(['user', 'assistant', 'system', 'tool'])
const content = () => text({ min: 1, max: 100_000 })

export const message: RecordType = {
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
      content: content(),
      chat_id: uuid(),
      attachments: dict(),
      metadata: dict(),
    },
    { title: 'ChatMessage' },
  ),
  search: 'text',
  defaultSort: { by: 'created_at', order: 'asc' },
  filters: { role: { schema: role(), where: (_, value) => sql`r.role = ${value}` } },
  // a deleted chat's messages are hidden with it
  visible: ctx => sql`exists (select from ${living(ctx, 'chats')} c where c.id = r.chat_id)`,
}

const operations = crud(message)

/** Whoever writes first names a chat that has no title; every message makes it the latest. */
export function addMessage(ctx: Ctx, chatId: string, input: Item): Promise<Item> {
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
    return operations.create(tx, { ...input, chat_id: chatId })
  })
}

const tag = 'Chat messages'
const path = '/api/chats/{chat_id}/messages'

/** One message at a time has the general patterns; they are listed and written in their chat. */
const single = endpointsOf({
  name: 'chats',
  path: '/api/chats/messages',
  idParam: 'message_id',
  tag,
  record: message,
  operations,
} satisfies Resource).filter(endpoint => endpoint.path.includes('{message_id}'))

export const messageEndpoints = (chats: Operations): Endpoint[] => [
  {
    method: 'GET',
    path,
    tag,
    permission: 'chats:read',
    summary: 'List a chat’s messages, oldest first',
    query: listParameters(message),
    response: pageOf({ record: message }),
    run: async (ctx, { params, query }) => {
      await chats.get(ctx, params.chat_id)
      return listRecords(ctx, message, query as ListQuery, [sql`r.chat_id = ${params.chat_id}`])
    },
  },
  {
    method: 'POST',
    path,
    tag,
    permission: 'chats:write',
    summary: 'Write a message',
    body: object({
      ...message.input.fields,
      respond: withDefault(boolean({ description: 'Whether an assistant shall answer' }), true),
    }),
    response: object({
      ...message.output.fields,
      reply: nullable(message.output, { description: 'The assistant’s answer; null when there is none' }),
    }),
    status: 201,
    run: async (ctx, { params, body: { respond: _, ...input } }) => ({
      ...(await addMessage(ctx, params.chat_id, input)),
      reply: null,
    }),
  },
  ...single,
]
