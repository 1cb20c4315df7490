/** Fields compared with numbers, and fields that are empty or filled. */
import type { Condition } from '../../../records/query/spec.ts'
import { type About, both, type FieldMeaning, negated } from '../meaning.ts'
import type { Quantity } from '../numbers.ts'
import { ruleSet } from './build.ts'
import {
  AMOUNT,
  type Comparator,
  compared,
  dated,
  empty,
  fieldAt,
  isRecord,
  list,
  PEOPLE,
  PRICE,
  type Span,
  STAFF,
  says,
  type Time,
  type Wanted,
} from './shared.ts'

const COMPARATORS = { More: 'gt', AtLeast: 'gte', Less: 'lt', AtMost: 'lte', Exactly: 'eq' } as const

export const comparisonRules = ruleSet(rule => {
  for (const [word, op] of Object.entries(COMPARATORS)) {
    rule(`Comparison = ${word} Article? *Number`, 0, quantity => [{ op, quantity }])
  }
  rule('Comparison = *Number OrMore', 0, quantity => [{ op: 'gte', quantity }])
  rule('Comparison = *Number OrLess', 0, quantity => [{ op: 'lte', quantity }])
  rule('Comparison = *Number To *Number', 0.1, (low, high) => [
    { op: 'gte', quantity: scaledAs(low, high) },
    { op: 'lte', quantity: high },
  ])
  rule('Comparison = Between *Number And|To *Number', -0.5, (low, high) => [
    { op: 'gte', quantity: scaledAs(low, high) },
    { op: 'lte', quantity: high },
  ])
  rule('Comparison = *Comparison But|And *Comparison', 0, (a, b) => [...a, ...b])

  rule('Condition = *Comparison *Field', 0, (comparison, field) => compared(field, comparison))
  rule('Condition = Article? *Field Be? *Comparison', 0, compared)
  rule('Condition = *Field Of *Comparison', 0, compared)
  rule('Condition = Worth? *Comparison OneByOne', 0, comparison => amongMoney(AMOUNT, comparison))
  rule('Condition = *Comparison', 0.5, comparison => amongMoney(AMOUNT, comparison))
  // "products over 100 EUR": their prices. "deals over 100 EUR" says nothing of their products.
  rule('Condition = *Comparison', 0.5, comparison => {
    const about = amongMoney(PRICE, comparison)
    return about && { ...about, isState: true }
  })

  rule('FieldPhrase = Article? *Field Recorded?', 0)
  // "is the annual revenue missing", "whose phone number is not known"
  rule('Condition = Be|Whose? *FieldPhrase Be? Missing', 0.1, missing)
  rule('Condition = Lack *FieldPhrase', 0.2, missing)
  rule('Ending = LackVerb *FieldPhrase', 0, missing)
  rule('Ending = HaveVerb *FieldPhrase', 0.4, present)
  rule('Ending = HaveVerb|Be Article? *Condition', 0.3)
  rule('Condition = Lack Article? *Value Suffix?', 0.2, about =>
    isRecord(about) || ('some' in about.where && about.where.some === 'tags') ? negated(about) : undefined,
  )
  // "are we missing an email address for", "do we know the phone number of"
  rule('Condition = Be|Do|Have? We? Lack *FieldPhrase Of', 0.1, missing)
  rule('Condition = Exists *FieldPhrase Of?', 0.4, present)
  rule('Condition = Lack *FieldPhrase Or *FieldPhrase', 0.2, bothEmpty)
  rule('Condition = Have Neither *FieldPhrase Or|Nor *FieldPhrase', 0, bothEmpty)
  rule('Condition = Have Article? *Field', 0.6, present)
  rule('Condition = Have Both? *FieldPhrase And *FieldPhrase', 0.2, (a, b) => bothOf(present(a), present(b)))
  rule('Condition = Whose *Field Be *Condition', 0.2, ofField)
  rule('Condition = *Field *Value|Values', 0.3, ofField)
  rule('Condition = *Value|Values *Field', 0.1, (about, field) => ofField(field, about))
  rule('Condition = That? Holds *Comparison *Field', 0, (comparison, field) => compared(field, comparison))
  rule('Condition = That? Lasts? *Comparison Hours', 0, comparison =>
    compared(DURATION, comparison.map(inMinutes)),
  )
  rule('Condition = That? Lasts *Condition', 0.1, about => (says(about, DURATION.field) ? about : undefined))
  rule('Condition = That? Employ *Comparison Staff', 0, comparison => compared(STAFF, comparison))
  rule('Condition = Be? Born Preposition? *Time', 0, time => onDate(BIRTHDAY, time))
  // questions that begin with whose, and "birthdays in May"
  rule('Wanted = Whose *Field Be Preposition? *Time', 0, (field, time) => ofPeople(onDate(field, time)))
  // "with a close date in October", "whose birthday is in May"
  rule('Condition = Have|Whose Article? *Field Be? Preposition? *Time', 0.1, onDate)
})

