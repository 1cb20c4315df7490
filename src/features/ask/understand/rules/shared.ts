/** What the rules of several kinds of phrases share. */
import type { Condition, GroupKey, Measure, Order, Query } from '../../../records/query/spec.ts'
import type { EntityName } from '../../lexicon/types.ts'
import { Costly } from '../chart.ts'
import {
  type About,
  both,
  type Clause,
  clauseOn,
  type FieldMeaning,
  isRelated,
  liftCost,
  narrowed,
  negated,
  on,
  type Records,
  relationTo,
  union,
  whole,
} from '../meaning.ts'
import type { Quantity } from '../numbers.ts'

export type Comparator = { op: 'gt' | 'gte' | 'lt' | 'lte' | 'eq'; quantity: Quantity }
export type Span = { from: string | null; to: string | null }
/** `isNow`: a time that is not over, such as this month; `isAhead`: one that has not begun; `isLasting`: for so long; `isUntil`: until then */
export type Time = {
  past: Span
  future: Span
  isNow?: true
  isAhead?: true
  isLasting?: true
  isUntil?: true
}
export type Direction = 'asc' | 'desc'
/** `skipped`: how many come before it, as in "second largest" */
export type Superlative = { field: FieldMeaning; direction: Direction; skipped?: number }

/** A sentence before it becomes a query. */
export interface Wanted {
  of: Records
  measure: Measure
  group?: GroupKey
  having?: Query['having']
  order?: Order
  limit?: number
  /** how many come before the first */
  offset?: number
  /** asked with "is there": answered with yes or no */
  isYesNo?: true
  /** fields to show beside the names */
  show?: FieldMeaning
}

export const AMOUNT: FieldMeaning = { entity: 'deal', field: 'amount', type: 'money' }
export const PRICE: FieldMeaning = { entity: 'product', field: 'unit_price', type: 'money' }
export const WEIGHTED: FieldMeaning = { entity: 'deal', field: 'weighted_amount', type: 'money' }
export const OPEN: Condition = { field: 'status', op: 'eq', value: 'open' }
export const DEALS: Records = { entity: 'deal', where: [] }
export const PEOPLE: Records = { entity: 'contact', where: [] }

export const list = (of: Records): Wanted => ({ of, measure: { kind: 'list' } })
export const count = (of: Records): Wanted => ({ of, measure: { kind: 'count' } })

/** Who is responsible for a record: deals and contacts have an owner, activities an assignee, notes an author. */
export const OWNER: Partial<Record<EntityName, FieldMeaning>> = {
  deal: { entity: 'deal', field: 'owner.name', type: 'text' },
  contact: { entity: 'contact', field: 'owner.name', type: 'text' },
  activity: { entity: 'activity', field: 'assignee.name', type: 'text' },
  note: { entity: 'note', field: 'author.name', type: 'text' },
}

export const isOwner = ({ where }: About): boolean =>
  'or' in where
    ? where.or.every(part => isOwner({ entity: 'deal', where: part }))
    : 'field' in where && /^(?:owner|assignee|author)(?:\.name|_id)$/.test(where.field)

/** The caller, or nobody who is known. */
export const isMe = (about: About): boolean => 'or' in about.where && isOwner(about)

/** One or several records that were named, or that a pronoun stands for. */
export const isRecord = ({ where, isThese }: About): boolean =>
  isThese === true || ('field' in where && where.field === 'id')

export const isNumeric = ({ type }: FieldMeaning): boolean => type === 'number' || type === 'money'

/** Dates that lie ahead: "closing in March" is the next March. */
const PLANNED: ReadonlySet<string> = new Set(['expected_close_date', 'planned_at', 'when'])

export const boundsOf = (field: string, { from, to }: Span): Condition[] => [
  ...(from === null ? [] : [{ field, op: 'gte' as const, value: from }]),
  ...(to === null ? [] : [{ field, op: 'lt' as const, value: to }]),
]

