/** Activities: whom we have contacted and whom not, the last contact, the next meeting, what is to be done. */
import type { Condition } from '../../../records/query/spec.ts'
import { ANY_ENTITY } from '../../lexicon/types.ts'
import { type About, type Clause, type Meaning, on, type Records } from '../meaning.ts'
import { ruleSet } from './build.ts'
import { queryOf, whether } from './questions.ts'
import {
  boundsOf,
  count,
  type Direction,
  DONE,
  fieldAt,
  is,
  isOwner,
  isRecord,
  list,
  PEOPLE,
  ranked,
  such,
  type Time,
  type Touch,
} from './shared.ts'

export const activityRules = ruleSet(rule => {
  rule('Contacting = *Touch', 0, types => ({ types }))
  // words that mean other things elsewhere
  rule('Contacting = Ring', 0, () => ({ types: ['call'] }))
  rule('Contacting = See', 0, () => ({ types: ['meeting'] }))
  rule('Contacting = *Touch Or|And *Touch', 0, (a, b) => ({ types: [...new Set([...a, ...b])] }))
  // whom we did not contact: "haven't we spoken to", "that nobody has called", "never met"
  rule('Untouched = Have|Do|Be *Subject Not|Never *Contacting', 0, withSubject)
  rule('Untouched = NotDone *Subject *Contacting', 0, withSubject)
  rule('Untouched = That? *Subject NotDone|Never *Contacting', 0, withSubject)
  rule('Untouched = That? *Subject Have Never *Contacting', 0, withSubject)
  rule('Untouched = That? NotDone|Never|Not *Contacting', 0.2)
  rule('Untouched = That? Have Never *Contacting', 0.1)
  rule('Untouched = That? Nobody Have? *Contacting', 0)
  rule('Touched = Do|Have *Subject *Contacting', 0.1, withSubject)
  rule('Touched = That? *Subject Have? *Contacting', 0.3, withSubject)
  rule('Clause = *Untouched', 0.1, touch => clauseOf('none', touch, []))
  rule('Clause = *Untouched *Time', 0, untouchedSince)
  rule('Clause = *Touched *Time', 0.1, (touch, time) =>
    time.isAhead ? seeing(touch, time) : clauseOf('some', touch, boundsOf('happened_at', time.past)),
  )
  rule('Clause = Lack ContactWith *Time', 0, time => untouchedSince({ types: TALKS }, time))
  // whom one is going to see: "who am I meeting next week"
  rule('Clause = Be *Subject Meeting *Time', 0, (by, time) =>
    seeing(withSubject(by, { types: ['meeting'] }), time),
  )
  rule('Clause = Be *Subject Calling *Time', 0, (by, time) =>
    seeing(withSubject(by, { types: ['call'] }), time),
  )
  // what is still to be done: "who do I have to ring tomorrow"
  rule('Clause = Do|Be *Subject HaveTo *Contacting *Time', 0, (by, touch, time) =>
    seeing(withSubject(by, touch), time),
  )
  rule('Clause = Must *Subject *Contacting *Time', 0, (by, touch, time) =>
    seeing(withSubject(by, touch), time),
  )
  // whether and how often: "did anyone call Greta", "how often did we meet Jan"
  rule('Talks = *Subject *Contacting *RecordPhrase *Time?', 0, talksWith)
  rule('Meaning = Do|Have *Talks', 0, whether)
  rule('Wanted = HowOften Do|Have *Talks', 0, count)
  rule('Wanted = AskWho|Who Will|Be? Attend *RecordPhrase', 0, about =>
    about.entity === 'activity'
      ? list({ ...PEOPLE, where: [{ some: 'activities', where: about.where }] })
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
    by.entity === 'activity' ? firstOf([by.where, DONE, typeIn(TALKS)], 'desc', 'who') : undefined,
  )
  rule('Meaning = When We *Contacting *Value *NextTime', 0, ({ types }, about, now) =>
    nextWith(now, [typeIn(types)], about),
  )
  rule('Meaning = LastContact AnyoneAt? *Value', 0, about => lastWith([], about, 'when'))
  rule('Meaning = LastMet AnyoneAt? *Value', 0, about => lastWith([is('type', 'meeting')], about, 'when'))
  rule('Meaning = WhoLast *Value', 0, about => lastWith([], about, 'who'))
  rule('Meaning = OfWhen? Article? *Next *Noun With Article? *Value', 0, (now, of, about) =>
    of.entity === 'activity' ? nextWith(now, of.where, about) : undefined,
  )
  rule('Meaning = OfWhen? *Adjective *Next *Noun With *Value', 0, (by, now, of, about) =>
    of.entity === 'activity' && by.entity === of.entity && isOwner(by)
      ? nextWith(now, [...of.where, by.where], about)
      : undefined,
  )
  rule('Meaning = OfWhen? Article? Last *Noun With Article? *Value', 0, (of, about) =>
    of.entity === 'activity' ? lastWith(of.where, about) : undefined,
  )
})

const TALKS = ['call', 'meeting', 'email']
const typeIn = (value: readonly string[]): Condition => ({ field: 'type', op: 'in', value })

function talksWith(by: About, touch: Touch, about: About, time?: Time): Records | undefined {
  const who = withSubject(by, touch)
  const of = who && clauseOf('some', who, time ? boundsOf('happened_at', time.past) : []).of
  return about.entity === 'activity' ? undefined : such(of, about)
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
  const who = by ? [by.where] : []
  const where = [typeIn(types), is('status', status), ...when, ...who]
  return { kind, of: { entity: 'activity', where }, isTouch: true }
}

/** Whom one is going to see. */
const seeing = (touch: Touch | undefined, { future }: Time): Clause | undefined =>
  touch && clauseOf('some', touch, boundsOf('planned_at', future), 'planned')

/** "for more than a month": not since then. A time that is not over does not tell whom nobody will have called in it. */
function untouchedSince(touch: Touch, { past, isNow, isAhead }: Time): Clause | undefined {
  if (isNow || isAhead) return undefined
  const since = past.from === null ? { from: past.to, to: null } : past
  return clauseOf('none', touch, boundsOf('happened_at', since))
}

/** The next activity with a person or company that is planned. What is overdue does not come next. */
const nextWith = (now: string, of: readonly Condition[], about: About): Meaning | undefined =>
  contactWith(about, 'asc', [is('status', 'planned'), ...of, { field: 'when', op: 'gte', value: now }])

/** The last one that took place, and whether asked is when it was or with whom. */
const lastWith = (of: readonly Condition[], about: About, last?: 'when' | 'who'): Meaning | undefined =>
  contactWith(about, 'desc', [DONE, ...of], last)

function contactWith(
  about: About,
  direction: Direction,
  more: readonly Condition[],
  last?: 'when' | 'who',
): Meaning | undefined {
  const where = isRecord(about) && about.entity !== 'activity' ? on('activity', about) : undefined
  return where && firstOf([where, ...more], direction, last)
}

function firstOf(where: Condition[], direction: Direction, last?: 'when' | 'who'): Meaning | undefined {
  const wanted = ranked({ entity: 'activity', where }, fieldAt('activity', 'when'), direction)
  return wanted && { kind: 'query', query: queryOf(wanted), ...(last ? { last } : {}) }
}
