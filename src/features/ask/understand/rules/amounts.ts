/** Money without a noun for the deals: "how much did we win", "the open pipeline", "what is it worth". */
import type { Costly } from '../chart.ts'
import { type About, clauseOn, narrowed, type Records } from '../meaning.ts'
import { ruleSet } from './build.ts'
import { boughtBy } from './records.ts'
import {
  AMOUNT,
  DEALS,
  endedIn,
  isSaid,
  measured,
  modified,
  OPEN,
  once,
  type Wanted,
  WEIGHTED,
  without,
} from './shared.ts'

export const amountRules = ruleSet(rule => {
  rule('OpenDeals = Pipeline', 0, () => ({ ...DEALS, where: [OPEN] }))
  rule('OpenDeals = Article *OpenDeals', 0.1, of => of)
  rule('OpenDeals = *Adjective *OpenDeals', 0.4, (about, of) => repeated(of, about))
  rule('OpenDeals = *OpenDeals *Condition', 0.5, modified)
  rule('OpenDeals = *OpenDeals Except *Records', 0.4, without)
  rule('OpenDeals = Sum *OpenDeals', 0.2, of => of)
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
  rule('Money = HowMuch *OpenDeals', 0, of => of)
  rule('Money = HowMuch *Adjective MoneyNoun', 0, about => modified(DEALS, about))
  rule('Money = Article? *Adjective MoneyNoun', 0.3, about => modified(DEALS, about))
  rule('Money = *Money Be? *Condition', 0.4, repeated)
  rule('Money = *Money Be? *Clause', 0.5, (of, clause) => narrowed(of, clauseOn('deal', clause)))
  rule('Money = HowMuch MoneyNoun? Be? Preposition *OpenDeals', 0.1, of => of)
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
  rule('Money = *Money Exists|Sum', 0.1, of => of)
  rule('Wanted = *Money', 0.3, of => (of.where.length > 0 ? sum(of) : undefined))
})

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
