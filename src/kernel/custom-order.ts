/** Lists in the order of a custom field. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from './context.ts'
import type { CustomColumn } from './custom-column.ts'
import { STORED, valueRows } from './custom-values.ts'
import { rows } from './statements.ts'

type Sql = RawBuilder<unknown>

/** The sort expression of a custom field, and its PostgreSQL type. */
export function customOrder(ctx: Ctx, key: string, column: CustomColumn | undefined) {
  // jsonb sorts numbers as numbers and texts as texts
  if (!column) return { expression: sql`(r.metadata -> ${key})`, type: 'jsonb' }
  const { order, type } = STORED[column.kind]
  const expression = sql`(select v.${sql.ref(order)} from ${rows(ctx, 'custom_values')} v
    where v.entity_id = r.id and v.field_id = ${column.fieldId} and v.item = 0)`
  return { expression, type }
}

/** A position in a list, as values or as selected by the statement itself. */
export interface Position {
  value: string | null | Sql
  id: string | Sql
}

export interface KeyRange {
  table: string
  where: Sql
  descending: boolean
  limit: number | Sql
  offset: number | Sql
  /** the last record of the previous page */
  cursor: Position | undefined
}

/**
 * The ids of a page in the order of a declared key: first the records with a value, in the order of the index on
 * values; then, if the page is not full, those without. Sorting all records by a looked-up value takes 0.3 s for
 * 100,000.
 */
export function keysByValue(ctx: Ctx, column: CustomColumn, range: KeyRange): Sql {
  const { table, where, limit, offset, cursor } = range
  const { order, type } = STORED[column.kind]
  const x = sql`v.${sql.ref(order)}`
  const direction = sql.raw(range.descending ? 'desc' : 'asc')
  const beyond = sql.raw(range.descending ? '<' : '>')
  const valued = sql`from ${rows(ctx, 'custom_values')} v
    join ${sql.table(table)} r on r.account_id = ${ctx.account} and r.id = v.entity_id
    where v.field_id = ${column.fieldId} and v.item = 0 and ${x} is not null and ${where}`
  const afterValue =
    cursor && cursor.value !== null
      ? sql`and (${x}, v.entity_id) ${beyond} (${cursor.value}::text::${sql.raw(type)}, ${cursor.id}::uuid)`
      : sql``
  const afterId = cursor?.value === null ? sql`and r.id ${beyond} ${cursor.id}::uuid` : sql``
  const count = cursor?.value === null ? 0 : limit
  return sql`
    with valued as materialized (
      select r.id as key ${valued} ${afterValue}
      order by ${x} ${direction}, v.entity_id ${direction} limit ${count} offset ${offset}
    )
    select key from valued
    union all
    select key from (
      select r.id as key from ${sql.table(table)} r
      where ${where} and not exists (${valueRows(ctx, column)} and v.item = 0) ${afterId}
      order by r.id ${direction}
      limit ${limit} - (select count(*) from valued)
      offset case when ${offset} = 0 or exists (select from valued) then 0
        else greatest(0, ${offset} - (select count(*) ${valued})) end
    ) rest`
}
