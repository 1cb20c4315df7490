/** Writes an export's file. After a crash it starts from the beginning; an incomplete file is never visible. */
import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Engine } from '../../../db/engine.ts'
import { type Ctx, queryOne, readingContext } from '../../../kernel/context.ts'
import { JobFailed, type JobHandler, type JobRun, jobType } from '../../../kernel/jobs.ts'
import type { ListQuery, Resource } from '../../../kernel/resource.ts'
import { object, uuid } from '../../../kernel/schema/index.ts'
import { living, updateRows } from '../../../kernel/statements.ts'
import { storageFull, storageLeft } from '../../../kernel/storage.ts'
import { definitionsOf } from '../../../resources/custom-fields/definition.ts'
import { whereConditions } from '../../records/query/selection.ts'
import { chosenColumns } from './columns.ts'
import { transferFiles } from './files.ts'
import { csvFormat, type Format, header, jsonFormat } from './format.ts'
import { type Pace, reader, type Source } from './read.ts'
import { writeTakeout } from './takeout.ts'

export const exportJob = jobType('export', object({ export_id: uuid() }), 'exports:write')

interface RequestedExport {
  id: string
  entity_type: string
  format: 'csv' | 'json' | 'archive'
  fields: string[] | null
  filter: ListQuery
  where: unknown
  ids: string[] | null
  bom: boolean
  status: string
}

/** Rows of one page. The embedded engine has one connection, so other requests wait while a page is read. */
const PACE: Record<Engine['kind'], Pace> = {
  server: { pageSize: 4000, ahead: true, maxNames: 100_000 },
  embedded: { pageSize: 400, ahead: false, maxNames: 100_000 },
}
/** Rows that are written before the event loop is yielded: about a millisecond. */
const SLICE = 100
const FLUSH_CHARACTERS = 256 * 1024
const PROGRESS_EVERY_MS = 250

export const exportHandler = (resources: readonly Resource[]): JobHandler<{ export_id: string }> => ({
  type: exportJob,

  async run(ctx, { export_id: id }, job) {
    const requested = await queryOne(
      ctx,
      sql<RequestedExport>`select e.id, e.entity_type, e.format, e.fields, e.filter, e."where", e.ids, e.bom, e.status
        from ${living(ctx, 'exports')} e where e.id = ${id}`,
    )
    if (!requested) throw new JobFailed('The export has been deleted')
    if (requested.status === 'completed') return { export_id: id }
    await updateRows(
      ctx,
      'exports',
      { status: 'running', error: null, updated_at: sql`now()` },
      sql`r.id = ${id}`,
    )
    if ((await storageLeft(ctx)) <= 0) throw new JobFailed(storageFull(ctx).message)
    await transferFiles.makeFolder(ctx)
    const file = await open(transferFiles.partPath(ctx, id), 'w', 0o600)
    let done: { rows: number; bytes: number }
    try {
      done =
        requested.format === 'archive'
          ? await writeTakeout(ctx, file, job)
          : await writeRecords(ctx, resources, requested, file, job)
    } finally {
      await file.close()
    }
    await transferFiles.publish(ctx, id)
    const { exportHours } = ctx.services.config.files
    const set = {
      status: 'completed',
      row_count: done.rows,
      file_size: done.bytes,
      expires_at: sql`now() + make_interval(hours => ${exportHours})`,
      updated_at: sql`now()`,
    }
    await updateRows(ctx, 'exports', set, sql`r.id = ${id}`)
    return { export_id: id, row_count: done.rows, file_size: done.bytes }
  },

  async onEnd(tx, { export_id: id }, ending) {
    const error = ending.status === 'failed' ? ending.error : 'The export was cancelled'
    await updateRows(tx, 'exports', { status: 'failed', error, updated_at: sql`now()` }, sql`r.id = ${id}`)
    await transferFiles.remove(tx, [id])
  },
})

function resourceOf(resources: readonly Resource[], { entity_type }: RequestedExport): Resource {
  const resource = resources.find(({ record }) => record.entityType === entity_type)
  if (!resource) throw new JobFailed(`There are no records of the kind ${entity_type}`)
  return resource
}

async function writeRecords(
  ctx: Ctx,
  resources: readonly Resource[],
  requested: RequestedExport,
  file: FileHandle,
  job: JobRun,
): Promise<{ rows: number; bytes: number }> {
  const { fields, filter, ids, format, bom } = requested
  const { record } = resourceOf(resources, requested)
  const where = await whereConditions(ctx, record, requested.where)
  const isCsv = format === 'csv'
  const columns = await chosenColumns(ctx, record, fields, isCsv ? 'csv' : 'json')
  const declared = await definitionsOf(ctx, record.entityType ?? '')
  const reads = await readingContext(ctx)
  const source = reader(
    reads,
    record,
    columns,
    { params: filter, ids, where },
    PACE[ctx.services.engine.kind],
  )
  const line = (isCsv ? csvFormat : jsonFormat)(columns, declared)
  const total = await source.count()
  await job.progress(ctx, 0, total)
  const out = writer(file)
  if (isCsv) await out.write((bom ? '\ufeff' : '') + header(columns))
  let rows = 0
  let reportedAt = performance.now()
  for await (const page of source.pages()) {
    await writePage(out, page, line)
    rows += page.length
    if (performance.now() - reportedAt < PROGRESS_EVERY_MS) continue
    reportedAt = performance.now()
    await job.progress(ctx, rows, Math.max(rows, total))
  }
  await job.progress(ctx, rows, Math.max(rows, total))
  await out.end()
  return { rows, bytes: out.bytes() }
}

async function writePage(out: Writer, page: readonly Source[], format: Format): Promise<void> {
  for (let at = 0; at < page.length; ) {
    const end = Math.min(at + SLICE, page.length)
    let lines = ''
    for (; at < end && lines.length < FLUSH_CHARACTERS; at++) lines += format(page[at]!)
    await out.write(lines)
    await turn()
  }
}

type Writer = ReturnType<typeof writer>

/** While one part is written to the disk, the next is built. */
function writer(file: FileHandle) {
  let waiting = ''
  let bytes = 0
  let writing = Promise.resolve()
  const flush = async () => {
    await writing
    const chunk = Buffer.from(waiting)
    waiting = ''
    bytes += chunk.length
    writing = file.writeFile(chunk)
    writing.catch(() => {})
  }
  return {
    bytes: () => bytes,
    async write(text: string) {
      waiting += text
      if (waiting.length >= FLUSH_CHARACTERS) await flush()
    },
    async end() {
      await flush()
      await writing
    },
  }
}
