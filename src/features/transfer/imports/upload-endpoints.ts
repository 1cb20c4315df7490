/** Upload a file, and change how it is read. */
import { sql } from 'kysely'
import { type Ctx, transaction } from '../../../kernel/context.ts'
import { type ApiRequest, type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { onceAfter } from '../../../kernel/replay.ts'
import { asDownload, type Reply, rawReply } from '../../../kernel/reply.ts'
import type { Resource } from '../../../kernel/resource.ts'
import { object, oneOf, text } from '../../../kernel/schema/index.ts'
import { insertRows, type NewRow, updateRows } from '../../../kernel/statements.ts'
import { csvLine, quoted } from '../exports/csv-text.ts'
import { transferFiles } from '../exports/files.ts'
import { EXPORTED } from '../exports/record.ts'
import { base, beforeStart, read, resourceFor, resourceOf, write } from './access.ts'
import { hasRecords } from './analyse.ts'
import { importFields, isExternal } from './fields.ts'
import type { Format } from './formats/detect.ts'
import { importedBefore } from './imported-before.ts'
import { clear } from './ledger.ts'
import { mergedOptions } from './options.ts'
import { requestedImport } from './plan.ts'
import { type Import, type ImportInput, importChange, importOutput } from './record.ts'
import { settingsOf, storedSettings } from './settings.ts'
import { examine, receive, uploadFields } from './upload.ts'

const KEPT_DAYS = 30

export const uploadEndpoints = (resources: readonly Resource[]): Endpoint[] => [
  endpoint({
    ...write,
    method: 'POST',
    path: '/api/imports',
    summary: 'Create an import',
    description:
      'As multipart/form-data with `file` and `entity_type`. The file is CSV, XLSX, JSON (an array of objects, {"records": [...]}, or an object per line), vCard or iCalendar (events become activities); its format, encoding, delimiter and columns are detected, and the response proposes a mapping. Objects within JSON objects become columns such as `address.city`. Nothing is imported before `start`.',
    multipart: true,
    body: object({
      file: text({ description: 'A CSV, XLSX, JSON, vCard or iCalendar file' }),
      ...uploadFields.fields,
    }),
    response: importOutput,
    status: 201,
    single: true,
    replaysItself: true,
    run: (ctx, request) => create(ctx, resources, request),
  }),
  endpoint({
    ...write,
    method: 'PUT',
    path: '/api/imports/{import_id}',
    summary: 'Update an import',
    description:
      'Columns, values and options that the request does not name are not changed. Only before the import has started.',
    body: importChange,
    response: importOutput,
    single: true,
    run: (ctx, { params, body }) => update(ctx, resources, params.import_id, body),
  }),
  endpoint({
    ...read,
    method: 'GET',
    path: '/api/imports/template/{entity_type}',
    params: object({ entity_type: oneOf(EXPORTED) }),
    summary: 'Get an empty import file',
    description: 'A CSV file with a column for every field.',
    responseContent: { 'text/csv': { type: 'string' } },
    run: async (ctx, { params }) => {
      const resource = resourceOf(resources, params.entity_type)
      const fields = [...(await importFields(ctx, resource.record)).values()]
      const names = fields.filter(field => !isExternal(field)).map(({ name }) => name)
      const file = csvLine(names.map(quoted))
      return rawReply(file, 'text/csv; charset=utf-8', asDownload(`${resource.name}-template.csv`))
    },
  }),
]

function create(ctx: Ctx, resources: readonly Resource[], request: ApiRequest): Promise<Reply> {
  const id = newId()
  return onceAfter(ctx, request, {
    wait: () => received(ctx, resources, request, id),
    async write(tx, upload) {
      await insertRows(tx, 'imports', [upload])
      return base.get(tx, id)
    },
    discard: () => transferFiles.remove(ctx, [id]),
  })
}

/** Stores the file and returns the import to insert. */
async function received(
  ctx: Ctx,
  resources: readonly Resource[],
  request: ApiRequest,
  id: string,
): Promise<NewRow<'imports'>> {
  const upload = await receive(ctx, request, id)
  const { fileName, fileSize, fileHash, format, sheet, encoding, fields } = upload
  try {
    const { record } = resourceFor(ctx, resources, fields.entity_type)
    const layout = fields.has_header === undefined ? {} : { has_header: fields.has_header }
    const analysis = await examine(ctx, id, format, encoding, layout)
    const notices = [...upload.notices, ...(await importedBefore(ctx, fields.entity_type, fileHash))]
    const settings = await settingsOf(ctx, record, analysis.columns, fields, notices)
    return {
      id,
      entity_type: fields.entity_type,
      file_name: fileName,
      file_size: fileSize,
      file_hash: fileHash,
      format,
      sheet,
      notices: JSON.stringify(notices),
      encoding,
      delimiter: analysis.delimiter,
      has_header: analysis.has_header,
      ...storedSettings(settings),
      total_rows: analysis.total_rows,
      user_id: ctx.user,
      expires_at: new Date(Date.now() + KEPT_DAYS * 86_400_000).toISOString(),
    }
  } catch (error) {
    await transferFiles.remove(ctx, [id])
    throw error
  }
}

async function update(
  ctx: Ctx,
  resources: readonly Resource[],
  id: string,
  change: ImportInput,
): Promise<Import> {
  const before = await requestedImport(ctx, id)
  const { record } = resourceFor(ctx, resources, before.entity_type)
  const layout = await newLayout(ctx, id, before, change)
  const settings = await settingsOf(
    ctx,
    record,
    layout?.columns ?? before.columns,
    // With another layout the file has other columns, so the settings for the former ones do not fit.
    layout ? { ...change, options: mergedOptions(before.options, change.options ?? {}) } : change,
    before.notices,
    layout ? undefined : before,
  )
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
          }
        : {}),
      ...storedSettings(settings),
      updated_at: sql`now()`,
    }
    await updateRows(tx, 'imports', set, sql`r.id = ${id}`)
    return base.get(tx, id)
  })
}

/** The analysis of the file with another layout or encoding; undefined if they do not change. */
async function newLayout(
  ctx: Ctx,
  id: string,
  before: Pick<Import, 'format' | 'encoding' | 'delimiter' | 'has_header'>,
  change: ImportInput,
) {
  const requested = { ...before, ...change }
  const isSame =
    requested.encoding === before.encoding &&
    requested.delimiter === before.delimiter &&
    requested.has_header === before.has_header
  if (isSame) return undefined
  checkLayout(before.format, change)
  const layout = { delimiter: requested.delimiter, has_header: requested.has_header }
  return examine(ctx, id, before.format, requested.encoding, layout, true)
}

/** The layout of a table that was converted from another format is fixed. */
function checkLayout(format: Format, change: ImportInput): void {
  if (format === 'csv') return
  const fixed = hasRecords(format)
    ? (['encoding', 'delimiter', 'has_header'] as const)
    : (['encoding', 'delimiter'] as const)
  for (const name of fixed) {
    if (change[name] === undefined) continue
    throw errors.invalidValue(
      ['body', name],
      `only CSV files have this choice, and this one is ${format}`,
      change[name],
    )
  }
}
