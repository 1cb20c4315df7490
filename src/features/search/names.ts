/** Detects the names in a question, and whether a passage contains them. */
import type { FoundPassage } from './load.ts'
import type { Term } from './terms.ts'
import { fold, STOP_WORDS, wordsOf } from './words.ts'

export const withoutNames = (text: string, names: ReadonlySet<string>): string =>
  names.size === 0
    ? text
    : text.replace(/[\p{L}\p{N}\p{M}]+(?:['’]s)?/gu, word =>
        wordsOf(word).some(part => names.has(part)) ? '' : word,
      )

/** The terms that are names: capitalised inside the question, or with letters and digits. */
export function namesIn(question: string, terms: readonly Term[]): Term[] {
  const spelt = question.split(/\s+/).filter(word => word !== '')
  const words = spelt.map(word => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
  const names = new Set(
    words.flatMap((word, i) => {
      const begins = i === 0 || SENTENCE_END.test(spelt[i - 1] ?? '')
      const capital =
        /^\p{Lu}/u.test(word) && !(begins && !/^\p{Lu}/u.test(words[i + 1] ?? '')) && !ABBREVIATION.test(word)
      const code = /\d/.test(word) && /\p{L}/u.test(word) && !MEASURE.test(word)
      return (capital || code) && !isCommonWord(word)
        ? wordsOf(word).filter(part => !STOP_WORDS.has(part))
        : []
    }),
  )
  const isCode = (word: string) => /\d/.test(word) && /\p{L}/u.test(word) && /\W/.test(word)
  return terms
    .filter(term => names.has(term.word) || isCode(term.word))
    .map(term => ({ ...term, matches: new Map([...term.matches].filter(([, quality]) => quality >= 0.7)) }))
}
const ABBREVIATION = /^\p{Lu}{2,5}s?$/u
/** A word after it begins a sentence; not after "Dr.". */
const SENTENCE_END = /(?:[!?:;]|[^.\s]{4,}\.|^[-–—])["'’)]*$/
/** 20k, 24h, 1st */
const MEASURE = /^\d[\d.,]*\p{L}{1,2}$/u
/** Capitalised words that are not names: days, job titles, currencies, languages, nationalities. */
export const isCommonWord = (word: string): boolean =>
  COMMON.has(fold(word)) || /^\p{Lu}.*(?:ese|ish|ian|ean|ench|erman)$/u.test(word)
const COMMON = new Set(
  `i monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
  september october november december christmas easter advent crm ceo cto cfo coo vp hr it roi sla nda api faq poc qa
  pdf vat q1 q2 q3 q4 usd eur gbp chf eu uk english german french spanish dutch swiss how what when where which who why
  does do did is are was can`.split(/\s+/),
)

/** The passage must contain the rarest name and at least half of all names. */
export function holdsNames(passage: FoundPassage, names: readonly Term[]): boolean {
  if (names.length === 0) return true
  const text = fold(`${passage.name}\n${passage.body}\n${passage.context}`)
  const contained = names.filter(name => [...name.matches.keys()].some(word => text.includes(word)))
  const rarest = names.reduce((a, b) => (b.idf > a.idf ? b : a))
  return contained.includes(rarest) && contained.length * 2 >= names.length
}

/**
 * Also the passages that are linked to a record whose own passage contains the names: people ask about "the college in
 * Nagoya", and the note is linked to a company whose address is there.
 */
export function aboutNames<F extends { passage: FoundPassage }>(
  found: readonly F[],
  names: readonly Term[],
): F[] {
  if (names.length === 0) return [...found]
  const holders = new Set(
    found
      .filter(({ passage }) => !passage.written && holdsNames(passage, names))
      .map(({ passage }) => fold(passage.name)),
  )
  return found.filter(
    ({ passage }) =>
      holdsNames(passage, names) || passage.context.split(/ · |\n/).some(name => holders.has(fold(name))),
  )
}

/** A question, split into its names and the rest. */
export interface Named {
  names: readonly Term[]
  /** the names in all forms that match */
  words: ReadonlySet<string>
  rest: string
}

export function namedIn(question: string, terms: readonly Term[]): Named {
  const names = namesIn(question, terms)
  const words = new Set(names.flatMap(name => [name.word, ...name.matches.keys()]))
  return { names, words, rest: withoutNames(question, words) }
}

/** True for "strike at Dunmore", false for "Dunmore" or "the Dunmore". */
export const asksMore = ({ names, rest }: Named): boolean =>
  names.length > 0 && wordsOf(rest).some(word => !STOP_WORDS.has(word))
