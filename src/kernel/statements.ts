/**
 * The only place that adds the account to a statement. Resources name tables only through these functions (a test
 * checks their SQL); row-level security enforces it a second time.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Computed, Defaulted, Tables } from '../db/tables.ts'
import { type Ctx, query } from './context.ts'

type Sql = RawBuilder<unknown>
export type Row = Record<string, unknown>
export type TableName = keyof Tables

type Writable<T extends TableName> = Exclude<keyof Tables[T], Computed[T] | 'account_id'>

/** The columns that a statement may write, each as a value or as SQL. */
export type Columns<T extends TableName> = { [K in Writable<T>]?: Tables[T][K] | Sql }

type Nullable<Row> = { [K in keyof Row]-?: null extends Row[K] ? K : never }[keyof Row]

/** A row to insert; columns that are not null and have no default are required. */
export type NewRow<T extends TableName> = Columns<T> & {
  [K in Exclude<Writable<T>, Nullable<Tables[T]> | Defaulted[T]>]: Tables[T][K] | Sql
}

/** The account's rows of a table, for use after `from` or `join`. PostgreSQL flattens the subselect. */
export const rows = (ctx: Ctx, table: TableName): Sql =>
  sql`(select * from ${sql.table(table)} where account_id = ${ctx.account})`

/** The same without the trash. */
export const living = (ctx: Ctx, table: TableName): Sql =>
  sql`(select * from ${sql.table(table)} where account_id = ${ctx.account} and deleted_at is null)`

/**
 * A table without the account condition: for statements of the service itself, which sees every account, and for
 * statements with their own account condition. Outside kernel and db this is the only way to name a table without it.
 */
export const unscoped = (table: TableName): Sql => sql.table(table)

/**
 * The columns that move a row to the trash and back. `updated_at` is set too, so that clients that poll by it see both.
 */
export const TO_TRASH = { deleted_at: sql`now()`, updated_at: sql`now()` }
export const FROM_TRASH = { deleted_at: null, updated_at: sql`now()` }

interface Inserting<R> {
  onConflict?: Sql
  /** the columns to return, e.g. sql<{ id: string }>`r.id` */
  returning?: RawBuilder<R>
}

/** Inserts rows that all have the same keys. */
export const insertRows = <T extends TableName, R = unknown>(
  ctx: Ctx,
  table: T,
  values: readonly NewRow<T>[],
  options: Inserting<R> = {},
): Promise<R[]> => insertAny(ctx, table, values, options)

/** The same where the table and so its columns are known at run time only. */
export async function insertAny<R>(
  ctx: Ctx,
  table: TableName,
  values: readonly Row[],
  { onConflict, returning }: Inserting<R> = {},
): Promise<R[]> {
  const [first] = values
  if (!first) return []
  const columns = Object.keys(first)
  const tuples = values.map(row => sql`(${sql.join([ctx.account, ...columns.map(column => row[column])])})`)
  return query(
    ctx,
    sql<R>`insert into ${sql.table(table)} as r (${sql.join(['account_id', ...columns].map(c => sql.ref(c)))})
      values ${sql.join(tuples)}
      ${onConflict ? sql`on conflict ${onConflict}` : sql``}
      ${returning ? sql`returning ${returning}` : sql``}`,
  )
}

/** Updates the account's rows (called `r`) for which `where` holds. */
export const updateRows = <T extends TableName, R = unknown>(
  ctx: Ctx,
  table: T,
  set: Columns<T> | Sql,
  where: Sql,
  returning?: RawBuilder<R>,
): Promise<R[]> => updateAny(ctx, table, set, where, returning)

/** The same where the table and so its columns are known at run time only. */
export function updateAny<R>(
  ctx: Ctx,
  table: TableName,
  set: Row | Sql,
  where: Sql,
  returning?: RawBuilder<R>,
): Promise<R[]> {
  const assignments = isSql(set)
    ? set
    : sql.join(Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))
  return query(
    ctx,
    sql<R>`update ${sql.table(table)} as r set ${assignments}
      where r.account_id = ${ctx.account} and ${where} ${returning ? sql`returning ${returning}` : sql``}`,
  )
}

const isSql = (set: Row | Sql): set is Sql => 'toOperationNode' in set

/** Locks a row until the transaction ends, whether or not it is in the trash. */
export const lockRow = (tx: Ctx, table: TableName, id: string): Promise<Row[]> =>
  query(
    tx,
    sql<Row>`select from ${sql.table(table)} where account_id = ${tx.account} and id = ${id} for update`,
  )

/** Deletes the account's rows (called `r`) for which `where` holds, permanently. */
export function deleteRows<R>(
  ctx: Ctx,
  table: TableName,
  where: Sql,
  returning?: RawBuilder<R>,
): Promise<R[]> {
  return query(
    ctx,
    sql<R>`delete from ${sql.table(table)} as r
      where r.account_id = ${ctx.account} and ${where} ${returning ? sql`returning ${returning}` : sql``}`,
  )
}
