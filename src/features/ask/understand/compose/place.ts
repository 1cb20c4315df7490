/** Which kind of record a question is about, and what is said of it, wherever in the question it is said. */
import type { Condition } from '../../../records/query/spec.ts'
import { ANY_ENTITY, type EntityName } from '../../lexicon/types.ts'
import {
  type About,
  clauseOn,
  type FieldMeaning,
  liftCost,
  on,
  type Records,
  relationTo,
} from '../meaning.ts'
import { boundsOf, dated, isClosed, isRecord, type Time } from '../rules/shared.ts'
import type { Parts } from './parts.ts'

export interface Costed<T> {
  value: T
  cost: number
}

/** The kinds of record that the question may ask for: those it names, or those that its fields and values belong to. */
export function hostsOf({ records, fields, abouts, clauses, marks }: Parts): Costed<EntityName>[] {
  const costs = new Map<EntityName, number>()
  const propose = (entity: EntityName | typeof ANY_ENTITY, cost: number) => {
    if (entity !== ANY_ENTITY) costs.set(entity, Math.min(cost, costs.get(entity) ?? cost))
  }
  // "who are the tasks about": a person before what it names
  const isPerson = marks.has('who') ? 0.3 : 0
  for (const [i, { entity }] of records.entries())
    propose(entity, 0.2 * i + (entity === 'contact' ? 0 : isPerson))
  if (marks.has('who')) propose('contact', 0.1)
  if (marks.has('colleagues')) propose('contact', records.length === 0 ? 0.1 : 0.8)
  // a noun says more of what is asked than a field or a value
  const isNamed = records.length > 0 ? 0.4 : 0
  for (const { entity } of fields) propose(entity, 0.35 + isNamed)
  for (const { entity } of abouts) propose(entity, 0.6 + isNamed)
  if (marks.has('sum')) propose('deal', records.length === 0 ? 0.5 : 1)
  if (clauses.length > 0) {
    propose('company', 0.9)
    propose('contact', 1)
  }
  return [...costs].map(([value, cost]) => ({ value, cost }))
}

/** A condition on the host, also where it is a state of a related record. */
export function lifted(host: EntityName, about: About): Costed<Condition> | undefined {
  const direct = on(host, about)
  if (direct) return { value: direct, cost: liftCost(host, about) * 0.5 }
  if (about.entity === host || about.entity === ANY_ENTITY) return undefined
  const relation = relationTo(host, about.entity)
  if (relation === undefined) return undefined
  const { where } = about
  const value: Condition =
    'not' in where ? { not: { some: relation, where: where.not } } : { some: relation, where }
  return { value, cost: isRecord(about) ? 0.2 : about.isState ? 1.5 : 0.8 }
}

/** All conditions on the host; undefined where one of them cannot be said of it. */
export function conditionsOn(
  host: EntityName,
  { records, abouts, clauses }: Pick<Parts, 'records' | 'abouts' | 'clauses'>,
): Costed<Condition[]> | undefined {
  const all: (Costed<Condition> | undefined)[] = []
  for (const of of records) {
    if (of.entity === host) all.push(...of.where.map(value => ({ value, cost: 0 })))
    else if (of.where.length > 0 || !isImplied(of, abouts)) {
      const value = clauseOn(host, { kind: 'some', of })
      all.push(value && { value, cost: of.where.length > 0 ? 0.2 : 0.4 })
    }
  }
  for (const about of abouts) all.push(lifted(host, about))
  for (const clause of clauses) {
    const value = clauseOn(host, clause)
    all.push(value && { value, cost: 0.1 })
  }
  if (all.some(one => one === undefined)) return undefined
  const found = all.filter(one => one !== undefined)
  return { value: found.map(({ value }) => value), cost: found.reduce((sum, { cost }) => sum + cost, 0) }
}

/**
 * "people at companies with an open deal": what is not said of the host itself is said of the other records that it
 * names, and they of the host.
 */
