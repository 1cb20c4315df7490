/** The lexicon of the language that a question is in: the one that knows more of its words. */
import { germanAnswers } from './de/answers.ts'
import { GERMAN } from './de/words.ts'
import { ENGLISH_RECORDS } from './en/records.ts'
import { ENGLISH } from './en/words.ts'
import { readLexicon } from './read.ts'
import type { Lexicon } from './types.ts'

export const english = readLexicon('en', ENGLISH + ENGLISH_RECORDS)

export const LEXICONS: readonly Lexicon[] = [english, readLexicon('de', GERMAN, germanAnswers)]

const known = LEXICONS.map(lexicon => {
  const { phrases, filler, timeWords, valueWords } = lexicon
  const all = [...phrases.keys(), ...filler, ...timeWords.keys(), ...valueWords.keys()]
  return { lexicon, words: new Set(all.flatMap(phrase => phrase.split(' '))) }
})

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
