/** Removes expired rows in small steps, in one process at a time where several share a database. */
import { type RawBuilder, sql } from 'kysely'
import { first } from '../lib/values.ts'
import { type Db, type Engine, type Scope, SYSTEM } from './engine.ts'

/** Any number will do, as long as no other program on the database uses it. */
const LOCK = 7_243_001_910
const BATCH = 500
/** Pause between two steps, so that other statements run: the embedded engine has one connection. */
const PAUSE_MS = 20

/** The number of removed rows by table, without tables from which none were removed. */
export type Removed = Record<string, number>

export async function cleanUp(engine: Engine, idempotencyHours: number, stop: AbortSignal): Promise<Removed> {
  const outdated: Record<string, RawBuilder<unknown>> = {
    idempotency_keys: sql`created_at < now() - make_interval(hours => ${idempotencyHours})`,
    // A used token is stored for a while, so that its reuse is detected as theft.
    refresh_tokens: sql`expires_at < now() or used_at < now() - interval '7 days'`,
    retired_api_keys: sql`valid_until < now()`,
    mail_tokens: sql`expires_at < now()`,
    registrations: sql`expires_at < now()`,
    mail_recipients: sql`at < now() - interval '2 days'`,
  }
  const removed: Removed = {}
  for (const [table, condition] of Object.entries(outdated)) {
    const count = await inSteps(engine, stop, tx => removeSome(tx, table, condition))
    if (count > 0) removed[table] = count
  }
  const folded = await inSteps(engine, stop, foldCounts)
  if (folded > 0) removed.record_counts = folded
  return removed
}

async function removeSome(tx: Db, table: string, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql`delete from ${sql.table(table)} where ctid = any(array(
    select ctid from ${sql.table(table)} where ${condition} limit ${BATCH})) returning 1`.execute(tx)
  return rows.length
}

/** Adds up the many rows of a count into one. Rows that a writer has locked are left for the next run. */
async function foldCounts(tx: Db): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with many as (
      select account_id, kind from record_counts group by account_id, kind
        having count(*) > 10 + count(distinct value) limit 100
    ), free as (
      select c.account_id, c.kind, c.id from record_counts c join many using (account_id, kind) for update of c skip locked
    ), gone as (
      delete from record_counts c using free
        where c.account_id = free.account_id and c.kind = free.kind and c.id = free.id
        returning c.account_id, c.kind, c.value, c.living, c.trashed, c.moves
    ), kept as (
      insert into record_counts (account_id, kind, value, living, trashed, moves)
        select account_id, kind, value, sum(living), sum(trashed), sum(moves) from gone
        group by account_id, kind, value returning 1
    )
    select (select count(*) from gone) - (select count(*) from kept) as removed`.execute(tx)
  return first(rows).removed
}

/** Repeats `step`, each time in a transaction of its own, until it finds nothing more to do. */
async function inSteps(
  engine: Engine,
  stop: AbortSignal,
  step: (tx: Db) => Promise<number>,
): Promise<number> {
  let total = 0
  while (!stop.aborted) {
    const count = await alone(engine, SYSTEM, step)
    if (!count) break
    total += count
    await pause()
  }
  return total
}

/** Runs `step` in a transaction; undefined if another process is running it already. */
export function alone<T>(engine: Engine, scope: Scope, step: (tx: Db) => Promise<T>): Promise<T | undefined> {
  return engine
    .as(scope)
    .transaction()
    .execute(async tx => {
      const { rows } = await sql<{ free: boolean }>`
        select pg_try_advisory_xact_lock(${sql.lit(LOCK)}) as free`.execute(tx)
      return first(rows).free ? step(tx) : undefined
    })
}

export const pause = () => new Promise(resolve => setTimeout(resolve, PAUSE_MS))
