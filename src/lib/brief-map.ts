/**
 * A map whose entries come and go with requests. V8 gives a `Map` or a `Set` a new table after a few deletions, and the
 * old table refers to the new one. Once one of them is in the old space, each later one gets there, with what is in it,
 * and stays until a full collection: 60 bytes and a held entry for each request. Here the newest keys are found first:
 * those of event streams, which stay for long, do not slow down the others.
 */
export class BriefMap<K, V> {
  readonly #keys: K[] = []
  readonly #values: V[] = []

  get size(): number {
    return this.#keys.length
  }

  has(key: K): boolean {
    return this.#keys.lastIndexOf(key) >= 0
  }

  get(key: K): V | undefined {
    return this.#values[this.#keys.lastIndexOf(key)]
  }

  /** `key` is new: looking for it would take time. */
  add(key: K, value: V): void {
    this.#keys.push(key)
    this.#values.push(value)
  }

  delete(key: K): void {
    const at = this.#keys.lastIndexOf(key)
    if (at < 0) return
    this.#keys.splice(at, 1)
    this.#values.splice(at, 1)
  }

  /** A copy: entries may be deleted meanwhile. */
  keys(): K[] {
    return [...this.#keys]
  }

  values(): V[] {
    return [...this.#values]
  }
}
