/** What the rules of several kinds of phrases share. */
import type { Condition, GroupKey, Measure, Order, Query } from '../../../records/query/spec.ts'
import { type EntityName, typeOf } from '../../lexicon/types.ts'
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

/** Being in contact, by these types of activity. */
export interface Touch {
  types: readonly string[]
  by?: About
}

/** How a fragment changes the question before. */
export type Edit =
  | { kind: 'narrow'; by: About | Clause }
  | { kind: 'time'; time: Time }
  | { kind: 'noun'; of: Records }
  | { kind: 'measure'; measure: Measure }
  | { kind: 'sum'; by: 'sum' | 'avg' | 'median'; field: FieldMeaning }
  | { kind: 'group'; field: FieldMeaning }
  | { kind: 'order'; field: FieldMeaning; direction: Direction; limit?: number }
  | { kind: 'show'; field: FieldMeaning }

export const fieldAt = (entity: EntityName, field: string): FieldMeaning => ({
  entity,
  field,
  type: typeOf(field),
})
export const AMOUNT = fieldAt('deal', 'amount')
export const PRICE = fieldAt('product', 'unit_price')
export const WEIGHTED = fieldAt('deal', 'weighted_amount')
export const CUSTOMER = fieldAt('deal', 'company.name')
export const STAFF = fieldAt('company', 'employee_count')

export const is = (field: string, value: string): Condition => ({ field, op: 'eq', value })
export const OPEN = is('status', 'open')
export const WON = is('status', 'won')
export const DONE = is('status', 'completed')
export const LOST = is('status', 'lost')
export const CLOSED: Condition = { field: 'status', op: 'in', value: ['won', 'lost'] }
const filled = (field: string): Condition => ({ field, op: 'is_null', value: false })

export const allOf = (entity: EntityName): Records => ({ entity, where: [] })
export const DEALS = allOf('deal')
export const PEOPLE = allOf('contact')

export const list = (of: Records): Wanted => ({ of, measure: { kind: 'list' } })
export const count = (of: Records): Wanted => ({ of, measure: { kind: 'count' } })
/** The same of fewer records. */
export const ofThese = (wanted: Wanted, of: Records | undefined): Wanted | undefined =>
  of && { ...wanted, of }

/** Who is responsible for a record: deals and contacts have an owner, activities an assignee, notes an author. */
export const OWNER: Partial<Record<EntityName, FieldMeaning>> = {
  deal: fieldAt('deal', 'owner.name'),
  contact: fieldAt('contact', 'owner.name'),
  activity: fieldAt('activity', 'assignee.name'),
  note: fieldAt('note', 'author.name'),
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Whether the conditions have one of these fields or values, at any depth. */
export function says({ where }: { where: unknown }, ...names: string[]): boolean {
  const text = JSON.stringify(where)
  return names.some(name => text.includes(`"${name}"`))
}

/** Whether this condition is already said. */
export const isSaid = ({ where }: Records, said: Condition): boolean => where.some(one => isSame(one, said))
/** Narrowed by a condition, unless it is already said: "the open pipeline". */
export const once = (of: Records, said: Condition): Records | undefined =>
  isSaid(of, said) ? of : narrowed(of, said)

/** The records of which this is said. */
export const such = (of: Records | undefined, about: About | undefined): Records | undefined =>
  of && about && narrowed(of, on(of.entity, about))

/** Those that are also what a second noun says: "customers that are partners". */
export const alsoOf = (of: Records, other: Records): Records | undefined =>
  of.entity === other.entity ? narrowed(of, whole(other.where)) : undefined

/** The records of which a clause is said. */
export const suchThat = (of: Records, clause: Clause | undefined): Records | undefined =>
  clause && narrowed(of, clauseOn(of.entity, clause))

/** Those of certain other records: the deals of German companies. */
export function relatedTo(of: Records | undefined, { entity, where }: Records): Records | undefined {
  const about = whole(where)
  return about ? such(of, { entity, where: about }) : of
}

export function without(of: Records, other: Records): Records | undefined {
  const where = of.entity === other.entity ? whole(other.where) : undefined
  return where && narrowed(of, { not: where })
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
  const isAhead = PLANNED.has(date) || (date === 'falls_due_at' && says({ where }, 'planned'))
  const bounds = boundsOf(date, isAhead ? time.future : time.past)
  const all = 'and' in where && where.and.length === 0 ? bounds : [where, ...bounds]
  const isLasting = time.isUntil ? { isLasting: true as const } : {}
  return all.length === 0
    ? undefined
    : { entity, where: { and: all }, ...(isState ? { isState } : {}), ...isLasting }
}

/** The records whose date is in the time. */
export function within(of: Records, date: string, time: Time): Records | undefined {
  const about = dated({ entity: of.entity, where: { and: [] }, date }, time)
  return about && narrowed(of, about.where)
}

/** When deals came to their end, unless that is said: "won deals … in May". */
export const endedIn = (of: Records, time: Time): Records | undefined =>
  isClosed(of) && !says(of, 'closed_at') ? within(of, 'closed_at', time) : undefined

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
  const meaning = such(records, about)
  const extra = liftCost(records.entity, about) + afterClause(records) + ofOtherDate(records, about)
  return meaning && new Costly(meaning, extra)
}

