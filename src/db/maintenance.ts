/** Periodic maintenance: cleaning up, indexing texts and vectors, and vacuuming on the embedded engine. */
import { cleanUp } from './clean-up.ts'
import type { Engine } from './engine.ts'
import { purgeTrash } from './purge.ts'
import { indexTexts } from './text-index/build.ts'
import { catchUpAll } from './text-index/catch-up.ts'
import { vacuumWhereDue } from './vacuum.ts'
import { vectorIndexing } from './vector-index.ts'

export interface MaintenanceOptions {
  trashDays: number
  idempotencyHours: number
  log: { info(detail: object, message: string): void; warn(detail: object, message: string): void }
  /** how often, in milliseconds */
  cleanEvery?: number
  vacuumEvery?: number
  /** looking for accounts that have become large takes 200 ms where there are 10,000 */
  indexEvery?: number
  /** adding changed records to the index of those that are */
  catchUpEvery?: number
  vectorsEvery?: number
  /** how long there must have been no statement before a table is vacuumed */
  quietMs?: number
}

export interface Maintenance {
  /** Waits for a run in progress. */
  stop(): Promise<void>
}

export function maintain(engine: Engine, options: MaintenanceOptions): Maintenance {
  const { log, cleanEvery = 10 * 60_000, vacuumEvery = 60_000, indexEvery = 30_000, quietMs = 300 } = options
  const { catchUpEvery = 5000, vectorsEvery = 10 * 60_000 } = options
  const stopping = new AbortController()

  const cleaning = repeat(cleanEvery, async () => {
    const removed = {
      ...(await cleanUp(engine, options.idempotencyHours, stopping.signal)),
      ...(await purgeTrash(engine, options.trashDays, stopping.signal)),
    }
    if (Object.keys(removed).length > 0) log.info({ removed }, 'cleaned up')
  })
  // A server has its autovacuum.
  const vacuuming = repeat(engine.kind === 'embedded' ? vacuumEvery : undefined, async () => {
    const vacuumed = await vacuumWhereDue(engine, quietMs, stopping.signal)
    if (Object.keys(vacuumed).length > 0) log.info({ ms: vacuumed }, 'vacuumed')
  })

  let statements = -1
  let indexedAt = performance.now()
  let mayBeNew = true
  const indexing = repeat(Math.min(catchUpEvery, indexEvery), async () => {
    // An idle service has nothing to index.
    const isIdle = engine.stats().statements === statements
    mayBeNew ||= !isIdle
    if (mayBeNew && performance.now() - indexedAt >= indexEvery) {
      const { segments, changed } = await indexTexts(engine, stopping.signal)
      if (segments > 0) log.info({ segments, changed }, 'indexed texts for lists')
      indexedAt = performance.now()
      mayBeNew = false
    } else if (!isIdle) await catchUpAll(engine, stopping.signal)
    statements = engine.stats().statements
  })

  const indexVectors = vectorIndexing(engine, stopping.signal)
  const indexingVectors = repeat(engine.kind === 'server' ? vectorsEvery : undefined, async () => {
    const { created, dropped } = await indexVectors()
    if (created + dropped > 0) log.info({ created, dropped }, 'indexed vectors')
  })

  /** Runs `work` at an interval, never twice at once. The timer does not keep the process alive. */
  function repeat(ms: number | undefined, work: () => Promise<void>): () => Promise<void> {
    let running: Promise<void> = Promise.resolve()
    if (ms === undefined) return () => running
    const next = () => setTimeout(run, ms).unref()
    let timer = next()
    function run(): void {
      running = work()
        .catch(error => log.warn({ err: error }, 'maintenance failed and will be tried again'))
        .finally(() => {
          if (!stopping.signal.aborted) timer = next()
        })
    }
    return () => {
      clearTimeout(timer)
      return running
    }
  }

  return {
    async stop() {
      stopping.abort()
      await Promise.all([cleaning(), vacuuming(), indexing(), indexingVectors()])
    },
  }
}
