/** Reads values that the type checker cannot know, each with a check at run time. */

/** An object that is not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A property of any value; undefined where it has none. */
export const property = (value: unknown, name: string | symbol): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

export const isOneOf = <const V extends string>(values: readonly V[], value: unknown): value is V =>
  values.some(one => one === value)

/** The value under a key that the map must have. */
export function required<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key)
  if (value === undefined) throw new Error(`there is no ${String(key)}`)
  return value
}

/** The item at a position that the list must have; a negative one counts from the end. */
export function at<T>(list: readonly T[], position: number): T {
  const item = list.at(position)
  if (item === undefined) throw new Error(`a list of ${list.length} has no item ${position}`)
  return item
}

export const first = <T>(list: readonly T[]): T => at(list, 0)
export const last = <T>(list: readonly T[]): T => at(list, -1)

/** The items of two lists of the same length, side by side. */
export function zip<A, B>(list: readonly A[], other: readonly B[]): [A, B][] {
  if (list.length !== other.length) throw new Error(`lists of ${list.length} and ${other.length} do not pair`)
  return list.map((item, i) => [item, at(other, i)])
}

/** A value that must exist, such as the port to the main thread inside a worker. */
export function present<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new Error(`${name} is missing`)
  return value
}
