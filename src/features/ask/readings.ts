/** What a question may ask, and what it asks by the rules. */
import type { Words } from './account/words.ts'
import { readingText } from './answers/reading-text.ts'
import type { Understood } from './understand/index.ts'
import type { Meaning } from './understand/meaning.ts'
import { isNamedOtherwise } from './understand/named-otherwise.ts'
import { tokensOf } from './understand/tokens.ts'

export interface Reading {
  meaning: Meaning
  /** what it asks in plain words; two readings with the same words are one */
  text: string
  isByRules?: true
  /** never sure, however likely */
  isDoubtful?: true
  /** how likely the parser takes it to be, as a logarithm: null where it did not write it, undefined where it was not asked */
  logp?: number | null
}

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
      isByRules: true,
    }))
}
