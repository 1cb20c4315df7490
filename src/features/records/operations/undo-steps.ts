/** Undoes an operation in several transactions, between which others are served. */
import { sql } from 'kysely'
import { type Ctx, markOperation, query, transaction } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { processState } from '../../../kernel/process-state.ts'
import { insertRows, rows, updateRows } from '../../../kernel/statements.ts'
import { stepSize } from '../../../kernel/step-size.ts'
import type { Part } from './net-changes.ts'
import { stepsOf, type Undone, undoStep } from './steps.ts'
import { currentOperation, markUndone, undoKinds } from './undo.ts'

/** Changes of one transaction. */
const SIZE = { most: 200, least: 50, first: 100 }

export interface UndoneOperation extends Undone {
  operationId: string
}

/** Changes by which an operation is undone in one transaction, which takes about as long as one step. */
const FEW = 200
/** Operations of many records that do not depend on each other. */
const DIVISIBLE = ['batch', 'bulk_delete', 'bulk_update', 'demo', 'import']

/** The embedded engine has one connection: others would wait until the whole operation is undone. */
export async function isUndoneInSteps(ctx: Ctx, operationId: string, kind: string): Promise<boolean> {
  if (ctx.inTransaction || ctx.services.engine.kind === 'server') return false
  const originals =
    kind === 'undo'
      ? await query(
          ctx,
          sql<{
            kind: string
          }>`select o.kind from ${rows(ctx, 'operations')} o where o.undone_by = ${operationId}`,
        )
      : [{ kind }]
  if (!originals.some(original => DIVISIBLE.includes(original.kind))) return false
  const changes = await query(
    ctx,
    sql`select c.seq from ${rows(ctx, 'changes')} c where c.operation_id = ${operationId} limit ${FEW + 1}`,
  )
  return changes.length > FEW
}

/** The operations that are being undone. The embedded engine has one process. */
const runningIn = processState(() => new Set<string>())

/** The caller checks the permission. */
export async function undoInSteps(ctx: Ctx, operationId: string): Promise<UndoneOperation> {
  const running = runningIn(ctx.services)
  if (running.has(operationId)) throw errors.conflict('This operation is being undone')
  running.add(operationId)
  try {
    return await undoAll(ctx, operationId)
  } finally {
    running.delete(operationId)
  }
}

/**
 * What a step has restored stays when a later one fails: the operation is then not undone yet, and the next request
 * restores the rest.
 */
async function undoAll(ctx: Ctx, operationId: string): Promise<UndoneOperation> {
  const undoId = newId()
  const size = stepSize(SIZE)
  const done: Undone = { reverted: 0, conflicts: [] }
  let isBegun = false
  for (const step of stepsOf(await undoKinds(ctx, operationId))) {
    for (let part: NextPart = { from: 0, to: 0, ids: [], isLast: false }; !part.isLast; ) {
      const { to } = part
      const began = performance.now()
      let isWaitedFor = false
      const { next, undone } = await transaction(ctx, async tx => {
        if (!isBegun) await beginUndo(tx, operationId, undoId)
        await markOperation(tx, undoId)
        const next = await nextPart(tx, operationId, step.kind, to, size.size())
        const undone = await undoStep(tx, operationId, step, next)
        const record_count = done.reverted + undone.reverted
        await updateRows(tx, 'operations', { record_count }, sql`r.id = ${undoId}`)
        isWaitedFor = tx.services.engine.stats().waiting > 0
        return { next, undone }
      })
      isBegun = true
      part = next
      done.reverted += undone.reverted
      done.conflicts.push(...undone.conflicts)
      await size.done(isWaitedFor, performance.now() - began)
    }
  }
  await transaction(ctx, tx => markUndone(tx, operationId, undoId))
  return { operationId: undoId, ...done }
}

async function beginUndo(tx: Ctx, operationId: string, id: string): Promise<void> {
  // Another request may have undone the operation since this one has checked.
  await currentOperation(tx, operationId)
  await insertRows(tx, 'operations', [{ id, kind: 'undo', entity_type: 'operation', user_id: tx.user }])
}

interface NextPart extends Part {
  isLast: boolean
}

/** The changes that come next in the journal. A record is restored by the part with its first change. */
export async function nextPart(
  tx: Ctx,
  operationId: string,
  kind: string,
  from: number,
  size: number,
): Promise<NextPart> {
  const changes = await query(
    tx,
    sql<{ seq: number; id: string; is_first: boolean }>`select c.seq, c.entity_id as id, not exists (
        select from (
          select * from ${rows(tx, 'changes')} e where e.entity_id = c.entity_id and e.seq < c.seq offset 0
        ) f where f.operation_id = ${operationId} and f.kind = ${kind}) as is_first
      from ${rows(tx, 'changes')} c
      where c.operation_id = ${operationId} and c.kind = ${kind} and c.seq > ${from}
      order by c.seq limit ${size}`,
  )
  const ids = changes.filter(({ is_first }) => is_first).map(({ id }) => id)
  return { from, to: changes.at(-1)?.seq ?? from, ids, isLast: changes.length < size }
}
