/** Whole questions: a figure or a list, whether all or any records are so, the win rate. */
import type { Condition, Query } from '../../../records/query/spec.ts'
import { Costly } from '../chart.ts'
import {
  type About,
  type Clause,
  clauseOn,
  liftCost,
  type Meaning,
  narrowed,
  on,
  type Records,
  whole,
} from '../meaning.ts'
import { ruleSet } from './build.ts'
import { byOne } from './conditions.ts'
import { dated, empty, grouped, isOwner, isRecord, list, modified, type Wanted } from './shared.ts'

const CLOSED: Records = { entity: 'deal', where: [{ field: 'status', op: 'in', value: ['won', 'lost'] }] }
const CLOSED_AT: About = { entity: 'deal', where: { and: [] }, date: 'closed_at' }

export const questionRules = ruleSet(rule => {
  rule(
    'Meaning = *Wanted',
    0,
    // two sides are compared, not listed
    wanted =>
      JSON.stringify(wanted.of.where).includes('isVersus')
        ? undefined
        : {
            kind: 'query',
            query: queryOf(wanted),
            ...(wanted.show ? { show: wanted.show, isEach: true } : {}),
            ...(wanted.isYesNo ? { isYesNo: true } : {}),
          },
  )
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
  rule('Meaning = Any|DoAny *Records', 0.1, of =>
    of.where.length > 0 ? { kind: 'query', query: queryOf(list(of)), isYesNo: true } : undefined,
  )
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
  rule('Meaning = *Happening Preposition? *Time', 0, (action, time) => {
    const about = dated(action, time)
    return about && anyOf(about)
  })
  rule('Meaning = *Happening', 0.2, anyOf)

  rule('Meaning = Do|Have *Subject *Verb *Records', 0, (subject, action, of) => {
    const did = byOne(subject, action)
    const such = did && narrowed(of, on(of.entity, did))
    return such && { kind: 'query', query: queryOf(list(such)), isYesNo: true }
  })
  // "have we won every deal with Acme": all that are not won are exceptions
  rule('Meaning = Do|Have We *Verb All *Records', 0, (action, of) =>
    action.entity === of.entity ? everyOf(of, action.where) : undefined,
  )
  rule('Rate = WinRate', 0, () => CLOSED)
  rule('Rate = Article *Rate', 0.1, of => of)
  rule('Rate = *Adjective *Rate', 0.4, (about, of) => modified(of, about))
  rule('Rate = *Rate Preposition? *Time', 0.2, (of, time) => {
    const about = dated(CLOSED_AT, time)
    return about && narrowed(of, about.where)
  })
  rule('Rate = *Rate *Condition', 0.5, modified)
  rule('Meaning = WhatIs|Ask? *Rate', 0, of => rateOf(of))
  rule('Meaning = WhatIs|Ask? *Rate Per *Field', 0, (of, field) => {
    const group = grouped(list(of), field)?.group
    return group && rateOf(of, group.field)
  })
  for (const [word, pick] of [
    ['Best', 'best'],
    ['Worst', 'worst'],
  ] as const) {
    // Deals that lack the field, such as those without an owner, belong to no group.
    const ofEach = (of: Records, field: string) => {
      const such = narrowed(of, { field, op: 'is_null', value: false })
      return such && { ...rateOf(such, field), pick }
    }
    rule(`Meaning = AskField *Field Have ${word} *Rate`, 0, (field, of) => {
      const group = grouped(list(of), field)?.group
      return group && ofEach(of, group.field)
    })
    rule(`Meaning = WhoOfUs Have ${word} *Rate`, 0, of => ofEach(of, 'owner.name'))
  }
  rule('Meaning = *Rate Of|Preposition *Adjective', 0.2, rateOfTwo)

  // whether it is allowed, and whether anything was bought
  rule('Meaning = MayEmail *RecordPhrase', 0, about => isIt(about, MAY_EMAIL))
  rule('Meaning = MayContact *RecordPhrase', 0, about => isIt(about, MAY_CONTACT))
  rule('Meaning = Be We *Condition Preposition *RecordPhrase', 0, (about, record) => {
    const where = about.entity === 'deal' ? on('deal', record) : undefined
    return where && anyOf({ ...about, where: { and: [about.where, where] } })
  })
  rule('Meaning = Have|Do *RecordPhrase Bought Anything?', 0, record => boughtBy(record))
  rule('Meaning = Have|Do *RecordPhrase Bought *RecordPhrase', 0, (record, deal) =>
    deal.entity === 'deal' ? boughtBy(record, deal.where) : undefined,
  )
})

const WON: Condition = { field: 'status', op: 'eq', value: 'won' }
const MAY_CONTACT: About = { entity: 'contact', where: { field: 'do_not_contact', op: 'eq', value: false } }
const MAY_EMAIL: About = {
  entity: 'contact',
  where: { and: [MAY_CONTACT.where, { field: 'email_opt_out', op: 'eq', value: false }] },
}

function boughtBy(record: About, ...deals: Condition[]): Meaning | undefined {
  const where = record.entity === 'deal' ? undefined : on('deal', record)
  return where && anyOf({ entity: 'deal', where: { and: [WON, where, ...deals] } })
}

/** Its related records where some are asked for, else whether the record is such. */
function hasIt(about: About, clause: Clause): Meaning | undefined {
  if (about.entity === '*' || !isRecord(about)) return undefined
  const own = clause.kind === 'some' && !clause.also ? on(clause.of.entity, about) : undefined
  if (own) return anyOf({ entity: clause.of.entity, where: { and: [...clause.of.where, own] } })
  const where = clauseOn(about.entity, clause)
  return where && isIt(about, { entity: about.entity, where })
}

/** "win rate of Mia compared to Ravi" */
function rateOfTwo(of: Records, about: About): Meaning | undefined {
  if (
    about.entity !== 'deal' ||
    !('isVersus' in about.where) ||
    !('or' in about.where) ||
    !isOwner({ ...about, where: { or: about.where.or } })
  )
    return undefined
  return rateOf({ ...of, where: [...of.where, { or: about.where.or }] }, 'owner.name')
}

export const rateOf = (of: Records, field?: string): Extract<Meaning, { kind: 'win rate' }> => ({
  kind: 'win rate',
  query: {
    ...queryOf({ ...list(of), measure: { kind: 'count' } }),
    group_by: [{ field: 'status' }, ...(field === undefined ? [] : [{ field }])],
  },
})

function isIt(about: About, is: About): Meaning | undefined {
  if (about.entity === '*' || !isRecord(about)) return undefined
  // "is Ann at Acme": what is said of another record is asked of the tie to it
  const isSaid = is.entity === about.entity || is.entity === '*' || isRecord(is)
  const where = isSaid ? on(about.entity, is) : undefined
  if (!where) return undefined
  const of: Records = { entity: about.entity, where: [about.where, where] }
  return { kind: 'query', query: queryOf(list(of)), isYesNo: true }
}

function anyOf(about: About): Meaning | undefined {
  if (about.entity === '*') return undefined
  const of: Records = { entity: about.entity, where: [about.where] }
  return { kind: 'query', query: queryOf(list(of)), isYesNo: true }
}

export function everyOf(of: Records, holds: ReturnType<typeof whole>): Meaning | undefined {
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
