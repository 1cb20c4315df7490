/**
 * Which of the readings of a question is meant, and its answer. A reading is likely by what two small models say of it
 * (the parser, which writes readings, and the judge, which compares them with the question), by what it makes of the
 * question's words, and by its answer: people rarely ask for what is not there. The weights are those of a conditional
 * logit, fitted on questions of sets that the models did not learn from (models/judge/fit.py; models/judge and
 * models/parser have the figures). What the rules read is a reading like the others, but rarely wrong.
 */
import type { Embedder } from '../../ai/embedder.ts'
import { embeddersOf } from '../../ai/embeddings.ts'
import type { Services } from '../../kernel/context.ts'
import { zip } from '../../lib/values.ts'
import { type Embed, withLikeness } from './account/likeness.ts'
import type { Words } from './account/words.ts'
import { lexiconOf } from './lexicon/index.ts'
import { isBeyondParser, type Parse, readingsByParser } from './parser/index.ts'
import { type Answer, lacksScope } from './prose/answer.ts'
import { type Reading, readingsByRules, readingsOf } from './readings.ts'
import { askedIn } from './understand/background.ts'
import type { Understood } from './understand/index.ts'
import { tokensOf } from './understand/tokens.ts'

/** What the models do for it. */
export interface Models {
  /** how well each text says what the question asks, in logits */
  judge(question: string, texts: readonly string[]): Promise<readonly number[]>
  embed: Embed
  parse?: Parse | undefined
}

export interface Decision {
  reading: Reading
  answer: Answer
  likelihood: number
  /** else it only may be meant */
  isSure: boolean
}

/** A reading, the judge's logit and, where it was computed, the answer. */
export interface Judged {
  reading: Reading
  logit: number
  answer?: Answer | undefined
  isAnswered?: true
}

type AnswerOf = (reading: Reading) => Promise<Answer | undefined>

/** From here on what the rules read is not compared with other readings, which takes longer. */
const CERTAIN = 0.95
/**
 * Of 507 questions about the data of 11 sets that judge and parser did not learn from, 410 are right and 21 wrong from
 * 0.6 on, 425 and 27 from 0.5, 403 and 19 from 0.65 (models/parser).
 */
const SURE = 0.6
const POSSIBLE = 0.45
/** Of a reading by the rules where there is no judge. */
const UNJUDGED = 9
/** Composed readings whose answers are compared. */
const MAX_ANSWERED = 8

/**
 * Undefined where no reading is likely. The answer to what the rules read may be a refusal. `models`: without them only
 * the rules read the question.
 */
export async function decide(
  said: string,
  words: Words,
  understood: Understood | undefined,
  models: Models | undefined,
  answerOf: AnswerOf,
): Promise<Decision | undefined> {
  const now = new Date()
  const question = askedIn(said, words, now)
  const own = await judged(question, readingsByRules(question, understood, words), models)
  for (const one of own) Object.assign(one, { answer: await answerOf(one.reading), isAnswered: true })
  const read = likeliest(own, [])
  const [first] = own
  const refused = first?.answer && !first.answer.grounded ? { ...first, answer: first.answer } : undefined
  const unanswered = refused && { ...refused, likelihood: 0, isSure: false }
  // what the caller may not know is not read as something else
  const isForbidden = first?.answer !== undefined && lacksScope(first.answer)
  if (!models || isForbidden || (read && read.likelihood >= CERTAIN)) return read ?? unanswered
  const proposed = await proposedFor(question, words, now, models)
  const { known, added } = joined(
    own.map(({ reading }) => reading),
    proposed,
  )
  const others = await judged(question, added, models)
  const both = zip(own, known).map(([one, reading]) => ({ ...one, reading }))
  return (await likeliestOf(both, others, answerOf)) ?? unanswered
}

/** The readings that are composed and those that are parsed. */
export async function proposedFor(
  question: string,
  words: Words,
  now: Date,
  { embed, parse }: Models,
): Promise<Reading[]> {
  const own = await withLikeness(words, question, embed)
  const composed = readingsOf(question, own, now)
  const parsed = parse && (await readingsByParser(question, own, now, parse))
  if (!parsed) return composed
  const likelihoods = new Map(parsed.map(reading => [reading.text, reading.parsed]))
  const texts = new Set(composed.map(({ text }) => text))
  const isAlone = !isBeyondParser(question, words)
  return [
    ...composed.map(reading => ({ ...reading, parsed: likelihoods.get(reading.text) ?? null })),
    ...parsed.filter(({ text }) => isAlone && !texts.has(text)),
  ]
}

/** What the rules read is not proposed again, but is likelier where it is parsed, too. */
export function joined(
  own: readonly Reading[],
  proposed: readonly Reading[],
): { known: Reading[]; added: Reading[] } {
  const wasParsed = proposed.some(({ parsed }) => parsed !== undefined)
  const known = own.map(reading => {
    const other = proposed.find(({ text }) => text === reading.text)
    return wasParsed ? { ...reading, parsed: other?.parsed ?? null } : reading
  })
  return { known, added: proposed.filter(({ text }) => own.every(one => one.text !== text)) }
}

