/** Caches small values that every request needs until the database notifies that they changed. */
import type { Engine } from '../db/engine.ts'

/** The longest time that an entry can be stale when a notification is lost. */
const TTL_MS = 30_000
const MAX_ENTRIES = 10_000

export interface Cache<V> {
  get(key: string, load: () => Promise<V | undefined>): Promise<V | undefined>
  /** The entry, unless it has expired: most requests find one and need no promise. */
  cached(key: string): V | undefined
  clear(): void
}

/** The caches of one process. */
export interface Caches {
  /** A cache whose entries are dropped when one of `tables` changes (their triggers notify `kith_stale`). */
  of<V>(tables: readonly string[]): Promise<Cache<V>>
  /** Drops this process's entries of a table at once: the notification may arrive after the response is sent. */
  forget(table: string): void
}

export function openCaches(engine: Pick<Engine, 'listen'>): Caches {
  const listeners: ((table: string | undefined) => void)[] = []
  return {
    async of<V>(tables: readonly string[]) {
      const cache = emptyCache<V>()
      const onStale = (table: string | undefined) => {
        if (table === undefined || tables.includes(table)) cache.clear()
      }
      await engine.listen('kith_stale', payload => onStale(payload?.split(':')[0]))
      listeners.push(onStale)
      return cache
    },
    forget(table) {
      for (const onStale of listeners) onStale(table)
    },
  }
}

/** A missing key is not cached, so it works as soon as it is created. */
function emptyCache<V>(): Cache<V> {
  const entries = new Map<string, { value: V; until: number }>()
  // The result of a load that began before a notification must not be cached after it.
  let generation = 0
  const clear = () => {
    generation++
    entries.clear()
  }
  const cached = (key: string): V | undefined => {
    const entry = entries.get(key)
    return entry && entry.until > Date.now() ? entry.value : undefined
  }
  return {
    clear,
    cached,
    async get(key, load) {
      const entry = cached(key)
      if (entry !== undefined) return entry
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
