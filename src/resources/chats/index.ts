import { sql } from 'kysely'
import { type Ctx, query, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Endpoint, Item, Operations, Resource } from '../../kernel/resource.ts'
import { insertRows, living, updateRows } from '../../kernel/statements.ts'
import { copiedName } from '../shared/copied-name.ts'
import { pinnedFirst } from './list.ts'
import { messageEndpoints } from './messages.ts'
import { chat, MAX_TITLE } from './record.ts'
import { sharedChatEndpoint } from './shared-chat.ts'
import { shareEndpoints } from './shares.ts'

const base = crud(chat)

/** An empty title is none: the next message gives one. */
const withTitle = (input: Item): Item =>
  typeof input.title === 'string' && input.title.trim() === '' ? { ...input, title: null } : input

const operations: Operations = {
  ...base,
  list: pinnedFirst(base.record, base.list),
  create: (ctx, input) => base.create(ctx, { ...withTitle(input), created_by: ctx.user }),
  update: (ctx, id, input) => base.update(ctx, id, withTitle(input)),
}

async function toggle(ctx: Ctx, id: string, flag: 'is_archived' | 'is_pinned'): Promise<Item> {
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

const COPIED_AT_ONCE = 200

/** With its messages; neither pinned nor archived, and shared with nobody. */
function duplicate(ctx: Ctx, id: string): Promise<Item> {
  return transaction(ctx, async tx => {
    const { title, folder_id, settings, metadata } = await operations.get(tx, id)
    const copy = await operations.create(tx, {
      ...{ title: copiedName(title, MAX_TITLE), folder_id, settings, metadata },
    })
    for (let last: Item | undefined; ; ) {
      const messages: Item[] = await query(
        tx,
        sql<Item>`select m.id, m.created_at, m.role, m.content, m.attachments, m.metadata
          from ${living(tx, 'chat_messages')} m where m.chat_id = ${id}
          ${last ? sql`and (m.created_at, m.id) > (${last.created_at}::timestamptz, ${last.id}::uuid)` : sql``}
          order by m.created_at, m.id limit ${COPIED_AT_ONCE}`,
      )
      await insertRows(
        tx,
        'chat_messages',
        messages.map(message => ({
          ...message,
          id: newId(),
          chat_id: copy.id,
          attachments: JSON.stringify(message.attachments),
          metadata: JSON.stringify(message.metadata),
        })),
      )
      if (messages.length < COPIED_AT_ONCE) return copy
      last = messages.at(-1)
    }
  })
}

const action = {
  method: 'POST',
  tag: 'Chats',
  permission: 'chats:write',
  response: chat.output,
  single: true,
} as const

const actions: Endpoint[] = [
  {
    ...action,
    path: '/api/chats/{chat_id}/archive',
    summary: 'Archive a chat, or take it out of the archive',
    run: (ctx, { params }) => toggle(ctx, params.chat_id, 'is_archived'),
  },
  {
    ...action,
    path: '/api/chats/{chat_id}/pin',
    summary: 'Pin a chat, or unpin it',
    run: (ctx, { params }) => toggle(ctx, params.chat_id, 'is_pinned'),
  },
  {
    ...action,
    path: '/api/chats/{chat_id}/duplicate',
    summary: 'Copy a chat with its messages',
    status: 201,
    run: (ctx, { params }) => duplicate(ctx, params.chat_id),
  },
]

export const chats: Resource = {
  name: 'chats',
  idParam: 'chat_id',
  tag: 'Chats',
  record: base.record,
  operations,
  endpoints: [...actions, ...messageEndpoints(operations), ...shareEndpoints(operations), sharedChatEndpoint],
}
