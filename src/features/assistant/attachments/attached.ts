/** The texts of files attached to a chat. They are data, never instructions. */
import { sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { type Ctx, query } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import { type Issue, list, object, optional, uuid } from '../../../kernel/schema/index.ts'
import { rows } from '../../../kernel/statements.ts'

/** Only this much of a text is stored. */
export const MAX_TEXT = 500_000
export const MAX_FILES = 100

/** `text` is null until the file has been read, or if it cannot be; `is_truncated`: the file has more text. */
export type AttachedText = Pick<
  Tables['chat_attachments'],
  'id' | 'file_name' | 'mime_type' | 'status' | 'text' | 'is_truncated' | 'error'
>

/** The texts of the files of a chat, in the order of their upload; of each at most `limit` characters. */
export const attachedTexts = (ctx: Ctx, chatId: string, limit = MAX_TEXT): Promise<AttachedText[]> =>
  query(
    ctx,
    sql<AttachedText>`select a.id, a.file_name, a.mime_type, a.status, left(a.text, ${limit}::int) as text,
        a.is_truncated or length(a.text) > ${limit}::int as is_truncated, a.error
      from ${rows(ctx, 'chat_attachments')} a where a.chat_id = ${chatId} order by a.created_at, a.id`,
  )

const attachmentIds = object({ files: optional(list(uuid(), { max: MAX_FILES })) })

/** The files that a message names in its `attachments`; they must be the chat's. Other entries are allowed. */
export async function checkFiles(ctx: Ctx, chatId: string, attachments: unknown): Promise<string[]> {
  const issues: Issue[] = []
  const { files = [] } = attachmentIds.check(attachments ?? {}, ['body', 'attachments'], issues)
  if (issues.length > 0) throw errors.invalid(issues)
  if (files.length === 0) return []
  const existing = await query(
    ctx,
    sql<{ id: string }>`select a.id from ${rows(ctx, 'chat_attachments')} a
      where a.chat_id = ${chatId} and a.id = any(${files}::uuid[])`,
  )
  const existingIds = new Set(existing.map(({ id }) => id))
  const unknown = files.findIndex(id => !existingIds.has(id))
  if (unknown >= 0)
    throw errors.referenceNotFound(['body', 'attachments', 'files', unknown], 'Attachment', files[unknown])
  return files
}
