/**
 * Which of its possible readings a question has. A small model compares each with the question; where none is likely,
 * the question has none.
 */
import { type Embed, withLikeness } from './account/likeness.ts'
import type { Words } from './account/words.ts'
import { type Naming, readingText } from './answers/reading-text.ts'
import { type Reading, readingsOf } from './readings.ts'
import type { Meaning } from './understand/meaning.ts'

/** What the models do for it. */
export interface Models {
  /** how well each text says what the question asks, in logits */
  judge(question: string, texts: readonly string[]): Promise<readonly number[]>
  embed: Embed
}

export interface Judged {
  reading: Reading
  /** else it only may be meant */
  isSure: boolean
  /** that no record is so may be the sign of a wrong reading: it must be surer */
  isSureOfNone: boolean
}

/**
 * Found on eight sets that the model did not learn from (models/judge): 146 of 154 answers from 0.55 on were right. Of
 * those that name no record 3 of 3 below 0.9 were wrong.
 */
const SURE = 0.55
const SURE_OF_NONE = 0.9
const POSSIBLE = 0.45
/** What a reading's cost takes from its logit. */
const COST = 0.5
const MAX_COST = 6

/**
 * In logits. Of the readings by rules on eight sets that the model did not learn from, 9 of 12 below were wrong and none of
 * 76 above.
 */
const DOUBT = -2.5

/** Whether a reading by the rules is hardly that of the question. */
export async function isDoubted(
  question: string,
  words: Naming,
  meaning: Meaning,
  { judge }: Models,
): Promise<boolean> {
  const [logit = 0] = await judge(question, [readingText(meaning, words)])
  return logit < DOUBT
}

export async function judgedReading(
  question: string,
  words: Words,
  now: Date,
  { judge, embed }: Models,
): Promise<Judged | undefined> {
  const readings = readingsOf(question, await withLikeness(words, question, embed), now)
  if (readings.length === 0) return undefined
  return chosen(readings, await judge(question, readings.map(shownToJudge)))
}

/** What no part of the reading covers may be what makes it wrong. */
export const shownToJudge = ({ text, left }: Reading): string =>
  left.length === 0 ? text : `${text} | unread: ${left.join(' ')}`

/** The likeliest reading. The model was trained with "none of them" at 0 beside the readings. */
export function chosen(readings: readonly Reading[], logits: readonly number[]): Judged | undefined {
  const weights = readings.map(({ cost }, i) =>
    Math.exp((logits[i] ?? 0) - COST * Math.min(Math.max(cost, 0), MAX_COST)),
  )
  const best = weights.indexOf(Math.max(...weights))
  const reading = readings[best]
  if (!reading) return undefined
  const likelihood = (weights[best] ?? 0) / weights.reduce((sum, weight) => sum + weight, 1)
  if (likelihood < POSSIBLE) return undefined
  return { reading, isSure: likelihood >= SURE, isSureOfNone: likelihood >= SURE_OF_NONE }
}
