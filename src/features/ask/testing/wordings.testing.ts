/** Tables of wordings over an account in memory: what is answered to a question, and which records are cited. */
import { beforeAll, describe, expect, vi } from 'vitest'
import { Memory } from './memory.testing.ts'
import type { Writer } from './writer.testing.ts'

/** A Tuesday in the middle of a quarter; the worlds count their dates from it. */
const NOW = new Date('2026-11-17T12:00:00Z')

export function inMemory(
  title: string,
  world: (to: Writer) => Promise<unknown>,
  tests: (account: () => Memory) => void,
): void {
  describe(title, () => {
    const account = new Memory()
    beforeAll(async () => {
      vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
      await world(account)
      return () => vi.useRealTimers()
    })
    tests(() => account)
  })
}

/** `cited`: the names of all records behind the figure, where they matter. */
export async function expectComputed(
  account: Memory,
  question: string,
  text: string,
  cited?: readonly string[],
): Promise<void> {
  const answer = await account.answer(question)
  expect(answer?.answer).toContain(text)
  expect(answer).toMatchObject({ grounded: true, data: { query: expect.anything() } })
  if (cited) expect(answer?.citations.map(({ name }) => name).sort()).toEqual([...cited].sort())
}

export async function expectNotComputed(account: Memory, question: string): Promise<void> {
  const answer = await account.answer(question)
  expect(answer?.grounded ? answer.answer : undefined).toBeUndefined()
}
