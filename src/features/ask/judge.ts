/**
 * Which of its possible readings a question has. A small model compares each with the question; where none is likely,
 * the question has none.
 */
import { type Embed, withLikeness } from './account/likeness.ts'
import type { Words } from './account/words.ts'
import { type Reading, readingsOf } from './readings.ts'

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
}

/**
 * Found on six sets that the model did not learn from (models/judge): at 0.75 it adds 90 right and 7 wrong answers to
 * those of the rules; down to 0.45 the next ones are right two times in three.
 */
const SURE = 0.75
const POSSIBLE = 0.45
/** What a reading's cost takes from its logit. */
const COST = 0.5
const MAX_COST = 6

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
  return likelihood >= POSSIBLE ? { reading, isSure: likelihood >= SURE } : undefined
}
