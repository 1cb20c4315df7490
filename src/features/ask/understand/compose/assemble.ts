/** Parts of a question → the readings that they can be composed to, each with its cost. */
import type { Condition } from '../../../records/query/spec.ts'
import type { EntityName } from '../../lexicon/types.ts'
import { type Meaning, type Records, whole } from '../meaning.ts'
import { everyOf, queryOf, rateOf } from '../rules/questions.ts'
import {
  AMOUNT,
  byCount,
  CLOSED,
  type Comparator,
  count,
  first,
  grouped,
  havingOf,
  isClosed,
  isRecord,
  list,
  measured,
  orderOf,
  PRICE,
  pathTo,
  type Wanted,
} from '../rules/shared.ts'
import { type Asked, type Composed, isOpposed, ofFragment } from './fragment.ts'
import { comparedRecords, comparedValues, isCompared, rangeOf, sharesOf, whetherSo } from './pairs.ts'
import type { Parts } from './parts.ts'
import { type Costed, conditionsOn, datesOf, hostsOf, inTime, nestedOn, withTimes } from './place.ts'
import { type Roles, rolesOf, SIZES } from './roles.ts'

export function readingsFrom(parts: Parts, asked: Asked): Composed[] {
  const fragments = parts.wanted.length + parts.meanings.length
  if (fragments > 1) return []
  if (fragments === 1) return ofFragment(parts, asked)
  return [
    ...hostsOf(parts).flatMap(({ value, cost }) =>
      readingsOn(value, parts, asked).map(one => ({ ...one, cost: one.cost + cost })),
    ),
    ...comparedRecords(parts, asked),
    ...groupsWith(parts),
  ]
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
      const times = withTimes(host, said, { ...parts, times: roles.times })
      for (const { value: where, cost } of [...times, ...ofRelated(host, all, roles)]) {
        const isMany = parts.records.some(({ entity, isMany: many }) => entity === host && many)
        const of: Records = { entity: host, where, ...(isMany ? { isMany } : {}) }
        for (const one of meaningsOf(of, parts, roles, asked))
          readings.push({ value: one.value, cost: one.cost + cost + conditions.cost + roles.cost })
      }
    }
  }
  return readings
}

