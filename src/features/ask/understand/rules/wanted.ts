/** What is wanted of a set of records: all of them, how many, a figure. Without a noun money is that of deals: "how much did we win". */
import type { Bucket } from '../../../records/query/spec.ts'
import { Costly } from '../chart.ts'
import { type About, clauseOn, type FieldMeaning, narrowed, type Records, relationTo } from '../meaning.ts'
import { ruleSet } from './build.ts'
import { boughtBy } from './records.ts'
import {
  AMOUNT,
  allOf,
  byOwner,
  count,
  countable,
  DEALS,
  endedIn,
  grouped,
  inGroups,
  isSaid,
  list,
  measured,
  modified,
  OPEN,
  ofThese,
  once,
  says,
  such,
  type Time,
  type Wanted,
  WEIGHTED,
  within,
  without,
} from './shared.ts'

export const wantedRules = ruleSet(rule => {
  rule('Wanted = *Records', 0.3, list)
  rule('Wanted = Ask All? *Records', 0, list)
  rule('Wanted = AskWho All? *Records', 0, of =>
    of.entity === 'contact' || of.entity === 'company' ? list(of) : undefined,
  )
  rule('Wanted = All *Records', 0.3, list)
  // "for which companies", "with which contacts"
  rule('Wanted = Preposition Ask *Records', 0.1, list)
  rule('Wanted = Exists *Records', 0, of => ({ ...list(of), isYesNo: true }))
  rule('Wanted = Count All? *Records', 0, count)

  rule('Statistic = Sum', 0, () => 'sum')
  rule('Statistic = Average', 0, () => 'avg')
  rule('Statistic = Median', 0, () => 'median')
  rule('Wanted = *Statistic Of|Count? *Field Of|Preposition All? *Records', 0, measured)
  rule('Wanted = *Statistic *Records *Field', 0.1, (kind, of, field) => measured(kind, field, of))
  // "total pallets per week": of all companies
  rule('Wanted = *Statistic Count? *Field', 0.3, (kind, field) => measured(kind, field, counted(field)))
  rule('Wanted = *Statistic Count? *Adjective *Field', 0.3, (kind, about, field) =>
    measured(kind, field, such(counted(field), about)),
  )
  // "average number of boilers per customer"
  rule('Wanted = Average Count? *Field Per *Records', 0.2, (field, of) => measured('avg', field, of))
  rule('Wanted = *Statistic *Records *Field *Condition', 0.2, (kind, of, field, about) =>
    measured(kind, field, such(of, about)),
  )
  // "the average number of contacts per company"
  rule('Wanted = Average Count *Records Per *Noun|Records', 0, perRecord)
  rule('Wanted = Average? Count *Records Exists? Per *Noun|Records Average', 0, perRecord)
  rule('Wanted = *Field Of *Records', 0.4, (field, of) =>
    field.field === 'amount' ? measured('sum', field, of) : undefined,
  )
  rule('Wanted = Sum Of? All? *Records ForMe?', 0.2, of => measured('sum', AMOUNT, of))
  rule('Wanted = HowMuch|Ask Be|Do All? *Records Worth', 0, of => measured('sum', AMOUNT, of))
  rule('Wanted = *Wanted And? TheyWorth', 0.2, wanted =>
    wanted.order || !['count', 'list'].includes(wanted.measure.kind)
      ? undefined
      : withMeasure(wanted, measured('sum', AMOUNT, wanted.of)),
  )
  rule('Wanted = *Wanted And Article? Average *Field', 0.2, (wanted, field) =>
    wanted.group && wanted.measure.kind === 'count'
      ? withMeasure(wanted, measured('avg', field, wanted.of))
      : undefined,
  )
  // "and in which stages are they", "and whose are they"
  rule('Wanted = *Wanted And Preposition? AskField *Field Be They', 0, grouped)
  rule('Wanted = *Wanted And WhoseAre They', 0, byOwner)
  rule('Records = *Records Including *Condition Pronoun?', 0.2, of =>
    of.where.length === 0 ? of : undefined,
  )
  rule('Wanted = HowBig Be *Records Average?', 0.1, of => measured('avg', AMOUNT, of))
  // a figure that records have, added up: "how many boilers do our customers have"
  rule('Wanted = Count *Field Do|Have All? *Records Holds?', 0, (field, of) => measured('sum', field, of))
  rule('Wanted = Count *Field Exists? Preposition|Of All? *Records', 0, (field, of) =>
    measured('sum', field, of),
  )
  rule('Wanted = Count *Field Do|Have All? *Records Holds? Average', 0, (field, of) =>
    measured('avg', field, of),
  )
  rule('Wanted = Count *Field *Condition', 0.3, (field, about) =>
    measured('sum', field, such(counted(field), about)),
  )
  rule('Wanted = *Field Per *Field', 0.3, (field, by) => grouped(measured('sum', field, counted(field)), by))
  // "how many days did we sell in the deals won in 2026"
  rule('Wanted = Count *Field *Happened Preposition|Of All? *Records', 0, (field, action, of) => {
    const isAgain = JSON.stringify(of.where).includes(JSON.stringify(action.where).slice(1, -1))
    return measured('sum', field, isAgain ? of : such(of, action))
  })
  rule('Wanted = Ask Be? *Wanted', 0.1)
  rule('Wanted = Article *Wanted', 0.1)
  rule('Wanted = *Wanted Be? Per Article? *Field', 0.4, (wanted, field) => {
    const each = grouped(wanted, field)
    // the city of the contact before that of its company
    return each && new Costly(each, field.entity === wanted.of.entity ? 0 : 0.5)
  })
  rule('Wanted = *Wanted Per Person', 0.3, byOwner)
  rule('Wanted = *Wanted Per *Bucket', 0.4, bucketed)
  rule('Wanted = *Wanted Preposition? *Time', 0.4, inTime)
  // "for Northfold: open deals by stage", "in Germany, how many deals are open"
  rule('Wanted = Preposition *Value|Values *Wanted', 0.8, (about, wanted) =>
    wanted.limit === undefined && !wanted.order ? ofThese(wanted, such(wanted.of, about)) : undefined,
  )

  rule('OpenDeals = Pipeline', 0, () => ({ ...DEALS, where: [OPEN] }))
  rule('OpenDeals = Article *OpenDeals', 0.1)
  rule('OpenDeals = *Adjective *OpenDeals', 0.4, (about, of) => repeated(of, about))
  rule('OpenDeals = *OpenDeals *Condition', 0.5, modified)
  rule('OpenDeals = *OpenDeals Except *Records', 0.4, without)
  rule('OpenDeals = Sum *OpenDeals', 0.2)
  rule('Records = *Records Be? Preposition Article? Pipeline', 0.2, of =>
    of.entity === 'deal' ? narrowed(of, OPEN) : undefined,
  )
  rule('Wanted = *OpenDeals Worth|Sum?', 0.2, sum)
  rule('Wanted = WhatIs Preposition *OpenDeals', -0.3, sum)
  rule('Wanted = *OpenDeals *Field', 0.2, (of, field) => measured('sum', field, of))
  rule('Wanted = Sum? *Field Of *OpenDeals', 0, (field, of) => measured('sum', field, of))
  rule('Wanted = Weighted *OpenDeals Sum?', 0, weighted)
  rule('Wanted = Weighted Field Of|Preposition *OpenDeals|Records', 0, weighted)
  rule('Wanted = Weighted *Records Field?', 0.1, weighted)
  rule('Wanted = HowMuch|Ask Be|Do *Wanted Worth', 0.1, wanted =>
    wanted.measure.kind === 'sum' ? wanted : undefined,
  )

  // how much of what was done or is expected
  rule('Money = HowMuch MoneyNoun?', 0, () => DEALS)
  rule('Money = Sum? MoneyNoun', 0.3, () => DEALS)
  rule('Money = HowMuch *OpenDeals', 0)
  rule('Money = HowMuch *Adjective MoneyNoun', 0, about => modified(DEALS, about))
  rule('Money = Article? *Adjective MoneyNoun', 0.3, about => modified(DEALS, about))
  rule('Money = *Money Be? *Condition', 0.4, repeated)
  rule('Money = *Money Be? *Clause', 0.5, (of, clause) => narrowed(of, clauseOn('deal', clause)))
  rule('Money = HowMuch MoneyNoun? Be? Preposition *OpenDeals', 0.1)
  rule('Money = *Money Be? *LostFor', 0.2, modified)
  rule('Money = HowMuch MoneyNoun? Do|Have *RecordPhrase Bought', 0, boughtBy)
  // "sold to French companies in 2026": when they came to that
  rule('Money = *Money TimePreposition? *Time', 0.4, endedIn)
  // "did we lose in lost deals" says it twice
  rule('Money = *Money Preposition *Records', 0.3, (money, of) =>
    of.entity === 'deal'
      ? of.where.reduce<Records | undefined>((all, where) => all && once(all, where), money)
      : undefined,
  )
  rule('Money = *Money Exists|Sum', 0.1)
  rule('Wanted = *Money', 0.3, of => (of.where.length > 0 ? sum(of) : undefined))
})

