/**
 * Receives a recording: streams it to disk, detects its format from the content, and queues the job in the transaction
 * that creates its record.
 */
import { sql } from 'kysely'
import { formatOf, HEAD_BYTES } from '../../ai/speech/formats.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { ApiRequest, UploadPart } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { checkReferences } from '../../kernel/links.ts'
import { onceAfter } from '../../kernel/replay.ts'
import type { Reply } from '../../kernel/reply.ts'
import { insertRows, updateRows } from '../../kernel/statements.ts'
import { uploadLimit } from '../../kernel/storage.ts'
import { displayName, type FilePart, readUpload, storeUpload } from '../../kernel/uploads.ts'
import { audioFiles } from './files.ts'
import { LINKS, type Transcription, type UploadFields, uploadFields } from './record.ts'
import { transcribeJob } from './run.ts'

interface Received {
  file_name: string
  mime_type: string
  file_size: number
}

type Upload = Pick<ApiRequest, 'header' | 'raw' | 'body' | 'parts'>

export function receive(
  ctx: Ctx,
  request: Upload,
  get: (tx: Ctx, id: string) => Promise<Transcription>,
): Promise<Reply> {
  const id = newId()
  return onceAfter(ctx, request, {
    wait: () =>
      audioFiles.receive(ctx, id, path =>
        readUpload(filled(request.parts()), uploadFields, part => store(ctx, path, part)),
      ),
    async write(tx, { file, fields }) {
      await record(tx, id, file, fields)
      return get(tx, id)
    },
    discard: () => audioFiles.remove(ctx, [id]),
    status: () => 202,
  })
}

/** Forms send an empty text for a field that was not filled in. */
async function* filled(parts: AsyncIterable<UploadPart>): AsyncGenerator<UploadPart> {
  for await (const part of parts) if (part.type === 'file' || part.value !== '') yield part
}

async function store(ctx: Ctx, path: string, { file, filename }: FilePart): Promise<Received> {
  const limit = await uploadLimit(ctx, ctx.services.config.files.audioBytes)
  let head = Buffer.alloc(0)
  let format: ReturnType<typeof formatOf>
  const checkFormat = () => {
    format ??= formatOf(head)
    if (format) return format
    throw errors.unsupportedMedia('This is no wav, mp3, m4a, ogg, opus, flac or webm audio')
  }
  const file_size = await storeUpload(file, path, limit, chunk => {
    if (head.length >= HEAD_BYTES) return
    head = Buffer.concat([head, chunk])
    if (head.length >= HEAD_BYTES) checkFormat()
  })
  return { file_name: displayName(filename, 'recording'), mime_type: checkFormat().mimeType, file_size }
}

async function record(tx: Ctx, id: string, file: Received, fields: UploadFields): Promise<void> {
  for (const { name, target } of LINKS) {
    const linked = fields[name]
    if (linked) await checkReferences(tx, target, [linked], () => ['body', name])
  }
  const { language = null, activity_id = null, contact_id = null, company_id = null, deal_id = null } = fields
  const links = { activity_id, contact_id, company_id, deal_id }
  await insertRows(tx, 'transcriptions', [{ id, user_id: tx.user, ...file, language, ...links }])
  const job = await enqueue(tx, transcribeJob, { transcription_id: id }, { entityId: id })
  await updateRows(tx, 'transcriptions', { job_id: job }, sql`r.id = ${id}`)
  if (fields.activity_id) {
    // sets the recording of the activity, unless it already has one
    await updateRows(
      tx,
      'activities',
      { transcription_id: id, updated_at: sql`now()` },
      sql`r.id = ${fields.activity_id} and r.transcription_id is null`,
    )
  }
}
