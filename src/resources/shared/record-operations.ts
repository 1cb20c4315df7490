/**
 * What every kind of record with custom fields and categories has in common when it is written: metadata is
 * checked against the account's declared fields, and new category names become categories.
 */
import { isUniqueViolation } from '../../db/sqlstate.ts'
import { type Ctx, one, transaction } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import {
  defineRecord,
  type Item,
  type Operations,
  type RecordDeclaration,
  type RecordType,
  type Stamps,
  type Stored,
} from '../../kernel/resource.ts'
import type { Issue } from '../../kernel/schema/index.ts'
import type { TableName } from '../../kernel/statements.ts'
import { categoryNamesOf, spelledOut } from '../categories/names.ts'
import { checkCustomValues, type Metadata } from '../custom-fields/checks.ts'
import { type CustomEntityType, customColumnsOf, definitionsOf } from '../custom-fields/definition.ts'
import { restoreConflict } from '../custom-fields/unique-values.ts'
import { tagFilter } from '../tags/filter.ts'
import { externalIdFilter, externalIds } from './external-ids.ts'

/** A kind of record that has custom fields; most have categories, too. */
export type CustomizableRecord<
  In extends CustomInput = CustomInput,
  Out extends Stored = Stored,
  T extends TableName = TableName,
> = RecordType<In, Out, T> & { entityType: CustomEntityType }

export type CustomInput = Item & {
  metadata?: Metadata | undefined
  categories?: string[] | null | undefined
}

/** Lists of this kind filter and sort by declared fields, and filter by tag. */
export function customizable<In extends CustomInput, Out extends Stored, const T extends TableName, F>(
  declared: RecordDeclaration<In, Out, T, F> & { entityType: CustomEntityType },
): CustomizableRecord<In, Out, T> {
  const { entityType } = declared
  const record = defineRecord(declared)
  return {
    ...record,
    entityType,
    computed: { external_ids: externalIds, ...record.computed },
    custom: ctx => customColumnsOf(ctx, entityType),
    filters: { tag: tagFilter, external_id: externalIdFilter(entityType), ...record.filters },
  }
}

export interface Prepared<Input> {
  /** the input to be written */
  input: Input
  issues: Issue[]
  /** the message of a 409 */
  conflict: string | undefined
}

interface Write<Input> {
  input: Input
  id?: string
  /** the metadata that an existing record holds */
  before?: Metadata
}

/**
 * Inputs as they are to be written, with what is wrong with each. The number of statements does not grow with the
 * number of inputs, so imports use this too.
 */
export async function prepareInputs<Input extends CustomInput>(
  ctx: Ctx,
  record: Pick<CustomizableRecord, 'entityType'>,
  writes: readonly Write<Input>[],
): Promise<Prepared<Input>[]> {
  const touched = writes.filter(({ input, before }) => !before || input.metadata !== undefined)
  const checked = await checkCustomValues(
    ctx,
    record.entityType,
    touched.map(({ input, id, before }) => ({ id, before, metadata: input.metadata ?? {} })),
  )
  const values = new Map(touched.map((write, i) => [write, checked[i]]))
  const good = writes.filter(write => !values.get(write)?.issues.length && !values.get(write)?.conflict)
  const names = await categoryNamesOf(
    ctx,
    good.flatMap(({ input }) => input.categories ?? []),
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

async function prepared<Input extends CustomInput>(
  ctx: Ctx,
  record: CustomizableRecord,
  write: Write<Input>,
): Promise<Input> {
  const { input, issues, conflict } = one(await prepareInputs(ctx, record, [write]))
  if (issues.length > 0) throw errors.invalid(issues)
  if (conflict !== undefined) throw errors.conflict(conflict)
  return input
}

/** Operations whose update takes the record that was locked before it, so that a change locks and reads it once. */
export interface Changing<In extends Item, Out extends Stored, Before> extends Operations<In, Out> {
  /** The record before a change, locked until the transaction ends. */
  locked(tx: Ctx, id: string): Promise<Before>
  update(ctx: Ctx, id: string, input: Partial<In>, writing?: { before?: Before }): Promise<Out>
}

/** The resource's operations with these checks before them: `operations: recordOperations(record, { ...base })`. */
export function recordOperations<
  In extends CustomInput,
  Out extends Stored,
  Before extends { metadata?: Metadata | null },
>(record: CustomizableRecord<In, Out>, operations: Changing<In, Out, Before>): Operations<In, Out> {
  const { entityType } = record

  async function create(ctx: Ctx, input: In, writing?: { set?: Stamps }): Promise<Out> {
    // Only a new category is a second write, which must be committed or rolled back with the record.
    const work = async (tx: Ctx) => operations.create(tx, await prepared(tx, record, { input }), writing)
    return (input.categories?.length ? transaction(ctx, work) : work(ctx)).catch(uniqueTaken)
  }

  async function update(ctx: Ctx, id: string, input: Partial<In>): Promise<Out> {
    if (input.metadata === undefined && !input.categories?.length) return operations.update(ctx, id, input)
    return transaction(ctx, async tx => {
      const before = await operations.locked(tx, id)
      const written = await prepared(tx, record, { input, id, before: before.metadata ?? {} })
      return operations.update(tx, id, written, { before })
    }).catch(uniqueTaken)
  }

  async function updateMany(ctx: Ctx, ids: readonly string[], input: Partial<In>): Promise<boolean> {
    if (!operations.updateMany || input.metadata !== undefined) return false
    if (!input.categories?.length) return operations.updateMany(ctx, ids, input)
    return transaction(ctx, async tx => {
      const written = await prepared(tx, record, { input, before: {} })
      return operations.updateMany?.(tx, ids, written) ?? false
    })
  }

  async function restore(ctx: Ctx, ids: readonly string[]): Promise<number> {
    const definitions = await definitionsOf(ctx, entityType)
    const conflict = await restoreConflict(ctx, record.table, entityType, definitions, ids)
    if (conflict !== undefined) throw errors.conflict(conflict)
    return operations.restore(ctx, ids)
  }

  return { ...operations, create, update, updateMany, restore }
}

/** Another transaction wrote the same unique value at the same time and committed first. */
function uniqueTaken(error: unknown): never {
  if (!isUniqueViolation(error, 'custom_values_unique')) throw error
  throw errors.conflict('Another record has just taken the value of a custom field that is unique')
}
