/** Queries evaluated record by record. */
import type { Figure, Group, Result } from '../../records/query/result.ts'
import type { Bucket, Condition, FieldCondition, Measure, Query } from '../../records/query/spec.ts'
import { fold } from '../../search/words.ts'
import { KIND_OF } from '../understand/meaning.ts'

export interface Item {
  id: string
  kind: string
  tags: { name: string }[]
  [field: string]: unknown
}

type Items = readonly Item[]

/** The ids of the records that a record names itself. */
const namedBy = (item: Item): unknown[] => [
  item.company_id,
  item.primary_contact_id,
  item.entity_id,
  ...['associated_contact_ids', 'contact_ids', 'company_ids', 'deal_ids'].flatMap(key => item[key] ?? []),
]

const isLinked = (a: Item, b: Item): boolean => namedBy(a).includes(b.id) || namedBy(b).includes(a.id)

function related(all: Items, item: Item, relation: string): Item[] {
  if (relation === 'tags') return item.tags.map(tag => ({ ...tag, id: tag.name, kind: 'tag', tags: [] }))
  const own = item[relation]
  if (typeof own === 'object' && own !== null) return [{ id: '', kind: relation, tags: [], ...own }]
  if (!Object.hasOwn(KIND_OF, relation)) return all.filter(({ id }) => id === item[`${relation}_id`])
  const others = all.filter(({ kind }) => kind === KIND_OF[relation])
  const direct = others.filter(other => isLinked(item, other))
  const pair = [item.kind, KIND_OF[relation]].sort().join()
  if (pair !== 'activity,company') return direct
  // a company has the activities of its people and of its deals, too
  const between = all.filter(({ kind }) => kind === 'contact' || kind === 'deal')
  const through = between.filter(one => isLinked(item, one))
  return others.filter(other => direct.includes(other) || through.some(one => isLinked(one, other)))
}

export function valuesAt(all: Items, item: Item, path: string, counted?: Condition): unknown[] {
  const [step = '', ...rest] = path.split('.')
  if (rest.join() === 'count')
    return [related(all, item, step).filter(one => !counted || holds(all, one, counted)).length]
  if (path.startsWith('cf.') || rest.length === 0) return [item[path] ?? null]
  return related(all, item, step).flatMap(one => valuesAt(all, one, rest.join('.')))
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

function holds(all: Items, item: Item, where: Condition): boolean {
  const is = (part: Condition) => holds(all, item, part)
  if ('and' in where) return where.and.every(is)
  if ('or' in where) return where.or.some(is)
  if ('not' in where) return !is(where.not)
  if ('field' in where) return holdsFor(all, item, where)
  const relation =
    'some' in where ? where.some : 'none' in where ? where.none : 'every' in where ? where.every : where.count
  const list = related(all, item, relation)
  const { where: inner } = where
  const found = inner === undefined ? list : list.filter(one => holds(all, one, inner))
  if ('some' in where) return found.length > 0
  if ('none' in where) return found.length === 0
  if ('every' in where) return found.length === list.length
  return compares(found.length, where.op, where.value)
}

function holdsFor(all: Items, item: Item, { field, op = 'eq', value }: FieldCondition): boolean {
  const values = valuesAt(all, item, field)
  if (op === 'is_null') return values.some(isPresent) !== (value ?? true)
  if (op === 'ne' || op === 'not_in')
    return !holdsFor(all, item, { field, op: op === 'ne' ? 'eq' : 'in', value: value ?? null })
  return values.flat().some(one => isPresent(one) && compares(one, op, value))
}

function compares(one: unknown, op: string, value: unknown): boolean {
  const text = (given: unknown) => fold(String(given))
  switch (op) {
    case 'eq':
      return typeof one === 'string' ? text(one) === text(value) : one === value
    case 'in':
      return [value].flat().some(each => compares(one, 'eq', each))
    case 'contains':
      return text(one).includes(text(value))
    case 'gt':
      return order(one, value) > 0
    case 'gte':
      return order(one, value) >= 0
    case 'lt':
      return order(one, value) < 0
    case 'lte':
      return order(one, value) <= 0
    default:
      throw new Error(`${op} is not evaluated here`)
  }
}

const order = (a: unknown, b: unknown): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

export const matching = (all: Items, { entity, where }: Query): Item[] =>
  all.filter(item => item.kind === entity && (where === undefined || holds(all, item, where)))

const MONEY = ['amount', 'weighted_amount', 'unit_price']

function figureOf(measure: Measure, numbers: readonly number[]): number {
  const sum = numbers.reduce((all, one) => all + one, 0)
  const sorted = [...numbers].sort((a, b) => a - b)
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  switch (measure.kind) {
    case 'sum':
      return sum
    case 'avg':
      return sum / numbers.length
    case 'median':
      return (low + high) / 2
    case 'min':
      return sorted[0] ?? 0
    case 'max':
      return sorted.at(-1) ?? 0
    default:
      return numbers.length
  }
}

/** A figure for each currency. */
function figuresOf(all: Items, items: Items, measure: Measure): Figure[] {
  const rows = items.flatMap(item => {
    const value = 'field' in measure ? valuesAt(all, item, measure.field)[0] : 1
    const currency = 'field' in measure && MONEY.includes(measure.field) ? String(item.currency) : null
    return isPresent(value) ? [{ value: Number(value), currency }] : []
  })
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, group]) => ({
    value: figureOf(
      measure,
      group.map(({ value }) => value),
    ),
    currency,
    count: group.length,
  }))
}

