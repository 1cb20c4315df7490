/**
 * Runs an import, some rows at a time. Rows, errors, counts and the place in the file are written in one transaction:
 * whatever ends the process, each row is dealt with once, and the import goes on where it was.
 */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Ctx, transaction } from '../../kernel/context.ts'
import { type JobHandler, type JobRun, JobStopped, jobType } from '../../kernel/jobs.ts'
import type { Resource } from '../../kernel/resource.ts'
import { object, uuid } from '../../kernel/schema/index.ts'
import { updateRows } from '../../kernel/statements.ts'
import { transferFiles } from '../exports/files.ts'
import { readRecords } from './analyse.ts'
import { importRows, type Plan } from './batch.ts'
import type { CsvRecord } from './csv-parser.ts'
import { type Draft, draftOf } from './drafts.ts'
import { keySet } from './key-set.ts'
import { clear, finish, lockAt, noteCount, noteOutcomes } from './ledger.ts'
import { load, planOf, type Stored } from './plan.ts'
import { type Statistics, statisticsOf } from './statistics.ts'
import { readAhead } from './write.ts'

const data = object({ import_id: uuid() })
export const importJob = jobType('import', data)
export const validateJob = jobType('import_validate', data)

/**
 * Rows of one transaction. Others wait for the embedded engine's one connection while it lasts: as soon as somebody
 * does, batches become small, and grow again when nobody has for a while.
 */
const BATCH = {
  server: { set: { most: 1500, least: 100 }, single: { most: 50, least: 20 } },
  embedded: { set: { most: 500, least: 50 }, single: { most: 50, least: 5 } },
}

export const importHandler = (resources: readonly Resource[]): JobHandler<{ import_id: string }> => ({
  type: importJob,
  actor: ({ import_id }) => ({ kind: 'import', id: import_id }),
  async run(ctx, { import_id: id }, job) {
    const stored = await load(ctx, id)
    // All of it was done, but the process ended before the job was.
    if (stored.status === 'completed') return { import_id: id }
    if (stored.status === 'cancelled') throw new JobStopped('cancelled')
    await updateRows(ctx, 'imports', { status: 'running', error: null }, sql`r.id = ${id}`)
    const plan = await planOf(ctx, resources, stored)
    const statistics = statisticsOf(ctx, plan.resource.record)
    await importAll(ctx, stored, plan, job, statistics)
    await statistics.conclude(stored.processed_rows)
    await finish(ctx, id, 'completed')
    return { import_id: id }
  },
  async onEnd(tx, { import_id: id }, ending) {
    const error = ending.status === 'failed' ? ending.error : null
    const set = { status: ending.status, error, finished_at: sql`now()`, updated_at: sql`now()` }
    await updateRows(tx, 'imports', set, sql`r.id = ${id}`)
    await noteCount(tx, id)
  },
})

/** Every row is checked as it would be on a real run, and nothing is written but what became of the check. */
export const validateHandler = (resources: readonly Resource[]): JobHandler<{ import_id: string }> => ({
  type: validateJob,
  actor: ({ import_id }) => ({ kind: 'import', id: import_id }),
  async run(ctx, { import_id: id }, job) {
    const stored = await load(ctx, id)
    if (stored.status !== 'validating') return { import_id: id }
    await clear(ctx, id)
    const plan: Plan = { ...(await planOf(ctx, resources, stored)), seen: keySet() }
    const fresh = { ...stored, processed_rows: 0 }
    await importAll(ctx, fresh, plan, job)
    await updateRows(ctx, 'imports', { status: 'ready', updated_at: sql`now()` }, sql`r.id = ${id}`)
    return { import_id: id }
  },
  async onEnd(tx, { import_id: id }, ending) {
    const error = ending.status === 'failed' ? ending.error : null
    await clear(tx, id)
    await updateRows(tx, 'imports', { status: 'uploaded', error, updated_at: sql`now()` }, sql`r.id = ${id}`)
  },
})

/** The rows that are still to be done, as many at a time as `size` says. */
async function* rowsOf(
  ctx: Ctx,
  stored: Stored,
  done: number,
  size: () => number,
): AsyncGenerator<CsvRecord[]> {
  let skip = done + (stored.has_header ? 1 : 0)
  let batch: CsvRecord[] = []
  for await (const records of readRecords(transferFiles.path(ctx, stored.id), stored)) {
    for (const record of records) {
      if (skip > 0) {
        skip--
        continue
      }
      batch.push(record)
      if (batch.length < size()) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/** One batch is read while the one before it is written. */
async function importAll(
  ctx: Ctx,
  stored: Stored,
  plan: Plan,
  job: JobRun,
  statistics?: Statistics,
): Promise<void> {
  const { most, least } = BATCH[ctx.services.engine.kind][plan.writer ? 'set' : 'single']
  let size = Math.min(most, 4 * least)
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const records of rowsOf(ctx, stored, stored.processed_rows, () => size)) {
      const read = () => draftsOf(records, plan, stored.columns.length)
      const drafts = await read()
      await writing
      writing = importBatch(ctx, stored, plan, drafts, read, job).then(async madeWay => {
        size = madeWay ? Math.max(least, size >> 1) : Math.min(most, Math.ceil(size * 1.25))
        await statistics?.keepUp(stored.processed_rows)
      })
      writing.catch(() => {})
    }
  } finally {
    await writing
  }
}

/** Answers whether somebody else wanted the database meanwhile. */
async function importBatch(
  ctx: Ctx,
  stored: Stored,
  plan: Plan,
  first: Draft[],
  readAgain: () => Promise<Draft[]>,
  job: JobRun,
): Promise<boolean> {
  const began = performance.now()
  const at = stored.processed_rows
  const done = at + first.length
  let isFirst = true
  let isWaitedFor = false
  await transaction(ctx, async tx => {
    // A transaction may be tried again, and then begins with drafts that nobody has touched.
    const drafts = isFirst ? first : await readAgain()
    isFirst = false
    await job.progress(tx, done, stored.total_rows)
    await lockAt(tx, stored, at, plan.seen === undefined)
    const outcomes = await importRows(tx, plan, drafts)
    await noteOutcomes(tx, stored.id, done, drafts, outcomes)
    isWaitedFor = ctx.services.engine.stats().waiting > 0
  })
  stored.processed_rows = done
  await makeWay(isWaitedFor ? performance.now() - began : 0)
  return isWaitedFor
}

/** Reading a batch takes some milliseconds: requests get their turn in between. */
async function draftsOf(records: readonly CsvRecord[], plan: Plan, width: number): Promise<Draft[]> {
  const drafts: Draft[] = []
  for (const [i, record] of records.entries()) {
    const draft = draftOf(record, plan.columns, width)
    if (plan.writer) readAhead(plan.resource, draft)
    drafts.push(draft)
    if (i % 50 === 49) await turn()
  }
  return drafts
}

/** Whoever waits for the connection gets it, and half as long as this batch has had it. */
async function makeWay(ms: number): Promise<void> {
  await turn()
  if (ms > 0) await pause(Math.min(ms / 2, 250))
}
