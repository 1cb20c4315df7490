/** Figures for each of something, ordered or compared: "top 2 countries by open pipeline", "who of us has won the most". */
import type { Bucket } from '../../../records/query/spec.ts'
import { Costly } from '../chart.ts'
import { type About, type FieldMeaning, narrowed, type Records } from '../meaning.ts'
import { ruleSet } from './build.ts'
import { queryOf } from './questions.ts'
import {
  AMOUNT,
  allOf,
  byOwner,
  type Comparator,
  CUSTOMER,
  count,
  DEALS,
  type Direction,
  dated,
  first,
  grouped,
  havingOf,
  inGroups,
  isClosed,
  isOwner,
  measured,
  modified,
  OPEN,
  ofThese,
  relatedTo,
  type Superlative,
  says,
  such,
  type Time,
  type Wanted,
  WEIGHTED,
  WON,
  within,
} from './shared.ts'

const SOLD: Records = { ...DEALS, where: [WON] }
const EXPECTED: Records = { ...DEALS, where: [OPEN] }

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
    const isSold = figure.measure.kind === 'sum' && isClosed(figure.of)
    return isSold ? ofThese(figure, within(figure.of, 'closed_at', time)) : undefined
  })
  rule('Figure = Article *Figure', 0.1)
  rule('Wanted = Ask? *Figure Per Article? *Field', 0.2, (figure, field) =>
    figure.measure.kind === 'sum' ? grouped(figure, field) : undefined,
  )
  rule('Wanted = Sort|Ask Article? *Field Per *Figure', 0, (field, figure) => grouped(figure, field))
  rule('Wanted = *End *Number *Field Per *Figure', 0, (direction, limit, field, figure) =>
    first(grouped(figure, field), direction, limit.value),
  )
  rule('Wanted = *Wanted *End *Number', 0.1, (wanted, direction, limit) =>
    wanted.limit === undefined ? first(wanted, direction, limit.value) : undefined,
  )
  rule('Wanted = AskField? *Field Have|Contains *Extreme *Figure', 0.1, (field, direction, figure) =>
    top(field, figure, direction),
  )
  rule('Wanted = AskField? *Field Brings *Extreme *Figure', 0.1, (field, direction, figure) =>
    top(field, earned(figure), direction),
  )
  rule('Wanted = AskField? *Field *Brings *Extreme *MoneyNoun', 0, (field, verb, direction, money) =>
    // the revenue that a company made is hardly what it brought us
    money === 'revenue' &&
    field.field === 'company.name' &&
    /^(?:makes|made|did|earned|produced|generate[sd])$/.test(verb)
      ? undefined
      : top(field, measured('sum', AMOUNT, SOLD), direction),
  )
  // of what has none the fewest is not seen among the groups
  rule('Wanted = AskField? *Field Have|Contains|Brings MostMany *Figure', 0.1, (field, figure) =>
    figure.measure.kind === 'count' ? first(grouped(figure, field), 'desc') : undefined,
  )
  rule('Wanted = *Wanted InValue', 0.1, wanted => {
    if (!wanted.group || wanted.of.entity !== 'deal') return undefined
    return wanted.measure.kind === 'count' ? { ...wanted, measure: { kind: 'sum', field: 'amount' } } : wanted
  })
  // "our biggest customer by won value"
  rule('Wanted = *Superlative *Records Per *Figure', 0, ({ direction }, of, figure) =>
    of.entity === 'company' && figure.measure.kind === 'sum'
      ? first(grouped(ofThese(figure, relatedTo(figure.of, of)), CUSTOMER), direction)
      : undefined,
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
  rule('Wanted = Ask? *Records Have *Records Worth|Preposition? *Comparison InTotal', 0, sumsOf)
  rule('Wanted = Ask? *Noun *Happened *Comparison Preposition InTotal?', 0, (companies, action, comparison) =>
    sumsOf(companies, such(DEALS, action), comparison),
  )
  rule('Wanted = AskWho Be? *Wanted', 0.1, wanted =>
    wanted.group && /^(?:company|owner)\./.test(wanted.group.field) ? wanted : undefined,
  )
  // how many values there are: "in how many countries do we have customers"
  rule('Meaning = HowManyOf *Field Exists|Be|Do *Records Preposition|Have?', 0, numberOf)
  rule(
    'Wanted = Preposition? AskField *Field *Condition Exists *Records Preposition?',
    0.3,
    (field, about, of) => (about.entity === field.entity ? valuesOf(field, such(of, about)) : undefined),
  )
  // which values there are: "which countries have we won deals in", "the job titles of our contacts at Acme"
  rule(
    'Wanted = Preposition? AskField *Field *Happened *Noun? Preposition? *Time?',
    0.2,
    (field, action, noun = DEALS, time) => valuesOf(field, such(noun, time ? dated(action, time) : action)),
  )
  rule('Wanted = Preposition? AskField *Field Exists|Be|Do|Have *Records Preposition|Have?', 0.3, valuesOf)
  rule('Wanted = Ask|WhatIs Article? *Field Of|Preposition *Records', 0.5, (field, of) =>
    of.isMany ? valuesOf(field, of) : undefined,
  )
  rule('Wanted = MostCommon *Field', 0, field =>
    field.type === 'text' ? first(grouped(count(allOf(field.entity)), field), 'desc') : undefined,
  )
  // "industries where we have more than one customer", "stages with more than 2 deals"
  rule('Wanted = Ask? *Field Whose|Have|That Exists? *Comparison *Records', 0.1, ofGroups)
  // the other way round
  rule('Wanted = *Wanted *Superlative First', 0.1, reordered)
  rule('Wanted = *Wanted *Direction', 0.2, (wanted, direction) =>
    wanted.group && !wanted.order ? { ...wanted, order: { by: 'measure', direction } } : undefined,
  )
  // what is expected, and what was sold
  rule('Wanted = Forecast', 0.1, () => measured('sum', WEIGHTED, EXPECTED))
  rule('Wanted = Forecast Preposition? *Time', 0, time => measured('sum', WEIGHTED, closingIn(time)))
  rule('Wanted = HowMuch CouldBringIn *Time IfAllClose?', 0, time => measured('sum', AMOUNT, closingIn(time)))

  rule('Condition = Do|Have|Be? *Value|Values Own Preposition?', 0.3, about =>
    isOwner(about) && about.entity !== 'activity' ? about : undefined,
  )
  // for each of us
  rule('Each = Per|All *Field', 0, ({ field }) => /^(?:owner|assignee)\./.test(field) || undefined)
  rule('Each = EachOfUs', 0, () => true)
  rule('Wanted = *Wanted Do|Have Each Own', 0.2, wanted =>
    wanted.of.entity === 'activity' ? undefined : byOwner(wanted),
  )
  rule('Wanted = *Wanted Do|Have Each *Verb', 0.2, (wanted, action) =>
    byOwner(ofThese(wanted, such(wanted.of, { ...action, isState: true }))),
  )
  rule('Wanted = HowMuch MoneyNoun? Do|Have Each *Verb', 0.2, action =>
    byOwner(measured('sum', AMOUNT, such(DEALS, action))),
  )
  // the one with the most
  rule('Wanted = WhoOfUs Have|Own *ExtremeMany *Records', 0, (direction, of) =>
    first(byOwner(count(of)), direction),
  )
  rule('Wanted = WhoOfUs Have|Own *Extreme *OpenDeals', 0, (direction, of) =>
    first(byOwner(measured('sum', AMOUNT, of)), direction),
  )
  rule('Wanted = WhoOfUs Have? *Verb *ExtremeMany *Noun', 0, (action, direction, of) => {
    const all = such(of, action)
    return all && first(byOwner(count(all)), direction)
  })
  rule('Wanted = WhoOfUs Have? *Verb *Extreme MoneyNoun', 0, wonMost)
  rule('Wanted = WhoOfUs Have? *Verb *Extreme *Condition', 0.1, wonMost)
  rule('Wanted = WhoOfUs Have|Own *Comparison *Records', 0, (comparison, of) =>
    comparison.every(({ quantity }) => !quantity.isMoney)
      ? havingOf(byOwner(count(of)), comparison)
      : undefined,
  )
  rule('Wanted = WhoOfUs Have? *Records', 0.4, of =>
    of.entity === 'activity' && of.where.length > 0 ? byOwner(count(of)) : undefined,
  )
  rule('Wanted = *Wanted And? HowMuchIsIt', 0.1, wanted => (wanted.limit === 1 ? wanted : undefined))
})

