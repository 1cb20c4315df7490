/** Misspelt words of a question: those of the account, of the lexicon and of times that differ in one letter. */
import { fold } from '../../search/words.ts'
import type { AccountWords } from '../account/account-words.ts'
import type { Lexicon } from '../lexicon/types.ts'
import { leavesOf } from '../understand/leaves.ts'
import { isLight } from '../understand/light.ts'
import { isSlip, isSwap } from '../understand/typos.ts'
import { nearby } from './nearby.ts'

const MIN_WORD = 4
const MIN_SLIP = 5
const TIMES =
  'current previous coming following next month quarter week weekend tomorrow yesterday today fortnight christmas january february april august september october november december monday tuesday wednesday thursday friday saturday sunday'.split(
    ' ',
  )

/** What a leaf costs at least that is only a guess. */
const GUESS_COST = 0.6

/** With its misspelt words corrected; none that has a meaning as it is. */
export function corrected(tokens: string[], account: AccountWords, lexicon: Lexicon, now: Date): string[] {
  const isWord = (token: string) => token.length >= MIN_WORD && /^\p{L}+$/u.test(token) && !isLight(token)
  if (lexicon.language !== 'en' || !tokens.some(isWord)) return tokens
  const leaves = leavesOf(tokens, lexicon, account, now)
  const near = nearby(tokens, leaves, account)
  const isCovered = (at: number) =>
    [...leaves, ...near].some(({ from, to, cost }) => cost < GUESS_COST && from <= at && at < to)
  const isUnknown = (token: string, at: number) => isWord(token) && !isCovered(at)
  if (!tokens.some(isUnknown)) return tokens
  const words = vocabulary(account, lexicon)
  return tokens.map((token, at) => (isUnknown(token, at) ? (closest(token, words, lexicon) ?? token) : token))
}

/** Also values whose name was misspelt: they were not among what the question was found to name. */
export const withKnown = <Own extends AccountWords>(account: Own): Own => ({
  ...account,
  values: (text: string) => {
    const own = account.values(text)
    return own.length > 0 ? own : account.known.filter(({ value }) => fold(value) === text)
  },
})

function vocabulary({ known, fields }: AccountWords, lexicon: Lexicon): ReadonlySet<string> {
  const labels = [...known.map(({ value }) => value), ...fields.map(({ label }) => label)]
  const own = fold(labels.join(' ')).split(/[^\p{L}]+/u)
  return new Set([...own.filter(isLong), ...wordsOf(lexicon)])
}

const isLong = (word: string): boolean => word.length >= MIN_WORD

const wordsByLexicon = new WeakMap<Lexicon, readonly string[]>()

/** Of all questions alike: collecting them took 2 ms. */
function wordsOf(lexicon: Lexicon): readonly string[] {
  const cached = wordsByLexicon.get(lexicon)
  if (cached) return cached
  const words = [...TIMES, ...lexicon.phrases.keys()].flatMap(phrase => phrase.split(' '))
  const long = [...new Set(words.filter(isLong))]
  wordsByLexicon.set(lexicon, long)
  return long
}

/** Two swapped letters before one that is wrong; none where several words are as close. */
function closest(token: string, words: ReadonlySet<string>, { otherWords }: Lexicon): string | undefined {
  if (words.has(token) || otherWords.includes(token)) return undefined
  const swapped = [...words].find(word => isSwap(token, word))
  if (swapped !== undefined || token.length < MIN_SLIP) return swapped
  const slips = [...words].filter(
    word => word.length >= MIN_SLIP && word[0] === token[0] && isSlip(token, word) && !isForm(token, word),
  )
  const [first] = slips.sort((a, b) => a.length - b.length)
  // "customer" and "customers" are one
  return first !== undefined && slips.every(word => word.startsWith(first)) ? first : undefined
}

/** "decides" is another form of "decided", not a slip. */
const isForm = (token: string, word: string): boolean => {
  const stem = Math.min(token.length, word.length) - 1
  return token.slice(0, stem) === word.slice(0, stem)
}
