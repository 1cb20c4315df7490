/** Undoes an operation in several transactions, between which others are served. */
import { sql } from 'kysely'
import { type Ctx, markOperation, query, transaction } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { insertRows, living, rows, type TableName, updateRows } from '../../../kernel/statements.ts'
import { stepSize } from '../../../kernel/step-size.ts'
import { CATEGORIZED_TABLES } from '../../../resources/categories/record.ts'
import { type Part, type Undone, undoKinds, undoPart } from './undo.ts'

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
const running = new WeakMap<Ctx['services'], Set<string>>()

export async function undoInSteps(ctx: Ctx, operationId: string): Promise<UndoneOperation> {
  const ids = running.get(ctx.services) ?? new Set()
  running.set(ctx.services, ids)
  if (ids.has(operationId)) throw errors.conflict('This operation is being undone')
  ids.add(operationId)
  try {
    return await undoAll(ctx, operationId)
  } finally {
    ids.delete(operationId)
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
  for (const { kind, does } of stepsOf(await undoKinds(ctx, operationId))) {
    for (let part: NextPart = { from: 0, to: 0, ids: [], isLast: false }; !part.isLast; ) {
      const { to } = part
      const began = performance.now()
      let isWaitedFor = false
      const step = await transaction(ctx, async tx => {
        if (!isBegun) await beginUndo(tx, undoId)
        await markOperation(tx, undoId)
        const next = await nextPart(tx, operationId, kind, to, size.size())
        const undone = await undoPart(tx, operationId, kind, does, next)
        const record_count = done.reverted + undone.reverted
        await updateRows(tx, 'operations', { record_count }, sql`r.id = ${undoId}`)
        isWaitedFor = tx.services.engine.stats().waiting > 0
        return { next, undone }
      })
      isBegun = true
      part = step.next
      done.reverted += step.undone.reverted
      done.conflicts.push(...step.undone.conflicts)
      await size.done(isWaitedFor, performance.now() - began)
    }
  }
  await transaction(ctx, tx => markUndone(tx, operationId, undoId))
  return { operationId: undoId, ...done }
}

const beginUndo = (tx: Ctx, id: string) =>
  insertRows(tx, 'operations', [{ id, kind: 'undo', entity_type: 'operation', user_id: tx.user }])

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

export type Step = { kind: TableName; does: 'untie' | 'put back' | 'tie again' }

/**
 * Records first: removing the link to a deal's company clears the company, which must be the former one by then. Then
 * links that it created are removed, and the tags and categories without records. Links that it removed are restored
 * last, after the records at their ends.
 */
export function stepsOf(kinds: readonly { kind: TableName; is_link: boolean }[]): Step[] {
  const links = kinds.filter(({ is_link }) => is_link)
  const records = kinds.filter(({ is_link }) => !is_link)
  const steps = (some: typeof kinds, does: Step['does']) => some.map(({ kind }): Step => ({ kind, does }))
  return [
    ...steps(
      records.filter(({ kind }) => !LABELS.includes(kind)),
      'put back',
    ),
    ...steps(links, 'untie'),
    ...steps(
      records.filter(({ kind }) => LABELS.includes(kind)),
      'put back',
    ),
    ...steps(links, 'tie again'),
  ]
}

/** Kinds that stay while a record has them. */
const LABELS: readonly TableName[] = ['categories', 'tags']

interface NextPart extends Part {
  isLast: boolean
}

/** The changes that come next in the journal. A record is put back when its first change is met. */
export async function nextPart(
  tx: Ctx,
  operationId: string,
  kind: string,
  from: number,
  size: number,
): Promise<NextPart> {
  const found = await query(
    tx,
    sql<{ seq: number; id: string; is_first: boolean }>`select c.seq, c.entity_id as id, not exists (
        select from (
          select * from ${rows(tx, 'changes')} e where e.entity_id = c.entity_id and e.seq < c.seq offset 0
        ) f where f.operation_id = ${operationId} and f.kind = ${kind}) as is_first
      from ${rows(tx, 'changes')} c
      where c.operation_id = ${operationId} and c.kind = ${kind} and c.seq > ${from}
      order by c.seq limit ${size}`,
  )
  const first = found.filter(({ is_first }) => is_first).map(({ id }) => id)
  const ids =
    kind === 'categories' ? await unused(tx, first) : kind === 'tags' ? await unusedTags(tx, first) : first
  return { from, to: found.at(-1)?.seq ?? from, ids, isLast: found.length < size }
}

/** A tag that a record has still, or again, stays; one in the trash may be restored. */
async function unusedTags(tx: Ctx, ids: readonly string[]): Promise<string[]> {
  const found = await query(
    tx,
    sql<{
      id: string
    }>`select t.id from ${rows(tx, 'tags')} t where t.id = any(${ids}::uuid[]) and (t.deleted_at is not null or 0 = (
      select coalesce(sum(n.living), 0) from ${rows(tx, 'record_counts')} n where n.kind = 'tag ' || t.id))`,
  )
  return found.map(row => row.id)
}

/** The same for categories. */
async function unused(tx: Ctx, ids: readonly string[]): Promise<string[]> {
  const isLiving = sql.join(
    CATEGORIZED_TABLES.map(
      table => sql`exists (select from ${living(tx, table)} r where r.id = u.entity_id)`,
    ),
    sql` or `,
  )
  const found = await query(
    tx,
    sql<{
      id: string
    }>`select g.id from ${rows(tx, 'categories')} g where g.id = any(${ids}::uuid[]) and (g.deleted_at is not null or not exists (
      select from ${rows(tx, 'category_uses')} u where u.name_key = g.name_key and (${isLiving})))`,
  )
  return found.map(row => row.id)
}
