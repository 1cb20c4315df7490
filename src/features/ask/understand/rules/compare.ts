/** Two figures beside each other, and what share one is of another. */
import type { Condition, Query } from '../../../records/query/spec.ts'
import {
  type About,
  type FieldMeaning,
  type Meaning,
  narrowed,
  on,
  type Records,
  union,
  whole,
} from '../meaning.ts'
import { ruleSet } from './build.ts'
import { queryOf, rateOf } from './questions.ts'
import {
  AMOUNT,
  allOf,
  CLOSED,
  count,
  countable,
  DEALS,
  dated,
  isMe,
  isOwner,
  isRecord,
  isSame,
  measured,
  ofThese,
  STAFF,
  says,
  such,
  type Time,
  type Wanted,
  WON,
  within,
} from './shared.ts'

/** Of two sides that are compared: the figure is asked of each. It is part of the conditions until a question is whole. */
interface Versus {
  or: readonly Condition[]
  isVersus: true
}

const isVersus = (where: Condition): where is Versus => 'isVersus' in where

export const compareRules = ruleSet(rule => {
  rule('Adjective = *Value Versus Article? *Value', -0.3, versus)
  rule('Adjective = *State Versus *State', -0.3, versus)
  rule('Noun = *Noun Versus *Noun', -0.3, (a, b) => {
    const both = a.entity === b.entity ? versus(aboutOf(a), aboutOf(b)) : undefined
    return both && { entity: a.entity, where: [both.where] }
  })
  rule('Condition = *State|Happened *Time Versus *Time', 0, inTimes)
  rule('Meaning = Compare? *Wanted', 0.2, compared)
  rule('Meaning = *Adjective *Figure|Wanted', 0.2, (about, figure) => ofBoth(figure, about))
  // the second is said after the figure of the first
  rule('Meaning = Compare *Wanted Preposition|And *Value', 0, against)
  rule('Meaning = Be *Wanted LargerThan Preposition? *Value', 0, (wanted, about) =>
    asked(against(wanted, about)),
  )
  // "is the refit bigger than the renewal"
  rule('Meaning = Be *RecordPhrase LargerThan *RecordPhrase', 0, (a, b) => {
    const field = a.entity === 'company' ? STAFF : AMOUNT
    return a.entity === field.entity ? asked(against(sumOf(field, a), b)) : undefined
  })
  rule('Meaning = Exists MoreOf *Records Than *Condition', 0, (of, about) => asked(against(count(of), about)))
  rule('Meaning = Exists MoreOf *Records Than *Records', 0, (of, other) =>
    of.entity === other.entity ? asked(against(count(of), aboutOf(other))) : undefined,
  )
  // "more won than lost deals"
  rule('Meaning = Exists MoreOf *State Than *Records', 0, (about, of) =>
    about.entity === of.entity
      ? asked(against(count({ ...of, where: [about.where] }), aboutOf(of)))
      : undefined,
  )
  rule(
    'Meaning = Do|Have We *Verb MoreOf *Noun TimePreposition? *Time Than TimePreposition? *Time',
    0,
    (action, noun, a, b) => {
      const both = action.entity === noun.entity ? inTimes(action, a, b) : undefined
      return both && asked(compared(count({ ...noun, where: [...noun.where, both.where] })))
    },
  )
  // "have we won more deals than we have lost"
  rule('Meaning = Do|Have We *Verb MoreOf *Noun Than *Happened *Time?', 0, (action, noun, happened, time) => {
    const isOne = action.entity === noun.entity && happened.entity === noun.entity
    const of = time ? within(noun, action.date ?? '', time) : noun
    return isOne && of ? asked(against(ofThese(count(of), such(of, action)), happened)) : undefined
  })
  rule('Meaning = Count MoreOf *Records Than Preposition? *Value', 0, (of, about) =>
    against(count(of), about),
  )
  rule('Meaning = Do|Have *Subject Have MoreOf *Records Than *Value', 0, (subject, of, about) =>
    asked(against(ofThese(count(of), such(of, alone(subject))), about)),
  )
  rule('Meaning = Do *RecordPhrase Have MoreOf *Field Than *RecordPhrase', 0, (a, field, b) =>
    asked(against(sumOf(field, a), b)),
  )
  // both are said together
  rule('Meaning = Exists MoreOf *Records', 0, of => compared(count({ ...of, where: of.where.map(split) })))
  rule('Meaning = HowDoes *Value CompareTo *Value Preposition *Figure|Wanted', 0, ofTwo)
  rule(
    'Meaning = Compare|Difference Article? *Value And Article? *Value Preposition *Figure|Wanted',
    0,
    ofTwo,
  )
  rule('Meaning = WhoOfUs *Verb MoreOf *Noun? *Time? *Value Or *Value', 0, whoMore)
  rule('Meaning = Do *Value Or *Value *Verb MoreOf *Noun', 0, (a, b, action, noun) =>
    whoMore(action, noun, undefined, a, b),
  )

  rule('Meaning = Do|Have We *Verb MoreOf *Noun *Condition Than *Condition', 0, (action, noun, a, b) =>
    action.entity === noun.entity
      ? asked(against(ofThese(count(noun), such(narrowed(noun, action.where), a)), b))
      : undefined,
  )
  rule('Meaning = ShareOf *Records Be *Noun', 0, (of, { entity, where }) =>
    entity === of.entity ? shareOf(count(of), whole(where)) : undefined,
  )
  rule('Meaning = ShareOf *Records Be? *Condition', 0, (of, about) =>
    shareOf(count(of), on(of.entity, about)),
  )
  // "what percent of our closed deals did we win"
  rule('Meaning = ShareOf *Records Do|Have We *Verb', 0, (of, action) =>
    shareOf(count(of), on(of.entity, action)),
  )
  rule('Meaning = ShareOf *Money Be? *Condition', 0, (of, about) =>
    of.where.length > 0 ? shareOf(measured('sum', AMOUNT, of), on(of.entity, about)) : undefined,
  )
  rule('Meaning = ShareOf *OpenDeals Be? *Condition', -0.2, (of, about) =>
    shareOf(measured('sum', AMOUNT, of), on(of.entity, about)),
  )
  rule('Meaning = WhatIs *Adjective MyShare *OpenDeals', 0, (about, of) =>
    shareOf(measured('sum', AMOUNT, of), on(of.entity, about)),
  )
})

