/**
 * The embedded engine has no autovacuum. Tables are vacuumed and analysed one by one while no requests come in, because
 * every request waits while a table is vacuumed.
 */
import { sql } from 'kysely'
import { type Engine, SYSTEM } from './engine.ts'

interface Due {
  name: string
  command: 'vacuum (analyze)' | 'vacuum' | 'analyze'
  /** it has waited too long for an idle moment and is vacuumed now */
  urgent: boolean
}

/** How long a table that is not urgent waits for an idle moment. */
const MAX_WAIT_MS = 20_000

/** Returns how long each table took, in milliseconds. */
export async function vacuumWhereDue(
  engine: Engine,
  quietMs: number,
  stop: AbortSignal,
): Promise<Record<string, number>> {
  const took: Record<string, number> = {}
  for (const { name, command, urgent } of await dueTables(engine)) {
    if (!(await quiet(engine, quietMs, stop)) && !urgent) break
    if (stop.aborted) break
    const startedAt = performance.now()
    await engine.withoutTimeout(() => sql.raw(`${command} ${name}`).execute(engine.as(SYSTEM)))
    took[name] = Math.round(performance.now() - startedAt)
  }
  return took
}

/**
 * The rules of autovacuum, except that a big table does not wait until a fifth of it is dead: the more dead rows there
 * are, the longer requests wait.
 */
async function dueTables(engine: Engine): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select format('%I.%I', schemaname, relname) as name, urgent,
      case when worn and unknown then 'vacuum (analyze)' when worn then 'vacuum' else 'analyze' end as command
    from (
      select s.schemaname, s.relname, s.n_dead_tup,
        s.n_dead_tup > 50 + least(0.2 * n.rows, 10000) or s.n_ins_since_vacuum > 1000 + least(0.2 * n.rows, 20000)
          or age(c.relfrozenxid) > 100000000 as worn,
        s.n_mod_since_analyze > 50 + 0.1 * n.rows as unknown,
        s.n_dead_tup > 10000 + n.rows or age(c.relfrozenxid) > 1000000000 as urgent
      from pg_stat_all_tables s
      join pg_class c on c.oid = s.relid and c.relkind = 'r'
      cross join lateral (select greatest(c.reltuples, 0) as rows) n
    ) t
    where worn or unknown
    order by urgent desc, n_dead_tup desc`.execute(engine.as(SYSTEM))
  return rows
}

/** Waits until there was no statement for `quietMs`; returns false if that does not happen in time. */
async function quiet(engine: Engine, quietMs: number, stop: AbortSignal): Promise<boolean> {
  const deadline = Date.now() + MAX_WAIT_MS
  while (Date.now() < deadline && !stop.aborted) {
    const { statements } = engine.stats()
    await new Promise(resolve => setTimeout(resolve, quietMs))
    if (engine.stats().statements === statements && engine.stats().waiting === 0) return true
  }
  return false
}
