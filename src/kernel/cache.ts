/** Small values that every request needs, kept in memory until the database reports that they changed. */
import type { Engine } from '../db/engine.ts'

/** If a notice gets lost, nothing is stale for longer than this. */
const TTL_MS = 30_000
const MAX_ENTRIES = 10_000

export interface Cache<V> {
  get(key: string, load: () => Promise<V | undefined>): Promise<V | undefined>
  clear(): void
}

/** The caches of one process. */
export interface Caches {
  /** A cache whose entries are dropped when one of `tables` changes (their triggers notify `kith_stale`). */
  of<V>(tables: readonly string[]): Promise<Cache<V>>
  /** Drops what this process keeps of a table at once: the database's notice may come after the answer is sent. */
  forget(table: string): void
}

export function openCaches(engine: Pick<Engine, 'listen'>): Caches {
  const listeners: ((table: string | undefined) => void)[] = []
  return {
    async of<V>(tables: readonly string[]) {
      const cache = emptyCache<V>()
      const heard = (table: string | undefined) => {
        if (table === undefined || tables.includes(table)) cache.clear()
      }
      await engine.listen('kith_stale', payload => heard(payload?.split(':')[0]))
      listeners.push(heard)
      return cache
    },
    forget(table) {
      for (const heard of listeners) heard(table)
    },
  }
}

/** Nothing is kept for a key that was not found, so a new one works at once. */
function emptyCache<V>(): Cache<V> {
  const entries = new Map<string, { value: V; until: number }>()
  // A load that began before a notice must not be kept after it.
  let generation = 0
  const clear = () => {
    generation++
    entries.clear()
  }
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
