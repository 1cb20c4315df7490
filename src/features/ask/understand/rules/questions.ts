/** Whole questions: a figure or a list, whether all or any records are so, the win rate. */
import type { Condition, Query } from '../../../records/query/spec.ts'
import { ANY_ENTITY } from '../../lexicon/types.ts'
import { Costly } from '../chart.ts'
import {
  type About,
  type Clause,
  clauseOn,
  type FieldMeaning,
  liftCost,
  type Meaning,
  narrowed,
  on,
  type Records,
  whole,
} from '../meaning.ts'
import { ruleSet } from './build.ts'
import { byOne } from './conditions.ts'
import { boughtBy } from './records.ts'
import {
  CLOSED,
  count,
  DEALS,
  dated,
  empty,
  grouped,
  isOwner,
  isRecord,
  list,
  modified,
  OWNER,
  such,
  type Wanted,
  within,
} from './shared.ts'

export const questionRules = ruleSet(rule => {
  // two sides are compared, not listed
  rule('Meaning = *Wanted', 0, wanted => {
    if (JSON.stringify(wanted.of.where).includes('isVersus')) return undefined
    const { show, isYesNo } = wanted
    return {
      kind: 'query',
      query: queryOf(wanted),
      ...(show ? { show, isEach: true } : {}),
      ...(isYesNo ? { isYesNo } : {}),
    }
  })
  rule('Meaning = WhoIs Article? *Records', 0, of =>
    of.entity === 'contact' && of.where.length > 0
      ? { kind: 'query', query: queryOf(list(of)), isUnknown: true }
      : undefined,
  )
  rule('Meaning = DoAll Article? *Noun|Records *Condition', 0, (of, about) => {
    const meaning = everyOf(of, on(of.entity, about))
    return meaning && new Costly(meaning, liftCost(of.entity, about))
  })
  rule('Meaning = DoAll Article? *Noun|Records *Clause', 0, (of, clause) =>
    everyOf(of, clauseOn(of.entity, clause)),
  )
  rule('Meaning = DoAll Article? *Noun|Records Article? *Noun', 0, (of, noun) =>
    of.entity === noun.entity ? everyOf(of, whole(noun.where)) : undefined,
  )
  // "do we have a phone number for every contact"
  rule('Meaning = Exists *FieldPhrase Of|Preposition All *Records', 0, (field, of) =>
    field.entity === of.entity ? everyOf(of, empty(field, false).where) : undefined,
  )
  rule('Meaning = Any|DoAny *Records', 0.1, of => (of.where.length > 0 ? whether(of) : undefined))
  // "are any deals overdue? which ones?"
  rule('Meaning = *Meaning WhichOnes', 0.1, meaning =>
    meaning.kind === 'query' &&
    !meaning.query.group_by &&
    meaning.query.measure &&
    !('field' in meaning.query.measure)
      ? meaning
      : undefined,
  )
  // one record: "is Acme a customer", "did we win the renewal"
  rule('Meaning = Be|Have|Do *RecordPhrase Article? *Condition', 0.1, isIt)
  // "does Acme have an open deal", "has Ann never been to a meeting"
  rule('Meaning = Be|Have|Do *RecordPhrase *Clause', 0, hasIt)
  rule('Meaning = Do|Have We *Verb *RecordPhrase', 0, (action, about) => isIt(about, action))
  rule('Happening = Do|Have *Subject *Verb Anything', 0, byOne)
  rule('Meaning = *Happening Preposition? *Time', 0, (action, time) => anyOf(dated(action, time)))
  rule('Meaning = *Happening', 0.2, anyOf)

  rule('Meaning = Do|Have *Subject *Verb *Records', 0, (subject, action, of) =>
    whether(such(of, byOne(subject, action))),
  )
  // "have we won every deal with Acme": all that are not won are exceptions
  rule('Meaning = Do|Have We *Verb All *Records', 0, (action, of) =>
    action.entity === of.entity ? everyOf(of, action.where) : undefined,
  )
  rule('Rate = WinRate', 0, () => ({ ...DEALS, where: [CLOSED] }))
  rule('Rate = Article *Rate', 0.1)
  rule('Rate = *Adjective *Rate', 0.4, (about, of) => modified(of, about))
  rule('Rate = *Rate Preposition? *Time', 0.2, (of, time) => within(of, 'closed_at', time))
  rule('Rate = *Rate *Condition', 0.5, modified)
  rule('Pick = Best', 0, () => 'best')
  rule('Pick = Worst', 0, () => 'worst')
  rule('Meaning = WhatIs|Ask? *Rate', 0, of => rateOf(of))
  rule('Meaning = WhatIs|Ask? *Rate Per *Field', 0, rateOfEach)
  rule('Meaning = AskField *Field Have *Pick *Rate', 0, (field, pick, of) => rateOfEach(of, field, pick))
  rule('Meaning = WhoOfUs Have *Pick *Rate', 0, (pick, of) => rateOfEach(of, OWNER.deal, pick))
  rule('Meaning = *Rate Of|Preposition *Adjective', 0.2, rateOfTwo)

  // whether it is allowed, and whether anything was bought
  rule('Meaning = MayEmail *RecordPhrase', 0, about => isIt(about, MAY_EMAIL))
  rule('Meaning = MayContact *RecordPhrase', 0, about => isIt(about, MAY_CONTACT))
  rule('Meaning = Be We *Condition Preposition *RecordPhrase', 0, (about, record) =>
    about.entity === 'deal' ? whether(such({ ...DEALS, where: [about.where] }, record)) : undefined,
  )
  rule('Meaning = Have|Do *RecordPhrase Bought Anything?', 0, record => whether(boughtBy(record)))
  rule('Meaning = Have|Do *RecordPhrase Bought *RecordPhrase', 0, (record, deal) =>
    deal.entity === 'deal' ? whether(such(boughtBy(record), deal)) : undefined,
  )
  // German ends a clause with its verb: "haben alle Firmen offene Deals"
  rule('Meaning = DoAll *Noun *Records', 0, (of, object) =>
    everyOf(of, clauseOn(of.entity, { kind: 'some', of: object })),
  )
})

