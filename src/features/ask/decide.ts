/**
 * Which of the readings of a question is meant, and its answer. A reading is likely by whether the rules read it, how
 * likely the parser takes it to be (a small model that writes readings), and its answer: people rarely ask for what is
 * not there. The weights are those of a conditional logit, fitted on questions of sets that the parser did not learn from
 * (models/parser/fit.py, with figures in models/parser). What the rules read is rarely wrong.
 */
import type { Embedder } from '../../ai/embedder.ts'
import { embeddersOf } from '../../ai/embeddings.ts'
import type { Services } from '../../kernel/context.ts'
import { zip } from '../../lib/values.ts'
import { type Embed, withLikeness } from './account/likeness.ts'
import type { Words } from './account/words.ts'
import { NO_SUCH } from './answers/list.ts'
import { lexiconOf } from './lexicon/index.ts'
import { asksForAll, type Parse, readingsByParser } from './parser/index.ts'
import { type Answer, lacksScope } from './prose/answer.ts'
import { type Reading, readingsByRules } from './readings.ts'
import { askedIn } from './understand/background.ts'
import { withoutCourtesy } from './understand/courtesy.ts'
import type { Understood } from './understand/index.ts'
import type { Meaning } from './understand/meaning.ts'
import { tokensOf } from './understand/tokens.ts'

/** What the models do for it. */
export interface Models {
  embed: Embed
  parse: Parse
}

export interface Decision {
  reading: Reading
  answer: Answer
  likelihood: number
  /** else it only may be meant */
  isSure: boolean
}

export interface Answered {
  reading: Reading
  answer: Answer | undefined
}

type AnswerOf = (reading: Reading) => Promise<Answer | undefined>

/** From here on what the rules read is not compared with other readings, which takes longer. */
const CERTAIN = 0.95
/** Questions with a likelier answer are rightly answered for … (models/parser). */
const SURE = 0.75
const POSSIBLE = 0.45
/** Readings by the parser whose answers are compared. */
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
  const own: Answered[] = []
  for (const reading of readingsByRules(question, understood, words))
    own.push({ reading, answer: await answerOf(reading) })
  const read = likeliest(own)
  const [first] = own
  const refused = first?.answer && !first.answer.grounded ? { ...first, answer: first.answer } : undefined
  const unanswered = refused && { ...refused, likelihood: 0, isSure: false }
  // what the caller may not know is not read as something else
  const isForbidden = first?.answer !== undefined && lacksScope(first.answer)
  if (!models || isForbidden || (read && isCertain(read))) return read ?? unanswered
  const { known, added } = joined(
    own.map(({ reading }) => reading),
    await parsedFor(question, words, now, models),
  )
  const both = zip(own, known).map(([one, reading]) => ({ ...one, reading }))
  const found = await likeliestOf(both, added, answerOf)
  const supposed = found && supposedIn(question, found)
  // that there is none may be so, also where the parser reads it otherwise
  if (!found || supposed === 'other') return read ? { ...read, isSure: false } : unanswered
  return supposed ? { ...found, isSure: false } : found
}

/** What is said of all of them the rules read exactly, also where it holds for none: "companies whose deals are all won". */
const isCertain = ({ reading, likelihood }: Decision): boolean =>
  likelihood >= CERTAIN || /"every"/.test(JSON.stringify(reading.meaning))

/**
 * What would be is not in the records, nor what may be: "deals we could lose" are not those that were lost. Open ones may
 * come, but that is not certain.
 */
function supposedIn(question: string, { reading }: Decision): 'other' | 'open' | undefined {
  const said = tokensOf(withoutCourtesy(question)).join(' ')
  if (reading.isByRules || !SUPPOSED.test(said)) return undefined
  return /"value":"(?:open|planned)"/.test(JSON.stringify(reading.meaning)) ? 'open' : 'other'
}
const SUPPOSED =
  /\b(?:could|might|would|unless|(?<!\b(?:know|see|check|find out|tell|ask|sure|wonder|verify|confirm) )if)\b/

/** Undefined where the parser is not asked. */
export async function parsedFor(
  question: string,
  words: Words,
  now: Date,
  { embed, parse }: Models,
): Promise<Reading[] | undefined> {
  if (asksForAll(question, words)) return undefined
  return readingsByParser(question, await withLikeness(words, question, embed), now, parse)
}

/** What the rules read is not there again, but is likelier where it is parsed, too. */
export function joined(
  own: readonly Reading[],
  parsed: readonly Reading[] | undefined,
): { known: Reading[]; added: Reading[] } {
  if (!parsed) return { known: [...own], added: [] }
  const known = own.map(reading => ({
    ...reading,
    logp: parsed.find(({ text }) => text === reading.text)?.logp ?? null,
  }))
  return { known, added: parsed.filter(({ text }) => own.every(one => one.text !== text)) }
}

/** The likeliest with the answers of those by the parser, which are likely in their order. */
export async function likeliestOf(
  own: readonly Answered[],
  parsed: readonly Reading[],
  answerOf: AnswerOf,
): Promise<Decision | undefined> {
  const answered = [...own]
  for (const [i, reading] of parsed.slice(0, MAX_ANSWERED).entries()) {
    const answer = await answerOf(reading)
    if (i === 0 && own.length === 0 && answer && lacksScope(answer))
      return { reading, answer, likelihood: 0, isSure: false }
    answered.push({ reading, answer })
  }
  return likeliest(answered)
}

