/** Small things that every request needs, kept in memory until the database says that they have changed. */
import type { Engine } from '../db/engine.ts'

/** Should a notice get lost all the same, nothing is stale for longer than this. */
const TTL_MS = 30_000
const MAX_ENTRIES = 10_000

export interface Cache<V> {
  get(key: string, load: () => Promise<V | undefined>): Promise<V | undefined>
  clear(): void
}

const caches = new WeakMap<Engine, ((table: string) => void)[]>()

/** Drops what this process keeps of a table at once: the database's notice may come after the answer is sent. */
export function forget(engine: Engine, table: string): void {
  for (const heard of caches.get(engine) ?? []) heard(table)
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
  const heard = (table: string | undefined) => {
    if (table === undefined || tables.includes(table)) clear()
  }
  await engine.listen('kith_stale', payload => heard(payload?.split(':')[0]))
  const here = caches.get(engine)
  if (here) here.push(heard)
  else caches.set(engine, [heard])
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
