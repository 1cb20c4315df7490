/** An account of the real service with a small world in it, indexed. */
import { afterAll, beforeAll } from 'vitest'
import { type Account, onAnyEngine } from '../../../../test/support/service.ts'
import type { Indexer } from '../../search/indexer.ts'
import { beginHere, indexed } from '../../search/testing.ts'
import { overHttp } from './http-writer.testing.ts'
import type { Writer } from './writer.testing.ts'

export function inWorld(
  title: string,
  world: (to: Writer, account: Account) => Promise<unknown>,
  tests: (account: () => Account) => void,
): void {
  onAnyEngine(title, (newAccount, kind) => {
    let account: Account
    let indexer: Indexer
    beforeAll(async () => {
      indexer = await beginHere(kind)
      account = await newAccount()
      await world(overHttp(account), account)
      await indexed(account, true)
    }, 60_000)
    afterAll(() => indexer.stop())
    tests(() => account)
  })
}
