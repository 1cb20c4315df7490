/** Clauses about related records: "with more than two open deals", "whose deals are all won". */
import type { Condition } from '../../../records/query/spec.ts'
import { Costly } from '../chart.ts'
import { type About, both, type Clause, on, type Records, whole } from '../meaning.ts'
import { ruleSet } from './build.ts'
import {
  allOf,
  type Comparator,
  DEALS,
  dated,
  every,
  isSame,
  OPEN,
  says,
  such,
  type Time,
  WON,
} from './shared.ts'

export const clauseRules = ruleSet(rule => {
  rule('Clause = Have *Records', 0.3, of => ({ kind: 'some', of }))
  rule('EndingClause = HaveVerb *Records', 0.3, of => ({ kind: 'some', of }))
  rule('EndingClause = LackVerb *Records', 0.3, of => ({ kind: 'none', of }))
  // "the biggest customer by won deals" is a ranking
  rule('Clause = *Preposition *Records', 0.4, (word, of) =>
    word === 'by' ? undefined : { kind: 'some', of },
  )
  rule('Clause = That|Be *Clause', 0.1)
  rule('Clause = Lack *Records With?', 0.3, of => ({ kind: 'none', of }))
  // "no meeting, neither held nor planned"
  rule('Clause = Lack *Records Neither *State Or|Nor *State', 0, (of, a, b) => {
    const all = such(of, both('or', a, b))
    return all && { kind: 'none', of: all }
  })
  // "who came to the workshop", "involved in more than one deal"
  rule('Clause = Will|Have|Be? Attend Article? *Records', 0.2, of => attended(of))
  rule('Clause = Will|Have|Be? Attend *RecordPhrase', 0, ({ entity, where }) =>
    entity === 'activity' ? attended({ entity, where: [where] }) : undefined,
  )
  rule(
    'Clause = Have|Be? Attend *Comparison *Records',
    0.1,
    (compare, of) => attended(of) && counted(compare, of),
  )
  rule('Clause = Have? Never *Clause', 0.3, clause =>
    clause.kind === 'some' && !clause.isTouch && !clause.also ? { ...clause, kind: 'none' } : undefined,
  )
  rule('Clause = *Clause Linked', 0.1, clause => (clause.isTouch ? undefined : clause))
  rule('Clause = Whose We *Clause', 0.1)
  rule('Clause = Have Neither *Records Or|Nor *Records', 0, (of, also) => ({ kind: 'none', of, also }))
  // whom we won: "customers we won this year", "companies that bought from us". Whom we lost left, which is not known.
  rule('Won = *Happened', 0, won)
  rule('Won = Have? Bought', 0, () => ({ entity: 'deal', where: WON, date: 'closed_at' }))
  rule('Clause = *Won', 0.4, ofDeals)
  rule('Clause = That? Have? NotDone|Never Bought Anything?', 0, () => ({
    kind: 'none',
    of: { entity: 'deal', where: [WON] },
  }))
  rule('Clause = *Won *Time', 0.3, (about, time) => ofDeals(dated(about, time)))
  // "lost a deal with but never won one"
  rule('Deal = Article? *Noun', 0, of => (of.entity === 'deal' ? of : undefined))
  rule('Deal = OneOf *Noun?', 0.1, (of = DEALS) => (of.entity === 'deal' ? of : undefined))
  rule('Clause = Whose? *Happened|Verb *Deal Preposition? *Time?', 0.3, (action, noun, time) => {
    const of = dealsOf(action, noun, time)
    return of && { kind: 'some', of }
  })
  // "have we won at least two deals with", "have we never won a deal with"
  rule(
    'Clause = Whose? *Happened *Comparison *Noun Preposition? *Time?',
    0,
    (action, comparison, noun, time) => {
      const of = dealsOf(action, noun, time)
      return of && counted(comparison, of)
    },
  )
  rule(
    'Clause = Whose|That? Have|Do? We? Have? Never|NotDone *Verb *Deal Preposition? *Time?',
    0.2,
    (action, noun, time) => {
      const of = dealsOf(action, noun, time)
      return of && { kind: 'none', of }
    },
  )
  rule('Clause = Not *Clause', 0.4, clause =>
    clause.kind === 'some' && !clause.isTouch ? { ...clause, kind: 'none' } : undefined,
  )
  rule('Clause = Have Both *Condition And *Condition *Noun', 0, twoClauses)
  rule('Clause = Have *State And *State *Noun', 0, twoClauses)
  rule('Clause = Have Both *Records And *Records', 0, (of, also) =>
    of.entity === also.entity && also.where.length > 0 ? { kind: 'some', of, also } : undefined,
  )
  // "both calls and meetings planned": what follows is said of each
  rule('Clause = Have Both? *Noun And *Noun *Condition', 0, (a, b, about) =>
    a.entity === b.entity ? oneOfEach(a, about, b, about) : undefined,
  )
  rule('Clause = Have|Exists *Comparison *Records Preposition?', 0, counted)
  rule('Clause = Have *Number *Records', 0.2, (quantity, of) => counted([{ op: 'eq', quantity }], of))
  rule('OnlyHave = Have Only', 0, () => true)
  rule('OnlyHave = Only Have', 0, () => true)
  rule('Clause = OnlyHave *Number *Records', 0, (quantity, of) => counted([{ op: 'eq', quantity }], of))
  rule('Clause = OnlyHave *Records', 0, onlySuch)
  rule('Clause = Whose *Noun Be All|Only *Condition', 0, every)
  rule('Clause = AllOfWhose *Noun *Condition', 0, every)
  rule('Clause = Have All Article? *Noun *Condition', 0, every)
  rule('Clause = Whose All *Noun *Condition', 0, every)
  // German ends a clause with its verb: "Firmen, die keine Deals haben"
  rule('Clause = That *Records HaveVerb', 0.2, of => ({ kind: 'some', of }))
  rule('Clause = That No *Records HaveVerb', 0, of => ({ kind: 'none', of }))
  // "with nothing planned": no activity that is still to be done. "with nothing open": no deal.
  rule('Clause = Nothing *Condition', 0, ({ entity, where }) => {
    if (isSame(where, OPEN)) return { kind: 'none', of: { ...DEALS, where: [OPEN] } }
    return entity === 'activity'
      ? new Costly({ kind: 'none', of: { entity, where: [where] } }, 0.4)
      : undefined
  })
})