/** "companies with a meeting in October": the time is said of the related records. */
function ofRelated(host: EntityName, parts: Parts, { times, where }: Roles): Costed<Condition[]>[] {
  const [time, ...others] = times
  if (!time || others.length > 0) return []
  const dated = (of: Records): Records => {
    const [date] = datesOf(of.entity, of.where)
    return { ...of, where: [...of.where, ...(date ? inTime(date.value, time) : [])] }
  }
  const inRecords = parts.records.flatMap((of, i) =>
    of.entity === host ? [] : [{ ...parts, records: parts.records.with(i, dated(of)) }],
  )
  const inClauses = parts.clauses.map((clause, i) => ({
    ...parts,
    clauses: parts.clauses.with(i, { ...clause, of: dated(clause.of) }),
  }))
  return [...inRecords, ...inClauses].flatMap(said => {
    const conditions = conditionsOn(host, said)
    return conditions ? [{ value: [...conditions.value, ...where], cost: 0.25 }] : []
  })
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

  // "which deals are the largest" asks for several, the largest first; "which of our deals is" for one
  const isSeveral = of.isMany === true && roles.limit === undefined

  if (isOpposed(roles.order?.way, parts)) return []
  const ordered = roles.order && orderedBy(of, roles.order)
  if (roles.show) {
    const isOne = parts.abouts.some(isRecord)
    const each = isOne ? {} : { isEach: true as const }
    const isTurn = marks.has('next') || marks.has('last')
    const turn = ordered
      ? { ...ordered, limit }
      : isTurn
        ? inTurn(of, marks.has('next'), limit, asked.now)
        : undefined
    if (turn) put({ kind: 'query', query: queryOf(turn), show: roles.show, ...each }, 0.1)
    if (!ordered) put({ kind: 'query', query: queryOf(list(of)), show: roles.show, ...each }, isOne ? 0 : 0.3)
    return readings
  }
  if (marks.has('win rate')) {
    if (entity === 'deal') put(rateOf({ ...of, where: [...of.where, CLOSED] }), 0)
    return readings
  }
  if (roles.range) {
    put(rangeOf(of, roles.range), 0)
    return readings
  }
  if (ordered) {
    const by = ordered.order?.by
    if (!isSeveral || asked.isOne)
      putWanted({ ...ordered, limit }, by === 'expected_close_date' || by === 'probability' ? 0.2 : 0)
    if (isSeveral) putWanted(ordered, asked.isOne ? 0.3 : 0)
    return readings
  }
  const figure = figureOf(of, parts, roles)
  if (marks.has('share')) for (const share of sharesOf(of, figure)) put(share, 0.1)
  if (isCompared(parts) || isRanked) {
    const compared = comparedValues(of, figure, parts)
    if (!asked.isYesNo) put(compared, 0.1)
    if (compared && (asked.isYesNo || asked.mayBeYesNo)) put(whetherSo(compared), asked.isYesNo ? 0.1 : 0.3)
  }
  const [bucket] = parts.buckets
  if (bucket && (marks.has('per') || isRanked)) {
    for (const date of datesOf(entity, of.where))
      for (const { value, cost } of figuresOf(of, figure, parts)) {
        const all = { ...value, group: { field: date.value, bucket } }
        putWanted(isRanked ? first(all, direction, limit) : all, date.cost + cost)
      }
  }
  if (roles.group) {
    const all = grouped(figure ?? count(of), roles.group)
    if (isRanked)
      for (const { value, cost } of figuresOf(of, figure, parts))
        putWanted(first(grouped(value, roles.group), direction, limit), cost)
    else if (marks.has('count') && !marks.has('per') && all)
      put({ kind: 'query', query: queryOf(all), isNumber: true }, 0)
    else if (marks.has('per') || !parts.isFieldLast)
      for (const { value, cost } of figuresOf(of, figure, parts))
        putWanted(grouped(value, roles.group), cost + (marks.has('per') ? 0 : 0.4))
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
      putWanted({ ...list(of), order, ...(isSeveral && !asked.isOne ? {} : { limit }) }, 0.3)
    }
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
  if (marks.has('next') || marks.has('last')) {
    const turn = inTurn(of, marks.has('next'), limit, asked.now)
    putWanted(turn, 0)
    if (turn && marks.has('last') && parts.abouts.some(isRecord))
      put({ kind: 'query', query: queryOf(turn), last: 'when' }, marks.has('when') ? -0.1 : 0.4)
  }
  const isPlain = of.where.length === 0
  if (asked.isYesNo) {
    if (marks.has('all') || marks.has('both')) put(everyWith(of, parts), 0.1)
    if (marks.has('all')) put(lastOfEach(of, parts), 0.2)
    put({ kind: 'query', query: queryOf(list(of)), isYesNo: true }, isPlain ? 1.5 : 0)
  } else {
    putWanted(list(of), isPlain ? 1.5 : 0.1)
    if (asked.mayBeYesNo) put({ kind: 'query', query: queryOf(list(of)), isYesNo: true }, isPlain ? 1.5 : 0.4)
    // "won this year?" may ask for the money
    const said = JSON.stringify(of.where)
    const isMoney = said.includes('"status"') && !said.includes('"amount"')
    if (entity === 'deal' && parts.records.length === 0 && isMoney)
      putWanted(measured('sum', AMOUNT, of), 0.9)
  }
  return readings
}

function orderedBy(of: Records, { field, way, skipped }: NonNullable<Roles['order']>): Wanted {
  const order = { by: orderOf(of, field), direction: way }
  return { ...list(of), order, ...(skipped ? { offset: skipped } : {}) }
}

function figureOf(of: Records, { marks }: Parts, { measured: field }: Roles): Wanted | undefined {
  const kind = marks.has('average') ? 'avg' : marks.has('median') ? 'median' : 'sum'
  const isFigure = kind !== 'sum' || marks.has('sum')
  // "schools with more than 1,000 students" does not ask for their sum
  const isSaid = field && !isFigure && JSON.stringify(of.where).includes(`"field":"${field.field}"`)
  if (field) return isSaid ? undefined : measured(kind, field, of)
  const money = of.entity === 'deal' ? AMOUNT : of.entity === 'product' ? PRICE : undefined
  return isFigure && !marks.has('count') && money ? measured(kind, money, of) : undefined
}

/** "what have we won month by month" and "who has the biggest pipeline" may ask for the money. */
function figuresOf(of: Records, figure: Wanted | undefined, parts: Parts): Costed<Wanted>[] {
  if (figure) return [{ value: figure, cost: 0 }]
  const { marks, records, isPipeline } = parts
  const isSaid = isPipeline || (isClosed(of) && records.length === 0)
  const isMoney = isSaid && of.entity === 'deal' && !marks.has('count')
  const sum = isMoney ? measured('sum', AMOUNT, of) : undefined
  return [{ value: count(of), cost: 0 }, ...(sum ? [{ value: sum, cost: 0 }] : [])]
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

/** "open deals over 100k: are all of them high priority": what is said last is asked of all the others. */
function lastOfEach(of: Records, { abouts }: Parts): Meaning | undefined {
  const last = JSON.stringify(abouts.at(-1)?.where)
  const holds = of.where.find(where => JSON.stringify(where) === last)
  const others = of.where.filter(where => where !== holds)
  return holds && others.length > 0 ? everyOf({ ...of, where: others }, holds) : undefined
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
