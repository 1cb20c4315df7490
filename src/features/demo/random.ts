/** Pseudo-random numbers from a seed: the same world on every machine. */
export interface Random {
  /** from 0 up to and without 1 */
  next(): number
  /** a whole number from `least` to `most` */
  int(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  chance(share: number): boolean
}

/** Mulberry32: 32 bits of state, more than enough for a few thousand records. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    int,
    pick<T>(list: readonly T[]): T {
      const item = list[int(0, list.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    chance: share => next() < share,
  }
}
