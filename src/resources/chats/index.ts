import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import type { Operations, Resource } from '../../kernel/resource.ts'
import { updateRows } from '../../kernel/statements.ts'
import { duplicateChat } from './duplicate.ts'
import { pinnedFirst } from './list.ts'
import { messageEndpoints } from './messages.ts'
import { type Chat, type ChatInput, chat } from './record.ts'
import { sharedChatEndpoint } from './shared-chat.ts'
import { shareEndpoints } from './shares.ts'

const base = crud(chat)

/** An empty title counts as none: the next message sets one. */
const withTitle = <I extends ChatInput>(input: I): I =>
  typeof input.title === 'string' && input.title.trim() === '' ? { ...input, title: null } : input

const operations: Operations<ChatInput, Chat> = {
  ...base,
  list: pinnedFirst(base.record, base.list),
  create: (ctx, input) => base.create(ctx, withTitle(input), { set: { created_by: ctx.user } }),
  update: (ctx, id, input) => base.update(ctx, id, withTitle(input)),
}

async function toggle(ctx: Ctx, id: string, flag: 'is_archived' | 'is_pinned'): Promise<Chat> {
  const [changed] = await updateRows(
    ctx,
    'chats',
    sql`${sql.ref(flag)} = not r.${sql.ref(flag)}, updated_at = now()`,
    sql`r.id = ${id} and r.deleted_at is null`,
    sql`r.id`,
  )
  if (!changed) throw errors.notFound('Chat')
  return operations.get(ctx, id)
}

const action = {
  method: 'POST',
  tag: 'Chats',
  permission: 'chats:write',
  response: chat.output,
  single: true,
} as const

const actions: Endpoint[] = [
  endpoint({
    ...action,
    path: '/api/chats/{chat_id}/archive',
    summary: 'Archive or unarchive a chat',
    description:
      'Each call switches `is_archived`. Lists contain archived chats, unless the filter `is_archived` is given.',
    run: (ctx, { params }) => toggle(ctx, params.chat_id, 'is_archived'),
  }),
  endpoint({
    ...action,
    path: '/api/chats/{chat_id}/pin',
    summary: 'Pin or unpin a chat',
    description: 'Each call switches `is_pinned`. Pinned chats come first in the list of chats.',
    run: (ctx, { params }) => toggle(ctx, params.chat_id, 'is_pinned'),
  }),
  endpoint({
    ...action,
    path: '/api/chats/{chat_id}/duplicate',
    summary: 'Duplicate a chat with its messages and attachments',
    description: 'Without its shares and without the proposals of the assistant.',
    status: 201,
    run: (ctx, { params }) => duplicateChat(ctx, operations, params.chat_id),
  }),
]

export const chats: Resource<ChatInput, Chat> = {
  name: 'chats',
  idParam: 'chat_id',
  tag: 'Chats',
  record: base.record,
  operations,
  endpoints: [...actions, ...messageEndpoints(operations), ...shareEndpoints(operations), sharedChatEndpoint],
}