export function evaluate(all: Items, query: Query, columns: readonly string[]): Result {
  const { entity, measure = { kind: 'list' }, limit = 50, offset = 0, group_by } = query
  const items = matching(all, query)
  const total = items.length
  if (group_by?.length)
    return {
      entity,
      total,
      groups: groupsOf(all, items, query).slice(offset, offset + limit),
      has_more: false,
    }
  if (measure.kind !== 'list') {
    const empty = measure.kind === 'sum' || measure.kind === 'count' ? 0 : null
    const found = figuresOf(all, items, measure)
    return { entity, total, figures: found.length > 0 ? found : [{ value: empty, currency: null, count: 0 }] }
  }
  const shown = ordered(all, items, query).slice(offset, offset + limit)
  if (columns.length === 0) return { entity, total, items: shown }
  const countedIn = (column: string) => query.order?.find(({ by }) => by === column)?.where
  const cellOf = (item: Item, column: string) => valuesAt(all, item, column, countedIn(column))[0] ?? null
  const cells = shown.map(item => Object.fromEntries(columns.map(column => [column, cellOf(item, column)])))
  return { entity, total, items: shown, cells }
}

/** The newest first unless an order is asked for; empty values last. */
function ordered(all: Items, items: Items, { order: by = [] }: Query): Item[] {
  const newest = items.toReversed()
  const [first] = by
  if (!first) return newest
  const sign = first.direction === 'desc' ? -1 : 1
  const list = first.direction === 'desc' ? newest : [...items]
  return list.sort((a, b) => {
    const [x, y] = [a, b].map(item => valuesAt(all, item, first.by, first.where)[0])
    if (!isPresent(x) || !isPresent(y)) return Number(isPresent(y)) - Number(isPresent(x))
    return sign * order(typeof x === 'string' ? fold(x) : x, typeof y === 'string' ? fold(y) : y)
  })
}

function groupsOf(all: Items, items: Items, query: Query): Group[] {
  const { measure = { kind: 'count' }, group_by = [], having, order: by = [] } = query
  const keysOf = (item: Item) =>
    group_by.reduce<unknown[][]>(
      (keys, { field, bucket }) => {
        const values = valuesAt(all, item, field).flat()
        const found = values.length === 0 ? [null] : values.map(value => bucketed(value, bucket))
        return keys.flatMap(key => found.map(value => [...key, value]))
      },
      [[]],
    )
  const counted = measure.kind === 'list' ? { kind: 'count' as const } : measure
  const rows = items.flatMap(item => keysOf(item).map(key => ({ key, item })))
  const groups = [...Map.groupBy(rows, ({ key }) => JSON.stringify(key))].flatMap(([key, group]) =>
    figuresOf(
      all,
      group.map(({ item }) => item),
      counted,
    ).map((figure): Group => ({ key: JSON.parse(key), ...figure })),
  )
  const kept = having ? groups.filter(({ value }) => compares(value, having.op, having.value)) : groups
  const [first] = by
  const byKey = (a: Group, b: Group) => {
    const [x, y] = [a.key[0], b.key[0]]
    return isPresent(x) && isPresent(y) ? order(x, y) : Number(isPresent(y)) - Number(isPresent(x))
  }
  const isByTime = group_by.some(({ bucket }) => bucket)
  const sign = first?.by === 'measure' && first.direction !== 'desc' ? 1 : -1
  if ((isByTime && !first) || (first && first.by !== 'measure')) return kept.sort(byKey)
  return kept.sort((a, b) => sign * order(a.value, b.value) || byKey(a, b))
}

function bucketed(value: unknown, bucket: Bucket | undefined): unknown {
  if (bucket === undefined || typeof value !== 'string') return value ?? null
  const [year = 0, month = 0] = value.split('-').map(Number)
  const at = Date.parse(`${value.slice(0, 10)}T00:00:00Z`)
  const starts: Record<Bucket, number> = {
    day: at,
    week: at - ((new Date(at).getUTCDay() + 6) % 7) * 86_400_000,
    month: Date.UTC(year, month - 1, 1),
    quarter: Date.UTC(year, Math.floor((month - 1) / 3) * 3, 1),
    year: Date.UTC(year, 0, 1),
  }
  return new Date(starts[bucket]).toISOString().slice(0, 10)
}
