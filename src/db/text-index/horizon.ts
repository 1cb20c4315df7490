/**
 * How far the journal can be read without missing a row. Numbers are assigned when a row is written, not when it is
 * committed, so a row with a smaller number can become visible later. If the last number was stored at some time, and
 * every transaction of that time has ended since, then all rows up to that number are visible.
 */
import { sql } from 'kysely'
import { first } from '../../lib/values.ts'
import type { Db } from '../engine.ts'

/** The number up to which no row can be missed; advances the horizon. */
export async function settledSeq(db: Db): Promise<number> {
  await sql`insert into search_text_horizon (seq, running) values (0, '0') on conflict do nothing`.execute(db)
  await settle(db)
  await sql`update search_text_horizon set running = pg_snapshot_xmax(pg_current_snapshot()),
    seq = (select coalesce(pg_sequence_last_value(pg_get_serial_sequence('kith.changes', 'seq')::regclass), 0))
    where settled = seq`.execute(db)
  await settle(db)
  const { rows } = await sql<{ settled: number }>`select settled from search_text_horizon`.execute(db)
  return first(rows).settled
}

const settle = (db: Db) =>
  sql`update search_text_horizon set settled = seq
    where settled < seq and running <= pg_snapshot_xmin(pg_current_snapshot())`.execute(db)