/** How many related records there are of each, on average. */
function perRecord(of: Records, host: Records): Wanted | undefined {
  const relation = of.where.length === 0 ? relationTo(host.entity, of.entity) : undefined
  return relation === undefined
    ? undefined
    : { of: host, measure: { kind: 'avg', field: `${relation}.count` } }
}

/** The records that have so many of something, which is said without naming them: "average NPS". */
const counted = ({ entity, field }: FieldMeaning): Records | undefined =>
  field.startsWith('cf.') || field === 'employee_count' ? allOf(entity) : undefined

const withMeasure = (wanted: Wanted, figure: Wanted | undefined): Wanted | undefined =>
  figure && { ...wanted, measure: figure.measure }

/** By the month of what happened to them, which the conditions tell: won deals by when they were closed. */
function bucketed(wanted: Wanted, bucket: Bucket): Wanted | undefined {
  const field = wanted.group || wanted.order ? undefined : dateOf(wanted.of)
  if (field === undefined) return undefined
  return { ...inGroups(wanted, field), measure: countable(wanted), group: { field, bucket } }
}

/** "won deals per quarter this year" */
function inTime(wanted: Wanted, time: Time): Wanted | undefined {
  const { field, bucket } = wanted.group ?? {}
  return field && bucket ? ofThese(wanted, within(wanted.of, field, time)) : undefined
}

function dateOf(of: Records): string | undefined {
  if (of.entity === 'activity') return 'when'
  if (of.entity !== 'deal') return undefined
  if (says(of, 'won', 'lost', 'closed_at')) return 'closed_at'
  return says(of, 'open', 'expected_close_date') ? 'expected_close_date' : undefined
}

function sum(of: Records): Wanted | undefined {
  return measured('sum', AMOUNT, of)
}

/** What is not open any more has no chance left. */
function weighted(of: Records): Wanted | undefined {
  return of.entity === 'deal' ? measured('sum', WEIGHTED, narrowed(of, OPEN) ?? of) : undefined
}

/** "the open pipeline" says it twice. */
function repeated(of: Records, about: About): Records | Costly | undefined {
  return isSaid(of, about.where) ? of : modified(of, about)
}
