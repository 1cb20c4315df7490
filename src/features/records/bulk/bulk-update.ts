/** `POST /api/<group>/bulk-update`: the same change on many records, as one operation that can be undone. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors, relocate } from '../../../kernel/errors.ts'
import { pathOf, updateSchema } from '../../../kernel/general-endpoints.ts'
import { TRASH_PARAMETERS } from '../../../kernel/list-parameters.ts'
import { asOperation } from '../../../kernel/operation.ts'
import type { Resource, SetResource } from '../../../kernel/resource.ts'
import { type Infer, int, list, object, optional, uuid } from '../../../kernel/schema/index.ts'
import { unscoped } from '../../../kernel/statements.ts'
import type { Kinds } from '../query/relations.ts'
import {
  checkedFilter,
  filterConditions,
  filterSchema,
  whereConditions,
  whereSchema,
} from '../query/selection.ts'

/** A larger update would hold its locks too long. A filter that matches more records is refused. */
const MAX_RECORDS = 10_000

const answer = object({ updated: int({ min: 0 }), operation_id: uuid() }, { title: 'BulkUpdateResult' })

const bodyOf = (resource: Resource) =>
  object({
    ids: optional(list(uuid(), { max: MAX_RECORDS })),
    where: optional(whereSchema),
    filter: optional(filterSchema),
    set: updateSchema(resource.record),
  })

export const bulkUpdateEndpoints = (resources: readonly SetResource[], kinds: Kinds): Endpoint[] =>
  resources.map(resource =>
    endpoint({
      method: 'POST',
      path: `${pathOf(resource)}/bulk-update`,
      tag: resource.tag,
      permission: `${resource.name}:write`,
      summary: `Update several ${resource.tag.toLowerCase()}`,
      description: `Select the records by \`ids\`, or by \`where\`, \`filter\` or both: at most ${MAX_RECORDS}. Either all or none are changed. The change can be undone by \`operation_id\`.`,
      strict: true,
      body: bodyOf(resource),
      response: answer,
      run: (ctx, request) => bulkUpdate(ctx, resource, kinds, request.body),
    }),
  )

type BulkUpdate = Infer<ReturnType<typeof bodyOf>>

async function bulkUpdate(ctx: Ctx, resource: SetResource, kinds: Kinds, body: BulkUpdate): Promise<unknown> {
  const isByCondition = body.where !== undefined || body.filter !== undefined
  if ((body.ids !== undefined) === isByCondition) {
    throw errors.invalidValue(['body'], 'select the records either by ids, or by where and filter', null)
  }
  const kind = resource.record.entityType ?? resource.record.table
  const { operationId, result } = await asOperation(ctx, 'bulk_update', kind, async tx => {
    const ids = await selected(tx, resource, kinds, body)
    const changes = ids.map(id => ({ id, input: body.set }))
    const saved = await resource.operations.updateMany(tx, changes)
    const refused = saved.find(({ error }) => error)?.error
    // The update reports ["body", field]; in this request the field is in `set`.
    if (refused) relocate(['body', 'set'])(refused)
    return { result: ids.length, count: ids.length }
  })
  return { updated: result, operation_id: operationId }
}

/** The selected records outside the trash, locked in one order so that two bulk updates cannot deadlock. */
async function selected(tx: Ctx, { record }: Resource, kinds: Kinds, body: BulkUpdate): Promise<string[]> {
  const conditions = body.ids
    ? [sql`r.id = any(${body.ids}::uuid[])`]
    : [
        ...(await filterConditions(tx, record, checkedFilter(record, body.filter ?? {}, TRASH_PARAMETERS))),
        ...(await whereConditions(tx, kinds, record, body.where)),
      ]
  const visible = record.visible ? [record.visible(tx)] : []
  const matching = await query(
    tx,
    sql<{ id: string }>`select r.id from ${unscoped(record.table)} r
      where ${sql.join([sql`r.account_id = ${tx.account}`, sql`r.deleted_at is null`, ...visible, ...conditions], sql` and `)}
      order by r.id limit ${MAX_RECORDS + 1} for update`,
  )
  if (matching.length > MAX_RECORDS) {
    throw errors.invalidValue(
      ['body', body.where ? 'where' : 'filter'],
      `this matches more than ${MAX_RECORDS} records: narrow it down`,
      body.where ?? body.filter,
    )
  }
  return matching.map(row => row.id)
}