export function dated({ entity, where, date, isState }: About, time: Time): About | undefined {
  if (date === undefined) return undefined
  // what is still to be done is due on the next Friday, what was due on the last one
  const isAhead =
    PLANNED.has(date) || (date === 'falls_due_at' && JSON.stringify(where).includes('"planned"'))
  const bounds = boundsOf(date, isAhead ? time.future : time.past)
  const all = 'and' in where && where.and.length === 0 ? bounds : [where, ...bounds]
  const isLasting = time.isUntil ? { isLasting: true as const } : {}
  return all.length === 0
    ? undefined
    : { entity, where: { and: all }, ...(isState ? { isState } : {}), ...isLasting }
}

export const neither = (a: About, b: About): About | undefined => {
  const either = union(a, b) ?? both('or', a, b)
  return either && negated(either)
}

export function compared(
  { entity, field, type }: FieldMeaning,
  comparison: readonly Comparator[],
): About | undefined {
  if (type !== 'number' && type !== 'money') return undefined
  const compared: Condition[] = comparison.map(({ op, quantity }) => ({ field, op, value: quantity.value }))
  const currencies = new Set(comparison.flatMap(({ quantity: { currency } }) => currency ?? []))
  // "between 100 USD and 100 EUR" compares nothing
  if (currencies.size > 1) return undefined
  const isPriced = type === 'money' && (entity === 'deal' || entity === 'product')
  const inCurrency: Condition[] = isPriced
    ? [...currencies].map(currency => ({ field: 'currency', op: 'eq', value: currency }))
    : []
  const where = whole([...compared, ...inCurrency])
  return where && { entity, where }
}

export function empty({ entity, field, type }: FieldMeaning, isEmpty: boolean): About {
  if (type === 'flag') {
    const is: Condition = { field, op: 'eq', value: true }
    return { entity, where: isEmpty ? { not: is } : is }
  }
  // whether there is an owner, not whether the owner has a name
  const own = field.replace(/\.name$/, '_id')
  const isPerson = /^(?:owner|assignee)_id$/.test(own)
  // who owns a contact does not own its deals
  return {
    entity,
    where: { field: own, op: 'is_null', value: isEmpty },
    ...(isPerson ? { isState: true } : {}),
  }
}

/**
 * "CFOs of companies in Norway", "customers in France or customers in Norway": what follows a clause or an
 * alternative is said of the last records.
 */
const AFTER_CLAUSE_COST = 0.5

function afterClause({ where }: Records): number {
  const last = where.at(-1)
  return isRelated(last) || (last && 'or' in last) ? AFTER_CLAUSE_COST : 0
}

export function modified(records: Records, about: About): Costly | undefined {
  const meaning = narrowed(records, on(records.entity, about))
  const extra = liftCost(records.entity, about) + afterClause(records) + ofOtherDate(records, about)
  return meaning && new Costly(meaning, extra)
}

/** The close date of a deal that was won or lost is when that was, of another one when it is expected. */
function ofOtherDate({ where }: Records, about: About): number {
  const text = JSON.stringify([where, about.where])
  return text.includes(ENDED.test(text) ? '"expected_close_date"' : '"closed_at"') ? 0.6 : 0
}

const ENDED = /"(?:won|lost)"/

/** Deals of which it is said that they came to an end. */
export const isClosed = ({ where }: Records): boolean => ENDED.test(JSON.stringify(where))

export function described(records: Records, clause: Clause): Costly | undefined {
  const meaning = narrowed(records, clauseOn(records.entity, clause))
  // "customers with deals in Germany" are in Germany themselves
  const isRound = RELATED_TO[records.entity]?.test(JSON.stringify(clause.of.where)) ?? false
  return meaning && new Costly(meaning, afterClause(records) + (isRound ? 0.6 : 0))
}

const RELATED_TO: Partial<Record<EntityName, RegExp>> = {
  company: /"(?:some|none)":"companies"/,
  contact: /"(?:some|none)":"contacts"/,
}

