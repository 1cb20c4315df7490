/**
 * Grams: hashes of one to three characters in a row, by which an index finds texts that may contain a term. A text that
 * contains a term contains all its grams. If two pieces have the same hash, a text is read in vain; none is missed.
 */

/** Looking up more grams of a long term takes longer than it saves. */
const MAX_GRAMS = 16

const hash = (a: number, b: number, c: number): number =>
  Math.imul(a ^ Math.imul(b, 0x9e3779b1) ^ Math.imul(c, 0x85ebca6b), 0xc2b2ae35) | 0

/** Calls `add` for each character, each two and each three characters in a row. */
export function eachGram(text: string, add: (gram: number) => void): void {
  let a = 0
  let b = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    add(hash(c, 0, 0))
    if (i >= 1) add(hash(b, c, 0))
    if (i >= 2) add(hash(a, b, c))
    a = b
    b = c
  }
}

/** The longest grams of a term: those that a text must have to contain it. */
export function gramsOfTerm(term: string): number[] {
  const length = Math.min(3, term.length)
  const count = term.length - length + 1
  const step = Math.max(1, count / MAX_GRAMS)
  const grams = new Set<number>()
  for (let at = 0; at < count; at += step) {
    const i = Math.floor(at)
    grams.add(
      hash(
        term.charCodeAt(i),
        length > 1 ? term.charCodeAt(i + 1) : 0,
        length > 2 ? term.charCodeAt(i + 2) : 0,
      ),
    )
  }
  return [...grams]
}
