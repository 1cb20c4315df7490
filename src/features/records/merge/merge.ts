/** Merges several records into one: the primary keeps its id and takes over the values and links of the others. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { lockRecords } from '../../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors, HttpError } from '../../../kernel/errors.ts'
import { pathOf, updateSchema } from '../../../kernel/general-endpoints.ts'
import { asOperation } from '../../../kernel/operation.ts'
import { jsonReply } from '../../../kernel/reply.ts'
import type { Item, RecordInput, RecordType, Resource, Stored } from '../../../kernel/resource.ts'
import { extended, list, object, optional, uuid } from '../../../kernel/schema/index.ts'
import { unscoped } from '../../../kernel/statements.ts'
import { isAbove } from '../../../resources/companies/parents.ts'
import { type IdRow, mergedIds } from '../../../resources/shared/external-ids.ts'
import { type Mergeable, moveFollowers } from './followers.ts'
import { mergedValues, overridden } from './values.ts'

const MOST = 20

export const mergeEndpoint = (resource: Resource): Endpoint =>
  endpoint({
    method: 'POST',
    path: `${pathOf(resource)}/merge`,
    tag: resource.tag,
    permission: `${resource.name}:write`,
    summary: `Merge ${resource.tag.toLowerCase()}`,
    description:
      'The primary keeps its id; its empty fields are filled from the others, and `overrides` take precedence, those of custom fields (`metadata`) one by one. Notes, activities, deals, teams, favorites and tags are moved to the primary, and the others to the trash. The primary keeps its `external_ids`, and those of the others find it, too. The merge can be undone by `operation_id`.',
    body: object({
      primary_id: uuid(),
      secondary_ids: list(uuid(), { min: 1, max: MOST }),
      overrides: optional(updateSchema(resource.record)),
    }),
    response: extended(resource.record.output, { operation_id: uuid() }),
    run: (ctx, request) => merge(ctx, resource, request.body),
  })

interface Merge {
  primary_id: string
  secondary_ids: string[]
  overrides?: RecordInput
}

async function merge(ctx: Ctx, resource: Resource, body: Merge): Promise<unknown> {
  const { operations, record } = resource
  const kind = record.entityType as Mergeable
  const others = [...new Set(body.secondary_ids)]
  const same = others.indexOf(body.primary_id)
  if (same >= 0) {
    throw errors.invalidValue(
      ['body', 'secondary_ids', same],
      'the primary cannot be merged into itself',
      body.primary_id,
    )
  }
  const { operationId, result } = await asOperation(ctx, 'merge', kind, async tx => {
    const locked = await lockRecords(tx, record.table, [body.primary_id, ...others])
    refuseUnknown(body, locked, record.label)
    const primary = await operations.get(tx, body.primary_id)
    const rest: Stored[] = []
    for (const id of others) rest.push(await operations.get(tx, id))

    await moveFollowers(tx, kind, body.primary_id, others)
    // removed before the primary takes their values, some of which are unique outside the trash
    await operations.remove(tx, others)
    const taken = await withoutCycle(tx, body.primary_id, mergedValues(record, primary, rest))
    const values = overridden(taken, body.overrides, primary)
    const set = await idsToKeep(tx, record, body.primary_id, others, values)
    const merged = await operations.update(tx, body.primary_id, values, { set }).catch(inOverrides)
    return { result: merged, count: others.length + 1 }
  })
  return jsonReply({ ...result, operation_id: operationId }, { 'x-operation-id': operationId })
}

/** A parent below the primary is not taken over: a branch that is merged into its group belongs to the group. */
async function withoutCycle(tx: Ctx, primaryId: string, values: RecordInput): Promise<RecordInput> {
  const { parent_id, ...others } = values
  return typeof parent_id === 'string' && (await isAbove(tx, primaryId, parent_id)) ? others : values
}

/** The primary is found by the ids of the others in other systems, too, also where it has one of its own. */
async function idsToKeep(
  tx: Ctx,
  record: RecordType,
  primaryId: string,
  others: readonly string[],
  values: RecordInput,
): Promise<Item> {
  const rows = await query(
    tx,
    sql<IdRow>`select r.external_ids, r.merged_external_ids from ${unscoped(record.table)} r
      where r.account_id = ${tx.account} and r.id = any(${[primaryId, ...others]}::uuid[])
      order by r.id <> ${primaryId}, r.id`,
  )
  const ids = mergedIds(values.external_ids ?? rows[0]?.external_ids, rows)
  return { merged_external_ids: JSON.stringify(ids) }
}

function refuseUnknown(body: Merge, found: readonly string[], label: string): void {
  if (!found.includes(body.primary_id)) {
    throw errors.referenceNotFound(['body', 'primary_id'], label, body.primary_id)
  }
  const missing = body.secondary_ids.findIndex(id => !found.includes(id))
  if (missing >= 0) {
    throw errors.referenceNotFound(['body', 'secondary_ids', missing], label, body.secondary_ids[missing])
  }
}

/** A refused value came from `overrides`, so the error reports it there. */
function inOverrides(error: unknown): never {
  if (!(error instanceof HttpError) || typeof error.detail === 'string') throw error
  throw errors.invalid(
    error.detail.map(issue => ({ ...issue, loc: ['body', 'overrides', ...issue.loc.slice(1)] })),
  )
}
