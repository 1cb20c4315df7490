/**
 * Restores the values that an operation changed, from the journal. A value that was changed again later is not touched
 * but reported, so an undo never destroys later work.
 */
import { sql } from 'kysely'
import { type Ctx, query, queryOne } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import { checkMayWrite } from '../../../kernel/reach.ts'
import { rows, type TableName, updateRows } from '../../../kernel/statements.ts'
import { targets } from '../../../resources/kinds.ts'
import { stepsOf, type Undone, undoStep } from './steps.ts'

/** The kinds of records and links that an operation changed. */
export const undoKinds = (ctx: Ctx, operationId: string): Promise<{ kind: TableName; is_link: boolean }[]> =>
  query(
    ctx,
    sql<{ kind: TableName; is_link: boolean }>`
      select c.kind, bool_or(c.related_id is not null) as is_link
      from ${rows(ctx, 'changes')} c where c.operation_id = ${operationId} group by c.kind order by c.kind`,
  )

/** Records that only their owner sees. */
const PERSONAL: readonly TableName[] = ['favorites', 'favorite_folders']

/** Undoing needs the write scope of every kind of record that the operation changed. */
export async function checkMayUndo(tx: Ctx, operationId: string, author: string | null): Promise<void> {
  const kinds = await undoKinds(tx, operationId)
  if (author !== tx.user && kinds.length > 0 && kinds.every(({ kind }) => PERSONAL.includes(kind)))
    throw errors.notFound('Operation')
  // files move with their records in a merge, which takes the scope of the records alone
  checkMayWrite(
    tx,
    kinds.map(({ kind }) => kind).filter(kind => kind !== 'files'),
  )
  if (kinds.some(({ kind }) => kind === 'taggings' || kind === 'files')) {
    // for a deleted file, the journal does not name the record that it was on
    const tagged = await query(
      tx,
      sql<{ entity_type: keyof typeof targets }>`
        select distinct coalesce(c.after, c.before) ->> 'entity_type' as entity_type
        from ${rows(tx, 'changes')} c where c.operation_id = ${operationId} and c.kind = 'taggings'
        union
        select f.entity_type from ${rows(tx, 'changes')} c join ${rows(tx, 'files')} f on f.id = c.entity_id
        where c.operation_id = ${operationId} and c.kind = 'files'`,
    )
    checkMayWrite(
      tx,
      tagged.map(({ entity_type }) => targets[entity_type].table),
    )
  }
}

interface Operation {
  kind: string
  user_id: string | null
}

/** An operation that is not undone. Locks it, if a transaction is open. */
export async function currentOperation(ctx: Ctx, id: string): Promise<Operation> {
  const operation = await queryOne(
    ctx,
    sql<Operation & { undone_at: string | null }>`
      select o.kind, o.undone_at, o.user_id from ${rows(ctx, 'operations')} o where o.id = ${id} for update`,
  )
  if (!operation) throw errors.notFound('Operation')
  if (operation.undone_at !== null) throw errors.conflict('This operation has been undone already')
  return operation
}

/** The kind of an operation that the caller may undo. */
export async function undoable(ctx: Ctx, id: string): Promise<string> {
  const { kind, user_id } = await currentOperation(ctx, id)
  await checkMayUndo(ctx, id, user_id)
  return kind
}

/** Marks the operation as undone. Undoing an undo makes the first operation current again. */
export async function markUndone(tx: Ctx, operationId: string, undoId: string): Promise<void> {
  const undone = await updateRows(
    tx,
    'operations',
    { undone_at: sql`now()`, undone_by: undoId },
    sql`r.id = ${operationId} and r.undone_at is null`,
    sql`r.id`,
  )
  if (undone.length === 0) throw errors.conflict('This operation has been undone already')
  await updateRows(tx, 'operations', { undone_at: null, undone_by: null }, sql`r.undone_by = ${operationId}`)
}

export async function undoChanges(tx: Ctx, operationId: string): Promise<Undone> {
  const undone: Undone = { reverted: 0, conflicts: [] }
  for (const step of stepsOf(await undoKinds(tx, operationId))) {
    const { reverted, conflicts } = await undoStep(tx, operationId, step)
    undone.reverted += reverted
    undone.conflicts.push(...conflicts)
  }
  return undone
}
