/** Downloads a recording, completely or as a range of bytes. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../kernel/context.ts'
import { errors, HttpError } from '../../kernel/errors.ts'
import { asDownload, type Reply, rawReply } from '../../kernel/reply.ts'
import { living } from '../../kernel/statements.ts'
import { audioFiles } from './files.ts'

export async function audioReply(ctx: Ctx, id: string, range: string | undefined): Promise<Reply> {
  const recording = await queryOne(
    ctx,
    sql<{ mime_type: string; file_name: string; has_audio: boolean }>`
      select t.mime_type, t.file_name, t.has_audio from ${living(ctx, 'transcriptions')} t where t.id = ${id}`,
  )
  if (!recording) throw errors.notFound('Transcription')
  const path = audioFiles.path(ctx, id)
  const file = recording.has_audio ? await stat(path).catch(() => undefined) : undefined
  if (!file) throw errors.notFound('The audio of this transcription')
  const headers = {
    ...asDownload(recording.file_name),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
  }
  const part = rangeOf(range, file.size)
  if (!part) {
    const whole = { ...headers, 'content-length': String(file.size) }
    return rawReply(createReadStream(path), recording.mime_type, whole)
  }
  const reply = rawReply(createReadStream(path, part), recording.mime_type, {
    ...headers,
    'content-length': String(part.end - part.start + 1),
    'content-range': `bytes ${part.start}-${part.end}/${file.size}`,
  })
  return { ...reply, status: 206 }
}

/** One range of bytes, as players request it. Any other range header gets the whole file. */
function rangeOf(range: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start >= size) throw new HttpError(416, 'Range Not Satisfiable', { 'content-range': `bytes */${size}` })
  return start > end ? undefined : { start, end }
}
