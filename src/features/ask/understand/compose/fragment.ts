/** A part of the question that is a whole question: what else is said narrows it. */
import type { Condition } from '../../../records/query/spec.ts'
import type { EntityName } from '../../lexicon/types.ts'
import { type FieldMeaning, type Meaning, whole } from '../meaning.ts'
import { queryOf } from '../rules/questions.ts'
import type { Wanted } from '../rules/shared.ts'
import type { OnlyOf } from './operators.ts'
import type { Parts } from './parts.ts'
import { type Costed, conditionsOn, nestedOn, withTimes } from './place.ts'

/** How the question is worded as a whole. */
export interface Asked {
  /** it begins as one that is answered with yes or no */
  isYesNo: boolean
  /** a part of it does */
  mayBeYesNo: boolean
  /** a word in it says that one is asked for */
  isOne: boolean
  onlyOf: OnlyOf
  now: Date
}

export type Composed = Costed<Meaning>

export function ofFragment(parts: Parts, asked: Asked): Composed[] {
  const { wanted, meanings, fields, orders, comparisons, numbers, buckets } = parts
  const isRest = [...orders, ...comparisons, ...numbers, ...buckets].length > 0
  const entity = (wanted[0]?.of.entity ?? entityOf(meanings[0])) as EntityName | undefined
  if (isRest || entity === undefined || fields.some(field => !isSaid(field, parts))) return []
  const order = meanings[0]?.kind === 'query' ? meanings[0].query.order?.[0] : undefined
  if (isOpposed((wanted[0]?.order ?? order)?.direction, parts)) return []
  return [conditionsOn(entity, parts), nestedOn(entity, parts)].flatMap(conditions =>
    withTimes(entity, conditions?.value ?? [], parts).flatMap(({ value, cost }) => {
      if (!conditions) return []
      const meaning = wanted[0]
        ? narrowedWanted(wanted[0], value, asked)
        : narrowedMeaning(meanings[0], value)
      return meaning ? [{ value: meaning, cost: cost + conditions.cost }] : []
    }),
  )
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

/** "the largest and the smallest deal" is not only the smallest. */
export const isOpposed = (direction: string | undefined, { marks }: Parts): boolean =>
  direction === 'asc' && marks.has('most')
