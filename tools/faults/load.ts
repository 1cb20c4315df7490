/** Half an hour of ordinary use: the memory of the process must reach a level and stay there. */
import type { OwnPostgresServer } from '../../test/support/postgres-server.ts'
import type { Row } from './deaths.ts'
import { databaseFor, type EngineKind, newTarget, pause, type Target } from './service.ts'
import { call, newLedger, problemsWith, writer } from './writers.ts'

/** Each client pauses between two requests, so that the rate depends little on the machine: 40 writes and 40 reads a second at most. */
const CLIENTS = 4
const PAUSE_MS = 100
const SAMPLES = 30
/** MB. The level moves by about this much with the moment of a garbage collection. */
const NOISE = 30

export async function mixedLoad(
  kind: EngineKind,
  seconds: number,
  postgres: OwnPostgresServer,
): Promise<Row> {
  const env = { ...(await databaseFor(kind, postgres)), KITH_INDEXER: 'true' }
  const target = await newTarget({ env })
  await target.start()
  const ledger = newLedger()
  const reads: Reads = { answered: 0, failed: new Map() }
  const stop = new AbortController()
  const clients = Array.from({ length: CLIENTS }, () => [
    writer(target.url, ledger, stop.signal, PAUSE_MS),
    reader(target.url, reads, stop.signal),
  ])
  const curve = await Promise.race([memoryCurve(target, seconds), failed(clients.flat())]).finally(() =>
    stop.abort(),
  )
  await Promise.all(clients.flat())
  const problems = await problemsWith(target.url, ledger)
  await target.kill('SIGTERM')
  const failedReads = [...reads.failed.values()].reduce((sum, count) => sum + count, 0)
  const unanswered = [...reads.failed].map(([path, count]) => `${count} × ${path}`)
  const [, middle, last] = thirds(curve).map(median)
  return {
    fault: 'mixed load, memory over time',
    engine: kind,
    amount: `${seconds} s, ${ledger.acknowledged} writes, ${reads.answered} reads`,
    result: `${curve.filter((_, i) => i % 5 === 4).join(', ')} MB at equal intervals; ${problems.length} problems, ${ledger.failed + failedReads} failed${unanswered.length > 0 ? ` (${unanswered.join(', ')})` : ''}`,
    holds: problems.length === 0 && unanswered.length === 0 && (last ?? 0) < (middle ?? 0) * 1.1 + NOISE,
  }
}

const failed = (work: Promise<void>[]): Promise<never> =>
  Promise.all(work).then(() => {
    throw new Error('the load ended by itself')
  })

async function memoryCurve(target: Target, seconds: number): Promise<number[]> {
  const curve: number[] = []
  while (curve.length < SAMPLES) {
    await pause((seconds * 1000) / SAMPLES)
    curve.push(Math.round(target.memory()))
  }
  return curve
}

const thirds = (values: number[]) => [0, 1, 2].map(i => values.slice(i * 10, i * 10 + 10))
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]

const READS: [string, string, unknown?][] = [
  ['GET', '/api/companies?page_size=50'],
  ['GET', '/api/contacts?page_size=50'],
  ['GET', '/api/search?q=alpha'],
  ['GET', '/api/events?limit=50'],
  ['POST', '/api/query', { entity: 'deal', group_by: [{ field: 'status' }] }],
  ['POST', '/api/search/ask', { question: 'How many open deals are there?' }],
  ['GET', '/openapi.json'],
]

interface Reads {
  answered: number
  /** by path */
  failed: Map<string, number>
}

async function reader(url: string, reads: Reads, stop: AbortSignal): Promise<void> {
  for (let turn = 0; !stop.aborted; turn++) {
    const [method, path, body] = READS[turn % READS.length] as (typeof READS)[number]
    const answer = await call(url, method, path, body)
    if (answer?.status === 200) reads.answered++
    else reads.failed.set(path, (reads.failed.get(path) ?? 0) + 1)
    if (answer && answer.status >= 400 && answer.status < 500)
      throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
    await pause(PAUSE_MS)
  }
}
