/** One field of a record, or of each of a set: "what is Acme's phone number", "who owns the renewal". */
import { ANY_ENTITY } from '../../lexicon/types.ts'
import { type About, type FieldMeaning, type Meaning, on, type Records } from '../meaning.ts'
import { ruleSet } from './build.ts'
import { DURATION } from './comparisons.ts'
import {
  AMOUNT,
  CUSTOMER,
  count,
  DEALS,
  dated,
  fieldAt,
  grouped,
  isRecord,
  LOST,
  list,
  OWNER,
  ranked,
  STAFF,
  says,
  such,
  type Wanted,
} from './shared.ts'

const CLOSED = fieldAt('deal', 'closed_at')
const REASON = fieldAt('deal', 'lost_reason')

/** Questions that ask for a field without naming it, with the field for each kind of record. */
const ASKED: [form: string, cost: number, ...fields: FieldMeaning[]][] = [
  [
    'WhereIs *One Located?',
    0,
    fieldAt('contact', 'city'),
    fieldAt('company', 'city'),
    fieldAt('activity', 'location'),
  ],
  ['Where Do *One Work', 0, fieldAt('contact', 'company.name')],
  ['HowLong Do|Be *One Lasts?', 0, DURATION],
  ['HowMuch|Ask Be *One Worth', 0, AMOUNT],
  ['HowBig Be *One', 0, STAFF, AMOUNT],
  ['HowLikely Be *One Dated?', 0, fieldAt('deal', 'probability')],
  ['Count Staff Do *One Employ', 0, STAFF],
  ['Count Staff WorkAt *One', -1, STAFF],
  ['WhenIs *One', 0, fieldAt('activity', 'when')],
]

export const fieldRules = ruleSet(rule => {
  rule('RecordPhrase = Article? *Value', 0, about => (isRecord(about) ? about : undefined))
  rule('RecordPhrase = Article? *Value *Noun', 0.1, ofNoun)
  rule('RecordPhrase = Article? *Noun *Value', 0.1, (noun, about) => ofNoun(about, noun))
  // one record, by its name or as the first of an order: "the stage of our largest deal"
  rule('One = *RecordPhrase', 0)
  rule('One = Article? *Superlative *Records', 0.1, (order, of) => {
    const first = of.isMany ? undefined : ranked(of, order.field, order.direction, 1, order.skipped)
    if (!first?.order) return undefined
    const offset = first.offset === undefined ? {} : { offset: first.offset }
    return { entity: of.entity, where: { and: first.of.where }, rank: { order: first.order, ...offset } }
  })

  rule(
    'Meaning = WhatIs|Ask|WhoIs? Article? *Field *Of|Preposition *One',
    0.1,
    // "emails to Ann" are not her address
    (field, word, about) =>
      field.field === 'email' && /^(?:to|by|with|about|on)$/.test(word) ? undefined : fieldOf(field, about),
  )
  rule('Meaning = WhatIs|Ask? *RecordPhrase *Field', 0.2, (about, field) => fieldOf(field, about))
  // "phone Ann Lee"
  rule('Meaning = Ask? *Field *RecordPhrase', 0.4, fieldOf)
  rule('Meaning = Preposition? AskField *Field Be *One Preposition|Located?', 0, fieldOf)
  rule('Meaning = AskField|Count *Field Do|Have *One Own|Holds', 0, fieldOf)
  rule('Meaning = WhoOwns *One', 0, ownerOf)
  // "who owns HS-2041": the number of an offer stands for it
  rule('Meaning = WhoOwns *Value', 0.2, about =>
    'field' in about.where && about.where.field.startsWith('cf.') ? ownerOf(about) : undefined,
  )
  rule('Meaning = AskField *Field Do *One Speak', 0, (field, about) =>
    field.field === 'language' ? fieldOf(field, about) : undefined,
  )
  rule('Condition = Be *RecordPhrase *FieldPhrase Of|Preposition?', 0, (about, field) =>
    field.field === 'primary_contact.full_name' && about.entity === 'contact'
      ? { entity: 'deal', where: { some: 'primary_contact', where: about.where } }
      : undefined,
  )
  for (const [form, cost, ...fields] of ASKED) {
    rule(`Meaning = ${form as 'WhenIs *One'}`, cost, about => {
      const field = fields.find(({ entity }) => entity === about.entity)
      return field && fieldOf(field, about)
    })
  }
  rule('Meaning = AskField *Field Do *RecordPhrase WorksFor', 0, fieldOf)
  rule('Meaning = Count *Field Do *RecordPhrase Holds Per *Bucket', 0, (field, about, unit) =>
    field.field.endsWith(`_${unit}`) ? fieldOf(field, about) : undefined,
  )
  // with whom: "who are we negotiating with"
  rule('Wanted = Who Be We *Condition Preposition', 0, withWhom)
  rule('Wanted = *Value Preposition Who', 0, withWhom)
  rule('Meaning = WhoseIs Noun? Be *RecordPhrase', 0.1, ownerOf)
  rule('Meaning = WhenIs *One *Dated|Verb', 0, closingOf)
  rule('Meaning = WhenIs *Dated|Verb *One', 0, (date, about) => closingOf(about, date))
  rule('Meaning = WhenIs We *Verb *One', 0, (action, about) => endOf(about, action))
  rule('Meaning = WhenIs *One *State', 0, endOf)
  rule('Meaning = WhenIs *One *Field', 0, (about, field) =>
    field.type === 'date' ? fieldOf(field, about) : undefined,
  )
  rule('Meaning = Why Do|Have|Be We? *Verb *RecordPhrase', 0, (action, about) =>
    isLoss(action) ? fieldOf(REASON, lostOf(about)) : undefined,
  )
  rule('Meaning = Why Be *RecordPhrase *State', 0, (about, state) =>
    isLoss(state) ? fieldOf(REASON, lostOf(about)) : undefined,
  )
  // of each of a set
  rule('Wanted = Ask? *Field Of All? *Records', 0.3, ofEach)
  rule('Condition = Do *RecordPhrase Own', 0.1, about => ({ ...about, isOther: true }))
  rule('Wanted = *Wanted And Why', 0, wanted => {
    if (!isLoss(wanted.of)) return undefined
    if (wanted.measure.kind === 'sum') return grouped(wanted, REASON)
    return wanted.measure.kind === 'list' ? { ...list(wanted.of), show: REASON } : undefined
  })
  rule('Wanted = MostCommon? ReasonsForLosing *Noun', 0, of =>
    of.entity === 'deal' ? grouped(count({ ...of, where: [LOST] }), REASON) : undefined,
  )
  rule('Wanted = Why Do|Have We? *Verb *Noun *Time?', 0, (action, of, time) => {
    const lost = such(DEALS, time ? dated(action, time) : action)
    return lost && isLoss(action) && of.entity === 'deal' ? grouped(count(lost), REASON) : undefined
  })
})