/** Whether the first side is the larger one: answered with yes or no. */
const asked = (meaning: Meaning | undefined): Meaning | undefined =>
  meaning?.kind === 'compare' ? { ...meaning, isYesNo: true } : undefined

const sumOf = (field: FieldMeaning, { where }: About): Wanted | undefined =>
  measured('sum', field, { ...allOf(field.entity), where: [where] })

/** The same at two times. */
function inTimes(about: About, a: Time, b: Time): About | undefined {
  const [first, second] = [dated(about, a), dated(about, b)]
  const where = first && second && versusOf(first.where, second.where)
  return where && { ...first, where }
}

const versusOf = (...or: Condition[]): Versus => ({ or, isVersus: true })

const aboutOf = ({ entity, where }: Records): About => ({ entity, where: { and: where } })

/** One's own, without what belongs to nobody. */
const alone = (about: About): About =>
  isMe(about) && 'or' in about.where && about.where.or[0] ? { ...about, where: about.where.or[0] } : about

/** Two values of one field, or two of us. */
function versus(a: About, b: About): About | undefined {
  const [one, other] = [alone(flat(a)), alone(flat(b))]
  const isAlike = union(one, other) ?? (one.entity === other.entity && isOwner(one) && isOwner(other))
  if (!isAlike || isSame(one.where, other.where)) return undefined
  const isOwn = one.isState || isOwner(one)
  const where = versusOf(one.where, other.where)
  return { entity: one.entity, where, ...(isOwn ? { isState: true } : {}) }
}

const flat = (about: About): About =>
  'and' in about.where && about.where.and.length === 1 && about.where.and[0]
    ? { ...about, where: about.where.and[0] }
    : about

