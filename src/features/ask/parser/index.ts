/** The readings that a model writes for a question, from what the question may name. */
import type { Line } from '../../../ai/parser.ts'
import type { Words } from '../account/words.ts'
import { readingText } from '../answers/reading-text.ts'
import { neededIn, type Reading } from '../readings.ts'
import { isLight } from '../understand/compose/cover.ts'
import { withoutCourtesy } from '../understand/courtesy.ts'
import { contradictsItself, queriesOf } from '../understand/normal.ts'
import { tokensOf } from '../understand/tokens.ts'
import { type Item, itemsOf } from './items.ts'
import { readingOf } from './tokens.ts'

export type Parse = (question: string, items: readonly string[]) => Promise<readonly Line[]>

/** The line of a question that the records do not answer. */
const NOTHING = 'none'

/** About what a line has that is no longer written (`ai/parser.ts`). */
const LEAST_LOGP = -8
const limited = (logp: number): number => Math.min(Math.max(logp, LEAST_LOGP), -LEAST_LOGP)

/** As the model learned them. */
export const shownToParser = ({ kind, said, text }: Item): string =>
  said === '' || said === text ? `${kind} ${text}` : `${kind} ${text} (${said})`

/** What may be is not in the records: "deals we could lose" are not those that were lost. */
const SUPPOSED = /^(?:could|might|would|if|unless)$/

/**
 * Whether a question is not about what the records are, or asks for all that they say ("what do we know about Ann"). The
 * parser has seen few of these, and reads them as others.
 */
export function isBeyondParser(question: string, words: Words): boolean {
  const tokens = tokensOf(withoutCourtesy(question))
  const about = tokens.lastIndexOf('about') + 1
  const isAll = about > 0 && words.records(tokens.slice(about).join(' ')) !== undefined
  return isAll || tokens.some(token => SUPPOSED.test(token))
}

export async function readingsByParser(
  question: string,
  words: Words,
  now: Date,
  parse: Parse,
): Promise<Reading[]> {
  const items = itemsOf(question, words, now)
  const asked = withoutCourtesy(question)
  const tokens = tokensOf(asked)
  const isNeeded = neededIn(asked, words)
  const needed = new Set(tokens.filter(word => !isLight(word) && isNeeded(word)))
  const lines = await parse(question, items.map(shownToParser))
  const nothing = lines.find(({ tokens }) => tokens[0] === NOTHING)?.logp ?? LEAST_LOGP
  const readings = new Map<string, Reading>()
  let best: number | undefined
  for (const { tokens: line, logp } of lines) {
    const meaning = readingOf(line, items, now)
    if (!meaning || queriesOf(meaning).some(({ where }) => contradictsItself(where))) continue
    const text = readingText(meaning, words)
    best ??= logp
    if (readings.has(text)) continue
    const parsed = { logp: Math.max(logp, LEAST_LOGP), nothing: limited(nothing - best) }
    const unsaid = leftOut([...needed], line, items, text)
    readings.set(text, { meaning, text, left: unsaid, cost: 0, parsed, isParsedOnly: true })
  }
  return [...readings.values()]
}

/** Names, values and figures of the question that a reading neither points to nor says. */
function leftOut(
  words: readonly string[],
  tokens: readonly string[],
  items: readonly Item[],
  text: string,
): string[] {
  const pointed = tokens.map(token => items[Number(/^@(\d+)$/.exec(token)?.[1] ?? -1)]?.said ?? '')
  const covered = new Set([...tokensOf(text), ...pointed.flatMap(said => said.split(' '))])
  return words.filter(word => !covered.has(word))
}
