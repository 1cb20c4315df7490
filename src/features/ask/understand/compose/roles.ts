/** What each field of a question may be there for: to be shown, measured, ordered or grouped by, or compared. */
import type { Condition } from '../../../records/query/spec.ts'
import type { EntityName } from '../../lexicon/types.ts'
import type { About, FieldMeaning, Records } from '../meaning.ts'
import { onDate } from '../rules/comparisons.ts'
import {
  AMOUNT,
  compared,
  type Direction,
  empty,
  isNumeric,
  isRecord,
  OWNER,
  pathTo,
  type Time,
} from '../rules/shared.ts'
import type { Parts } from './parts.ts'
import { datePassed } from './place.ts'

export interface Roles {
  abouts: About[]
  where: Condition[]
  records: Records[]
  times: Time[]
  show?: FieldMeaning
  measured?: FieldMeaning
  order?: { field: FieldMeaning; way: Direction; skipped?: number }
  /** asked is how far the largest is from the smallest */
  range?: FieldMeaning
  group?: FieldMeaning
  limit?: number
  /** a number field is equal to the number */
  isNumberSaid?: boolean
  /** a date field takes what is said to be over or still to come */
  isTensed?: boolean
  /** comparisons that no field has taken */
  comparisons: Parts['comparisons']
  cost: number
}

export const SIZES: Partial<Record<EntityName, FieldMeaning>> = {
  deal: AMOUNT,
  company: { entity: 'company', field: 'employee_count', type: 'number' },
  activity: { entity: 'activity', field: 'when', type: 'date' },
}
const PLACES: Partial<Record<EntityName, FieldMeaning>> = {
  company: { entity: 'company', field: 'city', type: 'text' },
  contact: { entity: 'contact', field: 'city', type: 'text' },
  activity: { entity: 'activity', field: 'location', type: 'text' },
}
const DATES: Partial<Record<EntityName, readonly FieldMeaning[]>> = {
  deal: [
    { entity: 'deal', field: 'expected_close_date', type: 'date' },
    { entity: 'deal', field: 'closed_at', type: 'date' },
  ],
  activity: [{ entity: 'activity', field: 'when', type: 'date' }],
}
const PROBABILITY: FieldMeaning = { entity: 'deal', field: 'probability', type: 'number' }
const REASON: FieldMeaning = { entity: 'deal', field: 'lost_reason', type: 'text' }
const MAX_LIMIT = 100
/** Fields that differ from record to record: nothing is grouped by them. */
const NAMES = /^(?:(?:full_|first_|last_)?name|email|phone|website)$/

/** Every way to give the fields, the order and the numbers a role; none where one is left without. */
export function rolesOf(host: EntityName, parts: Parts, now: Date): Roles[] {
  const begin: Roles = {
    abouts: [],
    where: [],
    records: parts.records,
    times: parts.times,
    comparisons: parts.comparisons,
    cost: 0,
  }
  let all = ordered(host, parts, begin)
  for (const field of parts.fields)
    all = all.flatMap(roles => withField(host, field, parts, roles, now)).slice(0, 60)
  const isTensed = parts.marks.has('passed') || parts.marks.has('ahead')
  return all
    .filter(roles => !isTensed || roles.isTensed)
    .flatMap(roles => asked(host, parts, roles))
    .flatMap(roles => withComparisons(host, roles))
    .flatMap(roles => withNumbers(parts, roles))
}

/** A superlative orders by its own field, by one that is named, or by the size of the record. */
function ordered(host: EntityName, { orders, fields, marks, isPipeline }: Parts, roles: Roles): Roles[] {
  const [order, ...others] = orders
  const own = [...fields, ...orders.map(({ field }) => field), ...(SIZES[host] ? [SIZES[host]] : [])]
  const isRange =
    marks.has('difference') &&
    (new Set(orders.map(({ direction }) => direction)).size === 2 ||
      (marks.has('most') && marks.has('least')))
  const range = own.find(field => isNumeric(field) && field.entity === host)
  if (isRange) return range ? [{ ...roles, range }] : []
  if (!order) return [roles]
  if (others.length > 0) return []
  const { direction: way, skipped, noun = host } = order
  // "the deal of the smallest school" is not the smallest deal, and who has the largest pipeline need not have that
  if (noun !== host || isPipeline) return []
  const by = (field: FieldMeaning, cost: number): Roles => ({
    ...roles,
    order: { field, way, ...(skipped ? { skipped } : {}) },
    cost: roles.cost + cost,
  })
  const size = SIZES[host]
  return [
    ...(order.field.entity === host ? [by(order.field, 0)] : []),
    ...(size && order.field.entity !== host ? [by(size, 0.4)] : []),
    ...fields.filter(({ entity, type }) => entity === host && type !== 'text').map(field => by(field, 0)),
  ]
}

