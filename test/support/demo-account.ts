/** An account with demo data and an owner who can sign in, on the service of this process. */

import { sql } from 'kysely'
import { fillDemo } from '../../src/features/demo/index.ts'
import { type Ctx, contextFor, type ServiceCtx, systemDb, transaction } from '../../src/kernel/context.ts'
import { newId } from '../../src/kernel/ids.ts'
import { deleteRows } from '../../src/kernel/statements.ts'
import { hashPassword } from '../../src/resources/accounts/passwords.ts'
import { createAccount, createUser } from '../../src/resources/accounts/people.ts'
import { createKey } from '../../src/resources/api-keys/keys.ts'
import { PASSWORD } from './person.ts'
import { type Answer, engines, request, serviceOn } from './service.ts'

export interface DemoAccount {
  url: string
  accountId: string
  userId: string
  email: string
  password: string
  /** the owner's, for what no endpoint prepares, such as a proposal of the assistant */
  ctx: Ctx
  /** A call with a key of the owner, to prepare records or to look at what a page has written. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
}

/** The day on which the demo takes place unless a test says otherwise: the present one, as for people who try it. */
const today = () => new Date().toISOString().slice(0, 10)

export async function demoAccount(): Promise<DemoAccount> {
  // The pages are the same whatever the engine: one of them does.
  const { service, url } = await serviceOn(engines.at(-1) ?? 'server')
  const { services } = service
  await service.web.settled()
  const problem = await service.web.problem()
  if (problem) throw new Error(problem.sentence)

  const email = `ada.${newId()}@people.test`
  const passwordHash = await hashPassword(PASSWORD)
  const system: ServiceCtx = { services, db: systemDb(services), inTransaction: false }
  const { user, account } = await transaction(system, async tx => {
    const user = await createUser(tx, {
      email,
      name: 'Ada Owner',
      passwordHash,
      subject: null,
      isConfirmed: true,
    })
    return { user, account: await createAccount(tx, user.id, 'Rill Sensors') }
  })
  services.caches.forget('members')
  const caller = { kind: 'user', id: user.id, userId: user.id, accountId: account.id, role: 'owner' } as const
  const owner = contextFor(services, { ...caller, scopes: ['*'] })
  await transaction(owner, async tx => {
    await fillDemo(tx, today())
    // The recording stays as it is: transcribing it would take seconds of processor time in every file of tests.
    await deleteRows(tx, 'jobs', sql`true`)
  })
  const { key } = await createKey(owner, { name: 'Test' })
  return {
    url,
    accountId: account.id,
    userId: user.id,
    email,
    password: PASSWORD,
    ctx: owner,
    call: (method, path, body) => request(url + path, method, body, { 'x-api-key': key }),
  }
}
