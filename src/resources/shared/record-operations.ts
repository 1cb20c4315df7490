/**
 * What every kind of record with custom fields and categories has in common when it is written: metadata is
 * checked against the account's declared fields, and new category names become categories.
 */
import { sql } from 'kysely'
import { isUniqueViolation } from '../../db/sqlstate.ts'
import { type Ctx, queryOne, transaction } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import type { Item, Operations, RecordType } from '../../kernel/resource.ts'
import type { Issue } from '../../kernel/schema/index.ts'
import { living } from '../../kernel/statements.ts'
import { categoryNamesOf, spelledOut } from '../categories/names.ts'
import { checkCustomValues, type Metadata } from '../custom-fields/checks.ts'
import { type CustomEntityType, customColumnsOf, definitionsOf } from '../custom-fields/definition.ts'
import { restoreConflict } from '../custom-fields/unique-values.ts'
import { tagFilter } from '../tags/filter.ts'

/** Lists of this kind filter and sort by declared fields, and filter by tag. */
export const customizable = (record: RecordType): RecordType => ({
  ...record,
  custom: ctx => customColumnsOf(ctx, record.entityType!),
  filters: { tag: tagFilter, ...record.filters },
})

export interface Prepared {
  /** the input to be written */
  input: Item
  issues: Issue[]
  /** the sentence of a 409 */
  conflict: string | undefined
}

/**
 * Inputs as they are to be written, with what is wrong with each. `before` is the metadata that an existing
 * record holds. The number of statements does not grow with the number of inputs, so imports use this too;
 * without `createCategories` nothing is written.
 */
export async function prepareInputs(
  ctx: Ctx,
  record: RecordType,
  writes: readonly { input: Item; id?: string; before?: Metadata }[],
  options: { createCategories: boolean } = { createCategories: true },
): Promise<Prepared[]> {
  const touched = writes.filter(({ input, before }) => !before || input.metadata !== undefined)
  const checked = await checkCustomValues(
    ctx,
    record.entityType as CustomEntityType,
    touched.map(({ input, id, before }) => ({ id, before, metadata: input.metadata ?? {} })),
  )
  const values = new Map(touched.map((write, i) => [write, checked[i]!]))
  const good = writes.filter(write => !values.get(write)?.issues.length && !values.get(write)?.conflict)
  const names = await categoryNamesOf(
    ctx,
    good.flatMap(({ input }) => (input.categories ?? []) as string[]),
    { create: options.createCategories },
  )
  return writes.map(write => {
    const value = values.get(write)
    const { categories, metadata } = write.input
    const isNew = write.before === undefined
    const hasValues = metadata !== undefined || (isNew && Object.keys(value?.metadata ?? {}).length > 0)
    return {
      input: {
        ...write.input,
        ...(value && hasValues ? { metadata: value.metadata } : {}),
        ...(Array.isArray(categories) ? { categories: spelledOut(categories, names) } : {}),
      },
      issues: value?.issues ?? [],
      conflict: value?.conflict,
    }
  })
}

async function prepared(
  ctx: Ctx,
  record: RecordType,
  write: { input: Item; id?: string; before?: Metadata },
): Promise<Item> {
  const [{ input, issues, conflict }] = (await prepareInputs(ctx, record, [write])) as [Prepared]
  if (issues.length > 0) throw errors.invalid(issues)
  if (conflict !== undefined) throw errors.conflict(conflict)
  return input
}

/** The resource's operations with these checks before them: `operations: recordOperations(record, { ...base })`. */
export function recordOperations<O extends Operations>(record: RecordType, operations: O): O {
  const entityType = record.entityType as CustomEntityType

  async function create(ctx: Ctx, input: Item): Promise<Item> {
    // Only a new category is a write of its own, which must stand or fall with the record.
    const work = async (tx: Ctx) => operations.create(tx, await prepared(tx, record, { input }))
    return (input.categories?.length ? transaction(ctx, work) : work(ctx)).catch(uniqueTaken)
  }

  async function update(ctx: Ctx, id: string, input: Item): Promise<Item> {
    if (input.metadata === undefined && !input.categories?.length) return operations.update(ctx, id, input)
    return transaction(ctx, async tx => {
      const current = await queryOne(
        tx,
        sql<{ metadata: Metadata }>`select r.metadata from ${living(tx, record.table)} r where r.id = ${id}
          for no key update`,
      )
      if (!current) throw errors.notFound(record.label)
      const write = { input, id, before: current.metadata }
      return operations.update(tx, id, await prepared(tx, record, write))
    }).catch(uniqueTaken)
  }

  async function updateMany(ctx: Ctx, ids: readonly string[], input: Item): Promise<boolean> {
    if (!operations.updateMany || input.metadata !== undefined) return false
    if (!input.categories?.length) return operations.updateMany(ctx, ids, input)
    return transaction(ctx, async tx =>
      operations.updateMany!(tx, ids, await prepared(tx, record, { input, before: {} })),
    )
  }

  async function restore(ctx: Ctx, ids: readonly string[]): Promise<number> {
    const definitions = await definitionsOf(ctx, entityType)
    const conflict = await restoreConflict(ctx, record.table, entityType, definitions, ids)
    if (conflict !== undefined) throw errors.conflict(conflict)
    return operations.restore(ctx, ids)
  }

  return { ...operations, create, update, updateMany, restore }
}

/** Two writers had the same value in hand at the same moment, and this one came second. */
function uniqueTaken(error: unknown): never {
  if (!isUniqueViolation(error, 'custom_values_unique')) throw error
  throw errors.conflict('Another record has just taken the value of a custom field that is unique')
}
