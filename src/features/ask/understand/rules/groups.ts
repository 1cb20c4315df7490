/** Figures for each of something, ordered or compared: "top 2 countries by open pipeline", "stages with more than 2 deals". */
import type { Bucket } from '../../../records/query/spec.ts'
import { Costly } from '../chart.ts'
import { type About, type FieldMeaning, type Meaning, narrowed, on, type Records, whole } from '../meaning.ts'
import { ruleSet } from './build.ts'
import { queryOf } from './questions.ts'
import {
  AMOUNT,
  type Comparator,
  count,
  DEALS,
  type Direction,
  dated,
  first,
  grouped,
  havingOf,
  isClosed,
  measured,
  modified,
  OPEN,
  type Superlative,
  type Time,
  type Wanted,
  WEIGHTED,
} from './shared.ts'

const WON = { field: 'status', op: 'eq', value: 'won' } as const
const SOLD: Records = { ...DEALS, where: [WON] }

export const groupRules = ruleSet(rule => {
  // a figure without a noun for the deals: "won amount", "amount won", "total value", "open pipeline"
  rule('Figure = Sum? *Adjective MoneyNoun', 0.1, sumOf)
  rule('Figure = Sum? *Adjective *Field', 0.1, sumOf)
  rule('Figure = Sum? *Field *State', 0.1, (field, about) => sumOf(about, field))
  rule('Figure = Sum *Adjective', 0.2, sumOf)
  rule('Figure = Sum? *Field', 0.2, field =>
    field.field === 'amount' ? measured('sum', field, DEALS) : undefined,
  )
  // revenue may be that of the companies; what is open is no sale
  rule('Figure = *MoneyNoun', 0.3, word =>
    ['money', 'volume'].includes(word) ? measured('sum', AMOUNT, DEALS) : undefined,
  )
  rule('Figure = Average *Records *Field', 0, (of, field) => measured('avg', field, of))
  rule('Figure = Sum|MoneyNoun Of|Preposition *Records', 0.1, of => measured('sum', AMOUNT, of))
  rule('Figure = Sales', 0, () => measured('sum', AMOUNT, SOLD))
  rule('Money = Sales', 0, () => SOLD)
  rule('Figure = Sum? *OpenDeals', 0, of => measured('sum', AMOUNT, of))
  rule('Figure = Count? *Records', 0.3, count)
  rule('Wanted = *Figure Preposition? *Time', 0.3, (figure, time) => {
    const of = /"(?:won|lost)"/.test(JSON.stringify(figure.of.where)) ? when(figure.of, time) : undefined
    return of && figure.measure.kind === 'sum' ? { ...figure, of } : undefined
  })
  rule('Figure = Article *Figure', 0.1, figure => figure)
  rule('Wanted = Ask? *Figure Per Article? *Field', 0.2, (figure, field) =>
    figure.measure.kind === 'sum' ? grouped(figure, field) : undefined,
  )
  rule('Wanted = Sort|Ask Article? *Field Per *Figure', 0, (field, figure) => grouped(figure, field))
  for (const [word, direction] of [
    ['Top', 'desc'],
    ['Bottom', 'asc'],
  ] as const) {
    rule(`Wanted = ${word} *Number *Field Per *Figure`, 0, (limit, field, figure) =>
      first(grouped(figure, field), direction, limit.value),
    )
    rule(`Wanted = *Wanted ${word} *Number`, 0.1, (wanted, limit) =>
      wanted.limit === undefined ? first(wanted, direction, limit.value) : undefined,
    )
  }
  for (const [word, direction] of [
    ['Most', 'desc'],
    ['Least', 'asc'],
  ] as const) {
    // records are counted by the most and the fewest; the largest of them is one record
    const top = (field: FieldMeaning, figure: Wanted | undefined) =>
      figure && figure.measure.kind !== 'count' ? first(grouped(figure, field), direction) : undefined
    rule(`Wanted = AskField? *Field Have|Contains ${word} *Figure`, 0.1, top)
    rule(`Wanted = AskField? *Field Brings ${word} *Figure`, 0.1, (field, figure) =>
      top(field, earned(figure)),
    )
    rule(`Wanted = AskField? *Field *Brings ${word} *MoneyNoun`, 0, (field, verb, money) =>
      // the revenue that a company made is hardly what it brought us
      money === 'revenue' &&
      field.field === 'company.name' &&
      /^(?:makes|made|did|earned|produced|generate[sd])$/.test(verb)
        ? undefined
        : top(field, measured('sum', AMOUNT, SOLD)),
    )
  }
  // of what has none the fewest is not seen among the groups
  rule('Wanted = AskField? *Field Have|Contains|Brings MostMany *Figure', 0.1, (field, figure) =>
    figure.measure.kind === 'count' ? first(grouped(figure, field), 'desc') : undefined,
  )
  rule('Wanted = *Wanted InValue', 0.1, wanted => {
    if (!wanted.group || wanted.of.entity !== 'deal') return undefined
    return wanted.measure.kind === 'count' ? { ...wanted, measure: { kind: 'sum', field: 'amount' } } : wanted
  })
  // "our biggest customer by won value"
  rule('Wanted = *Superlative *Records Per *Figure', 0, (order, of, figure) =>
    ofCompanies(figure, of, order.direction),
  )
  rule('Wanted = AskField *Bucket *Time Have Most *Figure', 0, (bucket, time, figure) =>
    topBucket(bucket, undefined, figure, time),
  )
  rule(
    'Wanted = Preposition? AskField *Bucket Be|Do|Have|Brings We? *Verb? Most *Figure? Preposition? *Time?',
    0,
    topBucket,
  )
  // what a month had was won in it
  rule(
    'Wanted = Preposition? AskField *Bucket Be|Do|Have|Brings We? Most MoneyNoun Preposition? *Time?',
    0,
    (bucket, time) => topBucket(bucket, undefined, measured('sum', AMOUNT, SOLD), time),
  )
  // "companies with open deals worth more than 100k in total", "companies we have won more than 100k from"
  rule(
    'Wanted = Ask? *Records Have *Records Worth|Preposition? *Comparison InTotal',
    0,
    (companies, deals, comparison) => sumsOf(companies, deals, comparison),
  )
  rule(
    'Wanted = Ask? *Noun *Happened *Comparison Preposition InTotal?',
    0,
    (companies, action, comparison) => {
      const deals = narrowed(DEALS, on('deal', action))
      return deals && sumsOf(companies, deals, comparison)
    },
  )
  rule('Wanted = AskWho Be? *Wanted', 0.1, wanted =>
    wanted.group && /^(?:company|owner)\./.test(wanted.group.field) ? wanted : undefined,
  )
  // how many values there are: "in how many countries do we have customers"
  rule('Meaning = HowManyOf *Field Exists|Be|Do *Records Preposition|Have?', 0, numberOf)
  rule(
    'Wanted = Preposition? AskField *Field *Condition Exists *Records Preposition?',
    0.3,
    (field, about, of) =>
      about.entity === field.entity ? valuesOf(field, narrowed(of, on(of.entity, about))) : undefined,
  )
  // which values there are: "which countries have we won deals in", "the job titles of our contacts at Acme"
  rule(
    'Wanted = Preposition? AskField *Field *Happened *Noun? Preposition? *Time?',
    0.2,
    (field, action, noun = DEALS, time) => {
      const about = time ? dated(action, time) : action
      return about && valuesOf(field, narrowed(noun, on(noun.entity, about)))
    },
  )
  rule('Wanted = Preposition? AskField *Field Exists|Be|Do|Have *Records Preposition|Have?', 0.3, valuesOf)
  rule('Wanted = Ask|WhatIs Article? *Field Of|Preposition *Records', 0.5, (field, of) =>
    of.isMany ? valuesOf(field, of) : undefined,
  )
  rule('Wanted = MostCommon *Field', 0, field =>
    field.type === 'text'
      ? first(grouped(count({ entity: field.entity, where: [] }), field), 'desc')
      : undefined,
  )
  // "industries where we have more than one customer", "stages with more than 2 deals"
  rule('Wanted = Ask? *Field Whose|Have|That Exists? *Comparison *Records', 0.1, ofGroups)
  // the other way round
  rule('Wanted = *Wanted *Superlative First', 0.1, (wanted, order) => reordered(wanted, order))
  rule('Wanted = *Wanted *Direction', 0.2, (wanted, direction) =>
    wanted.group && !wanted.order ? { ...wanted, order: { by: 'measure', direction } } : undefined,
  )
  // what is expected, and what was sold
  rule('Wanted = Forecast', 0.1, () => measured('sum', WEIGHTED, { ...DEALS, where: [OPEN] }))
  rule('Wanted = Forecast Preposition? *Time', 0, time => expected(time, WEIGHTED))
  rule('Wanted = HowMuch CouldBringIn *Time IfAllClose?', 0, time => expected(time, AMOUNT))
})

