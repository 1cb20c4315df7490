/**
 * Which rows of a file belong together because they share a mark (an address, a name, an id), directly or by way of
 * other rows. A million marks as texts take 200 MB; here 64 bits of a hash stand for each. That two different marks of
 * a million share one happens once in thirty million files, and then two rows are looked at together that need not be.
 */
import { hash } from 'node:crypto'

export interface RowGroups {
  /** Rows are numbered by the caller, upwards. */
  add(marks: readonly string[], row: number): void
  /** How many rows belong together with one that has these marks. */
  size(marks: readonly string[]): number
  /** Those rows, in order. */
  rows(marks: readonly string[]): number[]
}

const NONE = -1

export function rowGroups(): RowGroups {
  const groupOf = markMap()
  const parent: number[] = []
  const size: number[] = []
  // the rows of a group as a linked list
  const first: number[] = []
  const last: number[] = []
  const following = new Map<number, number>()

  function rootOf(group: number): number {
    let root = group
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]!]!
      root = parent[root]!
    }
    return root
  }

  function join(a: number, b: number): void {
    const [into, from] = size[a]! >= size[b]! ? [a, b] : [b, a]
    if (into === from) return
    parent[from] = into
    size[into]! += size[from]!
    following.set(last[into]!, first[from]!)
    last[into] = last[from]!
  }

  const rootsOf = (marks: readonly string[]): Set<number> =>
    new Set(
      marks.flatMap(mark => {
        const group = groupOf.get(mark)
        return group === NONE ? [] : [rootOf(group)]
      }),
    )

  return {
    add(marks, row) {
      if (marks.length === 0) return
      const group = parent.length
      parent.push(group)
      size.push(1)
      first.push(row)
      last.push(row)
      for (const mark of marks) {
        const other = groupOf.getOrSet(mark, group)
        join(rootOf(other), rootOf(group))
      }
    },
    size: marks => [...rootsOf(marks)].reduce((sum, root) => sum + size[root]!, 0),
    rows: marks =>
      [...rootsOf(marks)]
        .flatMap(root => {
          const rows: number[] = []
          for (let row = first[root]; row !== undefined; row = following.get(row)) rows.push(row)
          return rows
        })
        .sort((a, b) => a - b),
  }
}

const FIRST_SLOTS = 4096

/** A map from texts to numbers that keeps 12 bytes of each entry. */
function markMap() {
  let hashes = new BigUint64Array(FIRST_SLOTS)
  let values = new Int32Array(FIRST_SLOTS)
  let used = 0

  /** The slot that has it, or the free one where it belongs. */
  function slotOf(mark: bigint): number {
    const mask = hashes.length - 1
    let slot = Number(mark & BigInt(mask))
    while (hashes[slot] !== 0n && hashes[slot] !== mark) slot = (slot + 1) & mask
    return slot
  }

  function grow(): void {
    const [before, beforeValues] = [hashes, values]
    hashes = new BigUint64Array(before.length * 2)
    values = new Int32Array(before.length * 2)
    for (const [i, mark] of before.entries()) {
      if (mark === 0n) continue
      const slot = slotOf(mark)
      hashes[slot] = mark
      values[slot] = beforeValues[i]!
    }
  }

  return {
    get(text: string): number {
      const slot = slotOf(hashOf(text))
      return hashes[slot] === 0n ? NONE : values[slot]!
    },
    getOrSet(text: string, value: number): number {
      const mark = hashOf(text)
      const slot = slotOf(mark)
      if (hashes[slot] !== 0n) return values[slot]!
      hashes[slot] = mark
      values[slot] = value
      if (++used * 2 > hashes.length) grow()
      return value
    },
  }
}

/** Never zero, which is an empty slot. */
const hashOf = (text: string): bigint => hash('sha1', text, 'buffer').readBigUInt64LE() || 1n
