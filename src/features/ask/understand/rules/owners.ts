/** Who of us: owners of deals and contacts, assignees of activities. */
import { type About, type FieldMeaning, narrowed, on } from '../meaning.ts'
import { ruleSet } from './build.ts'
import {
  AMOUNT,
  count,
  DEALS,
  type Direction,
  first,
  grouped,
  havingOf,
  isOwner,
  measured,
  OWNER,
  type Wanted,
} from './shared.ts'

export const ownerRules = ruleSet(rule => {
  rule('Condition = Do|Have|Be? *Value|Values Own Preposition?', 0.3, about =>
    isOwner(about) && about.entity !== 'activity' ? about : undefined,
  )
  // for each of us
  rule('Each = Per|All *Field', 0, field => isOwnerField(field) || undefined)
  rule('Each = EachOfUs', 0, () => true)
  rule('Wanted = *Wanted Do|Have Each Own', 0.2, wanted =>
    wanted.of.entity === 'activity' ? undefined : byOwner(wanted),
  )
  rule('Wanted = *Wanted Do|Have Each *Verb', 0.2, (wanted, action) => {
    const of = narrowed(wanted.of, on(wanted.of.entity, { ...action, isState: true }))
    return of && byOwner({ ...wanted, of })
  })
  rule('Wanted = HowMuch MoneyNoun? Do|Have Each *Verb', 0.2, action => {
    const of = narrowed(DEALS, on('deal', action))
    const wanted = of && measured('sum', AMOUNT, of)
    return wanted && byOwner(wanted)
  })
  rule('Wanted = *Wanted Per Person', 0.3, wanted => byOwner(wanted))
  // the one with the most
  for (const [word, many, direction] of [
    ['Most', 'MostMany', 'desc'],
    ['Least', 'LeastMany', 'asc'],
  ] as const) {
    rule(`Wanted = WhoOfUs Have|Own ${many} *Records`, 0, of => topOwner(count(of), direction))
    rule(`Wanted = WhoOfUs Have|Own ${word} *OpenDeals`, 0, of =>
      topOwner(measured('sum', AMOUNT, of), direction),
    )
    rule(`Wanted = WhoOfUs Have? *Verb ${many} *Noun`, 0, (action, of) => {
      const such = narrowed(of, on(of.entity, action))
      return such && topOwner(count(such), direction)
    })
    rule(`Wanted = WhoOfUs Have? *Verb ${word} MoneyNoun`, 0, action => wonMost(action, direction))
    rule(`Wanted = WhoOfUs Have? *Verb ${word} *Condition`, 0.1, (action, about) =>
      wonMost(action, direction, about),
    )
  }
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

const isOwnerField = ({ field }: FieldMeaning): boolean => /^(?:owner|assignee)\./.test(field)

function byOwner(wanted: Wanted): Wanted | undefined {
  const owner = OWNER[wanted.of.entity]
  return owner && grouped(wanted, owner)
}

function topOwner(wanted: Wanted | undefined, direction: Direction): Wanted | undefined {
  const all = wanted && byOwner(wanted)
  return all && first(all, direction)
}

/** "who has won the most": the amounts, not the number of deals. */
function wonMost(action: About, direction: Direction, about?: About): Wanted | undefined {
  const done = narrowed(DEALS, on('deal', action))
  const of = about && done ? narrowed(done, on('deal', about)) : done
  return of && topOwner(measured('sum', AMOUNT, of), direction)
}
