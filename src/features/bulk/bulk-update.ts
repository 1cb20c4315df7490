/** `POST /api/<group>/bulk-update`: the same change on many records, as one operation that can be undone. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { errors, HttpError } from '../../kernel/errors.ts'
import { pathOf } from '../../kernel/general-endpoints.ts'
import { listParameters } from '../../kernel/list-parameters.ts'
import { conditionsOf } from '../../kernel/list-query.ts'
import { asOperation } from '../../kernel/operation.ts'
import type { Endpoint, Item, ListQuery, Resource } from '../../kernel/resource.ts'
import { dict, type Issue, int, list, object, optional, partial, uuid } from '../../kernel/schema/index.ts'

/** More than this at once would hold its locks for too long; a filter that matches more must be narrowed. */
const MAX_RECORDS = 10_000

const answer = object({ updated: int({ min: 0 }), operation_id: uuid() }, { title: 'BulkUpdateResult' })

export const bulkUpdateEndpoints = (resources: readonly Resource[]): Endpoint[] =>
  resources.map(resource => ({
    method: 'POST',
    path: `${pathOf(resource)}/bulk-update`,
    tag: resource.tag,
    permission: `${resource.name}:write`,
    summary: `Change many ${resource.tag.toLowerCase()} at once`,
    description: `Names the records by \`ids\` or by \`filter\` (the parameters of the list), at most ${MAX_RECORDS}. All or none are changed; \`operation_id\` undoes it.`,
    body: object({
      ids: optional(list(uuid(), { max: MAX_RECORDS })),
      filter: optional(dict()),
      set: partial(resource.record.input),
    }),
    response: answer,
    run: (ctx, request) => bulkUpdate(ctx, resource, request.body),
  }))

interface BulkUpdate {
  ids?: string[]
  filter?: Item
  set: Item
}

async function bulkUpdate(ctx: Ctx, resource: Resource, body: BulkUpdate): Promise<unknown> {
  if ((body.ids === undefined) === (body.filter === undefined)) {
    throw errors.invalidValue(['body'], 'give either ids or filter', null)
  }
  const kind = resource.record.entityType ?? resource.record.table
  const { operationId, result } = await asOperation(ctx, 'bulk_update', kind, async tx => {
    const ids = await chosen(tx, resource, body)
    await write(tx, resource, ids, body.set).catch(inSet)
    return { result: ids.length, count: ids.length }
  })
  return { updated: result, operation_id: operationId }
}

async function write(tx: Ctx, { operations }: Resource, ids: readonly string[], set: Item): Promise<void> {
  if (await operations.updateMany?.(tx, ids, set)) return
  for (const id of ids) await operations.update(tx, id, set)
}

/** The living records that were meant, locked in one order so that two bulk edits cannot wait for each other. */
async function chosen(tx: Ctx, resource: Resource, body: BulkUpdate): Promise<string[]> {
  const { record } = resource
  const conditions = body.ids
    ? [sql`r.id = any(${body.ids}::uuid[])`]
    : await conditionsOf(tx, record, checkedFilter(resource, body.filter!))
  const visible = record.visible ? [record.visible(tx)] : []
  const found = await query(
    tx,
    sql<{ id: string }>`select r.id from ${sql.table(record.table)} r
      where ${sql.join([sql`r.account_id = ${tx.account}`, sql`r.deleted_at is null`, ...visible, ...conditions], sql` and `)}
      order by r.id limit ${MAX_RECORDS + 1} for update`,
  )
  if (found.length > MAX_RECORDS) {
    throw errors.invalidValue(
      ['body', 'filter'],
      `this matches more than ${MAX_RECORDS} records: narrow it down`,
      body.filter,
    )
  }
  return found.map(row => row.id)
}

function checkedFilter(resource: Resource, filter: Item): ListQuery {
  const issues: Issue[] = []
  const checked = listParameters(resource.record).check(filter, ['body', 'filter'], issues)
  if (issues.length > 0) throw errors.invalid(issues)
  const custom = Object.entries(filter).filter(([name]) => name.startsWith('cf.'))
  return { ...Object.fromEntries(custom), ...checked } as ListQuery
}

/** The update speaks of ["body", field]; here the field stands in `set`. */
function inSet(error: unknown): never {
  if (!(error instanceof HttpError) || typeof error.detail === 'string') throw error
  throw errors.invalid(error.detail.map(issue => ({ ...issue, loc: ['body', 'set', ...issue.loc.slice(1)] })))
}
