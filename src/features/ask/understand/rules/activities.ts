/** Activities: whom we have contacted and whom not, the last contact, the next meeting, what is to be done. */
import type { Condition } from '../../../records/query/spec.ts'
import { ANY_ENTITY } from '../../lexicon/types.ts'
import { type About, type Clause, type Meaning, on, type Records } from '../meaning.ts'
import { ruleSet } from './build.ts'
import { boundsOf, isRecord, type Time } from './shared.ts'

interface Touch {
  types: readonly string[]
  by?: About
}

export const activityRules = ruleSet(rule => {
  rule('Contacting = *Touch', 0, (types: readonly string[]): Touch => ({ types }))
  rule(
    'Contacting = *Touch Or|And *Touch',
    0,
    (a: readonly string[], b: readonly string[]): Touch => ({
      types: [...new Set([...a, ...b])],
    }),
  )
  // whom we did not contact: "haven't we spoken to", "that nobody has called", "never met"
  rule('Untouched = Have|Do|Be *Subject Not|Never *Contacting', 0, withSubject)
  rule('Untouched = NotDone *Subject *Contacting', 0, withSubject)
  rule('Untouched = That? *Subject NotDone|Never *Contacting', 0, withSubject)
  rule('Untouched = That? *Subject Have Never *Contacting', 0, withSubject)
  rule('Untouched = That? NotDone|Never|Not *Contacting', 0.2, (touch: Touch) => touch)
  rule('Untouched = That? Have Never *Contacting', 0.1, (touch: Touch) => touch)
  rule('Untouched = That? Nobody Have? *Contacting', 0, (touch: Touch) => touch)
  rule('Touched = Do|Have *Subject *Contacting', 0.1, withSubject)
  rule('Touched = That? *Subject Have? *Contacting', 0.3, withSubject)
  rule('Clause = *Untouched', 0.1, (touch: Touch) => clauseOf('none', touch, []))
  rule('Clause = *Untouched *Time', 0, (touch: Touch, time: Time) => {
    const since = sinceThen(time)
    return since && clauseOf('none', touch, since)
  })
  rule('Clause = *Touched', 0.2, (touch: Touch) => clauseOf('some', touch, []))
  rule('Clause = *Touched *Time', 0.1, (touch: Touch, time: Time) =>
    clauseOf('some', touch, boundsOf('happened_at', time.past)),
  )

  rule('Meaning = LastContact AnyoneAt? *Value', 0, (about: About) =>
    contactWith(about, 'completed', 'desc', []),
  )
  rule('Meaning = WhoLast *Value', 0, (about: About) => {
    const meaning = contactWith(about, 'completed', 'desc', [])
    return meaning?.kind === 'query' ? { ...meaning, last: 'who' } : undefined
  })
  rule('Meaning = Next *Noun With *Value', 0, (of: Records, about: About) =>
    of.entity === 'activity' ? contactWith(about, 'planned', 'asc', of.where) : undefined,
  )
  rule('Meaning = Last *Noun With *Value', 0, (of: Records, about: About) => {
    const meaning = of.entity === 'activity' ? contactWith(about, 'completed', 'desc', of.where) : undefined
    return meaning?.kind === 'query' ? { kind: 'query', query: meaning.query } : undefined
  })
})

function withSubject(by: About, touch: Touch): Touch | undefined {
  if (by.entity === ANY_ENTITY) return touch
  return by.entity === 'activity' ? { ...touch, by } : undefined
}

function clauseOf(kind: 'some' | 'none', { types, by }: Touch, when: readonly Condition[]): Clause {
  const where: Condition[] = [
    { field: 'type', op: 'in', value: types },
    { field: 'status', op: 'eq', value: 'completed' },
    ...when,
    ...(by ? [by.where] : []),
  ]
  return { kind, of: { entity: 'activity', where }, isTouch: true }
}

/** "for more than a month": not since then. A time that is not over does not tell whom nobody will have called in it. */
function sinceThen({ past, isNow, isAhead }: Time): Condition[] | undefined {
  if (isNow || isAhead) return undefined
  return past.from === null
    ? boundsOf('happened_at', { from: past.to, to: null })
    : boundsOf('happened_at', past)
}

/** The last activity with a person or company that took place, or the next one that is planned. */
function contactWith(
  about: About,
  status: 'completed' | 'planned',
  direction: 'asc' | 'desc',
  more: readonly Condition[],
): Meaning | undefined {
  const where = isRecord(about) && about.entity !== 'activity' ? on('activity', about) : undefined
  if (!where) return undefined
  const all = [where, { field: 'status', op: 'eq' as const, value: status }, ...more]
  return {
    kind: 'query',
    query: {
      entity: 'activity',
      where: { and: all },
      measure: { kind: 'list' },
      order: [{ by: 'when', direction }],
      limit: 1,
    },
    ...(status === 'completed' ? { last: 'when' as const } : {}),
  }
}
