/** Random choices that are the same each time. */

let state = 14
export function random(): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return state / 2_147_483_648
}
export const below = (count: number): number => Math.floor(random() * count)
export const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
