/** Changes records in the cache: single ones, and those in lists and windows of lists. */
import type { QueryClient, QueryKey } from '@tanstack/react-query'

interface Identified {
  id: string
}

type Change = (record: Identified) => Identified | undefined

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Data with the record changed, or `undefined` removed from `items`; the same object where nothing changed. */
function changed(data: unknown, id: string, change: Change): unknown {
  if (!isObject(data)) return data
  if (data.id === id) return change(data as unknown as Identified) ?? data
  if (Array.isArray(data.pages)) {
    const pages = data.pages.map(page => changed(page, id, change))
    return pages.some((page, index) => page !== (data.pages as unknown[])[index]) ? { ...data, pages } : data
  }
  if (!Array.isArray(data.items)) return data
  const items = data.items as Identified[]
  const index = items.findIndex(item => item.id === id)
  const item = items[index]
  if (!item) return data
  const next = change(item)
  const total = next || typeof data.total !== 'number' ? data.total : data.total - 1
  return { ...data, total, items: items.toSpliced(index, 1, ...(next ? [next] : [])) }
}

/** Whether the data of a query has one of these records. */
export function hasRecord(data: unknown, ids: ReadonlySet<string>): boolean {
  if (!isObject(data)) return false
  if (Array.isArray(data.pages)) return data.pages.some(page => hasRecord(page, ids))
  if (Array.isArray(data.items)) return (data.items as Identified[]).some(({ id }) => ids.has(id))
  return ids.has(String(data.id))
}

/** The record with this id in the data of a query. */
export function recordIn(data: unknown, id: string): Record<string, unknown> | undefined {
  if (!isObject(data)) return undefined
  if (data.id === id) return data
  if (Array.isArray(data.pages)) {
    for (const page of data.pages) {
      const record = recordIn(page, id)
      if (record) return record
    }
  }
  return Array.isArray(data.items) ? data.items.find(item => isObject(item) && item.id === id) : undefined
}

export type Snapshot = [QueryKey, unknown][]

/** Changes every cached copy of a record, and returns the previous data. */
export function changeCached(client: QueryClient, group: string, id: string, change: Change): Snapshot {
  const before: Snapshot = []
  for (const [key, data] of client.getQueriesData({ predicate: ({ queryKey }) => queryKey[1] === group })) {
    const next = changed(data, id, change)
    if (next === data) continue
    before.push([key, data])
    client.setQueryData(key, next)
  }
  return before
}

export function restoreCached(client: QueryClient, before: Snapshot): void {
  for (const [key, data] of before) client.setQueryData(key, data)
}
