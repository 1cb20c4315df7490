import { expect, it } from 'vitest'
import type { Services } from '../../kernel/context.ts'
import { eventText, type StreamEvent } from '../../kernel/event-stream.ts'
import { eventPages, fitted, PAGE_BYTES, type StreamPage } from './pages.ts'
import type { Event } from './read.ts'
import { sharedPage } from './shared-pages.ts'

const event = (sequence: number, bytes: number): Event => ({
  sequence,
  type: 'note.updated',
  at: '2026-01-01T00:00:00.000Z',
  record: { entity_type: 'note', id: 'n' },
  related: null,
  changes: [{ field: 'content', from: null, to: 'x'.repeat(bytes) }],
  actor: { kind: 'api_key', id: null, user_id: null },
  operation_id: null,
})

it.each([
  ['small', 400, () => 100],
  ['large', 60, () => 20_000],
  ['larger than a page', 5, () => 2 * PAGE_BYTES],
  ['of different sizes', 300, (n: number) => (n % 10 === 0 ? 50_000 : 200)],
])('events that are %s come once each, in order, a few at a time', async (_, count, bytesOf) => {
  const stored = Array.from({ length: count }, (_, i) => event(i + 1, bytesOf(i + 1)))
  let isRead = 0
  const next = eventPages(async (after, limit) => {
    const items = stored.filter(({ sequence }) => sequence > after).slice(0, limit)
    isRead += items.length
    const next_after = items.at(-1)?.sequence ?? after
    return fitted({ items, next_after, has_more: next_after < count }, limit)
  }, 0)
  const sequences: number[] = []
  for (let hasMore = true; hasMore; ) {
    const { events, has_more } = await next()
    hasMore = has_more
    const items = events.map(({ data }) => data as Event)
    const isOne = items.length === 1
    expect(isOne || JSON.stringify(items.map(({ changes }) => changes)).length < PAGE_BYTES + 1000).toBe(true)
    sequences.push(...items.map(({ sequence }) => sequence))
  }
  expect(sequences).toEqual(stored.map(({ sequence }) => sequence))
  expect(isRead).toBeLessThan(count * 3 + 100)
})

it('streams that wait at the same position share a read and the bytes that they send', async () => {
  const services = { state: new Map() } as unknown as Services
  let reads = 0
  const read = async (): Promise<StreamPage> => {
    reads++
    return fitted({ items: [event(1, 100)], next_after: 1, has_more: false }, 1)
  }
  const [one, same, other] = await Promise.all(
    ['a 0 5', 'a 0 5', 'a 0 6'].map(key => sharedPage(services, key, read)),
  )
  expect([reads, one === same, one === other]).toEqual([2, true, false])
  await sharedPage(services, 'a 0 5', read)
  expect(reads).toBe(3)

  const sent = async (events: StreamEvent[]): Promise<Buffer> => {
    const source = { next: async () => ({ events, isOver: true }), changed: async () => {} }
    const chunks: Buffer[] = await eventText(source, new AbortController().signal).toArray()
    return chunks[0]!
  }
  const [text, again] = [await sent(one!.events), await sent(same!.events)]
  expect(text.toString()).toMatch(/^id: 1\nevent: note\.updated\ndata: \{.*\}\n\n$/)
  expect(again.buffer === text.buffer && again.byteOffset === text.byteOffset).toBe(true)
})