/** Readings that are answered alike speak for the same answer, and parsed ones also for that by the rules to the same records. */
function likeliest(answered: readonly Answered[]): Decision | undefined {
  const likelihoods = likelihoodsOf(answered)
  const groups: (Answered & { likelihood: number })[] = []
  for (const [i, one] of answered.entries()) {
    const likelihood = likelihoods[i] ?? 0
    const same = groups.find(group => isSame(group, one))
    if (same) same.likelihood += likelihood
    else groups.push({ ...one, likelihood })
  }
  const [best] = groups.sort((a, b) => b.likelihood - a.likelihood)
  if (!best?.answer?.grounded || best.likelihood < POSSIBLE) return undefined
  const { reading, answer } = best
  const lists = groups.filter(group => group !== best && isListOfSum(group, best))
  const likelihood = lists.reduce((sum, group) => sum + group.likelihood, best.likelihood)
  return {
    reading,
    answer,
    likelihood,
    isSure: likelihood >= SURE && !reading.isDoubtful && !mayNegateOther(reading),
  }
}

export function isSame(one: Answered, other: Answered): boolean {
  const [flag, figure] = [flagAsked(one), figureOfOne(one)]
  if (flag !== undefined && flag === flagAsked(other)) return true
  if (figure !== undefined && figure === figureOfOne(other)) return true
  const isByRules = one.reading.isByRules && !other.reading.isByRules
  const [a, b] = [one, other].map(
    ({ reading, answer }) => (answer && contentOf(answer, isByRules || isList(reading))) ?? reading.text,
  )
  return a === b
}

/** Whether a list has the records that a sum adds up: the answer to the sum names them, too, so it answers both. */
function isListOfSum(list: Answered, sum: Answered): boolean {
  const { meaning } = sum.reading
  if (meaning.kind !== 'query' || meaning.query.measure?.kind !== 'sum' || meaning.query.group_by)
    return false
  const [listed, added] = [list, sum].map(({ answer }) => answer && contentOf(answer, true))
  return isList(list.reading) && listed !== undefined && listed === added
}

/** The sum of a field of one record is that field: "how much is the Acme renewal worth". */
function figureOfOne({ reading: { meaning }, answer }: Answered): string | undefined {
  const ids = new Set(answer?.citations.map(({ entity_id }) => entity_id))
  if (meaning.kind !== 'query' || meaning.query.group_by || ids.size !== 1) return undefined
  const { measure } = meaning.query
  const field = meaning.show?.field ?? (measure && 'field' in measure ? measure.field : undefined)
  return field && `${[...ids].join()} ${field}`
}

/** "Is Acme insured" asks for the field of a record, or whether it is one that is so. */
function flagAsked({ reading: { meaning } }: Answered): string | undefined {
  if (meaning.kind !== 'query' || !meaning.query.where) return undefined
  const { query, show, isYesNo } = meaning
  const where = query.where && 'and' in query.where ? query.where.and : [query.where]
  const flag = show?.type === 'flag' ? [{ field: show.field, op: 'eq', value: true }] : []
  const said = [...where, ...flag].map(part => JSON.stringify(part)).sort()
  const isNamed = said.some(part => part.startsWith('{"field":"id"'))
  return isNamed && (isYesNo || flag.length > 0) ? said.join() : undefined
}

const modelsOf = new WeakMap<Embedder, Models>()

/** Undefined without the model. It knows English only. */
export function modelsFor(services: Services, question: string): Models | undefined {
  const local = embeddersOf(services).find(({ parse }) => parse)
  const isEnglish = lexiconOf(tokensOf(question)).language === 'en'
  if (!isEnglish || !local?.parse) return undefined
  const own = modelsOf.get(local) ?? { embed: texts => local.embed(texts, true), parse: local.parse }
  modelsOf.set(local, own)
  return own
}

// ---- how likely each reading is

const WEIGHTS = {
  /** for every reading, against "none of them" at 0 */
  each: 2.3,
  byRules: 1.11,
  /** that there is none, unless it is asked whether there are any */
  none: -2.6,
  /** of what the rules read */
  noneByRules: -0.79,
  /** it has no answer */
  unanswered: -3.41,
  /** the rules read it, and the parser did not write it */
  unparsed: -1.09,
  /** how likely the parser takes it to be */
  logp: 0.72,
}

type Feature = keyof typeof WEIGHTS

/** In the order of the readings; what is missing to 1 is how likely none of them is meant. */
export function likelihoodsOf(all: readonly Answered[]): number[] {
  const weights = all.map(one => Math.exp(scoreOf(featuresOf(one))))
  const sum = weights.reduce((total, weight) => total + weight, 1)
  return weights.map(weight => weight / sum)
}

const scoreOf = (features: Readonly<Record<Feature, number>>): number =>
  Object.entries(features).reduce((sum, [name, value]) => sum + WEIGHTS[name as Feature] * value, 0)

/** What its likelihood depends on. */
export function featuresOf({ reading, answer }: Answered): Record<Feature, number> {
  const { meaning, isByRules = false, logp } = reading
  const isVoid = isEmpty(meaning, answer)
  return {
    each: 1,
    byRules: Number(isByRules),
    none: Number(isVoid && !isByRules),
    noneByRules: Number(isVoid && isByRules),
    // "top 5 customers by revenue" where no company has its revenue filled in: something else is meant
    unanswered: Number(!answer?.grounded || (isVoid && isRanking(meaning))),
    unparsed: Number(logp === null),
    logp: logp ?? 0,
  }
}

const isRanking = (meaning: Meaning): boolean =>
  meaning.kind === 'query' && meaning.query.order !== undefined && meaning.query.limit !== undefined

/** That no record is so. */
const isNone = ({ data }: Answer): boolean => data?.count === 0

/** The same, where that is no answer: "are there any" is answered with no, and "are all so" with yes if there are some. */
function isEmpty({ kind, ...meaning }: Meaning, answer: Answer | undefined): boolean {
  if (!answer || !isNone(answer)) return false
  return kind === 'query' ? !('isYesNo' in meaning) : answer.answer.startsWith(NO_SUCH)
}

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
