/** Inserts and updates of many rows in one statement. The speed of an import depends on it. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Link } from '../../../kernel/links.ts'
import type { Item } from '../../../kernel/resource.ts'
import type { TableName } from '../../../kernel/statements.ts'
import { unscoped } from '../../../kernel/statements.ts'

/** Columns that are never null, with the default for rows that do not set them. */
const FILLED: Record<string, ReturnType<typeof sql>> = {
  created_at: sql`now()`,
  updated_at: sql`now()`,
  metadata: sql`'{}'`,
  enrichment: sql`'{}'`,
  external_ids: sql`'{}'`,
  do_not_contact: sql`false`,
  email_opt_out: sql`false`,
}

/** Inserts rows that need not all have the same keys, in one statement. `shared` is what all of them have. */
export async function insertRecords(
  tx: Ctx,
  table: TableName,
  records: readonly Item[],
  shared: Record<string, string> = {},
): Promise<void> {
  if (records.length === 0) return
  const named = new Set<string>()
  for (const record of records) for (const column in record) named.add(column)
  const columns = [...named].sort()
  const types = await columnTypes(tx, table)
  const all = { account_id: tx.account, ...shared }
  const values = columns.map(column => {
    const value = sql`p.${sql.ref(column)}`
    return FILLED[column] ? sql`coalesce(${value}, ${FILLED[column]})` : value
  })
  await query(
    tx,
    sql`insert into ${unscoped(table)} (${sql.join([...Object.keys(all), ...columns].map(column => sql.ref(column)))})
      select ${sql.join([...Object.entries(all).map(([column, value]) => sql`${value}::${types[column]}`), ...values])}
      from json_to_recordset(${JSON.stringify(records)}::json) p (${sql.join(columns.map(column => sql`${sql.ref(column)} ${types[column]}`))})`,
  )
}

const typesOf = new Map<string, Promise<Record<string, RawBuilder<unknown>>>>()

/** The types of a table's columns. Only those that are there are read: a person has sixty, and a file names ten. */
function columnTypes(tx: Ctx, table: TableName): Promise<Record<string, RawBuilder<unknown>>> {
  const known = typesOf.get(table) ?? readTypes(tx, table)
  typesOf.set(table, known)
  known.catch(() => typesOf.delete(table))
  return known
}

async function readTypes(tx: Ctx, table: TableName): Promise<Record<string, RawBuilder<unknown>>> {
  const columns = await query(
    tx,
    sql<{ name: string; type: string }>`select attname as name, format_type(atttypid, atttypmod) as type
      from pg_catalog.pg_attribute
      where attrelid = ${`kith.${table}`}::regclass and attnum > 0 and not attisdropped`,
  )
  return Object.fromEntries(columns.map(({ name, type }) => [name, sql.raw(type)]))
}

/** Sets on each record the columns that its patch names, and no others. */
export async function patchRecords(
  tx: Ctx,
  table: TableName,
  patches: readonly (Item & { id: string })[],
): Promise<void> {
  if (patches.length === 0) return
  const columns = [...new Set(patches.flatMap(patch => Object.keys(patch)))]
    .filter(name => name !== 'id')
    .sort()
  const assignments = columns.map(column => sql`${sql.ref(column)} = p.${sql.ref(column)}`)
  await query(
    tx,
    sql`update ${unscoped(table)} r set ${sql.join(assignments)}, updated_at = now()
      from (
        -- materialized: worked out once, and not once for each row that it is compared with
        with patched as materialized (
          select q.* from jsonb_array_elements(${JSON.stringify(patches)}::jsonb) e
          join ${unscoped(table)} b on b.account_id = ${tx.account} and b.id = (e ->> 'id')::uuid
          cross join lateral jsonb_populate_record(b, e) q
        ) select * from patched
      ) p
      where r.account_id = ${tx.account} and r.id = p.id`,
  )
}

export interface LinkRow {
  own: string
  other: string
  place: number
}

/** Ties of new records: there are none yet that they could get in the way of. */
export async function insertLinks(tx: Ctx, link: Link, ties: readonly LinkRow[]): Promise<void> {
  const rows = ties.map(({ own, other, place }) => ({
    id: newId(),
    [link.own]: own,
    [link.other]: other,
    [link.order ?? 'position']: place,
  }))
  await insertRecords(tx, link.table, rows)
}
