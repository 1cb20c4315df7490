/**
 * Keeps the index in step with the records: reads the journal, rewrites the passages of what changed, then has the
 * model make their vectors. In short transactions with pauses between them, for the embedded engine has one
 * connection; one process at a time, the one that gets the lock of the journal's position.
 */
import { sql } from 'kysely'
import { endLocalModels } from '../../ai/local-embedder.ts'
import { type Db, SYSTEM } from '../../db/engine.ts'
import { isUnavailable } from '../../db/sqlstate.ts'
import { query, type Services } from '../../kernel/context.ts'
import { embedSome } from './embed.ts'
import { FEED, feed, inLane, LANES } from './feed.ts'
import { indexSome, reindexSome } from './write.ts'

export interface Indexer {
  stop(): Promise<void>
}

/** A change waits for two looks at most: one may be under way when it is written. */
export const POLL_MS = 250
/** How long a transaction is to take: the number of records in it follows. On the one connection everybody waits. */
const STEP_MS = { embedded: 40, server: 250 }
const MAX_RECORDS = 200

/** One look at the journal, and the next few records that are out of date. Tells whether there was anything to do. */
export function indexWriter(services: Services): () => Promise<boolean> {
  const { engine } = services
  let records = 20

  async function step(work: (tx: Db) => Promise<boolean>): Promise<boolean> {
    return engine
      .as(SYSTEM)
      .transaction()
      .execute(async tx => {
        const [mine] = await query(
          { db: tx },
          sql`select f.seq from ${FEED} f where f.lane = ${LANES[0]} for update of f skip locked`,
        )
        return mine ? work(tx) : false
      })
  }

  return async () => {
    // The poll is one small read; a transaction begins only when there is something to do.
    if (!(await anything(engine.as(SYSTEM)))) return false
    let fed = false
    for (const lane of LANES) fed = (await step(async tx => (await feed(services, tx, lane)) > 0)) || fed
    const began = performance.now()
    const indexed = await step(async tx => {
      const done = await indexSome(services, tx, records)
      return done > 0 || reindexSome(services, tx, 500)
    })
    const took = performance.now() - began
    if (indexed)
      records = Math.round(
        Math.min(MAX_RECORDS, Math.max(5, records * (took > STEP_MS[engine.kind] ? 0.7 : 1.2))),
      )
    return fed || indexed
  }
}

export function startIndexer(services: Services): Indexer {
  const { log } = services
  const stopping = new AbortController()
  const write = indexWriter(services)

  /** Rests as long as it worked, so that others come to their turn in between. */
  async function repeat(work: () => Promise<boolean>, idleMs: number): Promise<void> {
    while (!stopping.signal.aborted) {
      const began = performance.now()
      const worked = await work().catch(error => {
        if (!stopping.signal.aborted) {
          log.warn(
            { err: error },
            isUnavailable(error) ? 'the index waits for the database' : 'indexing failed',
          )
        }
        return undefined
      })
      const took = performance.now() - began
      await rest(worked === undefined ? 1000 : worked ? Math.min(took, 100) : idleMs, stopping.signal)
    }
  }

  const running = Promise.all([repeat(write, POLL_MS), repeat(() => embedSome(services), POLL_MS)])
  return {
    async stop() {
      stopping.abort()
      await running
      await endLocalModels()
    },
  }
}

async function anything(db: Db): Promise<boolean> {
  const [found] = await query(
    { db },
    sql<{ found: boolean }>`select exists (select from ${sql.table('search_dirty')})
      or exists (select from ${sql.table('search_reindex')})
      or ${sql.join(
        LANES.map(
          lane => sql`exists (select from ${FEED} f join ${sql.table('changes')} c
            on (c.xid, c.seq) > (f.xid, f.seq) where f.lane = ${lane} and ${inLane(lane)})`,
        ),
        sql` or `,
      )} as found`,
  )
  return found!.found
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(done, ms)
    timer.unref()
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
