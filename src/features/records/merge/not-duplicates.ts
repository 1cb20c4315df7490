/** Remembers which records are not duplicates of each other, so that they are not proposed again. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, transaction } from '../../../kernel/context.ts'
import { lockRecords } from '../../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { pathOf } from '../../../kernel/general-endpoints.ts'
import type { Resource } from '../../../kernel/resource.ts'
import { boolean, int, list, object, uuid, withDefault } from '../../../kernel/schema/index.ts'
import { deleteRows, insertRows, rows } from '../../../kernel/statements.ts'

/** As many as a group of possible duplicates has. */
const MOST = 50

export const notDuplicatesEndpoint = (resource: Resource): Endpoint =>
  endpoint({
    method: 'POST',
    path: `${pathOf(resource)}/not-duplicates`,
    tag: resource.tag,
    permission: `${resource.name}:write`,
    summary: `Remember which ${resource.tag.toLowerCase()} are not duplicates`,
    description:
      'A group of these records alone is no longer among the possible duplicates; with another record it is. `remove` forgets it again.',
    body: object(
      { ids: list(uuid(), { min: 2, max: MOST }), remove: withDefault(boolean(), false) },
      { title: 'NotDuplicates' },
    ),
    response: object({ pairs: int() }, { title: 'NotDuplicatesResult' }),
    run: (ctx, { body: { ids, remove } }) => decide(ctx, resource, [...new Set(ids)].sort(), remove),
  })

const decide = (ctx: Ctx, { record }: Resource, ids: string[], remove: boolean) =>
  transaction(ctx, async tx => {
    const existing = await lockRecords(tx, record.table, ids)
    const missing = ids.findIndex(id => !existing.includes(id))
    if (missing >= 0) throw errors.referenceNotFound(['body', 'ids', missing], record.label, ids[missing])
    const pairs = ids.flatMap((one_id, index) => ids.slice(index + 1).map(other_id => ({ one_id, other_id })))
    if (remove) await deleteRows(tx, 'not_duplicates', within(sql`${ids}::uuid[]`))
    else if (pairs.length > 0) await insertRows(tx, 'not_duplicates', pairs, { onConflict: sql`do nothing` })
    return { pairs: pairs.length }
  })

/** Condition: the pair `r` is of these records. */
const within = (ids: RawBuilder<unknown>) => sql`r.one_id = any(${ids}) and r.other_id = any(${ids})`

/** Condition: at least one pair of these records may be a duplicate. */
export const isOpen = (ctx: Ctx, ids: RawBuilder<unknown>) =>
  sql`(select count(*) from ${rows(ctx, 'not_duplicates')} r where ${within(ids)})
    < cardinality(${ids}) * (cardinality(${ids}) - 1) / 2`
