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
  count,
  countable,
  DEALS,
  dated,
  isMe,
  isOwner,
  isRecord,
  measured,
  type Time,
  type Wanted,
} from './shared.ts'

const STAFF: FieldMeaning = { entity: 'company', field: 'employee_count', type: 'number' }

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
  rule('Condition = *State|Happened *Time Versus *Time', 0, (state, a, b) => {
    const [first, second] = [dated(state, a), dated(state, b)]
    return first && second && { ...first, where: { or: [first.where, second.where], isVersus: true } }
  })
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
    const sum = measured('sum', field, { entity: field.entity, where: [a.where] })
    return sum && a.entity === field.entity ? asked(against(sum, b)) : undefined
  })
  rule('Meaning = Exists MoreOf *Records Than *Condition', 0, (of, about) => asked(against(count(of), about)))
  rule('Meaning = Exists MoreOf *Records Than *Records', 0, (of, other) =>
    of.entity === other.entity ? asked(against(count(of), aboutOf(other))) : undefined,
  )
  rule(
    'Meaning = Do|Have We *Verb MoreOf *Noun TimePreposition? *Time Than TimePreposition? *Time',
    0,
    (action, noun, a, b) => {
      const [first, second] = [dated(action, a), dated(action, b)]
      if (!first || !second || action.entity !== noun.entity) return undefined
      const where: Versus = { or: [first.where, second.where], isVersus: true }
      return asked(compared(count({ ...noun, where: [...noun.where, where] })))
    },
  )
  rule('Meaning = Count MoreOf *Records Than Preposition? *Value', 0, (of, about) =>
    against(count(of), about),
  )
  rule('Meaning = Do|Have *Subject Have MoreOf *Records Than *Value', 0, (subject, of, about) => {
    const own = narrowed(of, on(of.entity, alone(subject)))
    return own && asked(against(count(own), about))
  })
  rule('Meaning = Do *RecordPhrase Have MoreOf *Field Than *RecordPhrase', 0, (a, field, b) => {
    const sum = measured('sum', field, { entity: field.entity, where: [a.where] })
    return sum && asked(against(sum, b))
  })
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

  rule('Meaning = ShareOf *Records Be *Noun', 0, (of, { entity, where }) => {
    return entity === of.entity ? shareOf(count(of), whole(where)) : undefined
  })
  rule('Meaning = Do|Have We *Verb MoreOf *Noun *Condition Than *Condition', 0, (action, noun, a, b) => {
    const of = action.entity === noun.entity ? narrowed(noun, action.where) : undefined
    const such = of && narrowed(of, on(of.entity, a))
    return such && asked(against(count(such), b))
  })
  rule('Meaning = ShareOf *Records Be? *Condition', 0, (of, about) =>
    shareOf(count(of), on(of.entity, about)),
  )
  rule('Meaning = ShareOf *Money Be? *Condition', 0, (of, about) => {
    const sum = of.where.length > 0 ? measured('sum', AMOUNT, of) : undefined
    return sum && shareOf(sum, on(of.entity, about))
  })
  rule('Meaning = ShareOf *OpenDeals Be? *Condition', -0.2, (of, about) => {
    const sum = measured('sum', AMOUNT, of)
    return sum && shareOf(sum, on(of.entity, about))
  })
  rule('Meaning = WhatIs *Adjective MyShare *OpenDeals', 0, (about, of) => {
    const sum = measured('sum', AMOUNT, of)
    return sum && shareOf(sum, on(of.entity, about))
  })
})

/** Whether the first side is the larger one: answered with yes or no. */
const asked = (meaning: Meaning | undefined): Meaning | undefined =>
  meaning?.kind === 'compare' ? { ...meaning, isYesNo: true } : undefined

const aboutOf = ({ entity, where }: Records): About => ({ entity, where: { and: where } })

/** One's own, without what belongs to nobody. */
const alone = (about: About): About =>
  isMe(about) && 'or' in about.where && about.where.or[0] ? { ...about, where: about.where.or[0] } : about

