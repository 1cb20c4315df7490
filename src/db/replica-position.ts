/** Compares positions in the write-ahead log of the primary and of its replica. */
import type pg from 'pg'
import { first } from '../lib/values.ts'

/**
 * The end of every acknowledged commit. With synchronous_commit = off a commit is acknowledged before it is flushed.
 * Otherwise the flushed position is used, because what open transactions have inserted beyond it reaches the replica
 * only when it is flushed.
 */
const ACKNOWLEDGED = `select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
  else pg_current_wal_flush_lsn() end)::text as position`

/** Null on a server that was promoted: its log is no longer that of the primary. */
const REPLAYED = `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as position`

interface Waiting {
  patienceMs: number
  pollMs: number
}

/** Returns a check whether the replica has replayed what the primary has acknowledged. It waits for a short delay. */
export function positionFrom(
  primary: pg.Pool,
  replica: pg.Pool,
  { patienceMs, pollMs }: Waiting,
): () => Promise<boolean> {
  // A replica that is far behind must not delay every read: the next check waits only after a successful one.
  let waits = true
  return async () => {
    const [acknowledged, before] = await Promise.all([
      positionOf(primary, ACKNOWLEDGED),
      positionOf(replica, REPLAYED),
    ])
    if (acknowledged === undefined || before === undefined) return false
    const until = performance.now() + (waits ? patienceMs : 0)
    let replayed: bigint | undefined = before
    while (replayed !== undefined && replayed < acknowledged && performance.now() < until) {
      await new Promise(resolve => setTimeout(resolve, pollMs))
      replayed = await positionOf(replica, REPLAYED)
    }
    waits = replayed !== undefined && replayed >= acknowledged
    return waits
  }
}

async function positionOf(pool: pg.Pool, statement: string): Promise<bigint | undefined> {
  const { rows } = await pool.query<{ position: string | null }>(statement)
  return parsePosition(first(rows).position)
}

/** `16/B374D848` → the number of bytes. */
export function parsePosition(text: string | null): bigint | undefined {
  const [, high, low] = /^([0-9A-F]+)\/([0-9A-F]+)$/i.exec(text ?? '') ?? []
  return high === undefined || low === undefined
    ? undefined
    : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