/** Fields that each record has for itself. */
const LISTED = ['company.name', 'email', 'phone', 'full_name', 'website']

/** The values that a field has among the records, with how many of them have each. */
function valuesOf(field: FieldMeaning, of: Records | undefined): Costly | undefined {
  const wanted = of && !LISTED.includes(field.field) ? grouped(count(of), field) : undefined
  const path = wanted?.group?.field
  if (!wanted || !of || path === undefined) return undefined
  const such = { ...of, where: [...of.where, { field: path, op: 'is_null' as const, value: false }] }
  // the city of the contact before that of its company
  return new Costly({ ...wanted, of: such }, field.entity === of.entity ? 0 : 0.5)
}

function numberOf(field: FieldMeaning, of: Records): Costly | undefined {
  const wanted = valuesOf(field, of)
  const meaning: Meaning | undefined = wanted && {
    kind: 'query',
    query: queryOf(wanted.meaning as Wanted),
    isNumber: true,
  }
  return wanted && new Costly(meaning, wanted.extra)
}

/** The month, quarter or year in which most came to an end: "in which month did we win the most". */
function topBucket(
  bucket: Bucket,
  action: About | undefined,
  figure: Wanted | undefined,
  time: Time | undefined,
): Wanted | undefined {
  if (!action && !figure) return undefined
  const wanted = figure ?? measured('sum', AMOUNT, DEALS)
  const done = wanted && action ? narrowed(wanted.of, on('deal', action)) : wanted?.of
  const of = done && time ? (done.entity === 'deal' ? when(done, time) : undefined) : done
  const field =
    of?.entity === 'activity' ? 'when' : of?.entity === 'deal' && isClosed(of) ? 'closed_at' : undefined
  return wanted && of && field !== undefined
    ? first({ ...wanted, of, group: { field, bucket } }, 'desc')
    : undefined
}

