/**
 * Receives a recording: streams it to disk, detects its format from the content, and queues the job in the transaction
 * that creates its record.
 */
import { createWriteStream } from 'node:fs'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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
import type { Issue } from '../../kernel/schema/index.ts'
import { insertRows, updateRows } from '../../kernel/statements.ts'
import { uploadLimit } from '../../kernel/storage.ts'
import { piped } from '../../lib/piped.ts'
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
  const discard = () => audioFiles.remove(ctx, [id])
  return onceAfter(ctx, request, {
    async wait() {
      await audioFiles.makeFolder(ctx)
      try {
        const received = await readParts(ctx, id, request.parts())
        await audioFiles.publish(ctx, id)
        return received
      } catch (error) {
        await discard()
        throw error
      }
    },
    async write(tx, { file, fields }) {
      await record(tx, id, file, fields)
      return get(tx, id)
    },
    discard,
    status: () => 202,
  })
}

/** The fields may come before or after the file, so they are checked at the end. */
async function readParts(ctx: Ctx, id: string, parts: AsyncIterable<UploadPart>) {
  const input: Record<string, unknown> = {}
  const issues: Issue[] = []
  let file: Received | undefined
  for await (const part of parts) {
    if (part.type === 'file' && part.fieldname === 'file' && !file) {
      file = await keep(ctx, id, part.file, part.filename)
    } else if (part.type === 'file') part.file.resume()
    else if (Object.hasOwn(uploadFields.fields, part.fieldname) && part.value !== '')
      input[part.fieldname] = part.value
  }
  const fields = uploadFields.check(input, ['body'], issues)
  if (!file) issues.unshift({ type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null })
  if (!file || issues.length > 0) throw errors.invalid(issues)
  return { file, fields }
}

async function keep(ctx: Ctx, id: string, stream: Readable, fileName: string | undefined): Promise<Received> {
  const limit = await uploadLimit(ctx, ctx.services.config.files.audioBytes)
  const head: Buffer[] = []
  let size = 0
  let format: ReturnType<typeof formatOf>
  const checkedFormat = () => {
    format ??= formatOf(Buffer.concat(head))
    if (format) return format
    throw errors.unsupportedMedia('This is no wav, mp3, m4a, ogg, opus, flac or webm audio')
  }
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const before = size
      size += chunk.length
      try {
        if (size > limit.bytes) throw limit.exceeded()
        if (before < HEAD_BYTES) head.push(chunk)
        if (size >= HEAD_BYTES && !format) checkedFormat()
        done(null, chunk)
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
  })
  try {
    await pipeline(piped(stream, meter), createWriteStream(audioFiles.partPath(ctx, id), { mode: 0o600 }))
    return { file_name: nameOf(fileName), mime_type: checkedFormat().mimeType, file_size: size }
  } catch (error) {
    // the rest of the upload is read, so that the client gets the response
    stream.unpipe(meter).resume()
    throw error
  }
}

/**
 * The name is only displayed. Folders, which some clients include, and characters that cannot be stored are removed.
 */
function nameOf(given: string | undefined): string {
  const last = (given ?? '').split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(/\p{Cc}|\p{Cs}/gu, '').trim()
  return [...clean].slice(0, 255).join('') || 'recording'
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
