import { expect, it } from 'vitest'
import { eventPages, PAGE_BYTES } from './pages.ts'
import type { Event } from './read.ts'

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
    return { items, next_after, has_more: next_after < count }
  }, 0)
  const sequences: number[] = []
  for (let hasMore = true; hasMore; ) {
    const { items, has_more } = await next()
    hasMore = has_more
    const isOne = items.length === 1
    expect(isOne || JSON.stringify(items.map(({ changes }) => changes)).length < PAGE_BYTES + 1000).toBe(true)
    sequences.push(...items.map(({ sequence }) => sequence))
  }
  expect(sequences).toEqual(stored.map(({ sequence }) => sequence))
  expect(isRead).toBeLessThan(count * 3 + 100)
})