/** What somebody has brought us was won. */
function earned(figure: Wanted): Wanted | undefined {
  const isSaid = JSON.stringify(figure.of.where).includes('"status"')
  const of = isSaid || figure.measure.kind === 'count' ? figure.of : narrowed(figure.of, WON)
  return of && { ...figure, of }
}

function ofCompanies(figure: Wanted, companies: Records, direction: Direction): Wanted | undefined {
  const where = whole(companies.where)
  if (companies.entity !== 'company' || figure.measure.kind !== 'sum') return undefined
  const of = where ? narrowed(figure.of, on('deal', { entity: 'company', where })) : figure.of
  return of && first(grouped({ ...figure, of }, CUSTOMER), direction)
}

/** The companies whose deals come to so much together. */
function sumsOf(companies: Records, deals: Records, comparison: readonly Comparator[]): Wanted | undefined {
  const where = whole(companies.where)
  const isMoney = comparison.every(({ quantity }) => quantity.isMoney && quantity.currency === undefined)
  if (companies.entity !== 'company' || deals.entity !== 'deal' || !isMoney) return undefined
  const of = where ? narrowed(deals, on('deal', { entity: 'company', where })) : deals
  return of && havingOf(grouped(measured('sum', AMOUNT, of) ?? count(of), CUSTOMER), comparison)
}

const CUSTOMER: FieldMeaning = { entity: 'deal', field: 'company.name', type: 'text' }

function sumOf(about: About, { field } = AMOUNT): Wanted | undefined {
  if (field !== 'amount') return undefined
  const of = about.entity === 'deal' || about.entity === 'company' ? modified(DEALS, about) : undefined
  return of ? measured('sum', AMOUNT, of.meaning as Records) : undefined
}

/** By when they were closed. */
function when(of: Records, time: Time): Records | undefined {
  const about = dated({ entity: 'deal', where: { and: [] }, date: 'closed_at' }, time)
  return about && narrowed(of, on('deal', about))
}

function expected(time: Time, field: FieldMeaning): Wanted | undefined {
  const about = dated({ entity: 'deal', where: OPEN, date: 'expected_close_date' }, time)
  return about && measured('sum', field, { ...DEALS, where: [about.where] })
}

function ofGroups(field: FieldMeaning, comparison: readonly Comparator[], of: Records): Wanted | undefined {
  // companies with more than 2 deals are companies
  const isCount = field.field !== 'company.name' && comparison.every(({ quantity }) => !quantity.isMoney)
  return isCount ? havingOf(grouped(count(of), field), comparison) : undefined
}

function reordered(wanted: Wanted, { field, direction }: Superlative): Wanted | undefined {
  if (wanted.order || wanted.limit !== undefined) return undefined
  if (wanted.group) return { ...wanted, order: { by: 'measure', direction } }
  if (wanted.measure.kind !== 'list' || field.entity !== wanted.of.entity) return undefined
  return { ...wanted, order: { by: field.field, direction } }
}
