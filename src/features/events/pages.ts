/** Reads the events of a stream in pages that are small in bytes: a client that reads nothing holds one page in memory. */
import type { StreamEvent } from '../../kernel/event-stream.ts'
import type { EventPage } from './read.ts'

/** 100 events may have 20 MB, and a caller 20 streams. */
export const PAGE_BYTES = 64 * 1024
const FIRST_LIMIT = 3
const MAX_LIMIT = 100

export interface StreamPage {
  events: StreamEvent[]
  next_after: number
  has_more: boolean
  /** the limit with which the next page is about as large as a page may be */
  next_limit: number
}

/** The first events of the page that fit; at least one. */
export function fitted({ items, next_after, has_more }: EventPage, limit: number): StreamPage {
  let bytes = 0
  const tooMany = items.findIndex(({ changes }) => {
    bytes += JSON.stringify(changes).length
    return bytes > PAGE_BYTES
  })
  const isCut = tooMany !== -1 && items.length > 1
  const fitting = isCut ? items.slice(0, Math.max(1, tooMany)) : items
  const events = fitting.map(item => ({ event: item.type, data: item, id: String(item.sequence) }))
  if (isCut)
    return {
      events,
      next_after: fitting.at(-1)?.sequence ?? next_after,
      has_more: true,
      next_limit: fitting.length,
    }
  const next_limit = 2 * bytes > PAGE_BYTES ? limit : Math.min(2 * limit, MAX_LIMIT)
  return { events, next_after, has_more, next_limit }
}

/** Each call returns the next events. The limit follows the size of the events, so that few are read twice. */
export function eventPages(
  read: (after: number, limit: number) => Promise<StreamPage>,
  from: number,
): () => Promise<StreamPage> {
  let after = from
  let limit = FIRST_LIMIT
  return async () => {
    const page = await read(after, limit)
    after = page.next_after
    limit = page.next_limit
    return page
  }
}
