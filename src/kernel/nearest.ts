/** The name that somebody most likely meant by one that does not exist. */

/** Longer names are not compared: the work grows with the product of the lengths. */
const MAX_LENGTH = 64

/** The candidate that takes the fewest edits, unless that is more than a third of the name. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined
  const given = plain(name)
  let best: string | undefined
  let fewest = Math.floor(given.length / 3) + 1
  for (const candidate of candidates) {
    const edits = distance(given, plain(candidate))
    if (edits >= fewest) continue
    best = candidate
    fewest = edits
  }
  return best
}

/** `companySize`, `company-size` and `Company Size` all mean company_size. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        previous[j]! + 1,
        row[j - 1]! + 1,
        previous[j - 1]! + (isSame ? 0 : 1),
        isSwap ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = previous
    previous = row
  }
  return previous[b.length]!
}