/** Records are counted by the most and the fewest; the largest of them is one record. */
const top = (field: FieldMeaning, figure: Wanted | undefined, direction: Direction): Wanted | undefined =>
  figure && figure.measure.kind !== 'count' ? first(grouped(figure, field), direction) : undefined

/** Fields that each record has for itself. */
const LISTED = ['company.name', 'email', 'phone', 'full_name', 'website']

/** The values that a field has among the records, with how many of them have each. */
function countsOf(field: FieldMeaning, of: Records | undefined): Wanted | undefined {
  const wanted = of && !LISTED.includes(field.field) ? grouped(count(of), field) : undefined
  return wanted?.group && inGroups(wanted, wanted.group.field)
}

/** The city of the contact before that of its company. */
const costOf = (field: FieldMeaning, of: Records): number => (field.entity === of.entity ? 0 : 0.5)

function valuesOf(field: FieldMeaning, of: Records | undefined): Costly | undefined {
  const wanted = countsOf(field, of)
  return wanted && new Costly(wanted, costOf(field, wanted.of))
}

function numberOf(field: FieldMeaning, of: Records): Costly | undefined {
  const wanted = countsOf(field, of)
  return wanted && new Costly({ kind: 'query', query: queryOf(wanted), isNumber: true }, costOf(field, of))
}

