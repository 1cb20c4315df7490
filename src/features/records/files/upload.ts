/** Receives a file: streams it to disk and detects its type from the first bytes. */
import { createWriteStream } from 'node:fs'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { type Ctx, one, query } from '../../../kernel/context.ts'
import type { ApiRequest, UploadPart } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { checkMayRead, checkMayWrite } from '../../../kernel/reach.ts'
import { onceAfter } from '../../../kernel/replay.ts'
import type { Reply } from '../../../kernel/reply.ts'
import type { Issue } from '../../../kernel/schema/index.ts'
import { insertRows, living, rows } from '../../../kernel/statements.ts'
import { uploadLimit } from '../../../kernel/storage.ts'
import { piped } from '../../../lib/piped.ts'
import { targets } from '../../../resources/kinds.ts'
import { type File, type UploadFields, uploadFields } from './record.ts'
import { recordFiles } from './store.ts'
import { HEAD_BYTES, mediaType } from './type.ts'

/** Files on one record. */
const MAX_FILES = 1000

interface Received {
  name: string
  file_size: number
  head: Buffer
}

export function receive(
  ctx: Ctx,
  request: ApiRequest,
  get: (tx: Ctx, id: string) => Promise<File>,
): Promise<Reply> {
  const id = newId()
  const discard = () => recordFiles.remove(ctx, [id])
  return onceAfter(ctx, request, {
    async wait() {
      await recordFiles.makeFolder(ctx)
      try {
        const received = await readParts(ctx, id, request.parts())
        await recordFiles.publish(ctx, id)
        return received
      } catch (error) {
        await discard()
        throw error
      }
    },
    async write(tx, { file, fields }) {
      await insert(tx, id, file, fields)
      return get(tx, id)
    },
    discard,
    status: () => 201,
  })
}

/** The fields may come before or after the file, so they are checked at the end. */
async function readParts(ctx: Ctx, id: string, parts: AsyncIterable<UploadPart>) {
  const given: Record<string, unknown> = {}
  const issues: Issue[] = []
  let file: Received | undefined
  for await (const part of parts) {
    if (part.type === 'file' && part.fieldname === 'file' && !file)
      file = await store(ctx, id, part.file, nameOf(part.filename))
    else if (part.type === 'file') part.file.resume()
    else if (Object.hasOwn(uploadFields.fields, part.fieldname)) given[part.fieldname] = part.value
  }
  const fields = uploadFields.check(given, ['body'], issues)
  if (!file) issues.unshift({ type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null })
  if (!file || issues.length > 0) throw errors.invalid(issues)
  return { file, fields }
}

async function store(ctx: Ctx, id: string, stream: Readable, name: string): Promise<Received> {
  const limit = await uploadLimit(ctx, ctx.services.config.files.fileBytes)
  let head = Buffer.alloc(0)
  let size = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
      if (size > limit.bytes) done(limit.exceeded())
      else done(null, chunk)
    },
  })
  try {
    await pipeline(piped(stream, meter), createWriteStream(recordFiles.partPath(ctx, id), { mode: 0o600 }))
    return { name, file_size: size, head }
  } catch (error) {
    // The rest of the upload is read, so that the client gets the answer.
    stream.unpipe(meter).resume()
    throw error
  }
}

/**
 * The name is only displayed. Folders, which some clients include, and characters that cannot be stored are removed.
 */
function nameOf(given: string | undefined): string {
  const last = (given ?? '').replace(/^.*[/\\]/s, '')
  const clean = last.replace(/\p{Cc}|\p{Cs}|[\u2028\u2029]/gu, '').trim()
  return [...clean].slice(0, 255).join('') || 'file'
}

async function insert(tx: Ctx, id: string, { head, ...file }: Received, fields: UploadFields): Promise<void> {
  const { entity_type, entity_id, name = file.name } = fields
  const target = targets[entity_type]
  checkMayRead(tx, target.table)
  checkMayWrite(tx, [target.table])
  const [record] = await query(
    tx,
    sql`select t.id from ${living(tx, target.table)} t where t.id = ${entity_id} for key share`,
  )
  if (!record) throw errors.referenceNotFound(['body', 'entity_id'], target.label, entity_id)
  const { count } = one(
    await query(
      tx,
      sql<{ count: number }>`select count(*) as count from ${rows(tx, 'files')} f
        where f.entity_id = ${entity_id} and f.deleted_at is null`,
    ),
  )
  if (count >= MAX_FILES) throw errors.conflict(`A record has at most ${MAX_FILES} files`)
  const mime_type = mediaType(head, name)
  await insertRows(tx, 'files', [{ id, entity_type, entity_id, ...file, name, mime_type, user_id: tx.user }])
}