const no = (field: string): Condition => ({ field, op: 'eq', value: false })
const MAY_CONTACT: About = { entity: 'contact', where: no('do_not_contact') }
const MAY_EMAIL: About = { entity: 'contact', where: { and: [MAY_CONTACT.where, no('email_opt_out')] } }

/** Whether there are any. */
export function whether(of: Records | undefined): Meaning | undefined {
  return of && { kind: 'query', query: queryOf(list(of)), isYesNo: true }
}

function anyOf(about: About | undefined): Meaning | undefined {
  if (!about || about.entity === ANY_ENTITY) return undefined
  return whether({ entity: about.entity, where: [about.where] })
}

/** Its related records where some are asked for, else whether the record is such. */
function hasIt(about: About, clause: Clause): Meaning | undefined {
  if (about.entity === ANY_ENTITY || !isRecord(about)) return undefined
  const own = clause.kind === 'some' && !clause.also ? on(clause.of.entity, about) : undefined
  if (own) return whether({ ...clause.of, where: [...clause.of.where, own] })
  const where = clauseOn(about.entity, clause)
  return where && isIt(about, { entity: about.entity, where })
}

function isIt(about: About, is: About): Meaning | undefined {
  if (about.entity === ANY_ENTITY || !isRecord(about)) return undefined
  // "is Ann at Acme": what is said of another record is asked of the tie to it
  const isSaid = is.entity === about.entity || is.entity === ANY_ENTITY || isRecord(is)
  const where = isSaid ? on(about.entity, is) : undefined
  return where && whether({ entity: about.entity, where: [about.where, where] })
}

/** "win rate of Mia compared to Ravi" */
function rateOfTwo(of: Records, { entity, where }: About): Meaning | undefined {
  const either = entity === 'deal' && 'isVersus' in where && 'or' in where ? { or: where.or } : undefined
  return either && isOwner({ entity, where: either })
    ? rateOf({ ...of, where: [...of.where, either] }, 'owner.name')
    : undefined
}

/** `pick`: the best or the worst. Deals that lack the field, such as those without an owner, belong to no group. */
function rateOfEach(
  of: Records,
  field: FieldMeaning | undefined,
  pick?: 'best' | 'worst',
): Meaning | undefined {
  const path = grouped(list(of), field)?.group?.field
  if (path === undefined || !pick) return path === undefined ? undefined : rateOf(of, path)
  const filled = narrowed(of, { field: path, op: 'is_null', value: false })
  return filled && { ...rateOf(filled, path), pick }
}

export const rateOf = (of: Records, field?: string): Extract<Meaning, { kind: 'win rate' }> => ({
  kind: 'win rate',
  query: {
    ...queryOf(count(of)),
    group_by: [{ field: 'status' }, ...(field === undefined ? [] : [{ field }])],
  },
})

function everyOf(of: Records, holds: ReturnType<typeof whole>): Meaning | undefined {
  const set = queryOf(list(of))
  const exceptions = holds && narrowed(of, { not: holds })
  return exceptions && { kind: 'every', set, exceptions: queryOf(list(exceptions)) }
}

export function queryOf({ of, measure, group, having, order, limit, offset }: Wanted): Query {
  const where = whole(of.where)
  return {
    entity: of.entity,
    ...(where ? { where } : {}),
    measure,
    ...(group === undefined ? {} : { group_by: [group] }),
    ...(having ? { having } : {}),
    ...(order ? { order: [order] } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
  }
}
