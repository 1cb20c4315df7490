/** Clauses about related records: "with more than two open deals", "whose deals are all won". */
import { type About, type Clause, on, type Records, whole } from '../meaning.ts'
import type { Quantity } from '../numbers.ts'
import { ruleSet } from './build.ts'
import { type Comparator, every } from './shared.ts'

export const clauseRules = ruleSet(rule => {
  rule('Clause = Have *Records', 0.3, (of: Records) => ({ kind: 'some', of }))
  // "the biggest customer by won deals" is a ranking
  rule('Clause = *Preposition *Records', 0.4, (word: string, of: Records) =>
    word === 'by' ? undefined : { kind: 'some', of },
  )
  rule('Clause = That|Be *Clause', 0.1, (clause: Clause) => clause)
  rule('Clause = Lack *Records', 0.3, (of: Records) => ({ kind: 'none', of }))
  rule('Clause = Not *Clause', 0.4, (clause: Clause) =>
    clause.kind === 'some' && !clause.isTouch ? { ...clause, kind: 'none' } : undefined,
  )
  rule('Clause = Have Both *Condition And *Condition *Noun', 0, twoClauses)
  rule('Clause = Have *Comparison *Records', 0, counted)
  rule('Clause = Have *Number *Records', 0.2, (quantity: Quantity, of: Records) =>
    counted([{ op: 'eq', quantity }], of),
  )
  rule('Clause = Have Only *Number *Records', 0, (quantity: Quantity, of: Records) =>
    counted([{ op: 'eq', quantity }], of),
  )
  rule('Clause = Only Have *Number *Records', 0, (quantity: Quantity, of: Records) =>
    counted([{ op: 'eq', quantity }], of),
  )
  rule('Clause = Have Only *Records', 0, onlySuch)
  rule('Clause = Only Have *Records', 0, onlySuch)
  rule('Clause = Whose *Noun Be All|Only *Condition', 0, every)
  rule('Clause = AllOfWhose *Noun *Condition', 0, every)
  rule('Clause = Have All Article? *Noun *Condition', 0, every)
  rule('Clause = Whose All *Noun *Condition', 0, every)
  // "with nothing planned": no activity that is still to be done
  rule('Clause = Nothing *Condition', 0, (about: About) =>
    about.entity === 'activity'
      ? { kind: 'none', of: { entity: 'activity', where: [about.where] } }
      : undefined,
  )
})

/** "both open and won deals": one of each. */
function twoClauses(a: About, b: About, of: Records): Clause | undefined {
  const [first, second] = [on(of.entity, a), on(of.entity, b)]
  if (!first || !second) return undefined
  return {
    kind: 'some',
    of: { ...of, where: [...of.where, first] },
    also: { ...of, where: [...of.where, second] },
  }
}

/** "companies with only won deals": all their deals are such. */
function onlySuch(of: Records): Clause | undefined {
  const where = whole(of.where)
  const all = { entity: of.entity, where: [] }
  return where ? { kind: 'every', of: all, each: { entity: of.entity, where } } : undefined
}

function counted(comparison: readonly Comparator[], of: Records): Clause | undefined {
  if (comparison.some(({ quantity }) => quantity.isMoney || !Number.isInteger(quantity.value)))
    return undefined
  return { kind: 'count', of, compare: comparison.map(({ op, quantity }) => ({ op, value: quantity.value })) }
}
