import type pg from 'pg'

declare module 'pg' {
  /** Undocumented members of node-postgres. */
  interface Pool {
    _pendingQueue: { callback(error: Error | undefined, client: pg.PoolClient | undefined): void }[]
    /** hands an idle client to the first in the queue, in the same call */
    _pulseQueue(): void
  }
}

/**
 * An idle client of the pool, or undefined. `pool.connect` takes a promise, a timer and a turn of the event loop's queue
 * also when a client is idle.
 */
export function idleClient(pool: pg.Pool): pg.PoolClient | undefined {
  if (pool.idleCount === 0 || pool.waitingCount > 0 || pool.ending) return undefined
  let taken: pg.PoolClient | undefined
  pool._pendingQueue.push({
    callback(_error, client) {
      taken = client
    },
  })
  pool._pulseQueue()
  return taken
}
