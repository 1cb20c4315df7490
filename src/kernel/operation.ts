/** Changes that are grouped as one operation can be undone together. */

import { sql } from 'kysely'
import { type Ctx, markOperation, transaction } from './context.ts'
import { newId } from './ids.ts'
import { insertRows, updateRows } from './statements.ts'

export type OperationKind =
  | 'batch'
  | 'bulk_delete'
  | 'bulk_update'
  | 'conversion'
  | 'merge'
  | 'import'
  | 'proposal'
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
