/** Random choices that are the same each time. */

let state = 14
export const seed = (value: number): void => {
  state = value
}

/** In 32-bit steps: products above 2^53 lose digits, and the choices would repeat after a few hundred questions. */
export function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
export const below = (count: number): number => Math.floor(random() * count)
export const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
