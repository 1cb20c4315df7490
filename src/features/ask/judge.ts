/**
 * Which of its possible readings a question has. A small model compares each with the question; where none is likely,
 * the question has none.
 */
import { type Embed, withLikeness } from './account/likeness.ts'
import type { Words } from './account/words.ts'
import { type Naming, readingText } from './answers/reading-text.ts'
import type { Answer } from './prose/answer.ts'
import { type Reading, readingsOf } from './readings.ts'
import type { Meaning } from './understand/meaning.ts'

/** What the models do for it. */
export interface Models {
  /** how well each text says what the question asks, in logits */
  judge(question: string, texts: readonly string[]): Promise<readonly number[]>
  embed: Embed
}

/** A reading and how likely it is the one that is meant. */
export interface Ranked {
  reading: Reading
  likelihood: number
}

export interface Agreed {
  reading: Reading
  answer: Answer
  /** else it only may be meant */
  isSure: boolean
}

/**
 * Found on eight sets that the model did not learn from (models/judge): from 0.5 on 279 of 386 questions were right and 12
 * wrong, from 0.55 on 272 and 12, from 0.45 on 286 and 15. On the first eight sets 3 of 3 answers below 0.9 that name
 * no record were wrong.
 */
const SURE = 0.5
const SURE_OF_NONE = 0.9
const POSSIBLE = 0.45
/**
 * An answer is sure, too, where hardly any other is likely, unless "none of them" is by far. On 14 sets (2026-11-18) 16
 * more answers of composed readings were right and one more was wrong; with 0.1 for the first 22 and 2, with 0.8 for
 * the second 17 and 2.
 */
const SURE_TOGETHER = 0.2
const SURE_SHARE = 0.9
/** What a reading's cost takes from its logit. */
const COST = 0.5
const MAX_COST = 6

/**
 * In logits. Of the readings by rules on eight sets that the model did not learn from, 9 of 12 below were wrong and none of
 * 76 above.
 */
const DOUBT = -2.5
/** That there is none is as sure as of a composed reading: on 14 sets four of five such answers below were wrong, and none above. */
const DOUBT_OF_NONE = Math.log(SURE_OF_NONE / (1 - SURE_OF_NONE))

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

/** The model was trained with "none of them" at 0 beside the readings. */
export function ranked(readings: readonly Reading[], logits: readonly number[]): Ranked[] {
  const weights = readings.map(({ cost }, i) =>
    Math.exp((logits[i] ?? 0) - COST * Math.min(Math.max(cost, 0), MAX_COST)),
  )
  const sum = weights.reduce((all, weight) => all + weight, 1)
  return readings
    .map((reading, i) => ({ reading, likelihood: (weights[i] ?? 0) / sum }))
    .sort((a, b) => b.likelihood - a.likelihood)
}

/** Readings whose answers are compared. */
const MAX_ANSWERED = 6

/** The answer that is likeliest: readings that are answered alike speak for the same answer. */
export async function agreedAnswer(
  readings: readonly Ranked[],
  answerOf: (meaning: Meaning) => Promise<Answer | undefined>,
): Promise<Agreed | undefined> {
  const first = readings.slice(0, MAX_ANSWERED)
  const together = first.reduce((sum, { likelihood }) => sum + likelihood, 0)
  if (together < SURE_TOGETHER) return undefined
  const groups = new Map<string, Ranked & { answer: Answer | undefined }>()
  for (const { reading, likelihood } of first) {
    const answer = await answerOf(reading.meaning)
    const key = (answer && contentOf(answer, reading)) ?? reading.text
    const same = groups.get(key)
    groups.set(key, { reading, answer, ...same, likelihood: likelihood + (same?.likelihood ?? 0) })
  }
  const [best] = [...groups.values()].sort((a, b) => b.likelihood - a.likelihood)
  if (!best?.answer?.grounded) return undefined
  const { reading, answer, likelihood } = best
  const isLikely = isNone(answer)
    ? likelihood >= SURE_OF_NONE
    : likelihood >= SURE || likelihood >= SURE_SHARE * together
  if (!isLikely && likelihood < POSSIBLE) return undefined
  return { reading, answer, isSure: isLikely && !mayNegateOther(reading) }
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

/** That no record is so. */
export const isNone = (answer: Answer): boolean => answer.data?.count === 0 || hasNoGroups(answer)
const hasNoGroups = ({ data }: Answer): boolean => Array.isArray(data?.groups) && data.groups.length === 0

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

/** What an answer says. That no record is so is said by every wrong reading, too. */
function contentOf(read: Answer, reading: Reading): string | undefined {
  const { grounded, data, citations, answer } = read
  if (!grounded || isNone(read)) return undefined
  const { count, figures, groups, sides } = data ?? {}
  if (isList(reading)) return JSON.stringify([count, citations.map(({ entity_id }) => entity_id).sort()])
  const records = citations.map(({ entity_id, snippet }) => `${entity_id} ${snippet}`).sort()
  return JSON.stringify([count, figures, groups, sides ? answer : '', records])
}
