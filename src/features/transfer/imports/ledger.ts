/** Stores the progress of an import, the outcomes of its rows, and the operation that undoes it. */
import { sql } from 'kysely'
import { insertRecords } from '../../../kernel/bulk-sql.ts'
import { type Ctx, query, transaction } from '../../../kernel/context.ts'
import { JobStopped } from '../../../kernel/jobs.ts'
import { deleteRows, insertRows, living, updateRows } from '../../../kernel/statements.ts'
import { required } from '../../../lib/values.ts'
import type { Draft } from './draft.ts'
import type { Outcome } from './outcomes.ts'
import type { Stored } from './plan.ts'
import { rowError } from './row-values.ts'

/** Deletes the results of an earlier dry run. */
export async function clear(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx, async tx => {
    await deleteRows(tx, 'import_errors', sql`r.import_id = ${id}`)
    const none = {
      processed_rows: 0,
      created_count: 0,
      updated_count: 0,
      skipped_count: 0,
      error_count: 0,
      warning_count: 0,
    }
    await updateRows(tx, 'imports', none, sql`r.id = ${id}`)
  })
}

/** Checks that the import is at the position that the batch begins at, and locks it until the transaction ends. */
export async function lockAt(tx: Ctx, { id }: Stored, at: number): Promise<void> {
  const [now] = await query(
    tx,
    sql<{ status: string; processed_rows: number }>`select i.status, i.processed_rows
      from ${living(tx, 'imports')} i where i.id = ${id} for no key update`,
  )
  if (!now || now.status === 'cancelled') throw new JobStopped('cancelled')
  if (now.processed_rows !== at) throw new JobStopped('lost')
}

/** Other imports of the account wait, so that two cannot create the same record. Writes belong to the operation. */
export async function aloneInAccount(tx: Ctx, operationId: string | null): Promise<void> {
  await query(
    tx,
    sql`select set_config('kith.operation_id', ${operationId ?? ''}, true),
      pg_advisory_xact_lock(hashtextextended(${`imports ${tx.account}`}, 2))`,
  )
}

export async function noteOutcomes(
  tx: Ctx,
  id: string,
  done: number,
  drafts: readonly Draft[],
  outcomes: ReadonlyMap<Draft, Outcome>,
): Promise<void> {
  const count = (...which: Outcome[]) =>
    drafts.filter(draft => which.includes(required(outcomes, draft))).length
  const reports = drafts.flatMap(draft => reportsOf(draft, required(outcomes, draft)))
  const warnings = reports.filter(({ severity }) => severity === 'warning').length
  await updateRows(
    tx,
    'imports',
    sql`processed_rows = ${done}, created_count = r.created_count + ${count('created')},
      updated_count = r.updated_count + ${count('updated')},
      skipped_count = r.skipped_count + ${count('skipped', 'unchanged')},
      error_count = r.error_count + ${count('failed')},
      warning_count = r.warning_count + ${warnings}, updated_at = now()`,
    sql`r.id = ${id}`,
  )
  await insertRecords(
    tx,
    'import_errors',
    reports.map(report => ({ import_id: id, ...report })),
  )
}

/** Why a row failed or was skipped, or which values of an imported row were left out. */
function reportsOf(draft: Draft, outcome: Outcome) {
  const reports = [
    ...(outcome === 'failed' ? draft.errors : outcome === 'skipped' ? [] : draft.warnings).map(report => ({
      severity: outcome === 'failed' ? 'error' : 'warning',
      ...report,
    })),
    ...skippedReports(draft, outcome),
  ]
  return reports.map((report, place) => ({ row: draft.row, place, ...report }))
}

const SKIPPED: Partial<Record<Outcome, string>> = {
  skipped: 'The record is here already: duplicate_strategy says what is done with it',
  unchanged: 'The record has all values of this row already',
}

function skippedReports(draft: Draft, outcome: Outcome) {
  const message = SKIPPED[outcome]
  if (message === undefined) return []
  return [{ severity: 'skipped', ...rowError(outcome, message, draft.target ?? null, null, 'id') }]
}

export async function finish(ctx: Ctx, id: string, status: 'completed'): Promise<void> {
  await transaction(ctx, async tx => {
    const done = await updateRows(
      tx,
      'imports',
      { status, finished_at: sql`now()`, updated_at: sql`now()` },
      sql`r.id = ${id} and r.status = 'running'`,
      sql`r.id`,
    )
    if (done.length === 0) throw new JobStopped('cancelled')
    await noteCount(tx, id)
  })
}

/** How many records the operation is about, for the list of what can be undone. */
export const noteCount = (tx: Ctx, id: string) =>
  updateRows(
    tx,
    'operations',
    sql`record_count = (select i.created_count + i.updated_count from ${living(tx, 'imports')} i where i.id = ${id})`,
    sql`r.id = (select i.operation_id from ${living(tx, 'imports')} i where i.id = ${id})`,
  )

/** The operation under which everything is written that the import writes. */
export async function openOperation(tx: Ctx, operationId: string, entityType: string): Promise<void> {
  await insertRows(tx, 'operations', [
    { id: operationId, kind: 'import', entity_type: entityType, user_id: tx.user },
  ])
}
