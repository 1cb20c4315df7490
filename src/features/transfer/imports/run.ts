/**
 * Runs an import in batches of rows. The records of a batch, its errors and counts and the position in the file are
 * written in one transaction: after a crash each row is imported once, and the import continues at that position.
 */
import { sql } from 'kysely'
import { type Ctx, transaction } from '../../../kernel/context.ts'
import { type JobHandler, type JobRun, JobStopped, jobType } from '../../../kernel/jobs.ts'
import type { Resource } from '../../../kernel/resource.ts'
import { object, uuid } from '../../../kernel/schema/index.ts'
import { updateRows } from '../../../kernel/statements.ts'
import { forgetDefinitions } from '../../../resources/custom-fields/definition.ts'
import { type Statistics, statisticsOf } from '../../../resources/statistics.ts'
import { transferFiles } from '../exports/files.ts'
import { checkMayImport } from './access.ts'
import { readRecords } from './analyse.ts'
import { importRows } from './batch.ts'
import { batchSize } from './batch-size.ts'
import { createNamed, namesIn } from './created-before.ts'
import type { CsvRecord } from './csv-parser.ts'
import type { Draft } from './draft.ts'
import { aloneInAccount, finish, lockAt, noteCount, noteOutcomes } from './ledger.ts'
import { declareFields } from './new-fields.ts'
import { load, planOf, requestedImport, type Stored } from './plan.ts'
import { readRows } from './read-rows.ts'
import { type Repeats, refuse, repeatsOf } from './repeats.ts'
import type { Plan } from './types.ts'

const data = object({ import_id: uuid() })
export const importJob = jobType('import', data, 'imports:write')

export const importHandler = (resources: readonly Resource[]): JobHandler<{ import_id: string }> => ({
  type: importJob,
  actor: ({ import_id }) => ({ kind: 'import', id: import_id }),
  checkCaller: async (ctx, { import_id: id }) =>
    checkMayImport(ctx, resources, await requestedImport(ctx, id)),
  async run(ctx, { import_id: id }, job) {
    const stored = await load(ctx, id)
    // The import was completed, but the process ended before the job was.
    if (stored.status === 'completed') return { import_id: id }
    if (stored.status === 'cancelled') throw new JobStopped('cancelled')
    await updateRows(ctx, 'imports', { status: 'running', error: null }, sql`r.id = ${id}`)
    const plan = await wholePlan(ctx, resources, stored)
    await transaction(ctx, async tx => {
      await aloneInAccount(tx, stored.operation_id)
      await declareFields(tx, plan.resource, stored)
      await createNamed(tx, plan)
    })
    // The notification that definitions have changed may arrive after the next statement.
    forgetDefinitions(ctx)
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

/** The plan, with the names and parents that the whole file contains. */
export async function wholePlan(ctx: Ctx, resources: readonly Resource[], stored: Stored): Promise<Plan> {
  const plan = await planOf(ctx, resources, stored)
  const names = namesIn(plan)
  if (!names) return plan
  for await (const records of rowsOf(ctx, stored, plan, 0, () => 1000)) records.forEach(names.add)
  return names.plan()
}

/** The rows that are not imported yet, in batches of `size()`. The file is read once for each level of its families. */
export async function* rowsOf(
  ctx: Ctx,
  stored: Stored,
  { families }: Plan,
  done: number,
  size: () => number,
): AsyncGenerator<CsvRecord[]> {
  let skip = done
  let batch: CsvRecord[] = []
  for (let level = 0; level < (families?.levels ?? 1); level++) {
    for await (const records of dataRows(ctx, stored)) {
      for (const record of records) {
        if (families && families.levelOf(record.row) !== level) continue
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
  }
  if (batch.length > 0) yield batch
}

async function* dataRows(ctx: Ctx, stored: Stored): AsyncGenerator<readonly CsvRecord[]> {
  let isHeader = stored.has_header
  for await (const records of readRecords(transferFiles.path(ctx, stored.id), stored)) {
    yield isHeader ? records.slice(1) : records
    isHeader &&= records.length === 0
  }
}

/** One batch is read while the one before it is written. */
async function importAll(
  ctx: Ctx,
  stored: Stored,
  plan: Plan,
  job: JobRun,
  statistics: Statistics,
): Promise<void> {
  const batch = batchSize(ctx)
  const repeats = await repeatsSoFar(ctx, stored, plan)
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const records of rowsOf(ctx, stored, plan, stored.processed_rows, batch.size)) {
      const drafts = await readRows(records, plan)
      await writing
      const refused = await repeats.count(ctx, drafts)
      const read = async (isAgain: boolean) => {
        const fresh = isAgain ? await readRows(records, plan) : drafts
        refuse(fresh, refused)
        return fresh
      }
      const began = performance.now()
      writing = importBatch(ctx, stored, plan, records.length, read, job).then(async isWaitedFor => {
        await batch.done(isWaitedFor, performance.now() - began)
        await statistics.keepUp(stored.processed_rows)
      })
      writing.catch(() => {})
    }
  } finally {
    await writing
  }
}

/** After a crash: counts the rows that were imported before it. */
async function repeatsSoFar(ctx: Ctx, stored: Stored, plan: Plan): Promise<Repeats> {
  const repeats = repeatsOf(plan)
  let left = plan.strategy === 'update' ? stored.processed_rows : 0
  if (left === 0) return repeats
  for await (const records of rowsOf(ctx, stored, plan, 0, () => 1000)) {
    await repeats.count(ctx, await readRows(records.slice(0, left), plan))
    left -= records.length
    if (left <= 0) break
  }
  return repeats
}

/** Returns whether another statement waited for the database meanwhile. */
async function importBatch(
  ctx: Ctx,
  stored: Stored,
  plan: Plan,
  count: number,
  read: (isAgain: boolean) => Promise<Draft[]>,
  job: JobRun,
): Promise<boolean> {
  const at = stored.processed_rows
  const done = at + count
  let isAgain = false
  let isWaitedFor = false
  await transaction(ctx, async tx => {
    // A transaction may be tried again, and then begins with unchanged drafts.
    const drafts = await read(isAgain)
    isAgain = true
    await job.progress(tx, done, stored.total_rows)
    await lockAt(tx, stored, at)
    await aloneInAccount(tx, stored.operation_id)
    const outcomes = await importRows(tx, plan, drafts)
    await noteOutcomes(tx, stored.id, done, drafts, outcomes)
    isWaitedFor = ctx.services.engine.stats().waiting > 0
  })
  stored.processed_rows = done
  return isWaitedFor
}
