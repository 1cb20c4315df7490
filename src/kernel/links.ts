/** Links between records: ids in requests, ReferenceItems ({id, name}) in answers. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from './context.ts'
import { errors } from './errors.ts'
import { newId } from './ids.ts'
import type { Loc } from './schema/index.ts'
import { deleteRows, insertAny, living, rows, type TableName } from './statements.ts'

type Sql = RawBuilder<unknown>

/** A table that links the records of one kind (`own`) to those of another (`other`). */
export interface Link {
  table: TableName
  own: string
  other: string
  target: Target
  /**
   * The column with the order as seen from this end; default `position`. A link has two orders: of a company's contacts
   * and of a contact's companies. The column of the other end must not be written here.
   */
  order?: string
  /** the bit of the record's column `linked` that is set once it has such a link (src/db/functions/linked.sql) */
  bit?: number
}

/** A kind of record that ids in a request may point to. */
export interface Target {
  table: TableName
  label: string
  /** the column with the record's name */
  name: string
  /** the column that the ids are compared with; default `id` */
  key?: string
  /** the table has no deleted_at */
  permanent?: boolean
}

const orderOf = (link: Link) => sql.ref(link.order ?? 'position')

/**
 * The linked records outside the trash, for each row of the link `l`. `offset 0` makes PostgreSQL look up each by its id.
 * Without it the planner may start from all records of the kind: for an account that it has no statistics of, such as one
 * that was just filled by an import, it expects to find one or none. A page of 1,000 activities took 22 s then.
 */
const targetsOf = (ctx: Ctx, { target, other }: Link): Sql => sql`cross join lateral (
  select t.id, t.${sql.ref(target.name)} as name from ${living(ctx, target.table)} t
  where t.id = l.${sql.ref(other)} offset 0) t`

/** The linked records outside the trash, in order, as a JSON array. `r` is the record at this end. */
export function linkedItems(ctx: Ctx, link: Link): Sql {
  const items = sql`(
    select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) order by l.${orderOf(link)}, l.id), '[]'::json)
    from ${rows(ctx, link.table)} l ${targetsOf(ctx, link)} where l.${sql.ref(link.own)} = r.id)`
  return link.bit === undefined
    ? items
    : sql`(case when r.linked & ${sql.lit(link.bit)} = 0 then '[]'::json else ${items} end)`
}

/** The same where one record is read and its column `linked` has a bit for the link. */
export const linkedItemsOfOne = (ctx: Ctx, { table, own, bit }: Link & { bit: number }): Sql => sql`(
  case when r.linked & ${sql.lit(bit)} = 0 then '[]'::json
    else ${sql.id(`${table}_of_${own}`)}(${ctx.account}, r.id) end)`

/** The ids of the linked records outside the trash, in order, as an array. `r` is the record at this end. */
export const linkedIds = (ctx: Ctx, link: Link): Sql => sql`array(
  select l.${sql.ref(link.other)} from ${rows(ctx, link.table)} l ${targetsOf(ctx, link)}
  where l.${sql.ref(link.own)} = r.id order by l.${orderOf(link)}, l.id)`

/** One referenced record as {id, name}, or null. */
export const referencedItem = (ctx: Ctx, column: string, target: Target): Sql => sql`(
  select json_build_object('id', t.id, 'name', t.${sql.ref(target.name)})
  from ${living(ctx, target.table)} t where t.id = r.${sql.ref(column)})`

/** The id in a column if its record is outside the trash. Without the case the subselect would run for null, too. */
export const livingId = (
  ctx: Ctx,
  column: string,
  target: Target,
): Sql => sql`(case when r.${sql.ref(column)} is not null
  then (select t.id from ${living(ctx, target.table)} t where t.id = r.${sql.ref(column)}) end)`

/**
 * Those of the ids that belong to a record of the account outside the trash. The records are locked until the
 * transaction ends.
 */
export async function existingIds(ctx: Ctx, target: Target, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const candidates = target.permanent ? rows(ctx, target.table) : living(ctx, target.table)
  const key = sql`t.${sql.ref(target.key ?? 'id')}`
  const existing = await query(
    ctx,
    sql<{
      id: string
    }>`select ${key} as id from ${candidates} t where ${key} = any(${ids}::uuid[]) for key share`,
  )
  return new Set(existing.map(row => row.id))
}

/** Refuses ids of records that the account does not have or that are in the trash. */
export async function checkReferences(
  ctx: Ctx,
  target: Target,
  ids: readonly string[],
  locOf: (index: number) => Loc,
): Promise<void> {
  const existing = await existingIds(ctx, target, ids)
  const missing = ids.findIndex(id => !existing.has(id))
  if (missing >= 0) throw errors.referenceNotFound(locOf(missing), target.label, ids[missing])
}

/** The ids to link to one record, in this order. */
export interface Linked {
  own: string
  ids: readonly string[]
  /** a new record, without links to replace */
  isNew?: boolean
}

/**
 * Replaces the links of each record by links to `ids`, which must exist. The row of a link that remains is not
 * rewritten.
 */
export async function replaceLinks(tx: Ctx, link: Link, linked: readonly Linked[]): Promise<void> {
  const pairs = linked.flatMap(({ own, ids }) =>
    [...new Set(ids)].map((other, place) => ({ own, other, place })),
  )
  const changed = linked.flatMap(({ own, isNew }) => (isNew ? [] : [own]))
  const [own, other] = [sql.ref(link.own), sql.ref(link.other)]
  const owns = pairs.map(pair => pair.own)
  const others = pairs.map(pair => pair.other)
  if (changed.length > 0) {
    // A link to a record in the trash is hidden, not deleted: it is visible again when that record is restored.
    await deleteRows(
      tx,
      link.table,
      sql`r.${own} = any(${changed}::uuid[])
        and (r.${own}, r.${other}) not in (select * from unnest(${owns}::uuid[], ${others}::uuid[]))
        and r.${other} in (select t.id from ${living(tx, link.target.table)} t)`,
    )
  }
  if (pairs.length === 0) return
  const order = orderOf(link)
  await query(
    tx,
    sql`insert into ${sql.table(link.table)} as r (account_id, id, ${own}, ${other}, ${order})
      select ${tx.account}::uuid, * from unnest(${pairs.map(() => newId())}::uuid[], ${owns}::uuid[], ${others}::uuid[],
        ${pairs.map(pair => pair.place)}::int[])
      on conflict (account_id, ${own}, ${other}) do update set ${order} = excluded.${order}
        where r.${order} <> excluded.${order}`,
  )
}

/** A link of one record to another. */
export interface Pair {
  own: string
  other: string
}

/** Adds links; an existing link is not changed. */
export async function addLinks(tx: Ctx, link: Link, pairs: readonly Pair[]): Promise<void> {
  await insertAny(
    tx,
    link.table,
    pairs.map(({ own, other }) => ({ id: newId(), [link.own]: own, [link.other]: other })),
    { onConflict: sql`do nothing` },
  )
}

export async function removeLinks(tx: Ctx, link: Link, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return
  await deleteRows(
    tx,
    link.table,
    sql`(r.${sql.ref(link.own)}, r.${sql.ref(link.other)}) in (select * from
      unnest(${pairs.map(({ own }) => own)}::uuid[], ${pairs.map(({ other }) => other)}::uuid[]))`,
  )
}
