/** An account with a small world in it, indexed, and what an answer about its data must be like. */
import { afterAll, beforeAll, expect } from 'vitest'
import { type Account, onAnyEngine } from '../../../../test/support/service.ts'
import type { Indexer } from '../../search/indexer.ts'
import { ask, beginHere, indexed } from '../../search/testing.ts'

export function inWorld(
  title: string,
  world: (account: Account) => Promise<void>,
  tests: (account: () => Account) => void,
): void {
  onAnyEngine(title, (newAccount, kind) => {
    let account: Account
    let indexer: Indexer
    beforeAll(async () => {
      indexer = await beginHere(kind)
      account = await newAccount()
      await world(account)
      await indexed(account)
    }, 60_000)
    afterAll(() => indexer.stop())
    tests(() => account)
  })
}

/** `cited`: the names of all records behind the figure, where they matter. */
export async function expectComputed(
  account: Account,
  question: string,
  text: string,
  cited: readonly string[] | undefined,
): Promise<void> {
  const { body } = await ask(account, question)
  expect(body).toMatchObject({ grounded: true, model: 'data' })
  expect(body.answer).toContain(text)
  if (cited) expect(body.citations.map((one: { name: string }) => one.name).sort()).toEqual([...cited].sort())
}

export async function expectNotComputed(account: Account, question: string): Promise<void> {
  const { body } = await ask(account, question)
  expect(body.model === 'data' && body.grounded).toBe(false)
}
