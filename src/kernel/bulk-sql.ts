/** Inserts and updates of many rows in one statement. The speed of an import depends on it. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from './context.ts'
import { processState } from './process-state.ts'
import type { Row, TableName } from './statements.ts'

type Sql = RawBuilder<unknown>

/** Inserts rows that need not all have the same keys: a row without a column gets the column's default. */
export async function insertRecords(tx: Ctx, table: TableName, records: readonly Row[]): Promise<void> {
  if (records.length === 0) return
  const names = new Set<string>()
  for (const record of records) for (const column in record) names.add(column)
  const columns = [...names].sort()
  const tableColumns = await columnsOf(tx, table)
  const values = columns.map(column => {
    const value = sql`p.${sql.ref(column)}`
    const filled = tableColumns[column]?.filled
    return filled ? sql`coalesce(${value}, ${filled})` : value
  })
  await query(
    tx,
    sql`insert into ${sql.table(table)} (${sql.join(['account_id', ...columns].map(column => sql.ref(column)))})
      select ${sql.join([sql`${tx.account}::uuid`, ...values])}
      from json_to_recordset(${JSON.stringify(records)}::json) p (${sql.join(columns.map(column => sql`${sql.ref(column)} ${tableColumns[column]?.type}`))})`,
  )
}

interface Column {
  type: Sql
  /** SQL of the default, for a column that cannot be null */
  filled: Sql | undefined
}

export type ColumnTypes = Readonly<Record<string, Column>>

const columnsByTable = processState(() => new Map<string, Promise<ColumnTypes>>())

/**
 * The columns of a table. A statement lists only the columns that its rows use: contacts has sixty, a typical import
 * file ten.
 */
export function columnsOf(tx: Ctx, table: TableName): Promise<ColumnTypes> {
  const cached = columnsByTable(tx.services)
  const tableColumns = cached.get(table) ?? readColumns(tx, table)
  cached.set(table, tableColumns)
  tableColumns.catch(() => cached.delete(table))
  return tableColumns
}

async function readColumns(tx: Ctx, table: TableName): Promise<ColumnTypes> {
  const columns = await query(
    tx,
    sql<{ name: string; type: string; filled: string | null }>`select a.attname as name,
        format_type(a.atttypid, a.atttypmod) as type,
        case when a.attnotnull then pg_get_expr(d.adbin, d.adrelid) end as filled
      from pg_catalog.pg_attribute a
      left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = ${`kith.${table}`}::regclass and a.attnum > 0 and not a.attisdropped`,
  )
  return Object.fromEntries(
    columns.map(({ name, type, filled }) => [
      name,
      { type: sql.raw(type), filled: filled === null ? undefined : sql.raw(filled) },
    ]),
  )
}

/** Updates the columns that each patch names, in records outside the trash. Returns the ids of the updated records. */
export async function patchRecords(
  tx: Ctx,
  table: TableName,
  patches: readonly (Row & { id: string })[],
  isShown: Sql,
): Promise<{ id: string }[]> {
  const names = patches.map(({ id: _, ...columns }) => Object.keys(columns))
  const columns = [...new Set(names.flat())].sort()
  const tableColumns = await columnsOf(tx, table)
  const assignments = columns.map(column => {
    const [own, patched] = [sql.ref(column), sql`p.${sql.ref(column)}`]
    const isInAll = names.every(each => each.includes(column))
    return isInAll
      ? sql`${own} = ${patched}, `
      : sql`${own} = case when ${column}::text = any(p._named) then ${patched} else r.${own} end, `
  })
  const json = JSON.stringify(patches.map((patch, i) => ({ ...patch, _named: names[i] })))
  // `any(ids)` repeats the join condition on purpose: with the join alone, the planner reads all records of the
  // account.
  return query(
    tx,
    sql<{ id: string }>`update ${sql.table(table)} r set ${sql.join(assignments, sql``)} updated_at = now()
      from json_to_recordset(${json}::json) p (id uuid, _named text[] ${sql.join(
        columns.map(column => sql`, ${sql.ref(column)} ${tableColumns[column]?.type}`),
        sql``,
      )})
      where r.account_id = ${tx.account} and r.id = any(${patches.map(({ id }) => id)}::uuid[]) and r.id = p.id
        and ${isShown}
      returning r.id`,
  )
}
