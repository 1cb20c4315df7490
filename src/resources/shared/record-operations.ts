/**
 * Writing kinds of record with custom fields and categories: metadata is checked against the account's declared fields,
 * and new category names become categories.
 */
import { sql } from 'kysely'
import { isUniqueViolation } from '../../db/sqlstate.ts'
import type { Ctx } from '../../kernel/context.ts'
import { type SetCrud, setCrud } from '../../kernel/crud.ts'
import { errors, type HttpError } from '../../kernel/errors.ts'
import {
  defineRecord,
  type Item,
  type RecordDeclaration,
  type RecordType,
  type Stored,
} from '../../kernel/resource.ts'
import type { Rules } from '../../kernel/rules.ts'
import type { Issue } from '../../kernel/schema/index.ts'
import type { TableName } from '../../kernel/statements.ts'
import { at } from '../../lib/values.ts'
import { categoryNamesOf, spelledOut } from '../categories/names.ts'
import { checkCustomValues, type Metadata } from '../custom-fields/checks.ts'
import { type CustomEntityType, customColumnsOf, definitionsOf } from '../custom-fields/definition.ts'
import { restoreConflict } from '../custom-fields/unique-values.ts'
import { howToTag, tagFilter } from '../tags/filter.ts'
import { externalIdFilter, externalIds } from './external-ids.ts'
import { favoriteFilter } from './fields.ts'

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
    createHint: howToTag(entityType),
    computed: { external_ids: externalIds, ...record.computed },
    custom: ctx => customColumnsOf(ctx, entityType),
    filters: {
      ...(record.computed?.is_favorite ? { is_favorite: favoriteFilter(entityType) } : {}),
      tag: tagFilter,
      external_id: externalIdFilter(entityType),
      ...record.filters,
    },
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
 * The inputs to write, with the problems of each. The number of statements does not grow with the number of inputs.
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

/** The operations of a kind that has custom fields: its own rules, with these checks after them. */
export function recordOperations<In extends CustomInput, Out extends Stored, T extends TableName, Before>(
  record: CustomizableRecord<In, Out, T>,
  rules: Rules<In, Before>,
): SetCrud<In, Out, T> {
  const { entityType } = record
  const operations = setCrud(record, withCustomFields(record, rules))

  async function restore(ctx: Ctx, ids: readonly string[]): Promise<number> {
    const definitions = await definitionsOf(ctx, entityType)
    const conflict = await restoreConflict(ctx, record.table, entityType, definitions, ids)
    if (conflict !== undefined) throw errors.conflict(conflict)
    return operations.restore(ctx, ids)
  }

  return { ...operations, restore }
}

type WithMetadata<Before> = Before & { metadata: Metadata }

function withCustomFields<In extends CustomInput, Before>(
  record: Pick<CustomizableRecord, 'entityType'>,
  rules: Rules<In, Before>,
): Rules<In, WithMetadata<Before>> {
  const { before } = rules
  return {
    ...rules,
    dependent: [...(rules.dependent ?? []), 'metadata', 'categories'],
    before: ctx => sql<WithMetadata<Before>>`r.metadata ${before ? sql`, ${before(ctx)}` : sql``}`,
    // A new category is a second write, which must be committed or rolled back with the record.
    isOneInsert: input => !input.categories?.length && (rules.isOneInsert?.(input) ?? true),
    async complete(tx, writes) {
      const prepared = await prepareInputs(
        tx,
        record,
        writes.map(({ id, isNew, values, before }) => ({
          input: values,
          ...(isNew ? {} : { id, before: before?.metadata ?? {} }),
        })),
      )
      for (const [i, { input, issues, conflict }] of prepared.entries()) {
        const write = at(writes, i)
        write.values = input
        if (issues.length > 0) write.error = errors.invalid(issues)
        else if (conflict !== undefined) write.error = errors.conflict(conflict)
      }
    },
    refusal: (error, input) => uniqueTaken(error) ?? rules.refusal?.(error, input),
  }
}

/** Another transaction wrote the same unique value at the same time and committed first. */
const uniqueTaken = (error: unknown): HttpError | undefined =>
  isUniqueViolation(error, 'custom_values_unique')
    ? errors.conflict('Another record has just taken the value of a custom field that is unique')
    : undefined
