/** Who of us: owners of deals and contacts, assignees of activities. */
import type { About } from '../meaning.ts'
import { ruleSet } from './build.ts'
import {
  AMOUNT,
  byOwner,
  count,
  DEALS,
  type Direction,
  first,
  havingOf,
  isOwner,
  measured,
  ofThese,
  such,
  type Wanted,
} from './shared.ts'

export const ownerRules = ruleSet(rule => {
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

/** "who has won the most": the amounts, not the number of deals. */
function wonMost(action: About, direction: Direction, about?: About): Wanted | undefined {
  const done = such(DEALS, action)
  return first(byOwner(measured('sum', AMOUNT, about ? such(done, about) : done)), direction)
}
