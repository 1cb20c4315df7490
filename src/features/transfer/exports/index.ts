/** `/api/exports`: records as files. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Ctx, query, queryOne, ROLES, transaction } from '../../../kernel/context.ts'
import { crud } from '../../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { endpointsOf } from '../../../kernel/general-endpoints.ts'
import { newId } from '../../../kernel/ids.ts'
import { enqueue } from '../../../kernel/jobs.ts'
import { asDownload, rawReply } from '../../../kernel/reply.ts'
import type { Resource } from '../../../kernel/resource.ts'
import { hasScope } from '../../../kernel/scopes.ts'
import { insertRows, living, unscoped, updateRows } from '../../../kernel/statements.ts'
import { checkedFilter, filterConditions, whereConditions } from '../../records/query/selection.ts'
import { chosenColumns } from './columns.ts'
import { transferFiles } from './files.ts'
import { type Export, type ExportInput, exportInput, exportOutput, exportRecord } from './record.ts'
import { exportJob } from './run.ts'

const base = crud(exportRecord)
const tag = 'Exports'

const operations = {
  ...base,
  async remove(ctx: Ctx, ids: readonly string[]) {
    const gone = await base.remove(ctx, ids)
    await transferFiles.remove(ctx, ids)
    return gone
  },
}

export function exportEndpoints(resources: readonly Resource[]): Endpoint[] {
  const resource: Resource = {
    name: 'exports',
    idParam: 'export_id',
    tag,
    record: base.record,
    operations,
    endpoints: [
      endpoint({
        method: 'POST',
        path: '/api/exports',
        tag,
        permission: 'exports:write',
        summary: 'Create an export',
        description:
          'Responds at once; the file is ready when the export is completed. Cells that a spreadsheet would take for a formula begin with an apostrophe, which an import removes.',
        strict: true,
        body: exportInput,
        response: exportOutput,
        status: 202,
        run: (ctx, { body }) => create(ctx, resources, body),
      }),
      endpoint({
        method: 'GET',
        path: '/api/exports/{export_id}/download',
        tag,
        permission: 'exports:read',
        summary: 'Download an export',
        description:
          '409 until the export is completed; 404 once its file has expired (`expires_at`). Needs the same role and scopes as creating the export.',
        responseContent: {
          'text/csv': { type: 'string' },
          'application/x-ndjson': { type: 'string' },
          'application/gzip': { type: 'string', format: 'binary' },
        },
        run: (ctx, { params }) => download(ctx, resources, params.export_id),
      }),
    ],
  }
  // An export cannot be changed.
  return endpointsOf(resource).filter(({ method }) => method !== 'PUT' && method !== 'PATCH')
}

/** A caller without permission to read the records may not export them. */
function mayRead(ctx: Ctx, resources: readonly Resource[], entityType: string): Resource | undefined {
  if (entityType === 'account') {
    if (ROLES.indexOf(ctx.caller.role) < ROLES.indexOf('admin')) throw errors.roleTooLow('admin')
    if (!hasScope(ctx.caller.scopes, '*:read') && !ctx.caller.scopes.includes('*'))
      throw errors.missingScope('*:read')
    return undefined
  }
  const resource = resources.find(({ record }) => record.entityType === entityType)
  if (!resource) throw errors.notFound('Kind of record')
  const permission = `${resource.name}:read`
  if (!hasScope(ctx.caller.scopes, permission)) throw errors.missingScope(permission)
  return resource
}

async function create(ctx: Ctx, resources: readonly Resource[], body: ExportInput): Promise<Export> {
  const resource = mayRead(ctx, resources, body.entity_type)
  // Everything that is wrong with the selection is reported now, and not when the job runs.
  const filter = resource ? checkedFilter(resource.record, body.filter) : {}
  if (resource) {
    await filterConditions(ctx, resource.record, filter)
    await whereConditions(ctx, resource.record, body.where)
  } else if (body.where != null || body.ids != null || body.fields != null || hasKeys(body.filter)) {
    const rule = 'an archive of the account holds everything: it takes no fields, filter, where or ids'
    throw errors.invalidValue(['body'], rule, null)
  }
  if (resource) await chosenColumns(ctx, resource.record, body.fields ?? null, body.format)
  const format = resource ? body.format : 'archive'
  const id = newId()
  const day = new Date().toISOString().slice(0, 10)
  const ending = { csv: 'csv', json: 'jsonl', archive: 'tar.gz' }[format]
  return transaction(ctx, async tx => {
    await checkQueue(tx)
    await insertRows(tx, 'exports', [
      {
        id,
        entity_type: body.entity_type,
        format,
        fields: body.fields ?? null,
        filter: JSON.stringify(filter),
        where: body.where == null ? null : JSON.stringify(body.where),
        ids: body.ids ?? null,
        bom: body.bom,
        file_name: `${resource?.name ?? 'account'}-${day}.${ending}`,
        user_id: tx.user,
      },
    ])
    const job = await enqueue(tx, exportJob, { export_id: id }, { entityId: id })
    await updateRows(tx, 'exports', { job_id: job }, sql`r.id = ${id}`)
    return base.get(tx, id)
  })
}

const MAX_QUEUED = 5

/** Locks the account's row, so that concurrent requests cannot exceed the limit together. */
async function checkQueue(tx: Ctx): Promise<void> {
  await query(tx, sql`select from ${unscoped('accounts')} a where a.id = ${tx.account} for no key update`)
  const [queued] = await query(
    tx,
    sql<{
      count: number
    }>`select count(*) as count from ${living(tx, 'exports')} e where e.status = 'queued'`,
  )
  if ((queued?.count ?? 0) >= MAX_QUEUED)
    throw errors.conflict(`${MAX_QUEUED} exports are waiting already: try again when one has begun`)
}

const hasKeys = (filter: ExportInput['filter']): boolean => Object.keys(filter).length > 0

const TYPES: Record<Export['format'], string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/x-ndjson; charset=utf-8',
  archive: 'application/gzip',
}

async function download(ctx: Ctx, resources: readonly Resource[], id: string): Promise<unknown> {
  const stored = await queryOne(
    ctx,
    sql<Pick<Export, 'entity_type' | 'format' | 'status' | 'file_name'> & { alive: boolean }>`
      select e.entity_type, e.format, e.status, e.file_name, coalesce(e.expires_at > now(), false) as alive
      from ${living(ctx, 'exports')} e where e.id = ${id}`,
  )
  if (!stored) throw errors.notFound('Export')
  mayRead(ctx, resources, stored.entity_type)
  if (stored.status !== 'completed') throw errors.conflict(`This export has no file: it is ${stored.status}`)
  const path = transferFiles.path(ctx, id)
  const file = stored.alive ? await stat(path).catch(() => undefined) : undefined
  if (!file) throw errors.notFound('The file of this export')
  return rawReply(createReadStream(path), TYPES[stored.format], {
    ...asDownload(stored.file_name),
    'content-length': String(file.size),
    'cache-control': 'private, no-store',
  })
}
