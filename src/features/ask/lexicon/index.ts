/** The lexicon of the language that a question is in: the one that knows more of its words. */
import { german } from './de/index.ts'
import { english } from './en/index.ts'
import type { Lexicon } from './types.ts'

export const LEXICONS: readonly Lexicon[] = [english, german]

function wordsOf({ words, nouns, fields, states, dates, touches, filler, timeWords, valueWords }: Lexicon) {
  const phrases = [
    ...Object.values(words).flat(),
    ...nouns.flatMap(({ words: one, many }) => [...one, ...many]),
    ...fields.flatMap(({ words: own, most = [], least = [] }) => [...own, ...most, ...least]),
    ...[...states, ...dates].flatMap(({ words: own, verbs = [] }) => [...own, ...verbs]),
    ...touches.flatMap(({ words: own }) => own),
    ...filler,
    ...Object.keys(timeWords),
    ...Object.keys(valueWords),
  ]
  return new Set(phrases.flatMap(phrase => phrase.split(' ')))
}

const known = LEXICONS.map(lexicon => ({ lexicon, words: wordsOf(lexicon) }))

export function lexiconOf(tokens: readonly string[]): Lexicon {
  const counts = known.map(({ lexicon, words }) => ({
    lexicon,
    count: tokens.filter(token => words.has(token)).length,
  }))
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).lexicon
}

const common = new Map(
  LEXICONS.map(lexicon => [lexicon, new Set(Object.values(lexicon.words).flat())] as const),
)

/** The words of a language that are never a name. */
export const commonWords = (lexicon: Lexicon): ReadonlySet<string> => common.get(lexicon) ?? new Set()
