/** Receives a file: streams it to disk, detects its kind from the content, and reads its text at once or in a job. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { lockRecords } from '../../../kernel/crud.ts'
import type { UploadPart } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { enqueue } from '../../../kernel/jobs.ts'
import { object } from '../../../kernel/schema/index.ts'
import { insertRows, rows, updateRows } from '../../../kernel/statements.ts'
import { uploadLimit } from '../../../kernel/storage.ts'
import { displayName, type FilePart, readUpload, storeUpload } from '../../../kernel/uploads.ts'
import { MAX_FILES } from './attached.ts'
import { chatFiles } from './files.ts'
import { type FileKind, kindSniffer } from './kind.ts'
import { readAttachmentJob } from './read.ts'
import { textOf } from './text.ts'

interface Received {
  file_name: string
  file_size: number
  kind: FileKind
}

interface StoredUpload extends Received {
  id: string
  read: { text: string; is_truncated: boolean } | undefined
}

/** Stores the file; a text file is read at once. */
export async function receive(ctx: Ctx, parts: AsyncIterable<UploadPart>): Promise<StoredUpload> {
  const id = newId()
  const { file } = await chatFiles.receive(ctx, id, path =>
    readUpload(parts, object({}), part => store(ctx, path, part)),
  )
  try {
    const { kind } = file
    const isText = kind.reads === 'text' || kind.reads === 'csv'
    const read = isText ? await textOf(chatFiles.path(ctx, id), kind.encoding, kind.reads) : undefined
    return { ...file, id, read }
  } catch (error) {
    await chatFiles.remove(ctx, [id])
    throw error
  }
}

async function store(ctx: Ctx, path: string, { file, filename, mimetype }: FilePart): Promise<Received> {
  const limit = await uploadLimit(ctx, ctx.services.config.files.attachmentBytes)
  const file_name = displayName(filename, 'file')
  const sniffer = kindSniffer(file_name, mimetype)
  const file_size = await storeUpload(file, path, limit, chunk => sniffer.push(chunk))
  const kind = sniffer.result()
  if (file_size === 0) throw errors.invalidValue(['body', 'file'], 'the file is empty', file_name)
  return { file_name, file_size, kind }
}

/** Locks the chat, so that two concurrent uploads cannot exceed the limit of attachments. */
export async function record(
  tx: Ctx,
  chatId: string,
  { id, kind, read, ...file }: StoredUpload,
): Promise<void> {
  if ((await lockRecords(tx, 'chats', [chatId])).length === 0) throw errors.notFound('Chat')
  const [count] = await query(
    tx,
    sql<{
      files: number
    }>`select count(*) as files from ${rows(tx, 'chat_attachments')} a where a.chat_id = ${chatId}`,
  )
  if (count!.files >= MAX_FILES) throw errors.conflict(`A chat has at most ${MAX_FILES} attachments`)
  const state = read ? { status: 'completed', ...read } : { status: 'queued' }
  const attachment = {
    id,
    chat_id: chatId,
    created_by: tx.user,
    file_id: id,
    ...file,
    mime_type: kind.mimeType,
    ...state,
  }
  await insertRows(tx, 'chat_attachments', [attachment])
  if (read) return
  const job = await enqueue(tx, readAttachmentJob, { file_id: id }, { entityId: id })
  await updateRows(tx, 'chat_attachments', { job_id: job }, sql`r.id = ${id}`)
}
