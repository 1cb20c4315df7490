/** Filters of a list: the chips of the toolbar, and their conditions in a Query. */
import type { Field, FieldType } from '#data/field-types.ts'
import { today } from '#lib/format.ts'

export type Operator =
  | 'in'
  | 'not_in'
  | 'contains'
  | 'starts_with'
  | 'eq'
  | 'gte'
  | 'lte'
  | 'between'
  | 'is_null'
  | 'is_set'

export interface Filter {
  field: string
  op: Operator
  /** none for `is_null` and `is_set`, a list for `in`, `not_in` and `between` */
  value?: string | number | boolean | (string | number)[]
}

const LABELS: Readonly<Record<Operator, string>> = {
  in: 'is any of',
  not_in: 'is none of',
  contains: 'contains',
  starts_with: 'begins with',
  eq: 'is',
  gte: 'is at least',
  lte: 'is at most',
  between: 'is between',
  is_null: 'is empty',
  is_set: 'is not empty',
}

const TIMES: readonly FieldType[] = ['date', 'datetime', 'due']

export const operatorLabel = (op: Operator, type: FieldType): string => {
  if (!TIMES.includes(type)) return LABELS[op]
  if (op === 'gte') return 'is on or after'
  return op === 'lte' ? 'is on or before' : LABELS[op]
}

export function operatorsOf({ type }: Field): Operator[] {
  switch (type) {
    case 'boolean':
      return ['eq']
    case 'select':
    case 'currency':
    case 'multi_select':
    case 'categories':
    case 'user':
    case 'stage':
    case 'pipeline':
    case 'reference':
      return ['in', 'not_in', 'is_null', 'is_set']
    case 'number':
    case 'money':
    case 'percent':
    case 'rating':
      return ['gte', 'lte', 'between', 'eq', 'is_null', 'is_set']
    case 'date':
    case 'datetime':
    case 'due':
      return ['gte', 'lte', 'between', 'is_null', 'is_set']
    default:
      return ['contains', 'starts_with', 'eq', 'is_null', 'is_set']
  }
}

/** Links and free objects have no comparison; links are reached through related records. */
export const isFilterable = ({ type }: Field): boolean =>
  !['references', 'json', 'list', 'emails', 'phones'].includes(type)

type Condition = Record<string, unknown>

/** The beginning or the end of a day in the reader's time zone, which a time is compared with. */
export const boundOf = (day: string, isEnd: boolean): string =>
  new Date(`${day}T${isEnd ? '23:59:59.999' : '00:00:00'}`).toISOString()

/** The same in UTC, in which the service ends a day that an activity is due on without a time. */
export const utcBoundOf = (day: string, isEnd: boolean): string =>
  `${day}T${isEnd ? '23:59:59.999' : '00:00:00'}Z`

/** A bound that is not the reader's: the dashboard counts days in UTC. */
const OF_UTC = /T(00:00:00|23:59:59\.999)Z$/

/** The day of a stored value: a bound, or a day itself. */
export const dayOfBound = (value: string): string =>
  !value.includes('T') || OF_UTC.test(value) ? value.slice(0, 10) : today(new Date(value))

/** `today-7` and a number of days → `today-6` */
function shifted(value: unknown, days: number): string | undefined {
  const [, count] = /^today([+-]\d+)?$/.exec(String(value)) ?? []
  if (count === undefined && value !== 'today') return undefined
  const sum = Number(count ?? 0) + days
  return sum === 0 ? 'today' : `today${sum > 0 ? '+' : '-'}${Math.abs(sum)}`
}

/** `today` is its beginning, so "on or before today" is "before tomorrow". */
const conditionOf = ({ field, op, value }: Filter): Condition => {
  if (op === 'is_null') return { field, op }
  if (op === 'is_set') return { field, op: 'is_null', value: false }
  const end = op === 'lte' ? shifted(value, 1) : undefined
  return end ? { field, op: 'lt', value: end } : { field, op, value }
}

/** Addresses and views of a time when the day and the time that an activity is due were two fields. */
const RENAMED: Readonly<Record<string, string>> = { due_at: 'falls_due_at', due_date: 'falls_due_at' }

export const currentField = (key: string): string => RENAMED[key] ?? key

/** The condition of a Query; undefined without filters. */
export function whereOf(filters: readonly Filter[]): Condition | undefined {
  const complete = filters.filter(isComplete).map(conditionOf)
  return complete.length > 1 ? { and: complete } : complete[0]
}

export const isComplete = ({ op, value }: Filter): boolean =>
  op === 'is_null' ||
  op === 'is_set' ||
  (Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '')

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The chips of a stored condition; undefined if chips cannot express it. */
export function filtersOf(where: unknown): Filter[] | undefined {
  if (!isRecord(where) || Object.keys(where).length === 0) return []
  const conditions = Array.isArray(where.and) ? where.and : [where]
  const filters = conditions.map(filterOf)
  return filters.every(filter => filter !== undefined) ? filters : undefined
}

function filterOf(condition: unknown): Filter | undefined {
  if (!isRecord(condition) || typeof condition.field !== 'string') return undefined
  const { field, op = 'eq', value } = condition
  if (op === 'is_null') return { field, op: value === false ? 'is_set' : 'is_null' }
  const last = op === 'lt' ? shifted(value, -1) : undefined
  if (last) return { field, op: 'lte', value: last }
  if (!Object.hasOwn(LABELS, String(op)) || value === undefined || value === null) return undefined
  return { field, op: op as Operator, value: value as NonNullable<Filter['value']> }
}
