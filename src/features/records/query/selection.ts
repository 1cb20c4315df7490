/**
 * Selects the records of a bulk change or an export, by the filters of their list (`filter`) and by conditions of the
 * query language (`where`), as in `POST /api/<group>/query`.
 */
import type { RawBuilder } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { isCustomName } from '../../../kernel/custom-values.ts'
import { errors, relocate } from '../../../kernel/errors.ts'
import { hasCustomFields } from '../../../kernel/general-endpoints.ts'
import { listParameters, listsTrash } from '../../../kernel/list-parameters.ts'
import { conditionsOf } from '../../../kernel/list-query.ts'
import type { Item, ListQuery, RecordType } from '../../../kernel/resource.ts'
import { dict, type Issue, object } from '../../../kernel/schema/index.ts'
import { unknownKeys } from '../../../kernel/strict.ts'
import { isRecord } from '../../../lib/values.ts'
import { compileCondition } from './compile.ts'
import { readable } from './run.ts'

type Sql = RawBuilder<unknown>

export const filterSchema = dict({
  description: 'Filters of the list of these records, by name',
  examples: [{ status: 'lead', created_after: '2026-01-01' }],
})

/** Parameters that order or page a list but select nothing. */
const ARRANGING = ['page', 'page_size', 'cursor', 'sort_by', 'sort_order']

/** Checks the filters and refuses a name that the list does not have. `without` lists parameters that do not apply. */
export function checkedFilter(
  record: RecordType,
  filter: Item,
  without: readonly string[] = [],
): Partial<ListQuery> {
  const taken = Object.entries(listParameters(record).fields).filter(
    ([name]) => !ARRANGING.includes(name) && !without.includes(name),
  )
  const schema = object(Object.fromEntries(taken))
  const isCustom = ([name]: [string, unknown]) => hasCustomFields(record) && isCustomName(name)
  const custom = Object.entries(filter).filter(isCustom)
  const plain = Object.fromEntries(Object.entries(filter).filter(entry => !isCustom(entry)))
  const loc = ['body', 'filter']
  const issues: Issue[] = []
  const checked = schema.check(plain, loc, issues)
  issues.push(...unknownKeys(schema.json, plain, loc))
  if (issues.length > 0) throw errors.invalid(issues)
  return { ...Object.fromEntries(custom), ...checked }
}

/** The checked filters as SQL. */
export async function filterConditions(
  ctx: Ctx,
  record: RecordType,
  filter: Partial<ListQuery>,
): Promise<Sql[]> {
  try {
    listsTrash(filter)
    return await conditionsOf(ctx, record, filter)
  } catch (error) {
    return relocate(['body', 'filter'])(error)
  }
}

export async function whereConditions(
  ctx: Ctx,
  { entityType = '' }: RecordType,
  where: unknown,
): Promise<Sql[]> {
  return where == null ? [] : [await compileCondition(ctx, readable(ctx, entityType), where)]
}

/**
 * Whether a valid condition is true for every record, whatever its values: `{"and": []}`, as a client sends it that
 * joins a list of conditions and has none.
 */
export const isAlways = (where: unknown): boolean => truthOf(where) === true

/** undefined: it depends on the record. */
function truthOf(where: unknown): boolean | undefined {
  const { and, or, not, every, where: related } = isRecord(where) ? where : {}
  if (Array.isArray(and)) return joined(and.map(truthOf), false)
  if (Array.isArray(or)) return joined(or.map(truthOf), true)
  if (not !== undefined) {
    const truth = truthOf(not)
    return truth === undefined ? undefined : !truth
  }
  return every !== undefined && truthOf(related) === true ? true : undefined
}

/** `decisive`: the truth of one part that decides all of them. */
function joined(parts: readonly (boolean | undefined)[], decisive: boolean): boolean | undefined {
  if (parts.includes(decisive)) return decisive
  return parts.includes(undefined) ? undefined : !decisive
}
