/** What the operator does to accounts: in the process, and with commands beside a running service. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run, SLOW, startKith, tempFolder } from '../../../test/support/process.ts'
import { freshDatabase, onBothEngines, request } from '../../../test/support/service.ts'
import { runLocal } from './index.ts'
import type { ListedKey } from './keys.ts'
import { socketPath } from './socket-path.ts'

const statusOf = async (url: string, key: string, method = 'GET') =>
  (
    await request(`${url}/api/companies`, method, method === 'GET' ? undefined : { name: 'Acme' }, {
      'x-api-key': key,
    })
  ).status

onBothEngines('the operator', account => {
  it('creates, lists and revokes keys', async () => {
    const { service, accountId, url } = await account()
    const act = (name: string, input: object) =>
      runLocal(service.services, name, { account: accountId, ...input })
    const input = { name: 'CI', scopes: ['companies:read'] }
    const { key, id } = (await act('keys-create', input)) as { key: string; id: string }
    expect([await statusOf(url, key), await statusOf(url, key, 'POST')]).toEqual([200, 403])
    const keys = (await act('keys-list', {})) as ListedKey[]
    expect(keys.map(({ name, prefix }) => [name, prefix])).toEqual([
      ['test', expect.any(String)],
      ['CI', key.slice(0, 9)],
    ])
    expect(JSON.stringify(keys)).not.toContain(key)
    expect(await act('keys-revoke', { key })).toMatchObject({ id, name: 'CI' })
    expect(await statusOf(url, key)).toBe(401)
    await expect(act('keys-revoke', { key: 'sk_nothing' })).rejects.toThrow('There is no key "sk_nothing"')
    await expect(act('keys-create', { name: 'x', scopes: ['no'] })).rejects.toThrow()
    await expect(act('keys-create', { name: '' })).rejects.toThrow(/^name: /)
    await expect(act('keys-list', { account: 'nowhere' })).rejects.toThrow('There is no account "nowhere"')
  })

  it('invites people', async () => {
    const { service, accountId, url } = await account()
    const email = `${accountId}@example.com`
    const input = { account: accountId, email, role: 'admin' }
    const invited = await runLocal(service.services, 'users-invite', input)
    expect(invited).toMatchObject({
      email,
      role: 'admin',
      mailed: false,
      account: accountId,
    })
    const { token } = invited as { token: string }
    const body = { token, name: 'Ann', password: 'correct horse battery' }
    expect((await request(`${url}/api/auth/accept-invitation`, 'POST', body)).status).toBe(200)
  })
})

async function kith(args: string[], env: Record<string, string>) {
  const child = run({ args, env })
  return { code: await child.exited, out: child.stdout(), err: child.stderr() }
}

it('commands reach the running service, and the database when none runs', SLOW, async () => {
  const env = { KITH_DATA_DIR: join(tempFolder(), 'data'), KITH_LOG_LEVEL: 'error' }
  expect(await kith(['keys', 'list'], env)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^There is no database in/),
  })
  const running = await startKith({ env })
  const made = await kith(['keys', 'create', 'CI', '--scopes', '*:read', '--expires-in', '30'], env)
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^sk_\S+\n$/) })
  const key = made.out.trim()
  expect(await statusOf(running.url, key)).toBe(200)
  expect((await kith(['keys', 'create', 'CI', '--expires-in', 'soon'], env)).code).toBe(2)
  const invited = await kith(['users', 'invite', 'ann@example.com', '--json'], env)
  expect(JSON.parse(invited.out)).toMatchObject({ email: 'ann@example.com', account: 'my-company' })
  expect(await kith(['users', 'invite', 'nobody'], env)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^email: /),
  })
  expect(await kith(['keys', 'revoke', key], env)).toMatchObject({ code: 0 })
  expect(await statusOf(running.url, key)).toBe(401)
  expect(await running.stop()).toBe(0)
  const listed = await kith(['keys', 'list'], env)
  expect(listed).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^my-company .* CI +\*:read +revoked$/m),
  })
})

it('says what is missing', SLOW, async () => {
  const empty = await kith(['keys', 'list', '--account', 'a'], { DATABASE_URL: await freshDatabase() })
  expect(empty).toMatchObject({ code: 1, err: 'There is no account yet: start the service once.\n' })
  expect(socketPath(`/${'x'.repeat(200)}`)).toBeUndefined()
})