/** The likeliest with the answers of composed readings. An answer makes one less likely, never more. */
export async function likeliestOf(
  own: readonly Judged[],
  composed: readonly Judged[],
  answerOf: AnswerOf,
): Promise<Decision | undefined> {
  const likelihoods = likelihoodsOf([...own, ...composed])
  if (likelihoods.reduce((sum, likelihood) => sum + likelihood, 0) < POSSIBLE) return undefined
  const ranked = composed
    .map((one, i) => ({ one, likelihood: likelihoods[own.length + i] ?? 0 }))
    .sort((a, b) => b.likelihood - a.likelihood)
    .map(({ one }) => one)
  const answered: Judged[] = [...own]
  for (const one of ranked.slice(0, MAX_ANSWERED)) {
    const answer = await answerOf(one.reading)
    const isLikeliest = one === ranked[0] && own.length === 0
    if (isLikeliest && answer && lacksScope(answer))
      return { reading: one.reading, answer, likelihood: 0, isSure: false }
    answered.push({ ...one, answer, isAnswered: true })
  }
  return likeliest(answered, ranked.slice(MAX_ANSWERED))
}

/** Readings that are answered alike speak for the same answer, and composed ones also for that by the rules to the same records. */
function likeliest(answered: readonly Judged[], others: readonly Judged[]): Decision | undefined {
  const likelihoods = likelihoodsOf([...answered, ...others])
  const groups: (Judged & { likelihood: number })[] = []
  for (const [i, one] of answered.entries()) {
    const likelihood = likelihoods[i] ?? 0
    const same = groups.find(group => isSame(group, one))
    if (same) same.likelihood += likelihood
    else groups.push({ ...one, likelihood })
  }
  const [best] = groups.sort((a, b) => b.likelihood - a.likelihood)
  if (!best?.answer?.grounded || best.likelihood < POSSIBLE) return undefined
  const { reading, answer, likelihood } = best
  return { reading, answer, likelihood, isSure: likelihood >= SURE && !mayNegateOther(reading) }
}

export function isSame(one: Judged, other: Judged): boolean {
  const flag = flagAsked(one)
  if (flag !== undefined && flag === flagAsked(other)) return true
  const isByRules = one.reading.isByRules && !other.reading.isByRules
  const [a, b] = [one, other].map(
    ({ reading, answer }) => (answer && contentOf(answer, isByRules || isList(reading))) ?? reading.text,
  )
  return a === b
}

/** "Is Acme insured" asks for the field of a record, or whether it is one that is so. */
function flagAsked({ reading: { meaning } }: Judged): string | undefined {
  if (meaning.kind !== 'query' || !meaning.query.where) return undefined
  const { query, show, isYesNo } = meaning
  const where = query.where && 'and' in query.where ? query.where.and : [query.where]
  const flag = show?.type === 'flag' ? [{ field: show.field, op: 'eq', value: true }] : []
  const said = [...where, ...flag].map(part => JSON.stringify(part)).sort()
  const isNamed = said.some(part => part.startsWith('{"field":"id"'))
  return isNamed && (isYesNo || flag.length > 0) ? said.join() : undefined
}

const judged = async (
  question: string,
  readings: readonly Reading[],
  models: Models | undefined,
): Promise<Judged[]> => {
  const logits = models && readings.length > 0 ? await models.judge(question, readings.map(shownToJudge)) : []
  return readings.map((reading, i) => ({ reading, logit: logits[i] ?? UNJUDGED }))
}

/** What no part of the reading covers may be what makes it wrong. */
export const shownToJudge = ({ text, left }: Reading): string =>
  left.length === 0 ? text : `${text} | unread: ${left.join(' ')}`

const modelsOf = new WeakMap<Embedder, Models>()

/** Undefined without the model. The judge knows English only. */
export function modelsFor(services: Services, question: string): Models | undefined {
  const local = embeddersOf(services).find(({ judge }) => judge)
  const isEnglish = lexiconOf(tokensOf(question)).language === 'en'
  if (!isEnglish || !local?.judge) return undefined
  const own = modelsOf.get(local) ?? {
    judge: local.judge,
    embed: texts => local.embed(texts, true),
    parse: local.parse,
  }
  modelsOf.set(local, own)
  return own
}

// ---- how likely each reading is

const WEIGHTS = {
  /** for every reading, against "none of them" at 0 */
  each: 2,
  /** for one by the rules, set by hand: the judge doubts plain questions such as "how many deals were created this year" */
  byRules: 1.5,
  logit: 0.615,
  cost: -0.5,
  /** for what it costs more than the cheapest one */
  extra: -1.7,
  /** that there is none, unless it is asked whether there are any */
  none: -5.1,
  /** of what the rules read, set by hand: it is meant more often */
  noneByRules: -4,
  /** it has no answer */
  unanswered: -5.7,
  /** "who" may ask for the owner, but rarely does */
  owner: -2.1,
  /** all records of a kind */
  all: -0.7,
  /** nothing is said of the records, but a word is left that may say something */
  unexplained: -0.5,
  // those of the parser were fitted with the ones above as they are: they hold where it was not asked, too
  /** the parser did not write it */
  unparsed: -2.41,
  /** nothing else found it */
  onlyParsed: -2.51,
  /** how likely the parser takes it to be */
  logp: 0.59,
  /** how much likelier the parser takes it to be that the records do not answer the question */
  nothing: -0.21,
  /** what the judge says, where the parser was asked */
  besideParser: -0.38,
}
const [MIN_COST, MAX_COST, MAX_EXTRA] = [-1.5, 6, 4]