const BIRTHDAY = fieldAt('contact', 'birthday')
export const DURATION = fieldAt('activity', 'duration_minutes')

const ofPeople = (about: About | undefined): Wanted | undefined =>
  about?.entity === 'contact' ? list({ ...PEOPLE, where: [about.where] }) : undefined

/** Amounts, although no field is named. */
const amongMoney = (field: FieldMeaning, comparison: readonly Comparator[]): About | undefined =>
  comparison.every(({ quantity }) => quantity.isMoney) ? compared(field, comparison) : undefined

const inMinutes = ({ op, quantity }: Comparator): Comparator => ({
  op,
  quantity: { ...quantity, value: quantity.value * 60 },
})

/** Whether there is a company is asked of the companies, and when a deal was closed follows from its state. */
const isEmptied = ({ field }: FieldMeaning): boolean =>
  !['company.name', 'closed_at', 'categories'].includes(field)

function missing(field: FieldMeaning): About | undefined {
  return isEmptied(field) ? empty(field, true) : undefined
}

function present(field: FieldMeaning): About | undefined {
  return isEmptied(field) ? empty(field, false) : undefined
}

/** "from 10 to 20 thousand" */
const scaledAs = (low: Quantity, { scale, value, isMoney }: Quantity): Quantity =>
  scale !== undefined && low.scale === undefined && !low.isMoney && low.value * scale <= value
    ? { ...low, value: low.value * scale, isMoney }
    : low

function bothEmpty(a: FieldMeaning, b: FieldMeaning): About | undefined {
  return bothOf(empty(a, true), empty(b, true))
}

const bothOf = (a: About | undefined, b: About | undefined): About | undefined => a && b && both('and', a, b)

export function onDate({ entity, field, type }: FieldMeaning, time: Time): About | undefined {
  if (type !== 'date') return undefined
  const day = field === 'birthday' ? dayInYear(time.future) : undefined
  return day ? { entity, where: day } : dated({ entity, where: { and: [] }, date: field }, time)
}

const DAY = 86_400_000

/** A birthday comes every year, so its day and month are compared; undefined for a time of a year or more. */
function dayInYear({ from, to }: Span): Condition | undefined {
  if (from === null || to === null || Date.parse(to) - Date.parse(from) > 364 * DAY) return undefined
  const last = new Date(Date.parse(to) - DAY).toISOString()
  const [first, end] = [from.slice(5, 10), last.slice(5, 10)]
  const ends: Condition[] = [
    { field: 'birthday_day', op: 'gte', value: first },
    { field: 'birthday_day', op: 'lte', value: end },
  ]
  return first <= end ? { and: ends } : { or: ends }
}

function ofField({ entity, field }: FieldMeaning, about: About): About | undefined {
  const isIts = about.entity === entity && 'field' in about.where && about.where.field === field
  return isIts ? about : undefined
}
