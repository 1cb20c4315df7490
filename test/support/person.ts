/** People who call with a token. */

import type { Config } from '../../src/config.ts'
import { type Role, type ServiceCtx, systemDb, transaction } from '../../src/kernel/context.ts'
import { newId } from '../../src/kernel/ids.ts'
import { mailConfirmation } from '../../src/resources/accounts/confirm-email.ts'
import { hashPassword } from '../../src/resources/accounts/passwords.ts'
import { createAccount, createUser } from '../../src/resources/accounts/people.ts'
import { startSession } from '../../src/resources/accounts/sessions.ts'
import { createService, type Service } from '../../src/service.ts'
import {
  type Account,
  type Answer,
  anotherMember,
  type EngineKind,
  newAccount,
  request,
  serviceOn,
  testConfig,
} from './service.ts'
import { accessToken } from './session.ts'

export const PASSWORD = 'correct horse battery'

export interface Person {
  url: string
  email: string
  userId: string
  accountId: string
  /** A call with this person's token. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

export const newEmail = (): string => `${newId()}@people.test`

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

const caller =
  (url: string, token: string): Person['call'] =>
  (method, path, body, headers) =>
    request(url + path, method, body, { ...bearer(token), ...headers })

async function signedIn({
  service,
  url,
  userId,
  accountId,
}: Account): Promise<Person & { account: Account }> {
  const token = await accessToken(service.services, userId)
  const account = { service, url, userId, accountId } as Account
  return { url, email: `${userId}@people.test`, userId, accountId, account, call: caller(url, token) }
}

/** The owner of a new account, without a password: hashing one takes longer than most tests. */
export const newPerson = async (kind: EngineKind) => signedIn(await newAccount(kind))

/** Somebody new in the account of `host`. */
export const joining = async (host: { account: Account }, role: string) =>
  signedIn(await anotherMember(host.account, { role: role as Role }))

/** Somebody who has registered over HTTP. */
export async function registered(
  url: string,
  input: Record<string, unknown> = {},
): Promise<Person & { token: string; refreshToken: string }> {
  const sent = { email: newEmail(), password: PASSWORD, name: 'Test Person', ...input }
  const { status, body, text } = await request(`${url}/api/auth/register`, 'POST', sent)
  if (status !== 201) throw new Error(`registering answered ${status}: ${text}`)
  return {
    url,
    email: body.user.email,
    userId: body.user.id,
    accountId: body.account.id,
    token: body.access_token,
    refreshToken: body.refresh_token,
    call: caller(url, body.access_token),
  }
}

/** Somebody with a password whose address is not confirmed: registered before the service could send mail. */
export async function unconfirmed(
  service: Service,
  url: string,
  input: { name?: string; account_name?: string } = {},
): ReturnType<typeof registered> {
  const { services } = service
  const ctx: ServiceCtx = { services, db: systemDb(services), inTransaction: false }
  const { name = 'Test Person', account_name = name } = input
  const passwordHash = await hashPassword(PASSWORD)
  const { user, account, session } = await transaction(ctx, async tx => {
    const user = await createUser(tx, { email: newEmail(), name, passwordHash, subject: null })
    const account = await createAccount(tx, user.id, account_name)
    return { user, account, session: await startSession(tx, user.id) }
  })
  services.caches.forget('members')
  await mailConfirmation(ctx, user)
  const { access_token: token, refresh_token: refreshToken } = session
  return {
    url,
    email: user.email,
    userId: user.id,
    accountId: account.id,
    token,
    refreshToken,
    call: caller(url, token),
  }
}

export const urlOn = async (kind: EngineKind): Promise<string> => (await serviceOn(kind)).url

/** A service of one's own with other settings; close it when done. */
export async function serviceWith(
  kind: EngineKind,
  overrides: (config: Config) => Partial<Config>,
): Promise<{ service: Service; url: string }> {
  const config = await testConfig(kind)
  const service = await createService({ ...config, ...overrides(config) })
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  return { service, url }
}