export function nestedOn(
  host: EntityName,
  parts: Pick<Parts, 'records' | 'abouts' | 'clauses'>,
): Costed<Condition[]> | undefined {
  // "who do we know at companies": they are said with the people
  const atOnes = parts.records.find(({ entity, where }) => entity === host && where.some(isAtOnes))
  const middle: Records | undefined =
    atOnes && parts.records.every(({ entity }) => entity !== 'company')
      ? { entity: 'company', where: [] }
      : parts.records.find(({ entity, isListed }) => entity !== host && !isListed)
  if (!middle) return undefined
  const isOwn = ({ entity }: { entity: string }) => entity === host
  const others = parts.records.filter(one => one !== middle)
  const inner = conditionsOn(middle.entity, {
    records: [middle, ...others.filter(one => !isOwn(one))],
    abouts: parts.abouts.filter(about => !isOwn(about)),
    clauses: parts.clauses,
  })
  if (!inner || inner.value.length <= middle.where.length) return undefined
  const outer = conditionsOn(host, {
    records: [
      ...others.filter(isOwn).map(one => ({ ...one, where: one.where.filter(where => !isAtOnes(where)) })),
      { ...middle, where: inner.value },
    ],
    abouts: parts.abouts.filter(isOwn),
    clauses: [],
  })
  return outer && { value: outer.value, cost: outer.cost + inner.cost + (atOnes ? -0.5 : 0.1) }
}

const isAtOnes = (where: Condition): boolean => JSON.stringify(where) === '{"some":"companies"}'

/** "the company of Ann Lee": that there is one need not be said again. */
const isImplied = ({ entity }: Records, abouts: readonly About[]): boolean =>
  abouts.some(about => about.entity === entity)

/** The dates that a time may be compared with. */
export function datesOf(host: EntityName, where: readonly Condition[]): Costed<string>[] {
  const text = JSON.stringify(where)
  const isEnded = isClosed({ entity: host, where })
  if (host === 'deal') {
    return isEnded
      ? [{ value: 'closed_at', cost: 0 }]
      : [
          { value: 'expected_close_date', cost: 0.2 },
          { value: 'created_at', cost: 0.5 },
          { value: 'closed_at', cost: 0.6 },
        ]
  }
  if (host === 'activity') {
    const isDone = text.includes('"completed"')
    return [
      { value: isDone ? 'happened_at' : 'when', cost: 0 },
      { value: 'falls_due_at', cost: 0.4 },
      { value: 'planned_at', cost: 0.5 },
    ]
  }
  return [{ value: 'created_at', cost: 0.5 }]
}

export function inTime(field: string, time: Time): Condition[] {
  const about = dated({ entity: ANY_ENTITY, where: { and: [] }, date: field }, time)
  return about && 'and' in about.where ? [...about.where.and] : []
}

/** A date field without a comparison: it has passed, it is to come, or it is there. */
export const datePassed = ({ field }: FieldMeaning, today: string, isPassed: boolean): Condition[] =>
  isPassed ? boundsOf(field, { from: null, to: today }) : boundsOf(field, { from: today, to: null })

/** What is said, with the times on the dates that they may be compared with. */
export function withTimes(
  host: EntityName,
  where: Condition[],
  { times }: Pick<Parts, 'times'>,
): Costed<Condition[]>[] {
  const [time, other, ...more] = times
  if (!time) return [{ value: where, cost: 0 }]
  if (more.length > 0) return []
  const dates = datesOf(host, where)
  if (!other) return dates.map(({ value, cost }) => ({ value: [...where, ...inTime(value, time)], cost }))
  // "created this year and closing next month": each is said of another date
  return dates.flatMap(one =>
    dates
      .filter(({ value }) => value !== one.value)
      .map(two => ({
        value: [...where, ...inTime(one.value, time), ...inTime(two.value, other)],
        cost: one.cost + two.cost + 0.2,
      })),
  )
}
