/** The lexicon of the language that a question is in: the one that knows more of its words. */
import { germanAnswers } from './de/answers.ts'
import { GERMAN } from './de/words.ts'
import { ENGLISH_RECORDS } from './en/records.ts'
import { ENGLISH } from './en/words.ts'
import { readLexicon } from './read.ts'
import type { Lexicon } from './types.ts'

export const english = readLexicon('en', ENGLISH + ENGLISH_RECORDS)

export const LEXICONS: readonly Lexicon[] = [english, readLexicon('de', GERMAN, germanAnswers)]

const known = new Map(
  LEXICONS.map(lexicon => {
    const { phrases, filler, timeWords, valueWords } = lexicon
    const all = [...phrases.keys(), ...filler, ...timeWords.keys(), ...valueWords.keys()]
    return [lexicon, new Set(all.flatMap(phrase => phrase.split(' ')))] as const
  }),
)

/** All words that a language knows, alone or in a phrase. */
export const wordsOf = (lexicon: Lexicon): ReadonlySet<string> => known.get(lexicon) ?? new Set()

export function lexiconOf(tokens: readonly string[]): Lexicon {
  const counts = LEXICONS.map(lexicon => ({
    lexicon,
    count: tokens.filter(token => wordsOf(lexicon).has(token)).length,
  }))
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).lexicon
}

const common = new Map(
  LEXICONS.map(lexicon => [lexicon, new Set(Object.values(lexicon.words).flat())] as const),
)

/** The words of a language that are never a name. */
export const commonWords = (lexicon: Lexicon): ReadonlySet<string> => common.get(lexicon) ?? new Set()
