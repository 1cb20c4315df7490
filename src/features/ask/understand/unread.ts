/** What stood in the way of a question that has no reading. */
import type { AccountWords } from '../account/account-words.ts'
import { lexiconOf } from '../lexicon/index.ts'
import { leavesOf } from './leaves.ts'
import { MAX_TOKENS, tokensOf } from './tokens.ts'

/** Leaves that stand for records: kinds of them, their fields and the account's values. */
const DATA = new Set(['Noun', 'Value', 'Field'])

export interface Unread {
  /** words that mean nothing to the parser */
  left: readonly string[]
  /** every word is known, but how this one is used is not */
  operator?: string
  /** a kind of record, a field or a value of the account is among its words */
  namesData: boolean
}

export function unreadIn(question: string, account: AccountWords, now: Date): Unread {
  const tokens = tokensOf(question)
  if (tokens.length > MAX_TOKENS) return { left: tokens, namesData: false }
  const lexicon = lexiconOf(tokens)
  const leaves = leavesOf(tokens, lexicon, account, now)
  const filler = new Set(lexicon.filler.flatMap(phrase => phrase.split(' ')))
  const operators = new Set(lexicon.operators)
  const left = tokens.filter(
    (token, at) =>
      !filler.has(token) && !operators.has(token) && !leaves.some(({ from, to }) => from <= at && at < to),
  )
  const operator = left.length === 0 ? tokens.find(token => operators.has(token)) : undefined
  const namesData = leaves.some(({ category }) => DATA.has(category))
  return { left, namesData, ...(operator === undefined ? {} : { operator }) }
}
