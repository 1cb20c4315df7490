import { describe, expect, it, onTestFinished } from 'vitest'
import { bearer, newEmail, PASSWORD, serviceWith } from '../../../test/support/person.ts'
import { anyEngine, type EngineKind, request } from '../../../test/support/service.ts'
import type { Config } from '../../config.ts'

const KEY = 'sk_registration_0123456789'
const BY_INVITATION = {
  status: 403,
  body: { detail: 'Registration is by invitation: ask an owner of an account to invite you' },
}
const CLOSED = { status: 403, body: { detail: 'Registration is closed: nobody new can join this service' } }

async function started(kind: EngineKind, registration: Config['registration']) {
  const { service, url } = await serviceWith(kind, () => ({ registration, apiKey: KEY }))
  onTestFinished(() => service.close())
  const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    request(url + path, 'POST', body, headers)
  const byKey = { 'x-api-key': KEY }
  return {
    post,
    byKey,
    register: (email = newEmail()) => post('/api/auth/register', { email, password: PASSWORD, name: 'Ada' }),
    accept: (token: string) =>
      post('/api/auth/accept-invitation', { token, password: PASSWORD, name: 'Invited' }),
    /** An invitation to the account of the first start. */
    async invite(role: string, email = newEmail()): Promise<string> {
      const { body: company } = await post('/api/companies', { name: 'Acme' }, byKey)
      const path = `/api/accounts/${company.account_id}/invitations`
      return (await post(path, { email, role }, byKey)).body.token
    },
    mode: async () => (await request(`${url}/api/auth/settings`, 'GET')).body.registration,
  }
}

describe.each(anyEngine)('registering (%s)', kind => {
  it('by invitation is open to the first person on a new service, then only to invited people', async () => {
    const { register, accept, invite, post, mode } = await started(kind, 'invited')
    expect(await mode()).toBe('open')
    const both = await Promise.all([register(), register()])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403])
    const first = both.find(({ status }) => status === 201)!.body
    expect(await mode()).toBe('invited')
    // Known or not, the answer is the same.
    expect(await register()).toMatchObject(BY_INVITATION)
    expect(await register(first.user.email)).toMatchObject(BY_INVITATION)

    const owner = bearer(first.access_token)
    expect((await post('/api/accounts', { name: 'Second' }, owner)).status).toBe(201)
    const joined = await accept(await invite('admin'))
    expect(joined.status).toBe(200)
    expect(await post('/api/accounts', { name: 'Third' }, bearer(joined.body.access_token))).toMatchObject({
      status: 403,
      body: { detail: 'Only somebody who owns an account can create another one' },
    })
  })

  it('by invitation is closed once something was written with the first key', async () => {
    const { register, post, byKey, mode } = await started(kind, 'invited')
    await post('/api/companies', { name: 'Acme' }, byKey)
    expect(await mode()).toBe('invited')
    expect(await register()).toMatchObject(BY_INVITATION)
  })

  it('that is closed refuses new users, but registered users can still join accounts', async () => {
    const { register, accept, invite, post, mode, byKey } = await started(kind, 'closed')
    expect(await mode()).toBe('closed')
    expect(await register()).toMatchObject(CLOSED)
    expect(await accept(await invite('member'))).toMatchObject(CLOSED)
    expect((await post('/api/accounts', { name: 'Second' }, byKey)).status).toBe(403)
  })

  it('that is open accepts everyone', async () => {
    const { register, mode } = await started(kind, 'open')
    expect([(await register()).status, (await register()).status]).toEqual([201, 201])
    expect(await mode()).toBe('open')
  })
})
