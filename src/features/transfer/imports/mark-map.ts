/**
 * A map from texts to numbers that stores 12 bytes of each entry. A million marks as texts take 200 MB; here 64 bits of
 * a hash represent each. Two of a million different marks have the same hash in one of thirty million files; two rows
 * are then processed together that need not be.
 */
import { hash } from 'node:crypto'

/** `get` of a text that is not in the map. */
export const NONE = -1

const FIRST_SLOTS = 4096

export function markMap() {
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