function withWhom(about: About): Wanted | undefined {
  const isStage = about.entity === 'deal' && says(about, 'stage.name')
  return isStage ? { ...list({ ...DEALS, where: [about.where] }), show: CUSTOMER } : undefined
}

function ofNoun(about: About, noun: Records): About | undefined {
  if (!isRecord(about)) return undefined
  if (noun.entity === about.entity) return about
  // "the Globex deal": the deals of that company
  const where = noun.entity === 'deal' && noun.where.length === 0 ? on('deal', about) : undefined
  return where && { entity: 'deal', where }
}

export function fieldOf(field: FieldMeaning, about: About): Meaning | undefined {
  const isOne =
    about.isThese === true ||
    about.rank !== undefined ||
    /"field":"(?:id|cf\.[^"]*)"/.test(JSON.stringify(about.where))
  if (!isOne || field.entity !== about.entity) return undefined
  const query = { entity: about.entity, where: about.where, measure: { kind: 'list' as const } }
  const { order, ...rest } = about.rank ?? {}
  const first = order ? { order: [order], limit: 1, ...rest } : {}
  return { kind: 'query', query: { ...query, ...first }, show: field }
}

function ownerOf(about: About): Meaning | undefined {
  // nobody owns a company: who owns its deals looks after it
  const deals = about.entity === 'company' ? on('deal', about) : undefined
  if (deals) return ownerOf({ entity: 'deal', where: deals })
  const owner = about.entity === ANY_ENTITY ? undefined : OWNER[about.entity]
  return owner && fieldOf(owner, about)
}

function closingOf(about: About, { date }: About): Meaning | undefined {
  return date === 'expected_close_date' ? fieldOf(fieldAt('deal', date), about) : undefined
}

/** When a deal was won is known only of one that was. */
function endOf(about: About, { where, date }: About): Meaning | undefined {
  return date === CLOSED.field
    ? fieldOf(CLOSED, { ...about, where: { and: [about.where, where] } })
    : undefined
}

/** Of the deals with a company those that were lost. */
const lostOf = (about: About): About =>
  isRecord(about) ? about : { ...about, where: { and: [about.where, LOST] } }

const isLoss = (of: About | Records): boolean => of.entity === 'deal' && says(of, 'lost')

function ofEach(field: FieldMeaning, of: Records): Wanted | undefined {
  if (field.entity === of.entity && /^(?:full_)?name$/.test(field.field)) return list(of)
  const isListed = field.entity === of.entity && ['email', 'phone'].includes(field.field)
  return isListed ? { ...list(of), show: field } : undefined
}
