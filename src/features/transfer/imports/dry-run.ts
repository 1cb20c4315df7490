/**
 * A dry run imports each batch and rolls it back. A row may depend on rows of earlier batches, which were rolled back:
 * those that had an effect and share a mark with the batch are imported again before it, in the same transaction. So a
 * dry run has no rules of its own, and no transaction is longer than one of the import and its repeated rows.
 */
import { sql } from 'kysely'
import { type Ctx, query, transaction } from '../../../kernel/context.ts'
import { type JobHandler, type JobRun, jobType } from '../../../kernel/jobs.ts'
import type { Resource } from '../../../kernel/resource.ts'
import { object, uuid } from '../../../kernel/schema/index.ts'
import { updateRows } from '../../../kernel/statements.ts'
import { at, present } from '../../../lib/values.ts'
import { transferFiles } from '../exports/files.ts'
import { checkMayImport } from './access.ts'
import { importRows } from './batch.ts'
import { batchSize } from './batch-size.ts'
import { connectionsOf } from './connections.ts'
import { createNamed } from './created-before.ts'
import type { CsvRecord } from './csv-parser.ts'
import type { Draft } from './draft.ts'
import { aloneInAccount, clear, lockAt, noteOutcomes } from './ledger.ts'
import { markMap } from './mark-map.ts'
import type { Outcome } from './outcomes.ts'
import { NO_PARENT_MARKS, type ParentMarks, parentMarksOf } from './parents.ts'
import { load, requestedImport, type Stored } from './plan.ts'
import { readRows } from './read-rows.ts'
import { refuse, repeatsOf } from './repeats.ts'
import { rowGroups } from './row-groups.ts'
import { rowsOf, wholePlan } from './run.ts'
import { openSpool } from './spool.ts'
import type { Plan } from './types.ts'

/** Rows that are repeated in one transaction, unless a single row needs more. */
const MOST_REPEATED = 1000

export const validateJob = jobType('import_validate', object({ import_id: uuid() }), 'imports:write')

export const validateHandler = (resources: readonly Resource[]): JobHandler<{ import_id: string }> => ({
  type: validateJob,
  actor: ({ import_id }) => ({ kind: 'import', id: import_id }),
  checkCaller: async (ctx, { import_id: id }) =>
    checkMayImport(ctx, resources, await requestedImport(ctx, id)),
  async run(ctx, { import_id: id }, job) {
    const stored = await load(ctx, id)
    if (stored.status !== 'validating') return { import_id: id }
    await clear(ctx, id)
    const plan = await wholePlan(ctx, resources, stored)
    await tryAll(ctx, { ...stored, processed_rows: 0 }, plan, job)
    await updateRows(ctx, 'imports', { status: 'ready', updated_at: sql`now()` }, sql`r.id = ${id}`)
    return { import_id: id }
  },
  async onEnd(tx, { import_id: id }, ending) {
    const error = ending.status === 'failed' ? ending.error : null
    await clear(tx, id)
    await updateRows(tx, 'imports', { status: 'uploaded', error, updated_at: sql`now()` }, sql`r.id = ${id}`)
  },
})

