/** Finds the vectors nearest to a question among their signs, one bit for each dimension. */

/** Vectors of the same number of dimensions. */
export interface SignedVectors {
  ids: Float64Array
  /** the signs of the vectors one after the other, `signBytes` for each; the first dimension is the highest bit */
  signs: Uint8Array
  /** the vectors that there are; both arrays may have room for more */
  count: number
}

export const signBytes = (dimensions: number): number => Math.ceil(dimensions / 8)

/** Scores are integers from -LARGEST to LARGEST, so that they can be counted instead of sorted. */
const LARGEST = 16_000

/**
 * The ids of the vectors whose signs agree best with the question, at most `most`, in no particular order. Each sign
 * counts as much as the question's value in its dimension. The score of a byte of signs is looked up in a table:
 * 100,000 vectors of 384 dimensions take 12 to 14 ms of a busy core.
 */
export function nearestBySigns(
  question: Float32Array,
  groups: readonly SignedVectors[],
  most: number,
): number[] {
  const table = scoreTable(question)
  const counts = new Uint32Array(2 * LARGEST + 1)
  const scores = groups.map(group => scoresOf(group, table, counts))
  // Every vector above `least` is taken, and as many with that score as there is room for.
  let least = counts.length - 1
  let above = 0
  while (least > 0 && above + counts[least]! <= most) above += counts[least--]!
  let room = most - above
  return groups.flatMap(({ ids }, group) => {
    const nearest: number[] = []
    scores[group]!.forEach((score, i) => {
      if (score > least || (score === least && room-- > 0)) nearest.push(ids[i]!)
    })
    return nearest
  })
}

/** The sum of the question's values in the dimensions of the set bits, for each byte of signs and each of its values. */
function scoreTable(question: Float32Array): Int16Array {
  const sum = question.reduce((total, value) => total + Math.abs(value), 0) || 1
  // Rounding must not lead out of the range, by at most a half for each dimension.
  const scale = (LARGEST - question.length) / sum
  const table = new Int16Array(256 * signBytes(question.length))
  for (let i = 0; i < table.length; i++) {
    const signs = i & 255
    if (signs === 0) continue
    const lowest = 31 - Math.clz32(signs & -signs)
    const value = question[(i >> 8) * 8 + 7 - lowest] ?? 0
    table[i] = table[i & ~(1 << lowest)]! + Math.round(value * scale)
  }
  return table
}

function scoresOf({ signs, count }: SignedVectors, table: Int16Array, counts: Uint32Array) {
  const scores = new Uint16Array(count)
  for (let i = 0, at = 0; i < count; i++) {
    let score = LARGEST
    for (let row = 0; row < table.length; row += 256) score += table[row | signs[at++]!]!
    scores[i] = score
    counts[score]!++
  }
  return scores
}