const pathOf = (host: EntityName, field: FieldMeaning): FieldMeaning | undefined => {
  const path = pathTo(host, field)
  return path === undefined ? undefined : { ...field, entity: host, field: path }
}

function withField(host: EntityName, field: FieldMeaning, parts: Parts, roles: Roles, now: Date): Roles[] {
  const { marks, abouts } = parts
  const options: Roles[] = []
  const put = (more: Partial<Roles>, cost: number) =>
    options.push({ ...roles, ...more, cost: roles.cost + cost })
  const own = pathOf(host, field)
  const isFree = !roles.show && !roles.measured && !roles.group
  const isNamed = abouts.some(isRecord)
  const today = now.toISOString().slice(0, 10)
  if (JSON.stringify([abouts, roles.order?.field]).includes(`"field":"${field.field}"`)) put({}, 0)
  const [number, ...otherNumbers] = parts.numbers
  // "payment days 60", "with 3 lifts"
  if (own && isNumeric(field) && number && otherNumbers.length === 0 && !roles.isNumberSaid) {
    const about = compared(own, [{ op: 'eq', quantity: number }])
    if (about) put({ abouts: [...roles.abouts, about], isNumberSaid: true }, 0.2)
  }
  if (field.field === 'birthday' && host === 'contact' && marks.has('next') && !roles.order) {
    const order = { field: { ...field, field: 'birthday_day' }, way: 'asc' } as const
    put({ where: [...roles.where, { field: 'birthday_day', op: 'gte', value: today.slice(5) }], order }, -0.3)
  }
  const [comparison, ...others] = roles.comparisons
  const about = comparison && compared(field, comparison)
  if (about) put({ abouts: [...roles.abouts, about], comparisons: others }, 0)
  const [time, ...times] = roles.times
  const tense = tenseOf(field, parts, roles, today)
  const isTensed = tense.length > 0
  const said = time && field.field === 'birthday' ? fromToday(time, today) : time
  const then = said && onDate(field, isTensed ? { ...said, past: said.future } : said)
  if (then) put({ abouts: [...roles.abouts, then, ...tense], times, isTensed }, 0)
  else if (isTensed) put({ abouts: [...roles.abouts, ...tense], isTensed }, -0.1)
  // "events in December": of a field of the account it is not known whether it lies ahead
  const isOwn = field.field.startsWith('cf.')
  const ahead = time && isOwn && !isTensed && onDate(field, { ...time, past: time.future })
  if (ahead) put({ abouts: [...roles.abouts, ahead], times }, 0.05)
  if (isOwn && field.type === 'date' && field.entity === host && marks.has('next') && !roles.order) {
    const where = [...roles.where, ...datePassed(field, today, false)]
    put({ where, order: { field, way: 'asc' }, isTensed: true }, -0.1)
  }
  if (own && isFree && roles.order && roles.order.field.field !== field.field) put({ show: own }, 0.2)
  if (own && isFree && !roles.order) {
    const isFigure = ['sum', 'average', 'median', 'count'].some(mark => marks.has(mark as 'sum'))
    const isRanked = marks.has('most') || marks.has('least')
    if (isNumeric(field) && field.entity === host) {
      if (isFigure) put({ measured: field }, 0)
      else put({ measured: field }, 1.3)
      if (isRanked) put({ order: { field, way: marks.has('least') ? 'asc' : 'desc' } }, 0)
    }
    if (field.type === 'date' && isRanked && field.entity === host)
      put({ order: { field, way: marks.has('least') ? 'asc' : 'desc' } }, 0)
    // whether it is ticked is shown of a record that is named
    if ((!isRanked && field.type !== 'flag') || isNamed)
      put({ show: own }, isNamed ? 0 : isFigure ? 0.9 : 0.35)
    if (field.type === 'text' && !NAMES.test(field.field))
      put({ group: field }, isRanked || marks.has('per') ? 0 : 0.5)
  }
  if (field.type === 'flag') {
    put({ abouts: [...roles.abouts, empty(field, false)] }, 0.1)
  } else if (field.type === 'date' && field.entity === host) {
    put({ where: [...roles.where, ...datePassed(field, today, true)] }, 0.6)
    put({ where: [...roles.where, ...datePassed(field, today, false)] }, 0.7)
  }
  if (field.type !== 'flag') {
    put({ abouts: [...roles.abouts, empty(field, false)] }, 1)
  }
  return options
}