/** Two values of one field, or two of us. */
function versus(a: About, b: About): About | undefined {
  const [one, other] = [alone(flat(a)), alone(flat(b))]
  const isAlike = union(one, other) ?? (one.entity === other.entity && isOwner(one) && isOwner(other))
  if (!isAlike || JSON.stringify(one.where) === JSON.stringify(other.where)) return undefined
  const where: Versus = { or: [one.where, other.where], isVersus: true }
  const isOwn = one.isState || isOwner(one)
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
  const each = where.value.map((value): Condition => ({ field: where.field, op: 'eq', value }))
  const both: Versus = { or: each, isVersus: true }
  return both
}

/** Undefined where nothing is compared. */
function compared(wanted: Wanted): Meaning | undefined {
  if (wanted.group || wanted.order || wanted.show) return undefined
  const { where, ...query } = queryOf({ ...wanted, measure: countable(wanted) })
  if (!where) return undefined
  const [sides, others] = pick(where, side => [side.or, side.or.length])
  if (others !== 2) return undefined
  const of = (condition: Condition): Query => ({ ...query, where: condition })
  return {
    kind: 'compare',
    query: of(replaced(where, side => ({ or: side.or }))),
    sides: sides.map((side, i) => ({ is: side, query: of(replaced(where, both => both.or[i] ?? side)) })),
  }
}

/** The sides of the one comparison in the conditions. */
function pick(
  where: Condition,
  of: (side: Versus) => [readonly Condition[], number],
): [readonly Condition[], number] {
  let found: [readonly Condition[], number] = [[], 0]
  replaced(where, side => {
    found = [of(side)[0], found[1] + of(side)[1]]
    return side
  })
  return found
}

function replaced(where: Condition, by: (side: Versus) => Condition): Condition {
  const inner = (part: Condition) => replaced(part, by)
  if (isVersus(where)) return by(where)
  if ('and' in where) return { and: where.and.map(inner) }
  if ('or' in where) return { or: where.or.map(inner) }
  return 'where' in where && where.where ? { ...where, where: inner(where.where) } : where
}

function ofBoth(wanted: Wanted, about: About): Meaning | undefined {
  if (!isVersus(about.where)) return undefined
  const where = on(wanted.of.entity, about)
  return where && compared({ ...wanted, of: { ...wanted.of, where: [...wanted.of.where, where] } })
}

function ofTwo(a: About, b: About, wanted: Wanted): Meaning | undefined {
  // how many there are of one record is no comparison
  const both = isRecord(a) && a.entity === wanted.of.entity ? undefined : versus(a, b)
  return both && ofBoth(wanted, both)
}

/** The same figure with this value in the place of its like. */
function against(wanted: Wanted, about: About): Meaning | undefined {
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
  const such = { ...of, where: [...of.where, done.where, both.where] }
  const wanted = noun ? count(such) : measured('sum', AMOUNT, such)
  return wanted && compared(wanted)
}

/**
 * How much of a figure is that of the records that are so. The share of won deals is a share of the closed ones: open
 * deals are neither won nor lost yet.
 */
export function shareOf(wanted: Wanted, where: Condition | undefined): Meaning | undefined {
  const isWon = JSON.stringify(where) === '{"field":"status","op":"eq","value":"won"}'
  const isEnded = isWon && !JSON.stringify(wanted.of.where).includes('"status"')
  const of = isEnded ? { ...wanted.of, where: [...wanted.of.where, CLOSED] } : wanted.of
  if (isEnded && wanted.measure.kind === 'count') return rateOf(of)
  const part = narrowed(wanted.of, where)
  return part && { kind: 'share', query: queryOf({ ...wanted, of: part }), whole: queryOf({ ...wanted, of }) }
}

const CLOSED: Condition = { field: 'status', op: 'in', value: ['won', 'lost'] }
