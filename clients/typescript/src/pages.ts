/** Walks lists: by cursor, or in the case of events by sequence. */
import { read } from './answer.ts'
import type { Call, Send } from './send.ts'

interface Page {
  items: unknown[]
  next_cursor?: string | null
}

const PAGE_SIZE = 200

export async function* items(send: Send, path: string, call: Call = {}): AsyncGenerator<unknown> {
  for (let cursor = ''; ; ) {
    const query = { page_size: PAGE_SIZE, ...call.query, cursor }
    const page = (await read(await send('GET', path, { ...call, query }))) as Page
    yield* page.items
    if (page.next_cursor == null) return
    cursor = page.next_cursor
  }
}
