/** The output of an attachment, without and with its text. */
import { sql } from 'kysely'
import {
  boolean,
  datetime,
  type Infer,
  int,
  nullable,
  object,
  oneOf,
  text,
  uuid,
} from '../../../kernel/schema/index.ts'

const shown = {
  id: uuid(),
  created_at: datetime(),
  updated_at: datetime(),
  account_id: uuid(),
  chat_id: uuid(),
  created_by: uuid(),
  file_name: text(),
  mime_type: text(),
  file_size: int({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Bytes' }),
  status: oneOf(['queued', 'processing', 'completed', 'failed']),
  text_length: int({ min: 0, description: 'Characters that were read' }),
  is_truncated: boolean({ description: 'The file has more text than was read' }),
  error: nullable(text({ description: 'Why it could not be read' })),
  job_id: nullable(uuid({ description: 'Its progress is at /api/jobs/{job_id}' })),
}
export const attachment = object(shown, { title: 'ChatAttachment' })
export type Attachment = Infer<typeof attachment>
export const withText = object({ ...shown, text: nullable(text()) }, { title: 'ChatAttachmentText' })

export const fields = sql<Attachment>`a.id, a.created_at, a.updated_at, a.account_id, a.chat_id, a.created_by, a.file_name, a.mime_type,
  a.file_size, a.status, coalesce(length(a.text), 0) as text_length, a.is_truncated, a.error, a.job_id`
