/** `/api/files`: files on records. Reading or changing a file needs the scope of its record in addition to `files`. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { crud } from '../../../kernel/crud.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { endpointsOf } from '../../../kernel/general-endpoints.ts'
import { listRecords } from '../../../kernel/list-query.ts'
import { checkMayRead, checkMayWrite, mayRead } from '../../../kernel/reach.ts'
import { asDownload, type Reply, rawReply } from '../../../kernel/reply.ts'
import type { ListQuery, Operations } from '../../../kernel/resource.ts'
import { rows } from '../../../kernel/statements.ts'
import { type KindName, targets } from '../../../resources/kinds.ts'
import { ENTITY_TYPES, type File, type FileInput, file, upload } from './record.ts'
import { recordFiles } from './store.ts'
import { receive } from './upload.ts'

const base = crud(file)
const tag = 'Files'

/**
 * Lists the files on records that the caller may read. This condition cannot be part of `visible`, which is compiled
 * once for all callers.
 */
function list(ctx: Ctx, params: ListQuery) {
  const readable = ENTITY_TYPES.filter(type => mayRead(ctx, targets[type].table))
  const isAll = readable.length === ENTITY_TYPES.length
  return listRecords(ctx, base.record, params, isAll ? [] : [sql`r.entity_type = any(${readable}::text[])`])
}

async function get(ctx: Ctx, id: string): Promise<File> {
  const file = await base.get(ctx, id)
  checkMayRead(ctx, targets[file.entity_type].table)
  return file
}

/** Refuses a change of files on records that the caller may not change. */
async function checkWriter(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const kinds = await query(
    ctx,
    sql<{ entity_type: KindName }>`select distinct f.entity_type from ${rows(ctx, 'files')} f
      where f.id = any(${ids}::uuid[])`,
  )
  const tables = kinds.map(({ entity_type }) => targets[entity_type].table)
  for (const table of tables) checkMayRead(ctx, table)
  checkMayWrite(ctx, tables)
}

const operations: Operations<FileInput, File> = {
  ...base,
  list,
  get,
  async update(ctx, id, input) {
    await checkWriter(ctx, [id])
    return base.update(ctx, id, input)
  },
  async remove(ctx, ids) {
    await checkWriter(ctx, ids)
    return base.remove(ctx, ids)
  },
  async restore(ctx, ids) {
    await checkWriter(ctx, ids)
    return base.restore(ctx, ids)
  },
}

const create = endpoint({
  method: 'POST',
  path: '/api/files',
  tag,
  permission: 'files:write',
  summary: 'Put a file on a record',
  description:
    'As multipart/form-data with `file`, `entity_type` and `entity_id`; `name` replaces the name of the file. Up to `KITH_FILE_LIMIT` (100 MB), and 1,000 files on a record. The type is detected from the content.',
  multipart: true,
  body: upload,
  response: file.output,
  status: 201,
  single: true,
  replaysItself: true,
  run: (ctx, request) => receive(ctx, request, base.get),
})

const content = endpoint({
  method: 'GET',
  path: '/api/files/{file_id}/content',
  tag,
  permission: 'files:read',
  summary: 'Download the content of a file',
  description: 'The content type is the `mime_type` of the file.',
  responseContent: { '*/*': { type: 'string', format: 'binary' } },
  run: (ctx, { params }) => contentReply(ctx, params.file_id),
})

async function contentReply(ctx: Ctx, id: string): Promise<Reply> {
  const { name, mime_type } = await get(ctx, id)
  const path = recordFiles.path(ctx, id)
  const stored = await stat(path).catch(() => undefined)
  if (!stored) throw errors.notFound('The content of this file')
  return rawReply(createReadStream(path), mime_type, {
    ...asDownload(name),
    'content-length': String(stored.size),
    'cache-control': 'private, no-store',
    // A browser that displays the file anyway runs no script in it.
    'content-security-policy': "sandbox; default-src 'none'",
  })
}

export const fileEndpoints = endpointsOf({
  name: 'files',
  idParam: 'file_id',
  tag,
  record: base.record,
  operations,
  endpoints: [create, content],
})
