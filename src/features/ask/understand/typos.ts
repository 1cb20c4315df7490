/** Misspelt words of the lexicon. Short words are too close to others, so only two swapped letters are corrected there. */
import type { Lexicon } from '../lexicon/types.ts'

const MIN_LENGTH = 4
/** From this length on one letter too many, too few or wrong is corrected, too. */
const MIN_LONG = 7

export function correctionOf(
  word: string,
  candidates: readonly string[],
  { otherWords }: Lexicon,
): string | undefined {
  if (word.length < MIN_LENGTH || !/^\p{L}+$/u.test(word) || otherWords.includes(word)) return undefined
  const single = candidates.filter(candidate => !candidate.includes(' '))
  return (
    single.find(candidate => isSwap(word, candidate)) ??
    single.find(
      candidate => candidate.length >= MIN_LONG && candidate[0] === word[0] && isSlip(word, candidate),
    )
  )
}

/** Two neighbouring letters in the wrong order. */
export function isSwap(word: string, target: string): boolean {
  if (word.length !== target.length) return false
  const at = [...word].findIndex((letter, i) => letter !== target[i])
  return (
    at >= 0 &&
    word[at] === target[at + 1] &&
    word[at + 1] === target[at] &&
    word.slice(at + 2) === target.slice(at + 2)
  )
}

/** One letter too many, too few or wrong; a plural is no slip. */
export function isSlip(word: string, target: string): boolean {
  if (Math.abs(word.length - target.length) > 1 || word === `${target}s` || target === `${word}s`)
    return false
  let head = 0
  while (head < word.length && word[head] === target[head]) head++
  return (
    word.slice(head + 1) === target.slice(head + 1) ||
    word.slice(head + 1) === target.slice(head) ||
    word.slice(head) === target.slice(head + 1)
  )
}

/** A common misspelling or a short form, spelt out. */
export const spelt = (token: string, { misspelt }: Lexicon): string => misspelt.get(token) ?? token
