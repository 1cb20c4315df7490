/** Activities: whom we have contacted and whom not, the last contact, the next meeting, what is to be done. */
import type { Condition } from '../../../records/query/spec.ts'
import { ANY_ENTITY } from '../../lexicon/types.ts'
import { type About, type Clause, type Meaning, on, type Records } from '../meaning.ts'
import { ruleSet } from './build.ts'
import { queryOf } from './questions.ts'
import { boundsOf, count, isOwner, isRecord, list, type Time } from './shared.ts'

export interface Touch {
  types: readonly string[]
  by?: About
}

export const activityRules = ruleSet(rule => {
  rule('Contacting = *Touch', 0, types => ({ types }))
  rule('Contacting = *Touch Or|And *Touch', 0, (a, b) => ({
    types: [...new Set([...a, ...b])],
  }))
  // whom we did not contact: "haven't we spoken to", "that nobody has called", "never met"
  rule('Untouched = Have|Do|Be *Subject Not|Never *Contacting', 0, withSubject)
  rule('Untouched = NotDone *Subject *Contacting', 0, withSubject)
  rule('Untouched = That? *Subject NotDone|Never *Contacting', 0, withSubject)
  rule('Untouched = That? *Subject Have Never *Contacting', 0, withSubject)
  rule('Untouched = That? NotDone|Never|Not *Contacting', 0.2, touch => touch)
  rule('Untouched = That? Have Never *Contacting', 0.1, touch => touch)
  rule('Untouched = That? Nobody Have? *Contacting', 0, touch => touch)
  rule('Touched = Do|Have *Subject *Contacting', 0.1, withSubject)
  rule('Touched = That? *Subject Have? *Contacting', 0.3, withSubject)
  rule('Clause = *Untouched', 0.1, touch => clauseOf('none', touch, []))
  rule('Clause = *Untouched *Time', 0, (touch, time) => {
    const since = sinceThen(time)
    return since && clauseOf('none', touch, since)
  })
  rule('Clause = *Touched *Time', 0.1, (touch, time) =>
    time.isAhead
      ? clauseOf('some', touch, boundsOf('planned_at', time.future), 'planned')
      : clauseOf('some', touch, boundsOf('happened_at', time.past)),
  )

  rule('Clause = Lack ContactWith *Time', 0, time => {
    const since = sinceThen(time)
    return since && clauseOf('none', { types: TALKS }, since)
  })
  // whom one is going to see: "who am I meeting next week"
  for (const [word, types] of [
    ['Meeting', ['meeting']],
    ['Calling', ['call']],
  ] as const) {
    rule(`Clause = Be *Subject ${word} *Time`, 0, (by, time) => {
      const touch = withSubject(by, { types })
      return touch && clauseOf('some', touch, boundsOf('planned_at', time.future), 'planned')
    })
  }
  // whether and how often: "did anyone call Greta", "how often did we meet Jan"
  rule('Talks = *Subject *Contacting *RecordPhrase *Time?', 0, talksWith)
  rule('Meaning = Do|Have *Talks', 0, of => ({ kind: 'query', query: queryOf(list(of)), isYesNo: true }))
  rule('Wanted = HowOften Do|Have *Talks', 0, count)
  rule('Wanted = AskWho|Who Will|Be? Attend *RecordPhrase', 0, about =>
    about.entity === 'activity'
      ? list({ entity: 'contact', where: [{ some: 'activities', where: about.where }] })
      : undefined,
  )
  rule('Condition = Do|Have|Will *RecordPhrase Attend', 0, about =>
    about.entity === 'contact' ? { ...about, isOther: true } : undefined,
  )
  rule('Records = What Be *Subject LateWith', 0, by =>
    by.entity === 'activity'
      ? { entity: 'activity', where: [{ field: 'is_overdue', op: 'eq', value: true }, by.where] }
      : undefined,
  )

  rule('Meaning = Who Do *Subject LastTalked', 0, by =>
    by.entity === 'activity' ? lastOf(by.where, TALKS) : undefined,
  )
  rule('Meaning = When We *Contacting *Value *NextTime', 0, (touch, about, now) =>
    contactWith(about, 'planned', 'asc', [{ field: 'type', op: 'in', value: touch.types }, after(now)]),
  )
  rule('Meaning = LastContact AnyoneAt? *Value', 0, about => contactWith(about, 'completed', 'desc', []))
  rule('Meaning = LastMet AnyoneAt? *Value', 0, about =>
    contactWith(about, 'completed', 'desc', [{ field: 'type', op: 'eq', value: 'meeting' }]),
  )
  rule('Meaning = WhoLast *Value', 0, about => {
    const meaning = contactWith(about, 'completed', 'desc', [])
    return meaning?.kind === 'query' ? { ...meaning, last: 'who' } : undefined
  })
  rule('Meaning = OfWhen? Article? *Next *Noun With Article? *Value', 0, nextWith)
  rule('Meaning = OfWhen? *Adjective *Next *Noun With *Value', 0, (by, now, of, about) => {
    const own = byOwner(of, by)
    return own && nextWith(now, own, about)
  })
  rule('Meaning = OfWhen? Article? Last *Noun With Article? *Value', 0, lastWith)
})

const byOwner = (of: Records, by: About): Records | undefined =>
  by.entity === of.entity && isOwner(by) ? { ...of, where: [...of.where, by.where] } : undefined

function nextWith(now: string, of: Records, about: About): Meaning | undefined {
  return of.entity === 'activity'
    ? contactWith(about, 'planned', 'asc', [...of.where, after(now)])
    : undefined
}

/** What is overdue does not come next. */
const after = (now: string): Condition => ({ field: 'when', op: 'gte', value: now })

function lastWith(of: Records, about: About): Meaning | undefined {
  const meaning = of.entity === 'activity' ? contactWith(about, 'completed', 'desc', of.where) : undefined
  return meaning?.kind === 'query' ? { kind: 'query', query: meaning.query } : undefined
}

const TALKS = ['call', 'meeting', 'email']

function talksWith(by: About, touch: Touch, about: About, time?: Time): Records | undefined {
  const [such, where] = [
    withSubject(by, touch),
    about.entity === 'activity' ? undefined : on('activity', about),
  ]
  const of = such && where && clauseOf('some', such, time ? boundsOf('happened_at', time.past) : []).of
  return of && { ...of, where: [...of.where, where] }
}

function lastOf(by: Condition, types: readonly string[]): Meaning {
  const where: Condition = {
    and: [by, { field: 'status', op: 'eq', value: 'completed' }, { field: 'type', op: 'in', value: types }],
  }
  const query = { entity: 'activity', where, measure: { kind: 'list' as const } }
  return {
    kind: 'query',
    query: { ...query, order: [{ by: 'when', direction: 'desc' }], limit: 1 },
    last: 'who',
  }
}

function withSubject(by: About, touch: Touch): Touch | undefined {
  if (by.entity === ANY_ENTITY) return touch
  return by.entity === 'activity' ? { ...touch, by } : undefined
}

function clauseOf(
  kind: 'some' | 'none',
  { types, by }: Touch,
  when: readonly Condition[],
  status = 'completed',
): Clause {
  const where: Condition[] = [
    { field: 'type', op: 'in', value: types },
    { field: 'status', op: 'eq', value: status },
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
