/** Words of a question that a reading leaves out, and which of these make it the reading of another question. */
import { lexiconOf, wordsOf } from '../lexicon/index.ts'
import { isLight } from '../understand/light.ts'
import { tokensOf } from '../understand/tokens.ts'
import type { Item } from './items.ts'

/** "the main contact", "our former CFO": without such a word others are meant. */
const ROLE =
  /^(?:main|primary|key|former|ex|deputy|assistant|acting|decision|vice|abroad|overseas|domestic|foreign)$/
/** So many words that the lexicon does not know are what a question is about, unless the reading points to one of them. */
const MAX_UNKNOWN = 2

export interface Asked {
  roles: readonly string[]
  unknown: readonly string[]
}

export function askedIn(question: string): Asked {
  const tokens = tokensOf(question)
  const known = wordsOf(lexiconOf(tokens))
  return {
    roles: tokens.filter(word => ROLE.test(word)),
    unknown: [
      ...new Set(
        tokens.filter(word => word.length > 2 && /\p{L}/u.test(word) && !isLight(word) && !known.has(word)),
      ),
    ],
  }
}

type Said = { pointed: readonly Item[]; isSaid: (word: string) => boolean }

function saidBy(tokens: readonly string[], items: readonly Item[], text: string): Said {
  const pointed = tokens.flatMap(token => items[Number(/^@(\d+)$/.exec(token)?.[1] ?? -1)] ?? [])
  const covered = new Set([...tokensOf(text), ...pointed.flatMap(({ said }) => said.split(' '))])
  const isSaid = (word: string) =>
    covered.has(word) || (/^(?:main|key)$/.test(word) && covered.has('primary'))
  return { pointed, isSaid }
}

/**
 * Whether a reading is about something else: it leaves out whose role is asked for, or points to no word of the question
 * and leaves out most of it ("for which company is the parking space too small").
 */
export function isOfOthers(
  { roles, unknown }: Asked,
  tokens: readonly string[],
  items: readonly Item[],
  text: string,
): boolean {
  const { pointed, isSaid } = saidBy(tokens, items, text)
  if (!roles.every(isSaid)) return true
  return (
    pointed.every(({ said }) => said === '') && unknown.filter(word => !isSaid(word)).length > MAX_UNKNOWN
  )
}

/**
 * Whether a reading may be about something else than the product that it names: the question names it in part only, and
 * asks for something that the reading leaves out ("what do we charge for checking one harness" is not the price of the
 * Summit Rescue Harness).
 */
export function isDoubtful(
  { unknown }: Asked,
  tokens: readonly string[],
  items: readonly Item[],
  text: string,
): boolean {
  const { pointed, isSaid } = saidBy(tokens, items, text)
  const isPartOfName = pointed.some(one => {
    if (one.kind !== 'value' || one.entity !== 'product') return false
    return tokensOf(one.text).length > one.said.split(' ').length + 1
  })
  return isPartOfName && unknown.some(word => !isSaid(word))
}
