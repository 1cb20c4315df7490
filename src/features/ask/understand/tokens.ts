/** A question as tokens: folded words, numbers and codes. */
import { withCountries } from '../patterns/grammar/places.ts'
import { tidy } from '../patterns/grammar/question.ts'

/** Longer questions are not read as queries; the chart takes about 20 ms for this many. */
export const MAX_TOKENS = 40

export const tokensOf = (question: string): string[] =>
  tidy(withCountries(question))
    .replace(/([<>]=?|=)/g, ' $1 ')
    .replace(/[$€£¥](?=\d)/g, match => ` ${match} `)
    .trim()
    .split(/\s+/)
    .filter(Boolean)
