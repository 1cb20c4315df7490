/** Parts of a question → the readings that they can be composed to, each with its cost. */
import type { Condition } from '../../../records/query/spec.ts'
import type { EntityName } from '../../lexicon/types.ts'
import { type About, type FieldMeaning, type Meaning, type Records, whole } from '../meaning.ts'
import { everyOf, queryOf } from '../rules/questions.ts'
import {
  AMOUNT,
  byCount,
  type Comparator,
  count,
  first,
  grouped,
  havingOf,
  isNumeric,
  isRecord,
  list,
  measured,
  OWNER,
  PRICE,
  pathTo,
  type Wanted,
} from '../rules/shared.ts'
import type { Parts } from './parts.ts'
import { type Costed, conditionsOn, datesOf, hostsOf, inTime, nestedOn } from './place.ts'
import { type Roles, rolesOf, SIZES } from './roles.ts'

/** How the question is worded as a whole. */
export interface Asked {
  /** it begins as one that is answered with yes or no */
  isYesNo: boolean
  /** a part of it does */
  mayBeYesNo: boolean
  now: Date
}

export type Composed = Costed<Meaning>

export function readingsFrom(parts: Parts, asked: Asked): Composed[] {
  const fragments = parts.wanted.length + parts.meanings.length
  if (fragments > 1) return []
  if (fragments === 1) return ofFragment(parts, asked)
  return [
    ...hostsOf(parts).flatMap(({ value, cost }) =>
      readingsOn(value, parts, asked).map(one => ({ ...one, cost: one.cost + cost })),
    ),
    ...comparedRecords(parts, asked),
    ...colleaguesOf(parts),
    ...groupsWith(parts),
  ]
}

// ---- a part of the question is a whole question; what else is said narrows it

function ofFragment(parts: Parts, asked: Asked): Composed[] {
  const { wanted, meanings, fields, orders, comparisons, numbers, buckets } = parts
  const isRest = [...orders, ...comparisons, ...numbers, ...buckets].length > 0
  const entity = (wanted[0]?.of.entity ?? entityOf(meanings[0])) as EntityName | undefined
  if (isRest || entity === undefined || fields.some(field => !isSaid(field, parts))) return []
  const conditions = conditionsOn(entity, parts)
  if (!conditions) return []
  return withTimes(entity, conditions.value, parts).flatMap(({ value, cost }) => {
    const meaning = wanted[0] ? narrowedWanted(wanted[0], value, asked) : narrowedMeaning(meanings[0], value)
    return meaning ? [{ value: meaning, cost: cost + conditions.cost }] : []
  })
}

const entityOf = (meaning: Meaning | undefined): string | undefined =>
  meaning?.kind === 'every' ? meaning.set.entity : meaning?.query.entity

const isSaid = ({ field }: FieldMeaning, { abouts, wanted, meanings }: Parts): boolean =>
  JSON.stringify([abouts, wanted, meanings]).includes(`"field":"${field}"`)

function narrowedWanted(wanted: Wanted, more: readonly Condition[], { isYesNo }: Asked): Meaning {
  const query = queryOf({ ...wanted, of: { ...wanted.of, where: [...wanted.of.where, ...more] } })
  const isAsked =
    (wanted.isYesNo || isYesNo) && wanted.measure.kind === 'list' && !wanted.group && !wanted.show
  return {
    kind: 'query',
    query,
    ...(wanted.show ? { show: wanted.show, isEach: true } : {}),
    ...(isAsked ? { isYesNo: true } : {}),
  }
}

function narrowedMeaning(meaning: Meaning | undefined, more: readonly Condition[]): Meaning | undefined {
  if (!meaning || more.length === 0) return meaning
  if (meaning.kind !== 'query') return undefined
  const where = whole([...(meaning.query.where ? [meaning.query.where] : []), ...more])
  return { ...meaning, query: { ...meaning.query, ...(where ? { where } : {}) } }
}

// ---- what is said of a kind of record, in whatever order

function readingsOn(host: EntityName, parts: Parts, asked: Asked): Composed[] {
  const readings: Composed[] = []
  for (const roles of rolesOf(host, parts, asked.now)) {
    const abouts = [...parts.abouts, ...roles.abouts]
    const all = { ...parts, records: roles.records, abouts }
    for (const conditions of [conditionsOn(host, all), nestedOn(host, all)]) {
      if (!conditions) continue
      const said = [...conditions.value, ...roles.where]
      for (const { value: where, cost } of withTimes(host, said, { ...parts, times: roles.times })) {
        const isMany = parts.records.some(({ entity, isMany: many }) => entity === host && many)
        const of: Records = { entity: host, where, ...(isMany ? { isMany } : {}) }
        for (const one of meaningsOf(of, parts, roles, asked))
          readings.push({ value: one.value, cost: one.cost + cost + conditions.cost + roles.cost })
      }
    }
  }
  return readings
}

