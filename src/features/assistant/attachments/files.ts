/** The files of chats. */
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../../kernel/context.ts'
import { fileStore, inAccount } from '../../../kernel/file-store.ts'
import { rows, unscoped } from '../../../kernel/statements.ts'

export const chatFiles = fileStore(
  'sweep attachments',
  ({ attachmentDir }) => attachmentDir,
  (account, ids) => sql<{ id: string }>`select file_id as id from ${unscoped('chat_attachments')}
    where ${inAccount(account)} and file_id = any(${ids}::uuid[])`,
)

/** Deletes the file unless an attachment uses it: a copy of the chat may. */
export async function removeUnused(ctx: Ctx, fileId: string): Promise<void> {
  const used = await queryOne(
    ctx,
    sql`select a.id from ${rows(ctx, 'chat_attachments')} a where a.file_id = ${fileId} limit 1`,
  )
  if (!used) await chatFiles.remove(ctx, [fileId])
}