async function tryAll(ctx: Ctx, stored: Stored, plan: Plan, job: JobRun): Promise<void> {
  const batch = batchSize(ctx)
  const spool = await openSpool(transferFiles.partPath(ctx, stored.id))
  const effective = rowGroups()
  const repeats = repeatsOf(plan)
  const givers = giversOf()

  /** Imports the rows after those that they depend on. Too many of these are too long for one transaction. */
  async function tryBatch(records: CsvRecord[], refused: ReadonlySet<number>): Promise<Tried> {
    const marks = await marksOf(ctx, plan, await readRows(records, plan))
    const before = await rowsBefore(marks, records.length > 1)
    if (records.length > 1 && before.length > MOST_REPEATED) {
      const half = records.length >> 1
      const first = await tryBatch(records.slice(0, half), refused)
      const second = await tryBatch(records.slice(half), refused)
      return {
        drafts: [...first.drafts, ...second.drafts],
        outcomes: new Map([...first.outcomes, ...second.outcomes]),
      }
    }
    const tried = await rolledBack(ctx, plan, await spool.read(before), records, refused)
    const written = tried.drafts.flatMap((draft, i) =>
      isEffective(tried.outcomes.get(draft))
        ? [{ record: at(records, i), own: at(marks, i), target: draft.target }]
        : [],
    )
    const number = await spool.append(written.map(({ record }) => record))
    for (const [n, { own, target }] of written.entries()) {
      effective.add([...own.marks, ...(target === undefined ? [] : [`record ${target}`])], number + n)
      givers.add(own.gives, number + n)
    }
    return tried
  }

  /** The rows that these depend on, and those that they depend on, in order; of a divisible batch not all if too many. */
  async function rowsBefore(of: readonly Marks[], isDivisible: boolean): Promise<number[]> {
    const before = new Set<number>()
    let newRows = [...of]
    while (newRows.length > 0 && !(isDivisible && before.size > MOST_REPEATED)) {
      const takes = newRows.flatMap(row => [...row.takes, ...row.otherwise, ...row.shares])
      const rows = [
        ...effective.rows([...newRows.flatMap(row => row.marks), ...takes]),
        ...givers.rows(takes),
      ]
      const added = [...new Set(rows)].filter(row => !before.has(row))
      for (const row of added) before.add(row)
      // Without families the rows that share a mark are all.
      newRows = plan.families ? await marksOf(ctx, plan, await readRows(await spool.read(added), plan)) : []
    }
    return [...before].sort((a, b) => a - b)
  }

  try {
    for await (const records of rowsOf(ctx, stored, plan, 0, batch.size)) {
      const began = performance.now()
      const refused = await repeats.count(ctx, await readRows(records, plan))
      const { drafts, outcomes } = await tryBatch(records, refused)
      const done = stored.processed_rows + records.length
      await transaction(ctx, async tx => {
        await job.progress(tx, done, stored.total_rows)
        await lockAt(tx, stored, stored.processed_rows)
        await noteOutcomes(tx, stored.id, done, drafts, outcomes)
      })
      stored.processed_rows = done
      await batch.done(ctx.services.engine.stats().waiting > 0, performance.now() - began)
    }
  } finally {
    await spool.close()
  }
}

export interface Tried {
  drafts: Draft[]
  outcomes: Map<Draft, Outcome>
}

const isEffective = (outcome: Outcome | undefined): boolean => outcome === 'created' || outcome === 'updated'

interface Marks extends ParentMarks {
  marks: string[]
}

/** A row that fails by itself depends on nothing. */
async function marksOf(ctx: Ctx, plan: Plan, drafts: readonly Draft[]): Promise<Marks[]> {
  const sound = drafts.filter(draft => draft.errors.length === 0)
  const connections = await connectionsOf(ctx, plan, sound)
  const parentMarks = await parentMarksOf(ctx, plan, sound)
  const marks = new Map(
    sound.map((draft, i) => [draft, { marks: at(connections, i).marks, ...at(parentMarks, i) }]),
  )
  return drafts.map(draft => marks.get(draft) ?? { marks: [], ...NO_PARENT_MARKS })
}

/** Rows that a name finds: the oldest counts, and after it the next if another row renames it. */
const MOST_GIVERS = 20

/** Rows by the names that they give. */
function giversOf() {
  const numberOf = markMap()
  const lists: number[][] = []
  return {
    add(names: readonly string[], row: number): void {
      for (const name of names) {
        const number = numberOf.getOrSet(name, lists.length)
        if (number === lists.length) lists.push([])
        const list = at(lists, number)
        if (list.length < MOST_GIVERS) list.push(row)
      }
    },
    rows: (names: readonly string[]): number[] => names.flatMap(name => lists[numberOf.get(name)] ?? []),
  }
}

class RollBack extends Error {}

/** The outcomes of these rows after `before`. All of it is rolled back. */
export async function rolledBack(
  ctx: Ctx,
  plan: Plan,
  before: readonly CsvRecord[],
  records: readonly CsvRecord[],
  refused: ReadonlySet<number> = new Set(),
): Promise<Tried> {
  let tried: Tried | undefined
  try {
    await transaction(ctx, async tx => {
      const drafts = await readRows([...before, ...records], plan)
      refuse(drafts, refused)
      await aloneInAccount(tx, null)
      await createNamed(tx, plan)
      const outcomes = await importRows(tx, plan, drafts)
      // Deferred constraints are checked now.
      await query(tx, sql.raw('set constraints all immediate'))
      tried = { drafts: drafts.slice(before.length), outcomes }
      throw new RollBack()
    })
  } catch (error) {
    if (!(error instanceof RollBack)) throw error
  }
  return present(tried, 'what became of the rows')
}