/** The month, quarter or year in which most came to an end: "in which month did we win the most". */
function topBucket(
  bucket: Bucket,
  action: About | undefined,
  figure: Wanted | undefined,
  time: Time | undefined,
): Wanted | undefined {
  const wanted = figure ?? (action && measured('sum', AMOUNT, DEALS))
  const all = wanted?.of
  if (all?.entity !== 'activity' && all?.entity !== 'deal') return undefined
  const done = action ? such(all, action) : all
  const field = all.entity === 'activity' ? 'when' : 'closed_at'
  const of = done && time ? (all.entity === 'deal' ? within(done, field, time) : undefined) : done
  return wanted && of && (all.entity === 'activity' || isClosed(of))
    ? first({ ...wanted, of, group: { field, bucket } }, 'desc')
    : undefined
}

/** What somebody has brought us was won. */
const earned = (figure: Wanted): Wanted | undefined =>
  says(figure.of, 'status') || figure.measure.kind === 'count'
    ? figure
    : ofThese(figure, narrowed(figure.of, WON))

/** The companies whose deals come to so much together. */
function sumsOf(
  companies: Records,
  deals: Records | undefined,
  comparison: readonly Comparator[],
): Wanted | undefined {
  const isMoney = comparison.every(({ quantity }) => quantity.isMoney && quantity.currency === undefined)
  if (companies.entity !== 'company' || !isMoney) return undefined
  return havingOf(grouped(measured('sum', AMOUNT, relatedTo(deals, companies)), CUSTOMER), comparison)
}

function sumOf(about: About, { field } = AMOUNT): Wanted | undefined {
  const isOfDeals = about.entity === 'deal' || about.entity === 'company'
  const of = field === 'amount' && isOfDeals ? modified(DEALS, about) : undefined
  return of && measured('sum', AMOUNT, of.meaning as Records)
}

function closingIn(time: Time): Records | undefined {
  const about = dated({ entity: 'deal', where: OPEN, date: 'expected_close_date' }, time)
  return about && { ...DEALS, where: [about.where] }
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

/** "who has won the most": the amounts, not the number of deals. */
function wonMost(action: About, direction: Direction, about?: About): Wanted | undefined {
  const done = such(DEALS, action)
  return first(byOwner(measured('sum', AMOUNT, about ? such(done, about) : done)), direction)
}
