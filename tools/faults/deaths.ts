/** Acknowledged writes survive crashes of the service and of the database. */
import { spawnSync } from 'node:child_process'
import type { OwnPostgresServer } from '../../test/support/postgres-server.ts'
import { databaseFor, type EngineKind, newTarget, pause, repeat } from './service.ts'
import { type Ledger, newLedger, problemsWith, writer } from './writers.ts'

export interface Row {
  fault: string
  engine: string
  amount: string
  result: string
  holds: boolean
  /** the fault cannot be produced on this machine */
  isSkipped?: boolean
}

const WRITERS = 8

/** Runs the writers during the faults, stops them, and compares the stored records with the acknowledged ones. */
export async function underWriters(
  url: string,
  faults: (ledger: Ledger) => Promise<void>,
): Promise<{ ledger: Ledger; problems: string[] }> {
  const ledger = newLedger()
  const stop = new AbortController()
  const writers = Promise.all(Array.from({ length: WRITERS }, () => writer(url, ledger, stop.signal)))
  try {
    await Promise.race([faults(ledger), writers])
  } finally {
    stop.abort()
  }
  await writers
  return { ledger, problems: await problemsWith(url, ledger) }
}

/** A random moment, counted in writes: how long one takes depends on the machine. */
export async function someWrites(ledger: Ledger): Promise<void> {
  const enough = ledger.acknowledged + 10 + Math.random() * 60
  while (ledger.acknowledged < enough) await pause(5)
}

export const result = ({ ledger, problems }: { ledger: Ledger; problems: string[] }) => {
  const failures = [...ledger.statuses]
    .filter(([status]) => status >= 500)
    .map(([status, n]) => `${n} × ${status}`)
  const lost =
    problems.length === 0
      ? '0 lost, 0 doubled'
      : `${problems.length} problems: ${problems.slice(0, 3).join('; ')}`
  return `${ledger.acknowledged} acknowledged, ${lost}; ${failures.join(', ') || 'no 5xx'}`
}

export const isWhole = ({ ledger, problems }: { ledger: Ledger; problems: string[] }) =>
  problems.length === 0 && !ledger.statuses.has(500)

export async function kills(kind: EngineKind, count: number, postgres: OwnPostgresServer): Promise<Row> {
  const target = await newTarget({ env: await databaseFor(kind, postgres) })
  await target.start()
  let done = 0
  const outcome = await underWriters(target.url, async ledger => {
    done = await repeat(count, async () => {
      await someWrites(ledger)
      await target.kill('SIGKILL')
      await target.start()
    })
    await someWrites(ledger)
  })
  await target.kill('SIGTERM')
  return {
    fault: 'kill -9 under 8 writers',
    engine: kind,
    amount: `${done} kills`,
    result: result(outcome),
    holds: isWhole(outcome),
  }
}

export async function databaseRestarts(count: number, postgres: OwnPostgresServer): Promise<Row> {
  const target = await newTarget({ env: await databaseFor('server', postgres) })
  await target.start()
  let done = 0
  const outcome = await underWriters(target.url, async ledger => {
    done = await repeat(count, async turn => {
      await someWrites(ledger)
      await postgres.shutDown(turn % 2 === 0 ? 'fast' : 'immediate')
      await postgres.revive()
    })
    await someWrites(ledger)
  })
  await target.kill('SIGTERM')
  return {
    fault: 'PostgreSQL restarted, fast and immediate by turns',
    engine: 'server',
    amount: `${done} restarts`,
    result: result(outcome),
    holds: isWhole(outcome),
  }
}

/** The clock jumps ahead by 400 days, and back. */
export async function clockSteps(kind: EngineKind, postgres: OwnPostgresServer): Promise<Row> {
  const row = { fault: 'clock 400 days ahead, then back', engine: kind, amount: '2 steps' }
  if (spawnSync('faketime', ['--version']).error)
    return { ...row, result: 'skipped: faketime is not installed', holds: true, isSkipped: true }
  const env = await databaseFor(kind, postgres)
  const ahead = await newTarget({ env, wrapper: ['faketime', '-f', '+400d'] })
  await ahead.start()
  const first = await underWriters(ahead.url, someWrites)
  await ahead.kill('SIGKILL')
  const dataDir = ahead.dataDir
  const now = await newTarget({ env, dataDir })
  await now.start()
  const second = await underWriters(now.url, someWrites)
  const problems = [...second.problems, ...(await problemsWith(now.url, first.ledger))]
  await now.kill('SIGTERM')
  return {
    ...row,
    result: result({ ledger: second.ledger, problems }),
    holds: problems.length === 0 && isWhole(first),
  }
}