/** Of what is still to be done a date may have passed. */
const OVER: Record<string, Condition> = {
  expected_close_date: { field: 'status', op: 'eq', value: 'open' },
  falls_due_at: { field: 'status', op: 'in', value: ['planned', 'in_progress'] },
}

/** "has run out", "is still to come", and "runs out before May", which is not said of what has run out; hints tell of other dates. */
function tenseOf(field: FieldMeaning, { marks }: Parts, { times: [time] }: Roles, today: string): About[] {
  const isOver = OVER[field.field]
  if (isOver && marks.has('passed'))
    return [{ entity: field.entity, where: { and: [...datePassed(field, today, true), isOver] } }]
  if (field.type !== 'date' || !field.field.startsWith('cf.')) return []
  const isBefore = time?.future.from === null && (time.future.to ?? '') > today
  const isAhead = marks.has('ahead') || (marks.has('ends') && isBefore)
  if (!isAhead && !marks.has('passed')) return []
  return [{ entity: field.entity, where: { and: datePassed(field, today, !isAhead) } }]
}

/** A birthday before the end of the month is still to come. */
const fromToday = (time: Time, today: string): Time =>
  time.future.from === null && (time.future.to ?? today) > today
    ? { ...time, future: { ...time.future, from: today } }
    : time

/** "when", "where", "why" and "who owns" ask for a field without naming it. */
function asked(host: EntityName, { marks }: Parts, roles: Roles): Roles[] {
  if (roles.show || roles.measured || roles.group || roles.range) return [roles]
  const options: Roles[] = [{ ...roles, cost: roles.cost + (roles.order ? 0 : 0.4) }]
  const put = (show: FieldMeaning | undefined, cost: number) => {
    if (show) options.push({ ...roles, show, cost: roles.cost + cost })
  }
  if (marks.has('when')) for (const [i, field] of (DATES[host] ?? []).entries()) put(field, 0.2 * i)
  if (marks.has('where')) put(PLACES[host], 0)
  if (marks.has('why') && host === 'deal') put(REASON, 0)
  if (marks.has('owner')) put(OWNER[host], 0)
  else if (marks.has('who')) put(OWNER[host], 0.7)
  return options.length > 1 ? options : [roles]
}

/** A comparison without a field is one of the size of the record. */
function withComparisons(host: EntityName, roles: Roles): Roles[] {
  const [comparison, ...others] = roles.comparisons
  if (!comparison) return [roles]
  const isMoney = comparison.every(({ quantity }) => quantity.isMoney)
  const isPercent = comparison.some(({ quantity }) => quantity.isPercent)
  const sizes = [...(isMoney ? [AMOUNT] : []), ...(SIZES[host] ? [SIZES[host]] : [])]
  const fields = isPercent ? [PROBABILITY] : sizes
  return fields.flatMap(field => {
    const about = compared(field, comparison)
    if (!about || others.length > 0) return []
    return [{ ...roles, abouts: [...roles.abouts, about], comparisons: others, cost: roles.cost + 0.3 }]
  })
}

/** A number that compares nothing limits a list. */
function withNumbers({ numbers }: Parts, roles: Roles): Roles[] {
  const [number, ...others] = numbers
  if (!number || roles.isNumberSaid) return [roles]
  const isLimit =
    Number.isInteger(number.value) && number.value > 0 && number.value <= MAX_LIMIT && !number.isMoney
  return isLimit && others.length === 0 ? [{ ...roles, limit: number.value }] : []
}
