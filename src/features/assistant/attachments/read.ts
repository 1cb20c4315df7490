/**
 * The job that reads the text of a PDF or a recording; no transaction is open meanwhile. A file is read once for all
 * attachments that use it: copies of the chat share it.
 */
import { access } from 'node:fs/promises'
import { sql } from 'kysely'
import { recognizerOf, SpeechFailed } from '../../../ai/speech/index.ts'
import { type Ctx, queryOne } from '../../../kernel/context.ts'
import { JobFailed, type JobHandler, type JobRun, jobType } from '../../../kernel/jobs.ts'
import { object, uuid } from '../../../kernel/schema/index.ts'
import { rows, updateRows } from '../../../kernel/statements.ts'
import { chatFiles } from './files.ts'
import { pdfText } from './pdf.ts'
import { type ReadText, storableText } from './text.ts'

export const readAttachmentJob = jobType('read_attachment', object({ file_id: uuid() }), 'chats:write', {
  attempts: 3,
  concurrency: 1,
})

interface StoredFile {
  file_name: string
  mime_type: string
}

export const readAttachmentHandler: JobHandler<{ file_id: string }> = {
  type: readAttachmentJob,

  async run(ctx, { file_id: id }, job) {
    const file = await storedFile(ctx, id)
    const path = chatFiles.path(ctx, id)
    await access(path).catch(() => {
      throw new JobFailed('The file no longer exists')
    })
    await saveResult(ctx, id, { status: 'processing' })
    const reading =
      file.mime_type === 'application/pdf' ? pdfText(path, job.signal) : transcribed(ctx, path, file, job)
    const read = await reading.catch(async error => {
      // The file is removed with its attachment, so a failure to read it may be due to that.
      await storedFile(ctx, id)
      throw error
    })
    await saveResult(ctx, id, { status: 'completed', error: null, ...read })
    return { file_id: id, characters: read.text.length }
  },

  async onEnd(tx, { file_id: id }, ending) {
    const error = ending.status === 'failed' ? ending.error : 'The reading of this file was cancelled'
    await saveResult(tx, id, { status: 'failed', error })
  },
}

async function storedFile(ctx: Ctx, id: string): Promise<StoredFile> {
  const file = await queryOne(
    ctx,
    sql<StoredFile>`select a.file_name, a.mime_type from ${rows(ctx, 'chat_attachments')} a where a.file_id = ${id} limit 1`,
  )
  if (!file) throw new JobFailed('The attachment has been deleted')
  return file
}

const saveResult = (
  ctx: Ctx,
  id: string,
  set: Partial<ReadText> & { status: string; error?: string | null },
) => updateRows(ctx, 'chat_attachments', { ...set, updated_at: sql`now()` }, sql`r.file_id = ${id}`)

/** Transcribes a recording without creating a transcription record. */
async function transcribed(
  ctx: Ctx,
  path: string,
  { file_name, mime_type }: StoredFile,
  job: JobRun,
): Promise<ReadText> {
  const { segments } = await recognizerOf(ctx.services.config)
    .transcribe({
      ...{ path, fileName: file_name, mimeType: mime_type, language: null, names: [], signal: job.signal },
      onProgress: (_, share) => job.progress(ctx, Math.min(99, Math.floor(share * 100)), 100),
    })
    .catch(error => {
      throw error instanceof SpeechFailed ? new JobFailed(error.message) : error
    })
  const text = segments.map(segment => segment.text).join(' ')
  if (text.trim() === '') throw new JobFailed('No speech was detected in this recording')
  return storableText(text)
}
