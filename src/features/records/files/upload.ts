/** Receives a file: streams it to disk and detects its type from the first bytes. */
import { sql } from 'kysely'
import { type Ctx, one, query } from '../../../kernel/context.ts'
import type { ApiRequest } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { checkMayRead, checkMayWrite } from '../../../kernel/reach.ts'
import { onceAfter } from '../../../kernel/replay.ts'
import type { Reply } from '../../../kernel/reply.ts'
import { insertRows, living, rows } from '../../../kernel/statements.ts'
import { uploadLimit } from '../../../kernel/storage.ts'
import { displayName, type FilePart, readUpload, storeUpload } from '../../../kernel/uploads.ts'
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
  request: Pick<ApiRequest, 'header' | 'raw' | 'body' | 'parts'>,
  get: (tx: Ctx, id: string) => Promise<File>,
): Promise<Reply> {
  const id = newId()
  return onceAfter(ctx, request, {
    wait: () =>
      recordFiles.receive(ctx, id, path =>
        readUpload(request.parts(), uploadFields, part => store(ctx, path, part)),
      ),
    async write(tx, { file, fields }) {
      await insert(tx, id, file, fields)
      return get(tx, id)
    },
    discard: () => recordFiles.remove(ctx, [id]),
    status: () => 201,
  })
}

async function store(ctx: Ctx, path: string, { file, filename }: FilePart): Promise<Received> {
  const limit = await uploadLimit(ctx, ctx.services.config.files.fileBytes)
  let head = Buffer.alloc(0)
  const file_size = await storeUpload(file, path, limit, chunk => {
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
  })
  return { name: displayName(filename, 'file'), file_size, head }
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
