/** The readings that a model writes for a question, from what the question may name. */
import type { Line } from '../../../ai/parser.ts'
import type { Words } from '../account/words.ts'
import { readingText } from '../answers/reading-text.ts'
import type { Reading } from '../readings.ts'
import { withoutCourtesy } from '../understand/courtesy.ts'
import { isContradiction } from '../understand/normal.ts'
import { MAX_TOKENS, tokensOf } from '../understand/tokens.ts'
import { type Item, itemsOf } from './items.ts'
import { askedIn, isDoubtful, isOfOthers } from './left-out.ts'
import { readingOf } from './tokens.ts'

export type Parse = (question: string, items: readonly string[]) => Promise<readonly Line[]>

/** About what a line has that is no longer written (`ai/parser.ts`). */
const LEAST_LOGP = -8

/** As the model learned them. */
const shownToParser = ({ kind, said, text }: Item): string =>
  said === '' || said === text ? `${kind} ${text}` : `${kind} ${text} (${said})`

/** "What do we know about Ann": no query says all that the records tell. */
export function asksForAll(question: string, words: Words): boolean {
  const tokens = tokensOf(withoutCourtesy(question))
  const about = tokens.lastIndexOf('about') + 1
  return about > 0 && words.records(tokens.slice(about).join(' ')) !== undefined
}

export async function readingsByParser(
  question: string,
  words: Words,
  now: Date,
  parse: Parse,
): Promise<Reading[]> {
  if (tokensOf(question).length > MAX_TOKENS) return []
  const items = itemsOf(question, words, now)
  const asked = askedIn(withoutCourtesy(question))
  const mentioned = words.mentions.flatMap(({ records }) => (records?.names ?? []).flatMap(tokensOf))
  const readings = new Map<string, Reading>()
  for (const { tokens, logp } of await parse(question, items.map(shownToParser))) {
    const meaning = readingOf(tokens, items, now)
    if (!meaning || isContradiction(meaning)) continue
    const text = readingText(meaning, words)
    if (readings.has(text) || isOfOthers(asked, tokens, items, text)) continue
    const doubtful = isDoubtful(asked, tokens, items, text, mentioned) ? ({ isDoubtful: true } as const) : {}
    readings.set(text, { meaning, text, logp: Math.max(logp, LEAST_LOGP), ...doubtful })
  }
  return [...readings.values()]
}