function withTimes(
  host: EntityName,
  where: Condition[],
  { times }: Pick<Parts, 'times'>,
): Costed<Condition[]>[] {
  const [time, ...others] = times
  if (!time) return [{ value: where, cost: 0 }]
  if (others.length > 0) return []
  return datesOf(host, where).map(({ value, cost }) => ({ value: [...where, ...inTime(value, time)], cost }))
}

function meaningsOf(of: Records, parts: Parts, roles: Roles, asked: Asked): Composed[] {
  const { marks } = parts
  const { entity } = of
  const readings: Composed[] = []
  const put = (value: Meaning | undefined, cost: number) => {
    if (value) readings.push({ value, cost })
  }
  const putWanted = (wanted: Wanted | undefined, cost: number) =>
    put(wanted && { kind: 'query', query: queryOf(wanted) }, cost)
  const limit = roles.limit ?? 1
  const direction = marks.has('least') ? 'asc' : 'desc'
  const isRanked = marks.has('most') || marks.has('least')

  if (roles.show) {
    const isOne = parts.abouts.some(isRecord)
    const each = isOne ? {} : { isEach: true as const }
    put({ kind: 'query', query: queryOf(list(of)), show: roles.show, ...each }, isOne ? 0 : 0.3)
    return readings
  }
  if (roles.order) {
    const { field, way, skipped } = roles.order
    const order = { by: field.field, direction: way }
    const ahead = field.field === 'expected_close_date' || field.field === 'probability'
    const ordered = { ...list(of), order, ...(skipped ? { offset: skipped } : {}) }
    putWanted({ ...ordered, limit }, ahead ? 0.2 : 0)
    if (of.isMany && roles.limit === undefined) putWanted(ordered, 0.3)
    return readings
  }
  const figure = figureOf(of, parts, roles)
  if (roles.group) {
    const all = grouped(figure ?? count(of), roles.group)
    if (isRanked) putWanted(first(all, direction, limit), 0)
    else if (marks.has('count') && !marks.has('per') && all)
      put({ kind: 'query', query: queryOf(all), isNumber: true }, 0)
    else putWanted(all, marks.has('per') ? 0 : 0.4)
    return readings
  }
  if (isRanked) {
    for (const other of parts.records.filter(one => one.entity !== entity)) {
      const host = { ...of, where: of.where.filter(one => !('some' in one)) }
      putWanted(byCount(host, other, direction, limit), 0.2)
    }
    const size = SIZES[entity]
    if (size && readings.length === 0) {
      const order = { by: size.field, direction } as const
      putWanted({ ...list(of), order, limit }, 0.3)
    }
    const owner = OWNER[entity]
    if (marks.has('who') && owner) putWanted(first(grouped(figure ?? count(of), owner), direction), 0.3)
    return readings
  }
  if (figure) {
    putWanted(figure, 0)
    return readings
  }
  if (marks.has('count')) {
    putWanted(count(of), 0)
    return readings
  }
  if (marks.has('next') || marks.has('last')) putWanted(inTurn(of, marks.has('next'), limit, asked.now), 0)
  const isPlain = of.where.length === 0
  if (asked.isYesNo) {
    if (marks.has('all') || marks.has('both')) put(everyWith(of, parts), 0.1)
    put(
      { kind: 'query', query: queryOf(list(of)), isYesNo: true },
      isPlain ? 1.5 : marks.has('all') ? 0.8 : 0,
    )
  } else {
    putWanted(list(of), isPlain ? 1.5 : 0.1)
    if (asked.mayBeYesNo) put({ kind: 'query', query: queryOf(list(of)), isYesNo: true }, isPlain ? 1.5 : 0.4)
    // "won this year?" may ask for the money
    const isCompared = JSON.stringify(of.where).includes('"amount"')
    if (entity === 'deal' && parts.records.length === 0 && !isCompared)
      putWanted(measured('sum', AMOUNT, of), 0.9)
  }
  return readings
}

