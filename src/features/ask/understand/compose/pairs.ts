/** Two figures beside each other: of two records, of two values, the largest and the smallest; and the share of one in another. */
import type { Condition } from '../../../records/query/spec.ts'
import { type About, type FieldMeaning, isField, type Meaning, type Records } from '../meaning.ts'
import { shareOf } from '../rules/compare.ts'
import { queryOf } from '../rules/questions.ts'
import { AMOUNT, count, isNumeric, isRecord, measured, type Wanted } from '../rules/shared.ts'
import type { Asked } from './fragment.ts'
import type { Parts } from './parts.ts'
import type { Costed } from './place.ts'

const STAFF: FieldMeaning = { entity: 'company', field: 'employee_count', type: 'number' }

export function comparedRecords(
  parts: Parts,
  { isYesNo, mayBeYesNo }: Pick<Asked, 'isYesNo' | 'mayBeYesNo'>,
): Costed<Meaning>[] {
  const { abouts, fields, marks, numbers } = parts
  if (!isCompared(parts) || numbers.some(({ value }) => value !== 2)) return []
  const named = sidesOf(parts)
  const [one, other] = named
  const isOther = abouts.some(
    about => idsOf(about).length === 0 && !JSON.stringify(about.where).includes('"currency"'),
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
  const meaning: Compared = {
    kind: 'compare',
    query,
    sides,
    ...(marks.has('smaller') ? { isLess: true } : {}),
  }
  const cost = own ? 0 : 0.2
  return [
    ...(isYesNo ? [] : [{ value: meaning, cost }]),
    { value: whetherSo(meaning), cost: cost + (isYesNo || mayBeYesNo ? 0 : 0.3) },
  ]
}

type Compared = Extract<Meaning, { kind: 'compare' }>

/** Whether the first is larger than the second, or the second than the first. */
export const whetherSo = ({ isLess, sides, ...of }: Compared): Compared => ({
  ...of,
  sides: isLess ? sides.toReversed() : sides,
  isYesNo: true,
})

/** Two are compared; "bigger and cheaper" compares in two ways. */
export const isCompared = ({ marks }: Parts): boolean =>
  marks.has('difference') || marks.has('larger') !== marks.has('smaller')

/** "Is the audit worth more than the pilot and the renewal together": what is said before the comparison, and after it. */
function sidesOf({ abouts, marks, before }: Parts): ReturnType<typeof idsOf> {
  if (!marks.has('together')) return comparable(abouts)
  const records = abouts.filter(isRecord)
  return [records.slice(0, before), records.slice(before)].flatMap(some => {
    const [first, ...others] = some.flatMap(idsOf)
    if (!first || others.some(({ entity }) => entity !== first.entity)) return []
    const value = [first, ...others].flatMap(({ where }) => (isField(where) ? [where.value].flat() : []))
    return [{ entity: first.entity, where: { field: 'id', op: 'in', value: value.map(String) } }]
  })
}

/** "Acme renewal vs Initech audit: does Acme cost more": two records of one kind, of which others may be said again. */
function comparable(abouts: readonly About[]): ReturnType<typeof idsOf> {
  const named = new Map(abouts.flatMap(idsOf).map(one => [JSON.stringify(one), one]))
  const all = [...named.values()]
  const kinds = Map.groupBy(all, ({ entity }) => entity)
  return [...kinds.values()].find(({ length }) => length === 2) ?? all
}

const idsOf = ({ entity, where }: About): { entity: string; where: Condition }[] =>
  'isVersus' in where && 'or' in where
    ? where.or.flatMap(side => idsOf({ entity, where: side }))
    : isField(where) && where.field === 'id'
      ? [where.value ?? []]
          .flat()
          .map(id => ({ entity, where: { field: 'id', op: 'in', value: [String(id)] } }))
      : []

/** "more customers in Germany or in France": the figure of each of the two values of one condition. */
export function comparedValues(
  of: Records,
  figure: Wanted | undefined,
  { marks }: Parts,
): Compared | undefined {
  const wanted = figure ?? count(of)
  // what is said together is one side
  if (marks.has('together')) return undefined
  for (const [i, where] of of.where.entries()) {
    const each = twoOf(where)
    // of two deals that are named there is one each
    const isOneEach = isField(where) && where.field === 'id' && wanted.measure.kind === 'count'
    if (!each || isOneEach) continue
    const sideOf = (side: Condition) => queryOf({ ...wanted, of: { ...of, where: of.where.with(i, side) } })
    const sides = each.map(({ is, side }) => ({ is, query: sideOf(side) }))
    const isLess = marks.has('smaller') ? { isLess: true as const } : {}
    return { kind: 'compare', query: queryOf(wanted), sides, ...isLess }
  }
  return undefined
}

/** A condition on one of two values, of the record or of a related one, as two conditions. */
function twoOf(where: Condition): { is: Condition; side: Condition }[] | undefined {
  if ('some' in where && where.where)
    return twoOf(where.where)?.map(({ is, side }) => ({ is, side: { ...where, where: side } }))
  if (!isField(where) || where.op !== 'in' || !Array.isArray(where.value) || where.value.length !== 2)
    return undefined
  const { field } = where
  return where.value.map(value => {
    const is: Condition =
      field === 'id' ? { field, op: 'in', value: [String(value)] } : { field, op: 'eq', value }
    return { is, side: is }
  })
}

/** How far the largest is from the smallest. */
export function rangeOf(of: Records, field: FieldMeaning): Meaning | undefined {
  const [largest, smallest] = [measured('max', field, of), measured('min', field, of)]
  if (!largest || !smallest) return undefined
  const [high, low] = [queryOf(largest), queryOf(smallest)]
  const is: Condition = { and: of.where }
  return {
    kind: 'compare',
    query: high,
    sides: [
      { is, query: high, label: 'largest' },
      { is, query: low, label: 'smallest' },
    ],
  }
}

/** "what percentage of the customers is in Germany": each condition may be what tells the part from the whole. */
export function sharesOf(of: Records, figure: Wanted | undefined): Meaning[] {
  const wanted = figure?.measure.kind === 'sum' ? figure : count(of)
  return of.where.flatMap(
    (where, i) => shareOf({ ...wanted, of: { ...of, where: of.where.toSpliced(i, 1) } }, where) ?? [],
  )
}