export const every = (of: Records, each: About): Clause | undefined =>
  on(of.entity, each) ? { kind: 'every', of, each } : undefined

export function measured(
  kind: 'sum' | 'avg' | 'median' | 'min' | 'max',
  field: FieldMeaning,
  of: Records,
): Wanted | undefined {
  return isNumeric(field) && field.entity === of.entity
    ? { of, measure: { kind, field: field.field } }
    : undefined
}

const MAX_RANKED = 100

/** Only open deals will close. */
export const closing = (of: Records, field: string): Records | undefined => {
  const isSaid = of.where.some(where => JSON.stringify(where) === JSON.stringify(OPEN))
  const open = isSaid ? of : narrowed(of, OPEN)
  return open && { ...open, where: [...open.where, { field, op: 'is_null', value: false }] }
}

export function ranked(
  of: Records,
  field: FieldMeaning,
  direction: Direction,
  limit: number,
): Wanted | undefined {
  const isCount = Number.isInteger(limit) && limit > 0 && limit <= MAX_RANKED
  if (!isCount || field.entity !== of.entity) return undefined
  // only what is open will close
  const isAhead = ['expected_close_date', 'probability'].includes(field.field)
  const such = isAhead ? closing(of, field.field) : of
  return such && { ...list(such), order: { by: orderOf(of, field), direction }, limit }
}

/** The latest of the won deals is the one that was won last. */
export const orderOf = (of: Records, { field }: FieldMeaning): string =>
  of.entity === 'deal' && field === 'created_at' && isClosed(of) ? 'closed_at' : field

export function grouped(wanted: Wanted, field: FieldMeaning): Wanted | undefined {
  if (wanted.group !== undefined || wanted.order || wanted.show || field.type !== 'text') return undefined
  const path = pathTo(wanted.of.entity, field)
  return path === undefined ? undefined : { ...wanted, measure: countable(wanted), group: { field: path } }
}

export const countable = ({ measure }: Wanted): Measure =>
  measure.kind === 'list' ? { kind: 'count' } : measure

/** A field of the record, or of the one company it belongs to. */
export function pathTo(host: EntityName, field: FieldMeaning): string | undefined {
  if (field.entity === host) return field.field
  const isSingle = field.entity === 'company' && (host === 'deal' || host === 'contact')
  return isSingle ? `company.${field.field}` : undefined
}

/** The groups whose figure compares so; what belongs to no group is none. */
export function havingOf(wanted: Wanted | undefined, comparison: readonly Comparator[]): Wanted | undefined {
  const [only] = comparison
  const field = wanted?.group?.field
  if (!wanted || field === undefined || !only || comparison.length > 1) return undefined
  const of = { ...wanted.of, where: [...wanted.of.where, { field, op: 'is_null' as const, value: false }] }
  return { ...wanted, of, having: { op: only.op, value: only.quantity.value } }
}

/** The records with the most or the fewest of the related ones. */
export function byCount(
  host: Records,
  of: Records,
  direction: Direction,
  limit?: number,
): Wanted | undefined {
  const relation = relationTo(host.entity, of.entity)
  const where = whole(of.where)
  if (relation === undefined || of.isListed) return undefined
  const order = { by: `${relation}.count`, direction, ...(where ? { where } : {}) }
  return { ...list(host), order, ...(limit === undefined ? {} : { limit }) }
}

export const after = (wanted: Wanted | undefined, skipped = 0): Wanted | undefined =>
  wanted && (skipped === 0 ? wanted : { ...wanted, offset: skipped })

/** The group with the largest or the smallest figure; what belongs to no group is none. */
export function first(wanted: Wanted | undefined, direction: Direction, limit = 1): Wanted | undefined {
  const field = wanted?.group?.field
  if (!wanted || field === undefined) return undefined
  const of = { ...wanted.of, where: [...wanted.of.where, { field, op: 'is_null' as const, value: false }] }
  return { ...wanted, of, order: { by: 'measure', direction }, limit }
}
