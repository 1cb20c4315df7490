/** Parses → what is understood: the cheapest readings, each in the same form for the same meaning, none that contradicts itself. */
import type { Condition, FieldCondition, Query } from '../../records/query/spec.ts'
import type { Edge } from './chart.ts'
import { canHaveOthers, isField, isOneChoice, type Meaning } from './meaning.ts'

export interface Understood {
  meaning: Meaning
  /** other readings that are about as likely; the caller must ask which one is meant */
  alternatives: Meaning[]
  /** it leans on the question before, and means nothing or something else alone */
  isFollowUp?: true
}

/** Readings closer than this in cost are both plausible. */
const MARGIN = 0.3

/** The cheapest reading, and those that are about as cheap. */
export function understoodFrom(parses: readonly Edge[]): Understood | undefined {
  const readings = new Map<string, { meaning: Meaning; cost: number }>()
  for (const { meaning, cost } of parses) {
    const normal = normalised(meaning as Meaning)
    if (isContradiction(normal)) continue
    const key = JSON.stringify(normal.kind === 'query' ? [normal.query, normal.show] : normal)
    if (!readings.has(key)) readings.set(key, { meaning: normal, cost })
  }
  const [best, ...others] = readings.values()
  if (!best) return undefined
  const close = others.filter(({ cost }) => cost < best.cost + MARGIN)
  return { meaning: best.meaning, alternatives: close.map(({ meaning }) => meaning) }
}

export function normalised(meaning: Meaning): Meaning {
  if (meaning.kind === 'every')
    return { kind: 'every', set: normalQuery(meaning.set), exceptions: normalQuery(meaning.exceptions) }
  if (meaning.kind === 'share')
    return { kind: 'share', query: normalQuery(meaning.query), whole: normalQuery(meaning.whole) }
  return { ...meaning, query: normalQuery(meaning.query) }
}

export function queriesOf(meaning: Meaning): Query[] {
  if (meaning.kind === 'every') return [meaning.set, meaning.exceptions]
  return meaning.kind === 'share' ? [meaning.query, meaning.whole] : [meaning.query]
}

export const normalQuery = (query: Query): Query =>
  query.where === undefined ? query : { ...query, where: plain(query.where) }

/**
 * The same query for the same meaning, however it was derived: nested `and`s are flattened, repeats dropped, and the
 * order in which conditions were said does not matter.
 */
function plain(where: Condition): Condition {
  if ('and' in where)
    return joined(
      'and',
      where.and.map(plain).flatMap(part => ('and' in part ? part.and : [part])),
    )
  if ('or' in where)
    return joined(
      'or',
      where.or.map(plain).flatMap(part => ('or' in part ? part.or : [part])),
    )
  if ('not' in where) {
    const inner = plain(where.not)
    return 'not' in inner ? inner.not : { not: inner }
  }
  if (isField(where)) return single(where)
  if (where.where === undefined) return where
  return { ...where, where: plain(where.where) }
}

/** One of a single value is that value; ids and choices of several stay a list. */
function single(where: FieldCondition): Condition {
  const isList = where.op === 'in' && where.field !== 'id' && !isOneChoice(where)
  const only = isList && Array.isArray(where.value) ? where.value : []
  return only.length === 1 ? { ...where, op: 'eq', value: only[0] } : where
}

function joined(kind: 'and' | 'or', parts: readonly Condition[]): Condition {
  const all = kind === 'and' && parts.some(isCompleted) ? parts.flatMap(ofCompleted) : parts
  const unique = [...new Map(all.map(part => [JSON.stringify(part), part]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, part]) => part)
  const [only] = unique
  if (unique.length === 1 && only) return only
  return kind === 'and' ? { and: unique } : { or: unique }
}

const isCompleted = (where: Condition): boolean =>
  isField(where) && where.field === 'status' && (where.op ?? 'eq') === 'eq' && where.value === 'completed'

/** What is completed was not cancelled, is no longer to be done, and was when it happened. */
function ofCompleted(where: Condition): Condition[] {
  if (isField(where) && where.field === 'when') return [{ ...where, field: 'happened_at' }]
  const isImplied = isField(where)
    ? where.field === 'status' && where.op === 'ne'
    : 'or' in where && JSON.stringify(where).includes('"value":"task"')
  return isImplied ? [] : [where]
}

// ---- contradictions

/** Also where what is counted is no part of what it is a share of: "won deals of existing business among the won others". */
export function isContradiction(meaning: Meaning): boolean {
  const wheres = queriesOf(meaning).flatMap(({ where }) => (where ? [where] : []))
  const all: Condition[] = meaning.kind === 'share' ? [...wheres, { and: wheres }] : wheres
  return all.some(contradictsItself)
}

/**
 * Conditions that no record can meet: "completed meetings that are due" took the open ones for due and answered 0. A
 * reading that contradicts itself is a wrong reading.
 */
export function contradictsItself(where: Condition | undefined): boolean {
  if (where === undefined) return false
  const parts = conjuncts(where)
  if (isDoneAndOverdue(parts) || isBothSaidAndNegated(parts)) return true
  const allowed = new Map<string, Set<unknown>>()
  return parts.some(part => {
    if ('or' in part) return part.or.every(contradictsItself)
    if ('not' in part || 'and' in part) return false
    if ('where' in part) return contradictsItself(part.where)
    if (!('field' in part)) return false
    const values = valuesOf(part)
    if (values === undefined) return false
    const before = allowed.get(part.field)
    const both = values.filter(value => before?.has(value) ?? true)
    allowed.set(part.field, new Set(both))
    return both.length === 0
  })
}

const conjuncts = (where: Condition): Condition[] => ('and' in where ? where.and.flatMap(conjuncts) : [where])

function isBothSaidAndNegated(parts: readonly Condition[]): boolean {
  const said = new Set(parts.map(part => JSON.stringify(part)))
  return parts.some(part => 'not' in part && said.has(JSON.stringify(part.not)))
}

/** Only what is still to be done is overdue: "completed late" asks when it was done. */
function isDoneAndOverdue(parts: readonly Condition[]): boolean {
  const only = (name: string, ...values: unknown[]) =>
    parts.some(
      part =>
        'field' in part && part.field === name && valuesOf(part)?.every(value => values.includes(value)),
    )
  return only('is_overdue', true) && only('status', 'completed', 'cancelled')
}

/** The values that a condition allows for its field; undefined where it does not list them. */
function valuesOf(part: FieldCondition): readonly unknown[] | undefined {
  const { op = 'eq', value } = part
  if (canHaveOthers(part)) return undefined
  if (op === 'eq') return [value]
  return op === 'in' && Array.isArray(value) ? value : undefined
}