function figureOf(of: Records, { marks }: Parts, { measured: field }: Roles): Wanted | undefined {
  const kind = marks.has('average') ? 'avg' : marks.has('median') ? 'median' : 'sum'
  if (field) return measured(kind, field, of)
  const isFigure = kind !== 'sum' || marks.has('sum')
  const money = of.entity === 'deal' ? AMOUNT : of.entity === 'product' ? PRICE : undefined
  return isFigure && !marks.has('count') && money ? measured(kind, money, of) : undefined
}

/** The next ones that are planned, or the last that took place. */
function inTurn(of: Records, isNext: boolean, limit: number, now: Date): Wanted | undefined {
  if (of.entity !== 'activity') return undefined
  const ahead: Condition[] = [
    { field: 'status', op: 'eq', value: 'planned' },
    { field: 'when', op: 'gte', value: now.toISOString() },
  ]
  const past: Condition[] = [{ field: 'status', op: 'eq', value: 'completed' }]
  const such = { ...of, where: [...of.where, ...(isNext ? ahead : past)] }
  return { ...list(such), order: { by: 'when', direction: isNext ? 'asc' : 'desc' }, limit }
}

/** Named records, or those of a noun, all of which are to be as the rest says. */
function everyWith(of: Records, { abouts, records }: Parts): Meaning | undefined {
  const isSet = (where: Condition) =>
    abouts.some(about => isRecord(about) && JSON.stringify(about.where) === JSON.stringify(where)) ||
    records.some(one => one.where.some(own => JSON.stringify(own) === JSON.stringify(where)))
  const set = { ...of, where: of.where.filter(isSet) }
  return everyOf(set, whole(of.where.filter(where => !isSet(where))))
}

// ---- two records beside each other

const STAFF: FieldMeaning = { entity: 'company', field: 'employee_count', type: 'number' }

function comparedRecords({ abouts, fields, marks, numbers }: Parts, { isYesNo }: Asked): Composed[] {
  if (!(marks.has('difference') || marks.has('larger')) || numbers.length > 0) return []
  const named = abouts.filter(isRecord).flatMap(idsOf)
  const [one, other] = named
  const isOther = abouts.some(
    about => !isRecord(about) && !JSON.stringify(about.where).includes('"currency"'),
  )
  if (!one || !other || named.length !== 2 || isOther) return []
  const own = fields.find(isNumeric)
  // "more open money than" is no comparison of sizes
  if (!own && marks.has('sum') && one.entity !== 'deal') return []
  const field = own ?? (one.entity === 'company' ? STAFF : AMOUNT)
  if (field.entity !== one.entity || one.entity !== other.entity) return []
  const of = { entity: field.entity, where: [{ or: [one.where, other.where] }] }
  const sum = measured('sum', field, of)
  if (!sum) return []
  const query = queryOf(sum)
  const sides = [one, other].map(({ where }) => ({ is: where, query: { ...query, where } }))
  const meaning: Meaning = { kind: 'compare', query, sides, ...(isYesNo ? { isYesNo: true } : {}) }
  return [{ value: meaning, cost: own ? 0 : 0.2 }]
}

const idsOf = ({ entity, where }: About): { entity: string; where: Condition }[] =>
  'field' in where && where.field === 'id'
    ? [where.value ?? []]
        .flat()
        .map(id => ({ entity, where: { field: 'id', op: 'in', value: [String(id)] } }))
    : []

// ---- who else works at the company of a person

function colleaguesOf({ abouts, marks }: Parts): Composed[] {
  const person = abouts.find(about => about.entity === 'contact' && isRecord(about))
  if (!marks.has('colleagues') || !person) return []
  const where: Condition[] = [
    { some: 'companies', where: { some: 'contacts', where: person.where } },
    { not: person.where },
  ]
  return [{ value: { kind: 'query', query: queryOf(list({ entity: 'contact', where })) }, cost: 0 }]
}

// ---- "countries with only one company"

function groupsWith({ fields, clauses, abouts, records }: Parts): Composed[] {
  const [clause] = clauses
  const [field] = fields.filter(({ type }) => type === 'text')
  if (clause?.kind !== 'count' || !field || clauses.length > 1) return []
  const { entity } = clause.of
  if (pathTo(entity, field) === undefined) return []
  const more = conditionsOn(entity, { abouts, records, clauses: [] })
  if (!more) return []
  const of = { ...clause.of, where: [...clause.of.where, ...more.value] }
  const comparison = (clause.compare ?? []).map(
    ({ op, value }): Comparator => ({ op, quantity: { value, isMoney: false } }),
  )
  const wanted = havingOf(grouped(count(of), field), comparison)
  return wanted ? [{ value: { kind: 'query', query: queryOf(wanted) }, cost: more.cost }] : []
}
