/** `/api/imports`: files of records, from the upload to the last row, and back. */
import { sql } from 'kysely'
import { type Ctx, queryOne, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { endpointsOf } from '../../kernel/general-endpoints.ts'
import { newId } from '../../kernel/ids.ts'
import { cancelJob, enqueue, type JobHandler, type JobType } from '../../kernel/jobs.ts'
import { asDownload, rawReply } from '../../kernel/reply.ts'
import type { ApiRequest, Endpoint, Item, Resource } from '../../kernel/resource.ts'
import { dict, int, list, nullable, object, oneOf, text, withDefault } from '../../kernel/schema/index.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { insertRows, living, updateRows } from '../../kernel/statements.ts'
import { csvLine, quoted } from '../exports/csv-text.ts'
import { removeFiles } from '../exports/files.ts'
import { EXPORTED } from '../exports/record.ts'
import type { Column } from './analyse.ts'
import { importFields } from './fields.ts'
import { checkMapping, mappingOf, proposed } from './mapping.ts'
import { checkMatchOn } from './match.ts'
import { preview } from './preview.ts'
import { importChange, importOutput, importRecord } from './record.ts'
import { errorFile, errorPage } from './report.ts'
import { revertJob } from './revert.ts'
import { clear, importJob, load, openOperation, validateJob } from './run.ts'
import { examine, receive, uploadFields } from './upload.ts'

const base = crud(importRecord)
const tag = 'Imports'
const KEPT_DAYS = 30

const read = { tag, permission: 'imports:read' } as const
const write = { tag, permission: 'imports:write' } as const

/** What is at work must not lose its file. */
async function remove(ctx: Ctx, ids: readonly string[]): Promise<number> {
  return transaction(ctx, async tx => {
    const busy = await queryOne(
      tx,
      sql`select i.id from ${living(tx, 'imports')} i where i.id = any(${ids}::uuid[])
        and i.status in ('running', 'validating') limit 1`,
    )
    if (busy) throw errors.conflict('This import is at work: cancel it first')
    const gone = await base.remove(tx, ids)
    await removeFiles(tx, ids)
    return gone
  })
}

export function importEndpoints(
  resources: readonly Resource[],
  handlers: ReadonlyMap<string, JobHandler>,
): Endpoint[] {
  const resource: Resource = {
    name: 'imports',
    idParam: 'import_id',
    tag,
    record: base.record,
    operations: { ...base, remove },
    endpoints: [
      ...uploadEndpoints(resources),
      ...runEndpoints(resources, handlers),
      ...reportEndpoints(resources),
    ],
  }
  return endpointsOf(resource).filter(({ method }) => method !== 'PATCH')
}

/** Whoever may not write the records may not import them either. */
function resourceFor(ctx: Ctx, resources: readonly Resource[], entityType: string): Resource {
  const resource = resources.find(({ record }) => record.entityType === entityType)
  if (!resource) throw errors.conflict(`This build imports no records of the kind ${entityType}`)
  const permission = `${resource.name}:write`
  if (!hasScope(ctx.caller.scopes, permission)) throw errors.missingScope(permission)
  return resource
}

const uploadEndpoints = (resources: readonly Resource[]): Endpoint[] => [
  {
    ...write,
    method: 'POST',
    path: '/api/imports',
    summary: 'Upload a CSV file to be imported',
    description:
      'As multipart/form-data with `file` and `entity_type`. Encoding, delimiter and columns are found out; the answer proposes a mapping. Nothing is imported before `start`.',
    multipart: true,
    body: object({ file: text({ description: 'The CSV file' }), ...uploadFields.fields }),
    response: importOutput,
    status: 201,
    single: true,
    run: (ctx, request) => create(ctx, resources, request),
  },
  {
    ...write,
    method: 'PUT',
    path: '/api/imports/{import_id}',
    summary: 'Change how a file is to be read',
    description: 'The mapping is replaced as a whole. Only before the import has started.',
    body: importChange,
    response: importOutput,
    single: true,
    run: (ctx, { params, body }) => update(ctx, resources, params.import_id, body),
  },
  {
    ...read,
    method: 'GET',
    path: '/api/imports/template/{entity_type}',
    params: object({ entity_type: oneOf(EXPORTED) }),
    summary: 'Get an empty file with a column for every field',
    responseContent: { 'text/csv': { type: 'string' } },
    run: async (ctx, { params }) => {
      const resource = resources.find(({ record }) => record.entityType === params.entity_type)!
      const names = [...(await importFields(ctx, resource.record)).keys()]
      const file = csvLine(names.map(quoted))
      return rawReply(file, 'text/csv; charset=utf-8', asDownload(`${resource.name}-template.csv`))
    },
  },
]

async function create(ctx: Ctx, resources: readonly Resource[], request: ApiRequest): Promise<Item> {
  const id = newId()
  const { fileName, fileSize, encoding, fields } = await receive(ctx, request, id)
  try {
    const { record } = resourceFor(ctx, resources, fields.entity_type)
    const found = await examine(
      ctx,
      id,
      encoding,
      fields.has_header === undefined ? {} : { has_header: fields.has_header },
    )
    const columns = await proposed(ctx, record, found.columns)
    const options = fields.options ?? { duplicate_strategy: 'skip', create_missing_companies: true }
    await checkOptions(ctx, record, options)
    const mapping = fields.mapping
      ? await checkMapping(ctx, record, columns, fields.mapping)
      : mappingOf(columns)
    await insertRows(ctx, 'imports', [
      {
        id,
        entity_type: fields.entity_type,
        file_name: fileName,
        file_size: fileSize,
        encoding,
        delimiter: found.delimiter,
        has_header: found.has_header,
        columns: JSON.stringify(columns),
        mapping: JSON.stringify(mapping),
        options: JSON.stringify(options),
        total_rows: found.total_rows,
        user_id: ctx.user,
        expires_at: new Date(Date.now() + KEPT_DAYS * 86_400_000),
      },
    ])
    return await base.get(ctx, id)
  } catch (error) {
    await removeFiles(ctx, [id])
    throw error
  }
}

const checkOptions = (ctx: Ctx, record: Resource['record'], options: Item): Promise<void> =>
  checkMatchOn(ctx, record, options.match_on == null ? [] : [options.match_on].flat())

/** An import that may still be changed and started, locked until the transaction ends. */
async function beforeStart(tx: Ctx, resources: readonly Resource[], id: string): Promise<Item> {
  const found = await locked(tx, resources, id)
  if (!['uploaded', 'ready'].includes(found.status)) {
    throw errors.conflict(`This import cannot be changed or started any more: it is ${found.status}`)
  }
  return found
}

async function locked(tx: Ctx, resources: readonly Resource[], id: string): Promise<Item> {
  const found = await queryOne(
    tx,
    sql<Item>`select i.* from ${living(tx, 'imports')} i where i.id = ${id} for no key update`,
  )
  if (!found) throw errors.notFound('Import')
  resourceFor(tx, resources, found.entity_type)
  return found
}

async function update(ctx: Ctx, resources: readonly Resource[], id: string, change: Item): Promise<Item> {
  const before = await load(ctx, id).catch(() => {
    throw errors.notFound('Import')
  })
  const { record } = resourceFor(ctx, resources, before.entity_type)
  const layout = await newLayout(ctx, id, before, change)
  const columns = layout ? await proposed(ctx, record, layout.columns) : before.columns
  if (change.options) await checkOptions(ctx, record, change.options)
  const mapping = change.mapping
    ? await checkMapping(ctx, record, columns, change.mapping)
    : layout
      ? mappingOf(columns)
      : undefined
  return transaction(ctx, async tx => {
    await beforeStart(tx, resources, id)
    await clear(tx, id)
    const set = {
      status: 'uploaded',
      ...(layout
        ? {
            encoding: layout.encoding,
            delimiter: layout.delimiter,
            has_header: layout.has_header,
            total_rows: layout.total_rows,
            columns: JSON.stringify(columns),
          }
        : {}),
      ...(mapping ? { mapping: JSON.stringify(mapping) } : {}),
      ...(change.options ? { options: JSON.stringify(change.options) } : {}),
      updated_at: sql`now()`,
    }
    await updateRows(tx, 'imports', set, sql`r.id = ${id}`)
    return base.get(tx, id)
  })
}

/** The file as it looks when it is read otherwise; undefined: as before. */
async function newLayout(
  ctx: Ctx,
  id: string,
  before: { encoding: string; delimiter: string; has_header: boolean },
  change: Item,
) {
  const wanted = { ...before, ...change }
  const isSame =
    wanted.encoding === before.encoding &&
    wanted.delimiter === before.delimiter &&
    wanted.has_header === before.has_header
  if (isSame) return undefined
  const given = { delimiter: wanted.delimiter, has_header: wanted.has_header }
  return examine(ctx, id, wanted.encoding as 'utf-8', given, true)
}

const runEndpoints = (
  resources: readonly Resource[],
  handlers: ReadonlyMap<string, JobHandler>,
): Endpoint[] => {
  const action = { ...write, method: 'POST', response: importOutput } as const
  return [
    {
      ...action,
      path: '/api/imports/{import_id}/validate',
      summary: 'Check every row and write nothing',
      description: 'A dry run: the counts and errors are those that a start would have.',
      status: 202,
      run: (ctx, { params }) =>
        launch(ctx, resources, params.import_id, validateJob, async tx => {
          await clear(tx, params.import_id)
          return { status: 'validating' }
        }),
    },
    {
      ...action,
      path: '/api/imports/{import_id}/start',
      summary: 'Import the rows',
      description: 'Good rows go in, the others are reported. What was imported can be reverted as one.',
      status: 202,
      run: (ctx, { params }) =>
        launch(ctx, resources, params.import_id, importJob, async (tx, found) => {
          if (Object.values(found.mapping).every(field => field === null)) {
            throw errors.invalidValue(
              ['body', 'mapping'],
              'map at least one column to a field',
              found.mapping,
            )
          }
          await clear(tx, params.import_id)
          const operation_id = newId()
          await openOperation(tx, operation_id, found.entity_type)
          return { status: 'running', operation_id, started_at: sql`now()` }
        }),
    },
    {
      ...action,
      path: '/api/imports/{import_id}/cancel',
      summary: 'Stop an import or a dry run',
      description: 'Rows that are in stay in; a revert takes them back.',
      run: (ctx, { params }) => cancel(ctx, resources, params.import_id, handlers),
    },
    {
      ...action,
      path: '/api/imports/{import_id}/revert',
      summary: 'Take an import back',
      description:
        'What it made goes to the trash, what it changed is put back. What someone has changed since stays and is named in `conflicts`.',
      status: 202,
      run: (ctx, { params }) => revert(ctx, resources, params.import_id),
    },
    {
      ...read,
      method: 'GET',
      path: '/api/imports/{import_id}/preview',
      summary: 'See what would become of the first rows',
      query: object({ rows: withDefault(int({ min: 1, max: 100 }), 20) }),
      response: object({
        items: list(
          object({ row: int({ min: 1 }), outcome: text(), values: dict(), errors: list(rowErrorOutput) }),
        ),
      }),
      run: async (ctx, { params, query }) => {
        const found = await load(ctx, params.import_id).catch(() => {
          throw errors.notFound('Import')
        })
        resourceFor(ctx, resources, found.entity_type)
        return { items: await preview(ctx, resources, found, query.rows) }
      },
    },
  ]
}

function launch(
  ctx: Ctx,
  resources: readonly Resource[],
  id: string,
  job: JobType<{ import_id: string }>,
  prepare: (tx: Ctx, found: Item) => Promise<Item>,
): Promise<Item> {
  return transaction(ctx, async tx => {
    const found = await beforeStart(tx, resources, id)
    const set = await prepare(tx, found)
    const job_id = await enqueue(tx, job, { import_id: id }, { entityId: id })
    await updateRows(
      tx,
      'imports',
      { ...set, job_id, error: null, updated_at: sql`now()` },
      sql`r.id = ${id}`,
    )
    return base.get(tx, id)
  })
}

function cancel(
  ctx: Ctx,
  resources: readonly Resource[],
  id: string,
  handlers: ReadonlyMap<string, JobHandler>,
): Promise<Item> {
  return transaction(ctx, async tx => {
    const found = await queryOne(
      tx,
      sql<Item>`select i.status, i.entity_type, i.job_id, i.revert_state is not null as is_reverting
        from ${living(tx, 'imports')} i where i.id = ${id}`,
    )
    if (!found) throw errors.notFound('Import')
    resourceFor(tx, resources, found.entity_type)
    if (!['running', 'validating'].includes(found.status))
      throw errors.conflict(`This import is ${found.status}`)
    if (found.is_reverting) throw errors.conflict('A revert is not stopped half-way')
    // The job first and the import then, as the job itself locks them.
    await cancelJob(tx, found.job_id, name => handlers.get(name))
    if (found.status === 'running') {
      const set = { status: 'cancelled', finished_at: sql`now()`, updated_at: sql`now()` }
      await updateRows(tx, 'imports', set, sql`r.id = ${id} and r.status = 'running'`)
    }
    return base.get(tx, id)
  })
}

function revert(ctx: Ctx, resources: readonly Resource[], id: string): Promise<Item> {
  return transaction(ctx, async tx => {
    const found = await locked(tx, resources, id)
    if (!['completed', 'cancelled', 'failed'].includes(found.status) || !found.operation_id) {
      throw errors.conflict(`This import cannot be reverted: it is ${found.status}`)
    }
    const undone = await queryOne(
      tx,
      sql`select o.id from ${sql.table('operations')} o where o.account_id = ${tx.account}
        and o.id = ${found.operation_id} and o.undone_at is not null`,
    )
    if (undone) throw errors.conflict('This import has been undone already')
    const job_id = await enqueue(tx, revertJob, { import_id: id }, { entityId: id })
    await updateRows(
      tx,
      'imports',
      { status: 'running', job_id, error: null, updated_at: sql`now()` },
      sql`r.id = ${id}`,
    )
    return base.get(tx, id)
  })
}

const rowErrorOutput = object(
  {
    row: int({ min: 1, description: 'As a spreadsheet counts: the header is row 1' }),
    column: nullable(text()),
    field: nullable(text()),
    value: nullable(text()),
    code: text(),
    message: text(),
  },
  { title: 'ImportError' },
)

const reportEndpoints = (resources: readonly Resource[]): Endpoint[] => [
  {
    ...read,
    method: 'GET',
    path: '/api/imports/{import_id}/errors',
    summary: 'List what is wrong with the rows that failed',
    query: object({
      page: withDefault(int({ min: 1 }), 1),
      page_size: withDefault(int({ min: 1, max: 1000 }), 50),
    }),
    response: object({
      items: list(rowErrorOutput),
      total: int(),
      page: int(),
      page_size: int(),
      total_pages: int(),
    }),
    run: async (ctx, { params, query }) => {
      await base.get(ctx, params.import_id)
      return errorPage(ctx, params.import_id, query.page, query.page_size)
    },
  },
  {
    ...read,
    method: 'GET',
    path: '/api/imports/{import_id}/errors.csv',
    summary: 'Download the rows that failed, to be mended and imported again',
    responseContent: { 'text/csv': { type: 'string' } },
    run: async (ctx, { params }) => {
      const found = await base.get(ctx, params.import_id)
      resourceFor(ctx, resources, found.entity_type)
      const file = errorFile(ctx, params.import_id, found as never, found.columns as Column[])
      const name = found.file_name.replace(/\.[^.]*$/, '')
      return rawReply(file, 'text/csv; charset=utf-8', asDownload(`${name}-errors.csv`))
    },
  },
]
