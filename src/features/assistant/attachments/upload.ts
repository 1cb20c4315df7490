/** Takes in a file: streamed to disk, known by its content, read at once or queued with its record. */

import { createWriteStream } from 'node:fs'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { lockRecords } from '../../../kernel/crud.ts'
import type { UploadPart } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { enqueue } from '../../../kernel/jobs.ts'
import { insertRows, rows, updateRows } from '../../../kernel/statements.ts'
import { uploadLimit } from '../../../kernel/storage.ts'
import { piped } from '../../../lib/piped.ts'
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

interface Arrived extends Received {
  id: string
  read: { text: string; is_truncated: boolean } | undefined
}

/** The file at its place; what is text has been read. */
export async function receive(ctx: Ctx, parts: AsyncIterable<UploadPart>): Promise<Arrived> {
  const id = newId()
  await chatFiles.makeFolder(ctx)
  try {
    const file = await readParts(ctx, id, parts)
    await chatFiles.publish(ctx, id)
    const { kind } = file
    const isText = kind.reads === 'text' || kind.reads === 'csv'
    const read = isText ? await textOf(chatFiles.path(ctx, id), kind.encoding, kind.reads) : undefined
    return { ...file, id, read }
  } catch (error) {
    await chatFiles.remove(ctx, [id])
    throw error
  }
}

async function readParts(ctx: Ctx, id: string, parts: AsyncIterable<UploadPart>): Promise<Received> {
  let file: Received | undefined
  for await (const part of parts) {
    if (part.type !== 'file') continue
    if (part.fieldname === 'file' && !file)
      file = await keep(ctx, id, part.file, nameOf(part.filename), part.mimetype)
    else part.file.resume()
  }
  if (!file)
    throw errors.invalid([{ type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null }])
  if (file.file_size === 0) throw errors.invalidValue(['body', 'file'], 'the file is empty', file.file_name)
  return file
}

async function keep(ctx: Ctx, id: string, stream: Readable, name: string, type: string): Promise<Received> {
  const limit = await uploadLimit(ctx, ctx.services.config.files.attachmentBytes)
  const sniffer = kindSniffer(name, type)
  let size = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      try {
        if (size > limit.bytes) throw limit.exceeded()
        sniffer.push(chunk)
        done(null, chunk)
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
  })
  try {
    await pipeline(piped(stream, meter), createWriteStream(chatFiles.partPath(ctx, id), { mode: 0o600 }))
    return { file_name: name, file_size: size, kind: sniffer.result() }
  } catch (error) {
    // what is still on its way is let through, so that the client gets to read the answer
    stream.unpipe(meter).resume()
    throw error
  }
}

/** Only ever shown; folders that some clients send along, and what no text may hold, are left out. */
function nameOf(given: string | undefined): string {
  const last = (given ?? '').replace(/^.*[/\\]/s, '')
  const clean = last.replace(/\p{Cc}|\p{Cs}|[\u2028\u2029]/gu, '').trim()
  return [...clean].slice(0, 255).join('') || 'file'
}

/** The chat is held meanwhile: two uploads at once must not both find the last place free. */
export async function record(tx: Ctx, chatId: string, { id, kind, read, ...file }: Arrived): Promise<void> {
  if ((await lockRecords(tx, 'chats', [chatId])).length === 0) throw errors.notFound('Chat')
  const [there] = await query(
    tx,
    sql<{
      files: number
    }>`select count(*) as files from ${rows(tx, 'chat_attachments')} a where a.chat_id = ${chatId}`,
  )
  if (there!.files >= MAX_FILES) throw errors.conflict(`A chat has at most ${MAX_FILES} attachments`)
  const how = read ? { status: 'completed', ...read } : { status: 'queued' }
  const attachment = {
    id,
    chat_id: chatId,
    created_by: tx.user,
    file_id: id,
    ...file,
    mime_type: kind.mimeType,
    ...how,
  }
  await insertRows(tx, 'chat_attachments', [attachment])
  if (read) return
  const job = await enqueue(tx, readAttachmentJob, { file_id: id }, { entityId: id })
  await updateRows(tx, 'chat_attachments', { job_id: job }, sql`r.id = ${id}`)
}
