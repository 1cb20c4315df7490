/** Reads the events of a stream in pages that are small in bytes: a client that reads nothing holds one page in memory. */
import type { Event, EventPage } from './read.ts'

/** 100 events may have 20 MB, and a caller 20 streams. */
export const PAGE_BYTES = 64 * 1024
const FIRST_LIMIT = 10
const MAX_LIMIT = 100

export type ReadPage = (after: number, limit: number) => Promise<EventPage>

/** Each call returns the next events. The limit follows the size of the events, so that few are read twice. */
export function eventPages(read: ReadPage, from: number): () => Promise<Omit<EventPage, 'next_after'>> {
  let after = from
  let limit = FIRST_LIMIT
  return async () => {
    const page = await read(after, limit)
    const items = page.items.slice(0, fittingCount(page.items))
    const isCut = items.length < page.items.length
    after = isCut ? (items.at(-1)?.sequence ?? after) : page.next_after
    limit = isCut ? items.length : Math.min(limit * 2, MAX_LIMIT)
    return { items, has_more: isCut || page.has_more }
  }
}

/** How many of the first events fit; at least one. */
function fittingCount(events: readonly Event[]): number {
  let bytes = 0
  const first = events.findIndex(({ changes }) => {
    bytes += JSON.stringify(changes).length
    return bytes > PAGE_BYTES
  })
  return first === -1 ? events.length : Math.max(1, first)
}
