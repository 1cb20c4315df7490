/** Small things that every request needs, kept in memory until the database says that they have changed. */
import type { Engine } from '../db/engine.ts'

/** Should a notice get lost all the same, nothing is stale for longer than this. */
const TTL_MS = 30_000
const MAX_ENTRIES = 10_000

export interface Cache<V> {
  get(key: string, load: () => Promise<V | undefined>): Promise<V | undefined>
  clear(): void
}

/**
 * Entries are dropped when one of `tables` changes (their triggers notify `kith_stale`). Nothing is kept for
 * a key that was not found, so a new one works at once.
 */
export async function cacheOf<V>(engine: Engine, tables: readonly string[]): Promise<Cache<V>> {
  const entries = new Map<string, { value: V; until: number }>()
  // A load that began before a notice must not be kept after it.
  let generation = 0
  const clear = () => {
    generation++
    entries.clear()
  }
  await engine.listen('kith_stale', payload => {
    if (payload === undefined || tables.includes(payload.split(':')[0]!)) clear()
  })
  return {
    clear,
    async get(key, load) {
      const known = entries.get(key)
      if (known && known.until > Date.now()) return known.value
      const before = generation
      const value = await load()
      if (value !== undefined && before === generation) {
        if (entries.size >= MAX_ENTRIES) entries.clear()
        entries.set(key, { value, until: Date.now() + TTL_MS })
      }
      return value
    },
  }
}
