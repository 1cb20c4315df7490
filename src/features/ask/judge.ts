/**
 * Which of its possible readings a question has. A small model compares each with the question; where none is likely,
 * the question has none.
 */
import { type Embed, withLikeness } from './account/likeness.ts'
import type { Words } from './account/words.ts'
import { type Naming, readingText } from './answers/reading-text.ts'
import { contentOf, hasNoGroups, isNone, type Judged, likelihoodsOf } from './likelihood.ts'
import type { Answer } from './prose/answer.ts'
import { type Reading, readingsOf } from './readings.ts'
import type { Meaning } from './understand/meaning.ts'

/** What the models do for it. */
export interface Models {
  /** how well each text says what the question asks, in logits */
  judge(question: string, texts: readonly string[]): Promise<readonly number[]>
  embed: Embed
}

/** A reading and how likely it is the one that is meant, before its answer is known. */
export interface Ranked extends Judged {
  likelihood: number
}

export interface Agreed {
  reading: Reading
  answer: Answer
  /** else it only may be meant */
  isSure: boolean
}

/**
 * Found on 20 sets, each with weights that were fitted on the others (models/judge): from 0.6 on 730 of 973 questions
 * about the data were right and 14 wrong, from 0.55 on 741 and 19, from 0.65 on 721 and 10.
 */
const SURE = 0.6
const POSSIBLE = 0.45

/**
 * In logits. Of the readings by rules on eight sets that the model did not learn from, 9 of 12 below were wrong and none of
 * 76 above.
 */
const DOUBT = -2.5
/** On 14 sets four of five answers by rules that there is none were wrong below, and none above. */
const DOUBT_OF_NONE = 2.2

/** Whether a reading by the rules is hardly that of the question. */
export async function isDoubted(
  question: string,
  words: Naming,
  meaning: Meaning,
  answer: Answer | undefined,
  { judge }: Models,
): Promise<boolean> {
  // "which sales rep has won the most" by owners, of which there are none: another field is meant
  if (answer && hasNoGroups(answer)) return true
  const [logit = 0] = await judge(question, [readingText(meaning, words)])
  // that none is an exception is a "yes"
  const isAnswer = meaning.kind !== 'query' || meaning.isYesNo
  return logit < (answer && isNone(answer) && !isAnswer ? DOUBT_OF_NONE : DOUBT)
}

/** The likeliest first. */
export async function judgedReadings(
  question: string,
  words: Words,
  now: Date,
  { judge, embed }: Models,
): Promise<Ranked[]> {
  const readings = readingsOf(question, await withLikeness(words, question, embed), now)
  return readings.length === 0 ? [] : ranked(readings, await judge(question, readings.map(shownToJudge)))
}

/** What no part of the reading covers may be what makes it wrong. */
export const shownToJudge = ({ text, left }: Reading): string =>
  left.length === 0 ? text : `${text} | unread: ${left.join(' ')}`

export function ranked(readings: readonly Reading[], logits: readonly number[]): Ranked[] {
  const judged = readings.map((reading, i) => ({ reading, logit: logits[i] ?? 0 }))
  const likelihoods = likelihoodsOf(judged)
  return judged
    .map((one, i) => ({ ...one, likelihood: likelihoods[i] ?? 0 }))
    .sort((a, b) => b.likelihood - a.likelihood)
}

/** Readings whose answers are compared. */
const MAX_ANSWERED = 8

/** The answer that is likeliest: readings that are answered alike speak for the same answer. */
export async function agreedAnswer(
  readings: readonly Ranked[],
  answerOf: (meaning: Meaning) => Promise<Answer | undefined>,
): Promise<Agreed | undefined> {
  // an answer makes a reading less likely, never more
  if (readings.reduce((sum, { likelihood }) => sum + likelihood, 0) < POSSIBLE) return undefined
  const answered: Judged[] = []
  for (const one of readings.slice(0, MAX_ANSWERED))
    answered.push({ ...one, answer: await answerOf(one.reading.meaning), isAnswered: true })
  const likelihoods = likelihoodsOf([...answered, ...readings.slice(MAX_ANSWERED)])
  const groups = new Map<string, Ranked>()
  for (const [i, one] of answered.entries()) {
    const { reading, answer } = one
    const key = (answer && contentOf(answer, isList(reading))) ?? reading.text
    const same = groups.get(key)
    const likelihood = (likelihoods[i] ?? 0) + (same?.likelihood ?? 0)
    groups.set(key, { ...(same ?? one), likelihood })
  }
  const [best] = [...groups.values()].sort((a, b) => b.likelihood - a.likelihood)
  if (!best?.answer?.grounded || best.likelihood < POSSIBLE) return undefined
  const { reading, answer, likelihood } = best
  return { reading, answer, isSure: likelihood >= SURE && !mayNegateOther(reading) }
}

/**
 * Whether a reading negates records by which it only finds what is asked for: "companies with neither a won nor a lost
 * deal" are not the companies of deals that are neither.
 */
function mayNegateOther({ meaning }: Reading): boolean {
  if (meaning.kind !== 'query') return false
  const { query, show } = meaning
  const isThrough = (show?.field ?? '').includes('.') || query.group_by !== undefined
  return isThrough && /"(not|none)":/.test(JSON.stringify(query.where ?? null))
}

/**
 * Whether it lists records, also with a field that it compares: "payment terms of companies: payment terms is net 30"
 * is their list.
 */
function isList({ meaning }: Reading): boolean {
  if (meaning.kind !== 'query' || meaning.isYesNo || meaning.last || meaning.query.group_by) return false
  const { query, show } = meaning
  const isSaid = show && JSON.stringify(query.where ?? null).includes(`"field":"${show.field}"`)
  return (query.measure?.kind ?? 'list') === 'list' && (show === undefined || isSaid === true)
}
