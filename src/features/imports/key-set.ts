/**
 * Which keys have come up in a file. A million of them as texts take 200 MB; here 64 bits of a hash stand for each,
 * in 16 MB. That two different keys of a million share one happens once in thirty million files.
 */
import { hash } from 'node:crypto'

export interface KeySet {
  has(key: string): boolean
  add(key: string): unknown
}

const FIRST_SLOTS = 4096

export function keySet(): KeySet {
  let slots = new BigUint64Array(FIRST_SLOTS)
  let used = 0

  /** Where it stands, or the free slot where it would. */
  function placeOf(mark: bigint): number {
    const last = slots.length - 1
    let place = Number(mark & BigInt(last))
    while (slots[place] !== 0n && slots[place] !== mark) place = (place + 1) & last
    return place
  }

  function grow(): void {
    const before = slots
    slots = new BigUint64Array(before.length * 2)
    for (const mark of before) if (mark !== 0n) slots[placeOf(mark)] = mark
  }

  return {
    has: key => slots[placeOf(markOf(key))] !== 0n,
    add(key) {
      const mark = markOf(key)
      const place = placeOf(mark)
      if (slots[place] !== 0n) return
      slots[place] = mark
      if (++used * 2 > slots.length) grow()
    },
  }
}

/** Never zero, which is an empty slot. */
const markOf = (key: string): bigint => hash('sha1', key, 'buffer').readBigUInt64LE() || 1n
