/** The tables that contain records, and their foreign keys, read from the database. */
import { sql } from 'kysely'
import { required } from '../lib/values.ts'
import type { Db } from './engine.ts'

/** A table whose records can be in the trash. */
export interface RecordTable {
  name: string
  /** tables whose records belong to a record of this one and are deleted with it */
  parts: { name: string; column: string }[]
  /** tables that refer to this one */
  referrers: string[]
}

/** The view of all foreign keys: those of constraints and those that triggers enforce. */
export const FOREIGN_KEYS = sql.table('kith.foreign_keys')

export async function recordTables(db: Db): Promise<Map<string, RecordTable>> {
  const { rows } = await sql<RecordTable>`
    with records as (
      select t.tgrelid as oid from pg_trigger t
      join pg_attribute a on a.attrelid = t.tgrelid and a.attname = 'deleted_at' and not a.attisdropped
      join pg_class c on c.oid = t.tgrelid and c.relnamespace = 'kith'::regnamespace
      where t.tgname = 'journal_erased'
    ), refs as (
      select t.child, t.parent, t.on_delete, t.columns[cardinality(t.columns)] as column
      from ${FOREIGN_KEYS} t
      where t.child <> t.parent and t.child in (select oid from records) and t.parent in (select oid from records)
    )
    select c.relname as name,
      coalesce((select json_agg(json_build_object('name', p.relname, 'column', r.column))
        from refs r join pg_class p on p.oid = r.child
        where r.parent = c.oid and r.on_delete = 'c'), '[]') as parts,
      coalesce((select json_agg(p.relname) from refs r join pg_class p on p.oid = r.child
        where r.parent = c.oid), '[]') as referrers
    from pg_class c where c.oid in (select oid from records) order by c.relname`.execute(db)
  return new Map(rows.map(table => [table.name, table]))
}

/** A deal comes before its stage. */
export function referrersFirst(tables: Map<string, RecordTable>): RecordTable[] {
  const ordered = new Set<RecordTable>()
  const visited = new Set<string>()
  const visit = (name: string) => {
    if (visited.has(name)) return
    visited.add(name)
    const table = required(tables, name)
    table.referrers.forEach(visit)
    ordered.add(table)
  }
  for (const name of tables.keys()) visit(name)
  return [...ordered]
}
