/** The query language evaluated record by record in memory, to compare results with. */
import type { Bucket, Condition, FieldCondition, Query, RelatedCondition } from './spec.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of every kind, as the API answers them
type Item = Record<string, any>

/** All records of an account by kind, and their relations. */
export interface Records {
  all: Record<string, Item[]>
  related(kind: string, item: Item, relation: string): { kind: string; items: Item[] }
}

function relationOf(condition: RelatedCondition): string {
  if ('some' in condition) return condition.some
  if ('none' in condition) return condition.none
  return 'every' in condition ? condition.every : condition.count
}

const TO_ONE = ['company', 'stage', 'owner']
const CURRENCY: Record<string, string> = { amount: 'currency' }

function compare(actual: unknown, { op = 'eq', value }: FieldCondition): boolean {
  if (op === 'is_null') return (actual === null || actual === undefined) === (value ?? true)
  if (Array.isArray(actual)) {
    const values = actual.map(one => String(one).toLowerCase())
    const has = [value].flat().some(one => values.includes(String(one).toLowerCase()))
    return op === 'ne' || op === 'not_in' ? !has : has
  }
  if (actual === null || actual === undefined) return op === 'ne' || op === 'not_in'
  const [x, list] = [actual as number | string, (Array.isArray(value) ? value : []) as (number | string)[]]
  const y = value as number | string
  switch (op) {
    case 'eq':
      return x === y
    case 'ne':
      return x !== y
    case 'gt':
      return x > y
    case 'gte':
      return x >= y
    case 'lt':
      return x < y
    case 'lte':
      return x <= y
    case 'in':
      return list.includes(x)
    case 'not_in':
      return !list.includes(x)
    case 'between':
      return x >= list[0]! && x <= list[1]!
    case 'contains':
      return String(x).toLowerCase().includes(String(y).toLowerCase())
    case 'starts_with':
      return String(x).toLowerCase().startsWith(String(y).toLowerCase())
    case 'ends_with':
      return String(x).toLowerCase().endsWith(String(y).toLowerCase())
  }
}

export function fulfils(records: Records, kind: string, item: Item, condition: Condition): boolean {
  const is = (part: Condition) => fulfils(records, kind, item, part)
  if ('and' in condition) return condition.and.every(is)
  if ('or' in condition) return condition.or.some(is)
  if ('not' in condition) return !is(condition.not)
  if ('field' in condition) {
    const [first = '', ...rest] = condition.field.split('.')
    if (rest.length === 0) return compare(item[first], condition)
    const isEmpty = condition.op === 'is_null' && condition.value !== false
    const part = { ...condition, field: rest.join('.') }
    if (isEmpty && TO_ONE.includes(first)) return is({ every: first, where: part })
    return is({ some: first, where: part })
  }
  const { kind: other, items } = records.related(kind, item, relationOf(condition))
  const { where } = condition
  const matching = items.filter(one => !where || fulfils(records, other, one, where))
  if ('some' in condition) return matching.length > 0
  if ('none' in condition) return matching.length === 0
  if ('every' in condition) return matching.length === items.length
  return compare(matching.length, { field: '', op: condition.op, value: condition.value })
}

/** The values of a path: several if it leads to several records. */
function values(records: Records, kind: string, item: Item, path: string): unknown[] {
  const [first = '', ...rest] = path.split('.')
  if (rest.length === 0) return [item[first]].flat()
  const { kind: other, items } = records.related(kind, item, first)
  // a relation to one record is a field, which may be empty
  if (items.length === 0 && TO_ONE.includes(first)) return [null]
  return items.flatMap(one => values(records, other, one, rest.join('.')))
}

function bucketed(value: unknown, bucket: Bucket | undefined): unknown {
  if (bucket === undefined || typeof value !== 'string') return value ?? null
  const [year, month] = [Number(value.slice(0, 4)), Number(value.slice(5, 7))]
  const day = (date: number) => new Date(date).toISOString().slice(0, 10)
  const at = Date.parse(`${value.slice(0, 10)}T00:00:00Z`)
  const starts: Record<Bucket, number> = {
    day: at,
    week: at - ((new Date(at).getUTCDay() + 6) % 7) * 86_400_000,
    month: Date.UTC(year, month - 1, 1),
    quarter: Date.UTC(year, Math.floor((month - 1) / 3) * 3, 1),
    year: Date.UTC(year, 0, 1),
  }
  return day(starts[bucket])
}

export const matching = (records: Records, { entity, where }: Query): Item[] =>
  (records.all[entity] ?? []).filter(item => !where || fulfils(records, entity, item, where))

/** A line for each group: keys, currency, figure, count. */
export function groupLines(records: Records, query: Query): string[] {
  const { measure = { kind: 'count' }, group_by = [], having } = query
  const rows = matching(records, query).flatMap(item => {
    const field = 'field' in measure ? measure.field : undefined
    const [x] = field === undefined ? [1] : values(records, query.entity, item, field)
    if (x === null || x === undefined) return []
    const name = field !== undefined ? CURRENCY[field] : undefined
    const lists = group_by.map(({ field: path, bucket }) => {
      const found = values(records, query.entity, item, path).map(value => bucketed(value, bucket))
      return found.length > 0 ? [...new Set(found)] : [null]
    })
    const keys = lists.reduce<unknown[][]>(
      (all, list) => all.flatMap(key => list.map(one => [...key, one])),
      [[]],
    )
    return keys.map(key => ({ key: JSON.stringify([...key, name ? item[name] : null]), x }))
  })
  return [...Map.groupBy(rows, row => row.key)].flatMap(([key, group]) => {
    const figure = aggregate(
      measure.kind,
      group.map(row => row.x as number),
    )
    if (having && !compare(figure, { field: '', ...having })) return []
    return [`${key} ${typeof figure === 'number' ? figure.toFixed(6) : figure} ${group.length}`]
  })
}

function aggregate(kind: string, list: number[]): number | string {
  const sorted = [...list].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const sum = () => list.reduce((all, one) => all + one, 0)
  if (kind === 'count') return list.length
  if (kind === 'sum') return sum()
  if (kind === 'avg') return sum() / list.length
  if (kind === 'min') return sorted[0]!
  if (kind === 'max') return sorted.at(-1)!
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
