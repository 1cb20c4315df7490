import { sql } from 'kysely'
import { isUniqueViolation } from '../../db/sqlstate.ts'
import { type Ctx, markOperation, one, query, transaction } from '../../kernel/context.ts'
import { crud, lockRecords } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Operations, Resource } from '../../kernel/resource.ts'
import { living, rows } from '../../kernel/statements.ts'
import { renameOnRecords, restoreNames, takeNamesOff } from './on-records.ts'
import { type Category, type CategoryInput, category } from './record.ts'

const base = crud(category)

const nameTaken = (name: string | undefined) => (error: unknown) => {
  if (!isUniqueViolation(error, 'categories_name')) throw error
  throw errors.conflict(`There is a category called "${name}" already`)
}

function create(ctx: Ctx, input: CategoryInput): Promise<Category> {
  return transaction(ctx, async tx => {
    const last = await query(
      tx,
      sql<{ position: number }>`select least(coalesce(max(c.position) + 1::bigint, 0), 2147483647) as position
        from ${living(tx, 'categories')} c`,
    )
    return base.create(tx, { position: one(last).position, ...input })
  }).catch(nameTaken(input.name))
}

/** A rename updates the records with the name in the same transaction. */
function update(ctx: Ctx, id: string, input: Partial<CategoryInput>): Promise<Category> {
  const { name } = input
  if (name === undefined) return base.update(ctx, id, input)
  return transaction(ctx, async tx => {
    // Waits for transactions that are writing this name on a record, so that the rename includes these records.
    await lockRecords(tx, category.table, [id])
    const current = await base.get(tx, id)
    const item = await base.update(tx, id, input)
    if (name === current.name) return item
    await renameOnRecords(tx, current.name, name)
    return base.get(tx, id)
  }).catch(nameTaken(input.name))
}

/** Removes the name from the records in one operation, by which a restore finds them. */
function remove(ctx: Ctx, ids: readonly string[]): Promise<number> {
  return transaction(ctx, async tx => {
    const locked = await lockRecords(tx, category.table, ids)
    if (locked.length === 0) return 0
    const running = await query(
      tx,
      sql<{ id: string }>`select coalesce(current_setting('kith.operation_id', true), '') as id`,
    )
    const isPart = one(running).id !== ''
    if (!isPart) await markOperation(tx, newId())
    await takeNamesOff(tx, locked)
    const count = await base.remove(tx, locked)
    if (!isPart) await markOperation(tx, '')
    return count
  })
}

function restore(ctx: Ctx, ids: readonly string[]): Promise<number> {
  return transaction(ctx, async tx => {
    const trashed = await query(
      tx,
      sql<{ id: string; name: string; other: string | null }>`select r.id, r.name,
          (select c.id from ${living(tx, 'categories')} c where c.name_key = r.name_key) as other
        from ${rows(tx, 'categories')} r where r.id = any(${ids}::uuid[]) and r.deleted_at is not null`,
    )
    const clash = trashed.find(({ other }) => other !== null)
    if (clash) throw errors.conflict(`The category ${clash.other} is called "${clash.name}" now`)
    const count = await base.restore(
      tx,
      trashed.map(({ id }) => id),
    )
    for (const { id, name } of trashed) await restoreNames(tx, id, name)
    return count
  })
}

const operations: Operations<CategoryInput, Category> = { ...base, create, update, remove, restore }

export const categories: Resource<CategoryInput, Category> = {
  name: 'categories',
  idParam: 'category_id',
  tag: 'Categories',
  record: base.record,
  operations,
}
