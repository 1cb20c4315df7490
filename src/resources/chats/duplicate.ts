/** A copy of a chat: messages and files, without proposals and unfinished answers. */
import { sql } from 'kysely'
import { type Ctx, query, transaction } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import type { Operations } from '../../kernel/resource.ts'
import { insertRows, living, rows, unscoped } from '../../kernel/statements.ts'
import { copiedName } from '../shared/copied-name.ts'
import type { ChatMessage } from './messages.ts'
import { type Chat, type ChatInput, MAX_TITLE } from './record.ts'

const COPIED_AT_ONCE = 200

type Original = Pick<ChatMessage, 'id' | 'created_at' | 'role' | 'content' | 'attachments' | 'metadata'>

/** With its messages; not pinned, not archived, not shared. */
export function duplicateChat(ctx: Ctx, operations: Operations<ChatInput, Chat>, id: string): Promise<Chat> {
  return transaction(ctx, async tx => {
    const { title, folder_id, settings, metadata } = await operations.get(tx, id)
    const copy = await operations.create(tx, {
      title: copiedName(title, MAX_TITLE),
      folder_id,
      settings,
      metadata,
    })
    // maps old to new ids, so that messages and files refer to each other in the copy, too
    const copies = await copyFiles(tx, id, copy.id)
    for (let last: Original | undefined; ; ) {
      const messages: Original[] = await query(
        tx,
        sql<Original>`select m.id, m.created_at, m.role, m.content, m.attachments, m.metadata
          from ${living(tx, 'chat_messages')} m where m.chat_id = ${id}
          and not exists (select from ${rows(tx, 'chat_answers')} a where a.message_id = m.id)
          ${last ? sql`and (m.created_at, m.id) > (${last.created_at}::timestamptz, ${last.id}::uuid)` : sql``}
          order by m.created_at, m.id limit ${COPIED_AT_ONCE}`,
      )
      const written = messages.map(message => ({ ...message, id: newId(), original: message.id }))
      for (const { id, original } of written) copies.set(original, id)
      await insertRows(
        tx,
        'chat_messages',
        written.map(({ original: _, ...message }) => ({
          ...message,
          chat_id: copy.id,
          attachments: JSON.stringify(renamed(message.attachments, copies)),
          metadata: JSON.stringify(renamed(withoutProposals(message.metadata), copies)),
        })),
      )
      if (messages.length < COPIED_AT_ONCE) return copy
      last = messages.at(-1)
    }
  })
}

/** Proposals stay in the original chat: accepting one twice would make its change twice. */
const withoutProposals = ({ proposals: _, ...metadata }: ChatMessage['metadata']) => metadata

const renamed = (
  value: ChatMessage['metadata'],
  copies: ReadonlyMap<string, string>,
): ChatMessage['metadata'] =>
  JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'string' ? (copies.get(part) ?? part) : part,
  )

/** Both files refer to the same bytes; locked, so that they are not removed meanwhile. */
async function copyFiles(tx: Ctx, from: string, to: string): Promise<Map<string, string>> {
  const files = await query(
    tx,
    sql<{ id: string }>`select a.id from ${rows(tx, 'chat_attachments')} a where a.chat_id = ${from}
      order by a.created_at, a.id for share`,
  )
  const copies = new Map(files.map(({ id }) => [id, newId()]))
  await query(
    tx,
    sql`insert into ${unscoped('chat_attachments')} (account_id, id, created_at, chat_id, created_by, file_id,
        file_name, mime_type, file_size, status, text, is_truncated, error, job_id)
      select ${tx.account}, n.copy, a.created_at, ${to}, ${tx.user}, a.file_id,
        a.file_name, a.mime_type, a.file_size, a.status, a.text, a.is_truncated, a.error, a.job_id
      from unnest(${[...copies.keys()]}::uuid[], ${[...copies.values()]}::uuid[]) n (original, copy)
      join ${rows(tx, 'chat_attachments')} a on a.id = n.original`,
  )
  return copies
}
