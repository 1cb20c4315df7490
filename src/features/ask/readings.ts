/** The readings that a question may have, each with what it asks in plain words, the likeliest first. */
import { fold } from '../search/words.ts'
import type { Called } from './account/account-words.ts'
import { capitalsIn } from './account/common-words.ts'
import { isOpposite } from './account/likeness.ts'
import type { Words } from './account/words.ts'
import { readingText } from './answers/reading-text.ts'
import { isNamedOtherwise } from './understand/compose/checks.ts'
import { compose } from './understand/compose/index.ts'
import type { Understood } from './understand/index.ts'
import type { Meaning } from './understand/meaning.ts'
import { tokensOf } from './understand/tokens.ts'

export interface Reading {
  meaning: Meaning
  /** what it asks in plain words; two readings with the same words are one */
  text: string
  /** words of the question that it says nothing of */
  left: readonly string[]
  cost: number
  isByRules?: true
  /** null where the parser did not write it, undefined where it was not asked */
  parsed?: Parsed | null
  /** nothing else found it */
  isParsedOnly?: true
}

/** How likely the parser takes a reading to be, in logarithms of probabilities. */
export interface Parsed {
  logp: number
  /** how much likelier than its first reading it is that the records do not answer the question */
  nothing: number
}

/** That of the readings which use the question's words best. */
const RULES_COST = -1.5

export function readingsByRules(
  question: string,
  understood: Understood | undefined,
  words: Words,
): Reading[] {
  const said = tokensOf(question).join(' ')
  return (understood ? [understood.meaning, ...understood.alternatives] : [])
    .filter(meaning => understood?.isFollowUp || !isNamedOtherwise(said, meaning))
    .map(meaning => ({
      meaning,
      text: readingText(meaning, words),
      left: [],
      cost: RULES_COST,
      isByRules: true,
    }))
}

export const MAX_READINGS = 24

/** "the main contact", "our former CFO", "the youngest", "two of them": without such a word others are meant. */
const TELLING =
  /^(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|youngest|oldest|eldest|newest|latest|earliest|biggest|largest|smallest|highest|lowest|longest|shortest|cheapest|priciest|fewest|average|median|mean|many|often|percentage|day|week|month|quarter|main|primary|key|chief|head|lead|former|ex|deputy|assistant|acting|decision|vice|vs|versus|compared|abroad|overseas|domestic|foreign|colleagues?|coworkers|workmates)$/

/** "this year" is a time, "a year" often is not. */
const YEAR = /\b(?:this|last|next|current|previous|coming) year\b/

/** Of the words of a question: a reading that leaves out a name, a value or a figure is that of another question. */
export function neededIn(question: string, words: Words): (word: string) => boolean {
  const capitals = capitalsIn(question, fold)
  return word =>
    capitals.has(word) ||
    /^\d/.test(word) ||
    TELLING.test(word) ||
    (word === 'year' && YEAR.test(fold(question))) ||
    words.fields.some(({ label }) => isOpposite(word, label)) ||
    words.values(word).length > 0
}

export function readingsOf(question: string, words: Words, now: Date): Reading[] {
  const readings = new Map<string, Reading>()
  const isNeeded = neededIn(question, words)
  const named = words.mentions.flatMap(({ records }) => (records ? [records] : []))
  for (const { meaning, left: unread, cost } of compose(question, words, now)) {
    const left = unread.filter(word => !isPartOfName(word, meaning, named))
    if (left.some(isNeeded)) continue
    const text = readingText(meaning, words)
    if (!readings.has(text)) readings.set(text, { meaning, text, left, cost })
    if (readings.size === MAX_READINGS) break
  }
  return [...readings.values()]
}

/** "LED block C": the last word is too short to be looked up, but the record that is meant is called so. */
function isPartOfName(word: string, meaning: Meaning, named: readonly Called[]): boolean {
  const text = JSON.stringify(meaning)
  return named.some(
    ({ ids, names }) =>
      ids.some(id => text.includes(`"${id}"`)) && names.every(name => tokensOf(name).includes(word)),
  )
}