/** The close date of a deal that was won or lost is when that was, of another one when it is expected. */
const ofOtherDate = ({ where }: Records, about: About): number =>
  says({ where: [where, about.where] }, isEnded([where, about.where]) ? 'expected_close_date' : 'closed_at')
    ? 0.6
    : 0

const isEnded = (where: unknown): boolean => says({ where }, 'won', 'lost')

/** Deals of which it is said that they came to an end. */
export const isClosed = ({ where }: Records): boolean => isEnded(where)

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
  of: Records | undefined,
): Wanted | undefined {
  return of && isNumeric(field) && field.entity === of.entity
    ? { of, measure: { kind, field: field.field } }
    : undefined
}

const MAX_RANKED = 100

/** Only open deals will close. */
export function closing(of: Records, field: string): Records | undefined {
  const open = once(of, OPEN)
  return open && { ...open, where: [...open.where, filled(field)] }
}

export function ranked(
  of: Records | undefined,
  field: FieldMeaning,
  direction: Direction,
  limit = 1,
  skipped = 0,
): Wanted | undefined {
  const isCount = Number.isInteger(limit) && limit > 0 && limit <= MAX_RANKED
  if (!of || !isCount || field.entity !== of.entity) return undefined
  // only what is open will close
  const isAhead = ['expected_close_date', 'probability'].includes(field.field)
  const all = isAhead ? closing(of, field.field) : of
  return all && { ...list(all), order: { by: orderOf(of, field), direction }, limit, ...offsetOf(skipped) }
}

const offsetOf = (skipped: number): { offset?: number } => (skipped === 0 ? {} : { offset: skipped })

/** The latest of the won deals is the one that was won last. */
export const orderOf = (of: Records, { field }: FieldMeaning): string =>
  of.entity === 'deal' && field === 'created_at' && isClosed(of) ? 'closed_at' : field

export function grouped(wanted: Wanted | undefined, field: FieldMeaning | undefined): Wanted | undefined {
  if (!wanted || !field || wanted.group || wanted.order || wanted.show || field.type !== 'text')
    return undefined
  const path = pathTo(wanted.of.entity, field)
  return path === undefined ? undefined : { ...wanted, measure: countable(wanted), group: { field: path } }
}

/** A figure for each of us. */
export const byOwner = (wanted: Wanted | undefined): Wanted | undefined =>
  grouped(wanted, wanted && OWNER[wanted.of.entity])

/** The city of the contact is meant before that of its company, and companies are records before they are a field. */
export function nearest(wanted: Wanted | undefined, field: FieldMeaning): Costly | undefined {
  const isOwn = field.entity === wanted?.of.entity && field.field !== 'company.name'
  return wanted && new Costly(wanted, isOwn ? 0 : 0.5)
}

export const countable = ({ measure }: Wanted): Measure =>
  measure.kind === 'list' ? { kind: 'count' } : measure

/** A field of the record, or of the one company it belongs to. */
export function pathTo(host: EntityName, field: FieldMeaning): string | undefined {
  if (field.entity === host) return field.field
  const isSingle = field.entity === 'company' && (host === 'deal' || host === 'contact')
  return isSingle ? `company.${field.field}` : undefined
}

/** What belongs to no group is none. */
export const inGroups = (wanted: Wanted, field: string): Wanted => ({
  ...wanted,
  of: { ...wanted.of, where: [...wanted.of.where, filled(field)] },
})

/** The groups whose figure compares so. */
export function havingOf(wanted: Wanted | undefined, comparison: readonly Comparator[]): Wanted | undefined {
  const [only] = comparison
  const field = wanted?.group?.field
  if (!wanted || field === undefined || !only || comparison.length > 1) return undefined
  return { ...inGroups(wanted, field), having: { op: only.op, value: only.quantity.value } }
}

/** The records with the most or the fewest of the related ones. */
export function byCount(
  host: Records,
  of: Records,
  direction: Direction,
  limit?: number,
  skipped = 0,
): Wanted | undefined {
  const relation = relationTo(host.entity, of.entity)
  const where = whole(of.where)
  if (relation === undefined || of.isListed) return undefined
  const order = { by: `${relation}.count`, direction, ...(where ? { where } : {}) }
  return { ...list(host), order, ...(limit === undefined ? {} : { limit }), ...offsetOf(skipped) }
}

/** The group with the largest or the smallest figure. */
export function first(
  wanted: Wanted | undefined,
  direction: Direction,
  limit = 1,
  skipped = 0,
): Wanted | undefined {
  const field = wanted?.group?.field
  if (!wanted || field === undefined) return undefined
  const order = { by: 'measure', direction }
  return { ...inGroups(wanted, field), order, limit, ...offsetOf(skipped) }
}
