/** Numbers the records that a model has seen, so that it can cite them. */
import type { Citation } from '../ask/index.ts'

export interface Cited {
  /** The number of a record; undefined when there are too many. */
  numberOf(record: Omit<Citation, 'index'>): number | undefined
  /** The records whose numbers occur in a text, each once. */
  usedIn(text: string): Citation[]
}

const MAX_SHOWN = 200
const MAX_CITED = 50
const MAX_SNIPPET = 500

export function cited(): Cited {
  const shown = new Map<string, Citation>()
  return {
    numberOf(record) {
      const key = `${record.entity_type} ${record.entity_id}`
      const existing = shown.get(key)
      if (existing) return existing.index
      if (shown.size >= MAX_SHOWN) return undefined
      const index = shown.size + 1
      shown.set(key, { index, ...record, snippet: record.snippet.slice(0, MAX_SNIPPET) })
      return index
    },
    usedIn(text) {
      const numbers = new Set([...text.matchAll(/\[(\d{1,4})\]/g)].map(match => Number(match[1])))
      return [...shown.values()].filter(({ index }) => numbers.has(index)).slice(0, MAX_CITED)
    },
  }
}
