/**
 * Pieces of a text by which an index narrows down where a part of it can be. A text that contains another contains all
 * its grams. Grams are hashes: two pieces may share one, which costs a look at a text too many and loses none.
 */

/** More grams of a long term take longer to look up than they save. */
const MOST_OF_A_TERM = 16

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
  const step = Math.max(1, count / MOST_OF_A_TERM)
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
