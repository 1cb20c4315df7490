/** Changes that are grouped as one operation can be undone together. */

import { sql } from 'kysely'
import { type Ctx, markOperation, transaction } from './context.ts'
import { newId } from './ids.ts'
import { insertRows, updateRows } from './statements.ts'
import { stepSize } from './step-size.ts'

export type OperationKind =
  | 'batch'
  | 'bulk_delete'
  | 'bulk_update'
  | 'conversion'
  | 'demo'
  | 'merge'
  | 'import'
  | 'pipeline_delete'
  | 'proposal'
  | 'stage_delete'
  | 'stage_type'
  | 'tool'
  | 'undo'

/** Runs `work` as one operation and stores how many records it changed. */
export function asOperation<T>(
  ctx: Ctx,
  kind: OperationKind,
  entityType: string,
  work: (tx: Ctx, operationId: string) => Promise<{ result: T; count: number }>,
): Promise<{ operationId: string; result: T }> {
  return transaction(ctx, async tx => {
    const operationId = newId()
    await insertRows(tx, 'operations', [{ id: operationId, kind, entity_type: entityType, user_id: tx.user }])
    await markOperation(tx, operationId)
    const { result, count } = await work(tx, operationId)
    await updateRows(tx, 'operations', { record_count: count }, sql`r.id = ${operationId}`)
    // Later changes in this transaction are not part of the operation.
    await markOperation(tx, '')
    return { operationId, result }
  })
}

/** Items of one transaction. A step has about 15 statements whatever its size: steps of 20 items took four times as long. */
const STEP = { most: 100, least: 50, first: 50 }

export interface Stepped<R> {
  operationId: string
  /** the results of the written items, in their order */
  results: R[]
  /** why a later step failed: its items and those after it were not written */
  failure?: unknown
}

/**
 * Runs `write` for the items in several transactions, as one operation: on the embedded engine, which has one
 * connection, other requests are served between them. The writes of a step remain when a later step fails.
 */
export async function asOperationInSteps<T, R>(
  ctx: Ctx,
  kind: OperationKind,
  entityType: string,
  items: readonly T[],
  write: (tx: Ctx, some: readonly T[]) => Promise<R[]>,
  isWritten: (result: R) => boolean,
): Promise<Stepped<R>> {
  const steps = stepSize(STEP)
  const operationId = newId()
  const results: R[] = []
  do {
    const some = items.slice(results.length, results.length + steps.size())
    const began = performance.now()
    let isWaitedFor = false
    try {
      const written = await transaction(ctx, async tx => {
        if (results.length === 0)
          await insertRows(tx, 'operations', [
            { id: operationId, kind, entity_type: entityType, user_id: tx.user },
          ])
        await markOperation(tx, operationId)
        const step = await write(tx, some)
        const record_count = [...results, ...step].filter(isWritten).length
        await updateRows(tx, 'operations', { record_count }, sql`r.id = ${operationId}`)
        isWaitedFor = tx.services.engine.stats().waiting > 0
        return step
      })
      results.push(...written)
    } catch (failure) {
      if (results.length === 0) throw failure
      return { operationId, results, failure }
    }
    await steps.done(isWaitedFor, performance.now() - began)
  } while (results.length < items.length)
  return { operationId, results }
}
