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
   * The column that keeps the order as seen from this end, `position` by default. A link is in two
   * orders, a company's people and a person's companies: the far end's own column must not be written here.
   */
  order?: string
}

/** A kind of record that ids in a request may point to. */
export interface Target {
  table: TableName
  label: string
  /** the column that is the record's name */
  name: string
  /** the column that the ids are of, `id` unless said otherwise */
  key?: string
  /** rows of this table are never in the trash: it has no deleted_at */
  permanent?: boolean
}

const orderOf = (link: Link) => sql.ref(link.order ?? 'position')

/** The living records at the other end, in order, as a JSON array; the record at this end is `r`. */
export const linkedItems = (ctx: Ctx, link: Link): Sql => sql`(
  select coalesce(json_agg(json_build_object('id', t.id, 'name', t.${sql.ref(link.target.name)})
    order by l.${orderOf(link)}, l.id), '[]'::json)
  from ${rows(ctx, link.table)} l
  join ${living(ctx, link.target.table)} t on t.id = l.${sql.ref(link.other)}
  where l.${sql.ref(link.own)} = r.id)`

/** One referenced record as {id, name}, or null. */
export const referencedItem = (ctx: Ctx, column: string, target: Target): Sql => sql`(
  select json_build_object('id', t.id, 'name', t.${sql.ref(target.name)})
  from ${living(ctx, target.table)} t where t.id = r.${sql.ref(column)})`

/** Refuses ids that name no living record of the account. */
export async function checkReferences(
  ctx: Ctx,
  target: Target,
  ids: readonly string[],
  locOf: (index: number) => Loc,
): Promise<void> {
  if (ids.length === 0) return
  const among = target.permanent ? rows(ctx, target.table) : living(ctx, target.table)
  const key = sql`t.${sql.ref(target.key ?? 'id')}`
  const found = await query(
    ctx,
    sql<{ id: string }>`select ${key} as id from ${among} t where ${key} = any(${ids}::uuid[]) for key share`,
  )
  if (found.length === new Set(ids).size) return
  const known = new Set(found.map(row => row.id))
  const missing = ids.findIndex(id => !known.has(id))
  throw errors.referenceNotFound(locOf(missing), target.label, ids[missing])
}

/** Makes `ids` the records linked to `ownId`, in this order. A link that stays keeps its row. */
export async function replaceLinks(
  tx: Ctx,
  link: Link,
  ownId: string,
  ids: readonly string[],
  locOf: (index: number) => Loc,
): Promise<void> {
  await checkReferences(tx, link.target, ids, locOf)
  const wanted = [...new Set(ids)]
  // A link to a record in the trash is hidden, not deleted: it is visible again when that record is restored.
  await deleteRows(
    tx,
    link.table,
    sql`r.${sql.ref(link.own)} = ${ownId} and r.${sql.ref(link.other)} <> all(${wanted}::uuid[])
      and r.${sql.ref(link.other)} in (select t.id from ${living(tx, link.target.table)} t)`,
  )
  await insertAny(
    tx,
    link.table,
    wanted.map((id, place) => ({
      id: newId(),
      [link.own]: ownId,
      [link.other]: id,
      [link.order ?? 'position']: place,
    })),
    {
      onConflict: sql`(account_id, ${sql.ref(link.own)}, ${sql.ref(link.other)})
        do update set ${orderOf(link)} = excluded.${orderOf(link)} where r.${orderOf(link)} <> excluded.${orderOf(link)}`,
    },
  )
}
