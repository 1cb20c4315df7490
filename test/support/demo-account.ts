/** An account with demo data and an owner who can sign in, on the service of this process. */

import { sql } from 'kysely'
import { fillDemo } from '../../src/features/demo/index.ts'
import {
  type Ctx,
  contextFor,
  type ServiceCtx,
  type Services,
  systemDb,
  transaction,
} from '../../src/kernel/context.ts'
import { newId } from '../../src/kernel/ids.ts'
import { deleteRows } from '../../src/kernel/statements.ts'
import { hashPassword } from '../../src/resources/accounts/passwords.ts'
import { createAccount, createUser } from '../../src/resources/accounts/people.ts'
import { createKey } from '../../src/resources/api-keys/keys.ts'
import { copyAccount } from './copied-account.ts'
import { PASSWORD } from './person.ts'
import { type Answer, engines, request, serviceOn } from './service.ts'

interface Owner {
  accountId: string
  userId: string
  email: string
  /** for what no endpoint prepares, such as a proposal of the assistant */
  ctx: Ctx
}

export interface DemoAccount extends Owner {
  url: string
  password: string
  /** A call with a key of the owner, to prepare records or to look at what a page has written. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
}

/** The day on which the demo takes place unless a test says otherwise: the present one, as for people who try it. */
const today = () => new Date().toISOString().slice(0, 10)

/** A new user; `insertAccount` gives them an account. */
async function newOwner(
  services: Services,
  insertAccount: (tx: ServiceCtx, userId: string) => Promise<string>,
): Promise<Owner> {
  const email = `ada.${newId()}@people.test`
  const passwordHash = await hash
  const system: ServiceCtx = { services, db: systemDb(services), inTransaction: false }
  const { userId, accountId } = await transaction(system, async tx => {
    const values = { email, name: 'Ada Owner', passwordHash, subject: null, isConfirmed: true }
    const { id } = await createUser(tx, values)
    return { userId: id, accountId: await insertAccount(tx, id) }
  })
  services.caches.forget('members')
  const caller = { kind: 'user', id: userId, userId, accountId, role: 'owner' } as const
  return { accountId, userId, email, ctx: contextFor(services, { ...caller, scopes: ['*'] }) }
}

/** Hashing takes longer than most tests. */
const hash = hashPassword(PASSWORD)

async function filledOwner(services: Services): Promise<Owner> {
  const owner = await newOwner(services, async (tx, userId) => {
    const { id } = await createAccount(tx, userId, 'Rill Sensors')
    return id
  })
  await transaction(owner.ctx, async tx => {
    await fillDemo(tx, today())
    // The recording stays as it is: transcribing it would take seconds of processor time in every file of tests.
    await deleteRows(tx, 'jobs', sql`true`)
  })
  return owner
}

let original: Promise<Owner> | undefined

/** Filling an account takes four seconds of processor time. */
async function copiedOwner(services: Services): Promise<Owner> {
  original ??= filledOwner(services)
  const from = await original
  const accountId = newId()
  const owner = await newOwner(services, async () => accountId)
  await copyAccount(services.config, from, { ...owner, slug: accountId })
  services.caches.forget('members')
  return owner
}

export async function demoAccount(): Promise<DemoAccount> {
  // The pages are the same whatever the engine: one of them does.
  const { service, url } = await serviceOn(engines.at(-1) ?? 'server')
  const { services } = service
  await service.web.settled()
  const problem = await service.web.problem()
  if (problem) throw new Error(problem.sentence)
  const isServer = services.config.databaseUrl !== undefined
  const owner = await (isServer ? copiedOwner : filledOwner)(services)
  const { key } = await createKey(owner.ctx, { name: 'Test' })
  return {
    ...owner,
    url,
    password: PASSWORD,
    call: (method, path, body) => request(url + path, method, body, { 'x-api-key': key }),
  }
}
