/** Whole questions: a figure or a list, whether all or any records are so, the win rate. */
import type { Query } from '../../../records/query/spec.ts'
import type { FieldMeaning } from '../meaning.ts'
import {
  type About,
  type Clause,
  clauseOn,
  type Meaning,
  narrowed,
  on,
  type Records,
  whole,
} from '../meaning.ts'
import { ruleSet } from './build.ts'
import { byOne } from './conditions.ts'
import { dated, grouped, isRecord, list, modified, type Time, type Wanted } from './shared.ts'

const CLOSED: Records = { entity: 'deal', where: [{ field: 'status', op: 'in', value: ['won', 'lost'] }] }
const CLOSED_AT: About = { entity: 'deal', where: { and: [] }, date: 'closed_at' }

export const questionRules = ruleSet(rule => {
  rule(
    'Meaning = *Wanted',
    0,
    (wanted: Wanted): Meaning => ({
      kind: 'query',
      query: queryOf(wanted),
      ...(wanted.show ? { show: wanted.show, isEach: true } : {}),
      ...(wanted.isYesNo ? { isYesNo: true } : {}),
    }),
  )
  rule('Meaning = WhoIs Article? *Records', 0, (of: Records): Meaning | undefined =>
    of.entity === 'contact' && of.where.length > 0
      ? { kind: 'query', query: queryOf(list(of)), isUnknown: true }
      : undefined,
  )
  rule('Meaning = DoAll Article? *Noun|Records *Condition', 0, (of: Records, about: About) =>
    everyOf(of, on(of.entity, about)),
  )
  rule('Meaning = DoAll Article? *Noun *Clause', 0, (of: Records, clause: Clause) =>
    everyOf(of, clauseOn(of.entity, clause)),
  )
  rule('Meaning = Any|DoAny *Records', 0.1, (of: Records): Meaning | undefined =>
    of.where.length > 0 ? { kind: 'query', query: queryOf(list(of)), isYesNo: true } : undefined,
  )
  // one record: "is Acme a customer", "did we win the renewal"
  rule('Meaning = Be|Have|Do *RecordPhrase Article? *Condition', 0.1, isIt)
  rule('Meaning = Be *RecordPhrase Article? *Noun', 0, (about: About, noun: Records) => {
    const where = whole(noun.where)
    return noun.entity === about.entity && where ? isIt(about, { entity: noun.entity, where }) : undefined
  })
  rule('Meaning = Do|Have We *Verb *RecordPhrase', 0, (action: About, about: About) => isIt(about, action))
  rule('Happening = Do|Have *Subject *Verb Anything', 0, (subject: About, action: About) =>
    subject.entity === '*' ? action : { ...action, where: { and: [action.where, subject.where] } },
  )
  rule('Meaning = *Happening Preposition? *Time', 0, (action: About, time: Time) => {
    const about = dated(action, time)
    return about && anyOf(about)
  })
  rule('Meaning = *Happening', 0.2, anyOf)

  rule('Meaning = Do|Have *Subject *Verb *Records', 0, (subject: About, action: About, of: Records) => {
    const did = byOne(subject, action)
    const such = did && narrowed(of, on(of.entity, did))
    return such && { kind: 'query', query: queryOf(list(such)), isYesNo: true }
  })
  rule('Rate = WinRate', 0, () => CLOSED)
  rule('Rate = Article *Rate', 0.1, (of: Records) => of)
  rule('Rate = *Adjective *Rate', 0.4, (about: About, of: Records) => modified(of, about))
  rule('Rate = *Rate Preposition? *Time', 0.2, (of: Records, time: Time) => {
    const about = dated(CLOSED_AT, time)
    return about && narrowed(of, about.where)
  })
  rule('Rate = *Rate *Condition', 0.5, modified)
  rule('Meaning = WhatIs|Ask? *Rate', 0, (of: Records) => rateOf(of))
  rule('Meaning = WhatIs|Ask? *Rate Per *Field', 0, (of: Records, field: FieldMeaning) => {
    const group = grouped(list(of), field)?.group
    return group && rateOf(of, group.field)
  })
})

const rateOf = (of: Records, field?: string): Meaning => ({
  kind: 'win rate',
  query: {
    ...queryOf({ ...list(of), measure: { kind: 'count' } }),
    group_by: [{ field: 'status' }, ...(field === undefined ? [] : [{ field }])],
  },
})

function isIt(about: About, is: About): Meaning | undefined {
  if (about.entity === '*' || !isRecord(about)) return undefined
  const where = is.entity === about.entity || is.entity === '*' ? is.where : undefined
  if (!where) return undefined
  const of: Records = { entity: about.entity, where: [about.where, where] }
  return { kind: 'query', query: queryOf(list(of)), isYesNo: true }
}

function anyOf(about: About): Meaning | undefined {
  if (about.entity === '*') return undefined
  const of: Records = { entity: about.entity, where: [about.where] }
  return { kind: 'query', query: queryOf(list(of)), isYesNo: true }
}

function everyOf(of: Records, holds: ReturnType<typeof whole>): Meaning | undefined {
  const set = queryOf(list(of))
  const exceptions = holds && narrowed(of, { not: holds })
  return exceptions && { kind: 'every', set, exceptions: queryOf(list(exceptions)) }
}

function queryOf({ of, measure, group, order, limit }: Wanted): Query {
  const where = whole(of.where)
  return {
    entity: of.entity,
    ...(where ? { where } : {}),
    measure,
    ...(group === undefined ? {} : { group_by: [group] }),
    ...(order ? { order: [order] } : {}),
    ...(limit === undefined ? {} : { limit }),
  }
}
