/** Reverts an import: records that it created go to the trash, records that it changed get their former values. */
import { sql } from 'kysely'
import { type Ctx, markOperation, queryOne, transaction } from '../../../kernel/context.ts'
import { newId } from '../../../kernel/ids.ts'
import { JobFailed, type JobHandler, type JobRun, jobType } from '../../../kernel/jobs.ts'
import { object, uuid } from '../../../kernel/schema/index.ts'
import { insertRows, living, updateRows } from '../../../kernel/statements.ts'
import { type Step, stepsOf, undoStep } from '../../records/operations/steps.ts'
import { checkMayUndo, undoKinds } from '../../records/operations/undo.ts'
import type { Conflict } from '../../records/operations/undo-records.ts'
import { nextPart } from '../../records/operations/undo-steps.ts'
import { requestedImport } from './plan.ts'

export const revertJob = jobType('import_revert', object({ import_id: uuid() }), 'imports:write')

/** Records of one transaction. */
const BATCH = { server: 500, embedded: 100 }
/** The most that are listed; all are counted. */
const MAX_CONFLICTS = 1000

interface State {
  /** the operation that the revert is, which can itself be undone */
  undo_id: string
  /** the number of steps that are done, and the position in the journal that the next one has reached */
  step: number
  after: number
  reverted: number
  conflict_count: number
  conflicts: Conflict[]
}

export const revertHandler: JobHandler<{ import_id: string }> = {
  type: revertJob,
  actor: ({ import_id }) => ({ kind: 'import', id: import_id }),
  async checkCaller(ctx, { import_id: id }) {
    const { operation_id } = await requestedImport(ctx, id)
    if (operation_id !== null) await checkMayUndo(ctx, operation_id, null)
  },
  async run(ctx, { import_id: id }, job) {
    const stored = await load(ctx, id)
    if (stored.status === 'reverted') return stored.revert_state
    if (!stored.operation_id) throw new JobFailed('This import has changed nothing')
    const operationId = stored.operation_id
    let state = stored.revert_state ?? (await begin(ctx, id))
    const steps = stepsOf(await undoKinds(ctx, operationId))
    for (let step = steps[state.step]; step !== undefined; step = steps[state.step]) {
      state = await undoBatch(ctx, id, operationId, step, state, job, stored.total)
    }
    await finish(ctx, id, operationId, state)
    return { reverted: state.reverted, conflicts: state.conflict_count, operation_id: state.undo_id }
  },
  async onEnd(tx, { import_id: id }, ending) {
    const error = ending.status === 'failed' ? ending.error : 'The revert was cancelled half-way'
    await updateRows(tx, 'imports', { status: 'failed', error, updated_at: sql`now()` }, sql`r.id = ${id}`)
  },
}

async function load(ctx: Ctx, id: string) {
  const stored = await queryOne(
    ctx,
    sql<{ status: string; operation_id: string | null; revert_state: State | null; total: number }>`
      select i.status, i.operation_id, i.revert_state, i.created_count + i.updated_count as total
      from ${living(ctx, 'imports')} i where i.id = ${id}`,
  )
  if (!stored) throw new JobFailed('The import has been deleted')
  return stored
}

async function begin(ctx: Ctx, id: string): Promise<State> {
  const state: State = { undo_id: newId(), step: 0, after: 0, reverted: 0, conflict_count: 0, conflicts: [] }
  await transaction(ctx, async tx => {
    await insertRows(tx, 'operations', [
      { id: state.undo_id, kind: 'undo', entity_type: 'import', user_id: tx.user },
    ])
    await updateRows(tx, 'imports', { revert_state: JSON.stringify(state) }, sql`r.id = ${id}`)
  })
  return state
}

/** Undoes the next records of the step and stores the position that the revert has then reached, in one transaction. */
function undoBatch(
  ctx: Ctx,
  id: string,
  operationId: string,
  step: Step,
  state: State,
  job: JobRun,
  total: number,
): Promise<State> {
  return transaction(ctx, async tx => {
    await job.progress(tx, Math.min(state.reverted, total), total)
    const size = BATCH[tx.services.engine.kind]
    const part = await nextPart(tx, operationId, step.kind, state.after, size)
    await markOperation(tx, state.undo_id)
    const undone = await undoStep(tx, operationId, step, part)
    const next: State = {
      ...state,
      ...(part.isLast ? { step: state.step + 1, after: 0 } : { after: part.to }),
      reverted: state.reverted + (step.does.endsWith(' records') ? undone.reverted : 0),
      conflict_count: state.conflict_count + undone.conflicts.length,
      conflicts: [...state.conflicts, ...undone.conflicts].slice(0, MAX_CONFLICTS),
    }
    await updateRows(tx, 'imports', { revert_state: JSON.stringify(next) }, sql`r.id = ${id}`)
    return next
  })
}

async function finish(ctx: Ctx, id: string, operationId: string, state: State): Promise<void> {
  await transaction(ctx, async tx => {
    const undone = { undone_at: sql`now()`, undone_by: state.undo_id }
    await updateRows(tx, 'operations', undone, sql`r.id = ${operationId}`)
    await updateRows(tx, 'operations', { record_count: state.reverted }, sql`r.id = ${state.undo_id}`)
    const set = {
      status: 'reverted',
      reverted_count: state.reverted,
      conflict_count: state.conflict_count,
      conflicts: JSON.stringify(state.conflicts),
      revert_state: null,
      updated_at: sql`now()`,
      finished_at: sql`now()`,
    }
    await updateRows(tx, 'imports', set, sql`r.id = ${id}`)
  })
}
