/** A change of one pipeline or stage that changes deals, too, is an operation, so that it can be undone. */
import { sql } from 'kysely'
import { type Ctx, one, query } from '../../kernel/context.ts'
import { asOperation, type OperationKind } from '../../kernel/operation.ts'
import { rows } from '../../kernel/statements.ts'

export const asOneChange = <T>(
  ctx: Ctx,
  kind: OperationKind,
  table: string,
  work: (tx: Ctx) => Promise<T>,
): Promise<{ operationId: string; result: T }> =>
  asOperation(ctx, kind, table, async (tx, id) => {
    const result = await work(tx)
    const changed = await query(
      tx,
      sql<{ count: number }>`select count(distinct c.entity_id) as count from ${rows(tx, 'changes')} c
        where c.operation_id = ${id}`,
    )
    return { result, count: one(changed).count }
  })