function won(about: About): About | undefined {
  return about.entity === 'deal' && says(about, 'won') ? about : undefined
}

function ofDeals(about: About | undefined): Clause | undefined {
  return about && { kind: 'some', of: { ...DEALS, where: [about.where] } }
}

/** The deals that came to what is said of them, at a time or at all. */
function dealsOf(action: About, noun: Records, time: Time | undefined): Records | undefined {
  const then = time ? dated(action, time) : action
  if (noun.entity !== 'deal' || then?.entity !== 'deal') return undefined
  return { entity: 'deal', where: [...noun.where, then.where] }
}

/** "both open and won deals": one of each. */
function twoClauses(a: About, b: About, of: Records): Clause | undefined {
  return oneOfEach(of, a, of, b)
}

function oneOfEach(of: Records, a: About, other: Records, b: About): Clause | undefined {
  const [first, second] = [on(of.entity, a), on(other.entity, b)]
  const add = (records: Records, where: Condition) => ({ ...records, where: [...records.where, where] })
  return first && second && { kind: 'some', of: add(of, first), also: add(other, second) }
}

/** "companies with only won deals": all their deals are such. */
function onlySuch(of: Records): Clause | undefined {
  const where = whole(of.where)
  return where && { kind: 'every', of: allOf(of.entity), each: { entity: of.entity, where } }
}

/** Who takes part: in an activity, or in a deal. */
const attended = (of: Records): Clause | undefined =>
  of.entity === 'activity' || of.entity === 'deal' ? { kind: 'some', of } : undefined

export function counted(comparison: readonly Comparator[], of: Records): Clause | undefined {
  if (comparison.some(({ quantity }) => quantity.isMoney || !Number.isInteger(quantity.value)))
    return undefined
  return { kind: 'count', of, compare: comparison.map(({ op, quantity }) => ({ op, value: quantity.value })) }
}
