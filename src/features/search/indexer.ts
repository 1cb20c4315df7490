/**
 * Keeps the index up to date: reads the journal, rewrites the passages of changed records, then computes their
 * vectors. Works in short transactions with pauses, because the embedded engine has one connection. One process at a
 * time indexes: the one that locks the position in the journal.
 */
import { sql } from 'kysely'
import { endLocalModels } from '../../ai/local-embedder.ts'
import { type Db, SYSTEM } from '../../db/engine.ts'
import { isUnavailable } from '../../db/sqlstate.ts'
import { query, type Services } from '../../kernel/context.ts'
import { unscoped } from '../../kernel/statements.ts'
import { embedSome } from './embed.ts'
import { FEED, feed, inLane, LANES } from './feed.ts'
import { indexSome, reindexSome } from './write.ts'

export interface Indexer {
  stop(): Promise<void>
}

/** A change waits for at most two polls: one may be running when it is written. */
export const POLL_MS = 250
/** How often to look for passages that a killed process left without a vector. */
const LEFTOVER_MS = 30_000
/** The delay of the first retry after the model failed; it doubles with each retry, up to `LEFTOVER_MS`. */
const RETRY_MS = 1000
/** The target duration of a transaction, to which its number of records adapts. Embedded, all requests wait for it. */
const STEP_MS = { embedded: 40, server: 250 }
const MAX_RECORDS = 200

/** `waiting`: there are changes, but an open transaction could still write earlier ones. */
type Outcome = 'nothing' | 'waiting' | 'worked'

/** Reads the journal once and indexes the next few records that are out of date. */
export function indexWriter(services: Services): () => Promise<Outcome> {
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
    // This is one small read; a transaction begins only if there is work.
    if (!(await hasWork(engine.as(SYSTEM)))) return 'nothing'
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
    return fed || indexed ? 'worked' : 'waiting'
  }
}

export function startIndexer(services: Services): Indexer {
  const { engine, log } = services
  const stopping = new AbortController()
  const { signal } = stopping
  const write = indexWriter(services)
  let passagesWritten = () => {}

  /** Returns undefined after an error, which is logged. */
  async function tried<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      const problem = isUnavailable(error) ? 'the index waits for the database' : 'indexing failed'
      if (!signal.aborted) log.warn({ err: error }, problem)
      return undefined
    }
  }

  /**
   * The embedded database belongs to this process alone: nothing has changed unless a statement ran since the last
   * poll, which is one statement itself. Polling four times a second took 3 % of a core. A server has other clients,
   * and a NOTIFY with every change would make their commits wait for each other.
   */
  const nextChange = async (statements: number) => {
    if (engine.kind === 'embedded') await engine.statementsAbove(statements + 1, signal)
    await pause(POLL_MS, signal)
  }

  /** Pauses as long as the work took, so that requests run in between. */
  const pauseAfter = (began: number) => pause(Math.min(performance.now() - began, 100), signal)

  async function writePassages(): Promise<void> {
    while (!signal.aborted) {
      const { statements } = engine.stats()
      const began = performance.now()
      const outcome = await tried(write)
      if (outcome === 'worked') passagesWritten()
      if (outcome === 'nothing') await nextChange(statements)
      else if (outcome === 'worked') await pauseAfter(began)
      else await pause(outcome === 'waiting' ? POLL_MS : RETRY_MS, signal)
    }
  }

  async function embedPassages(): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      const woken = new AbortController()
      passagesWritten = () => woken.abort()
      const began = performance.now()
      const outcome = await tried(() => embedSome(services))
      failures = outcome === 'failed' ? failures + 1 : 0
      if (outcome === 'worked') await pauseAfter(began)
      else if (outcome === 'failed')
        await pause(Math.min(RETRY_MS * 2 ** (failures - 1), LEFTOVER_MS), signal)
      else
        await pause(outcome === undefined ? RETRY_MS : LEFTOVER_MS, AbortSignal.any([signal, woken.signal]))
    }
  }

  const running = Promise.all([writePassages(), embedPassages()])
  return {
    async stop() {
      stopping.abort()
      await running
      await endLocalModels()
    },
  }
}

async function hasWork(db: Db): Promise<boolean> {
  const [pending] = await query(
    { db },
    sql<{ exists: boolean }>`select exists (select from ${unscoped('search_dirty')})
      or exists (select from ${unscoped('search_reindex')})
      or ${sql.join(
        LANES.map(
          lane => sql`exists (select from ${FEED} f join ${unscoped('changes')} c
            on (c.xid, c.seq) > (f.xid, f.seq) where f.lane = ${lane} and ${inLane(lane)})`,
        ),
        sql` or `,
      )} as exists`,
  )
  return pending?.exists === true
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
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