type Feature = keyof typeof WEIGHTS

/** In the order of the readings; what is missing to 1 is how likely none of them is meant. */
export function likelihoodsOf(all: readonly Judged[]): number[] {
  const cheapest = Math.min(...all.map(({ reading }) => (reading.isParsedOnly ? Infinity : reading.cost)))
  const weights = all.map(one => Math.exp(scoreOf(featuresOf(one, cheapest))))
  const sum = weights.reduce((total, weight) => total + weight, 1)
  return weights.map(weight => weight / sum)
}

const scoreOf = (features: Readonly<Record<Feature, number>>): number =>
  Object.entries(features).reduce((sum, [name, value]) => sum + WEIGHTS[name as Feature] * value, 0)

/** What its likelihood depends on. */
export function featuresOf(
  { reading, logit, answer, isAnswered }: Judged,
  cheapest: number,
): Record<Feature, number> {
  const { meaning, cost, isByRules, parsed, isParsedOnly } = reading
  const isQuery = meaning.kind === 'query'
  const isEmpty = answer !== undefined && isNone(answer) && isQuery && !meaning.isYesNo
  return {
    each: 1,
    byRules: Number(isByRules ?? false),
    logit,
    cost: Math.min(Math.max(cost, MIN_COST), MAX_COST),
    extra: isParsedOnly ? 0 : Math.min(cost - cheapest, MAX_EXTRA),
    none: Number(isEmpty && !isByRules),
    noneByRules: Number(isEmpty && isByRules === true),
    unanswered: Number(isAnswered === true && !answer?.grounded),
    owner: Number(isQuery && meaning.show?.field === 'owner.name'),
    all: Number(isOfAll(reading)),
    unexplained: Number(isQuery && !meaning.query.where && reading.left.length > 0),
    unparsed: Number(parsed === null),
    onlyParsed: Number(isParsedOnly ?? false),
    logp: parsed?.logp ?? 0,
    nothing: parsed?.nothing ?? 0,
    besideParser: parsed === undefined ? 0 : logit,
  }
}

function isOfAll({ meaning }: Reading): boolean {
  if (meaning.kind !== 'query' || meaning.show || meaning.last || meaning.isNumber) return false
  const { entity: _, measure, ...rest } = meaning.query
  return ['list', 'count'].includes(measure?.kind ?? 'list') && Object.keys(rest).length === 0
}

/** That no record is so. */
const isNone = ({ data }: Answer): boolean => data?.count === 0

/** What an answer says. That no record is so is said by every wrong reading, too. `isList`: whatever else it tells of them. */
function contentOf(read: Answer, isList = false): string | undefined {
  const { grounded, data, citations, answer } = read
  if (!grounded || isNone(read)) return undefined
  const { count, figures, groups, sides } = data ?? {}
  if (isList) return JSON.stringify([count, citations.map(({ entity_id }) => entity_id).sort()])
  const records = citations.map(({ entity_id, snippet }) => `${entity_id} ${snippet}`).sort()
  return JSON.stringify([count, figures, groups, sides ? answer : '', records])
}

/**
 * Whether it lists records, also with a field that it compares: "payment terms of companies: payment terms is net 30"
 * is their list. Their number is answered with the list, too, and so is whether there are any.
 */
function isList({ meaning }: Reading): boolean {
  if (meaning.kind !== 'query' || meaning.last || meaning.query.group_by) return false
  const { query, show } = meaning
  const where = JSON.stringify(query.where ?? null)
  const isSaid =
    show &&
    (where.includes(`"field":"${show.field}"`) ||
      (show.field === 'company.name' && where.includes('"some":"companies"')))
  return ['list', 'count'].includes(query.measure?.kind ?? 'list') && (show === undefined || isSaid === true)
}

/**
 * Whether a reading negates records by which it only finds what is asked for: "companies with neither a won nor a lost
 * deal" are neither the companies of deals that are not, nor those with a deal that is not; and deals with "no activity,
 * neither planned nor done" are not those without an activity that is neither.
 */
function mayNegateOther({ meaning }: Reading): boolean {
  if (meaning.kind !== 'query') return false
  const { query, show } = meaning
  const where = JSON.stringify(query.where ?? null)
  const isThrough = (show?.field ?? '').includes('.') || query.group_by !== undefined
  const isOfRelated = /"some":"deals","where":\{"not":|"none":"\w+","where":\{"not":/.test(where)
  return (isThrough && /"(not|none)":/.test(where)) || isOfRelated
}