/** "in Germany or in France" after "more": the two are compared. */
function split(where: Condition): Condition {
  if ('some' in where && where.where) return { ...where, where: split(where.where) }
  if (!('field' in where) || where.op !== 'in' || !Array.isArray(where.value) || where.value.length !== 2)
    return where
  return versusOf(...where.value.map((value): Condition => ({ field: where.field, op: 'eq', value })))
}

/** Undefined where nothing is compared, or more than two. */
function compared(wanted: Wanted): Meaning | undefined {
  if (wanted.group || wanted.order || wanted.show) return undefined
  const { where, ...query } = queryOf({ ...wanted, measure: countable(wanted) })
  const sides: Condition[] = []
  const either =
    where &&
    replaced(where, ({ or }) => {
      sides.push(...or)
      return { or }
    })
  if (!where || !either || sides.length !== 2) return undefined
  const of = (condition: Condition): Query => ({ ...query, where: condition })
  return {
    kind: 'compare',
    query: of(either),
    sides: sides.map(side => ({ is: side, query: of(replaced(where, () => side)) })),
  }
}

function replaced(where: Condition, by: (side: Versus) => Condition): Condition {
  const inner = (part: Condition) => replaced(part, by)
  if (isVersus(where)) return by(where)
  if ('and' in where) return { and: where.and.map(inner) }
  if ('or' in where) return { or: where.or.map(inner) }
  return 'where' in where && where.where ? { ...where, where: inner(where.where) } : where
}

const ofBoth = (wanted: Wanted, about: About): Meaning | undefined => {
  const where = isVersus(about.where) ? on(wanted.of.entity, about) : undefined
  return where && compared({ ...wanted, of: { ...wanted.of, where: [...wanted.of.where, where] } })
}

function ofTwo(a: About, b: About, wanted: Wanted): Meaning | undefined {
  // how many there are of one record is no comparison
  const both = isRecord(a) && a.entity === wanted.of.entity ? undefined : versus(a, b)
  return both && ofBoth(wanted, both)
}

/** The same figure with this value in the place of its like. */
function against(wanted: Wanted | undefined, about: About): Meaning | undefined {
  if (!wanted) return undefined
  for (const [i, where] of wanted.of.where.entries()) {
    const isLifted = about.entity !== wanted.of.entity
    const inner = isLifted ? ('some' in where ? where.where : undefined) : where
    if (!inner) continue
    const both = versus({ entity: about.entity, where: inner }, about)
    if (!both) continue
    const side = isLifted ? { ...where, where: both.where } : both.where
    const of = { ...wanted.of, where: wanted.of.where.with(i, side) }
    return compared({ ...wanted, of })
  }
  return undefined
}

function whoMore(
  action: About,
  noun: Records | undefined,
  time: Time | undefined,
  a: About,
  b: About,
): Meaning | undefined {
  const both = versus(a, b)
  const done = time ? dated(action, time) : action
  const of = noun ?? DEALS
  if (!both || !done || done.entity !== of.entity || both.entity !== of.entity) return undefined
  const all = { ...of, where: [...of.where, done.where, both.where] }
  const wanted = noun ? count(all) : measured('sum', AMOUNT, all)
  return wanted && compared(wanted)
}

/**
 * How much of a figure is that of the records that are so. The share of won deals is a share of the closed ones: open
 * deals are neither won nor lost yet.
 */
function shareOf(wanted: Wanted | undefined, where: Condition | undefined): Meaning | undefined {
  if (!wanted) return undefined
  // "our closed deals" are all that can have been won
  const others = { ...wanted.of, where: wanted.of.where.filter(own => !isSame(own, CLOSED)) }
  const isEnded = isSame(where, WON) && !says(others, 'status')
  const of = isEnded ? { ...others, where: [...others.where, CLOSED] } : wanted.of
  if (isEnded && wanted.measure.kind === 'count') return rateOf(of)
  const part = narrowed(wanted.of, where)
  return part && { kind: 'share', query: queryOf({ ...wanted, of: part }), whole: queryOf({ ...wanted, of }) }
}
