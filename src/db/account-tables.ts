/** The tables with rows of accounts, read from the database, so that a new one is included automatically. */
import { sql } from 'kysely'
import type { Db } from './engine.ts'
import { FOREIGN_KEYS } from './record-tables.ts'
import type { Tables } from './tables.ts'

/** Each table comes after those that it refers to; in a cycle of references the first by name. */
export async function accountTableNames(db: Db): Promise<(keyof Tables)[]> {
  const { rows: tables } = await sql<{ name: keyof Tables; parents: (keyof Tables)[] }>`
    with keys as materialized (
      select distinct t.child, p.relname::text as parent from ${FOREIGN_KEYS} t
      join pg_catalog.pg_class p on p.oid = t.parent where t.parent <> t.child and not t.is_deferrable
    )
    select c.relname as name, array(select k.parent from keys k where k.child = c.oid order by 1) as parents
    from pg_catalog.pg_class c
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where c.relnamespace = 'kith'::regnamespace and c.relkind = 'r' order by c.relname`.execute(db)
  const parentsOf = new Map(tables.map(({ name, parents }) => [name, parents]))
  const ordered = new Set<keyof Tables>()
  const visited = new Set<keyof Tables>()
  const visit = (name: keyof Tables) => {
    const parents = parentsOf.get(name)
    if (parents === undefined || visited.has(name)) return
    visited.add(name)
    parents.forEach(visit)
    ordered.add(name)
  }
  for (const { name } of tables) visit(name)
  return [...ordered]
}
