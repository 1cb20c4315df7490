import { createHook } from 'node:async_hooks'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { bearer, newEmail, PASSWORD, registered, serviceWith, urlOn } from '../../../test/support/person.ts'
import { onAnyEngine, request, serviceOn } from '../../../test/support/service.ts'
import { query, systemDb } from '../../kernel/context.ts'
import { tokenHash } from './sessions.ts'

/** How many tasks argon2 gives to the thread pool meanwhile. Its tasks have no name, those of Node have one. */
async function hashings(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const init = (_id: number, name: string) => {
    if (name === 'undefined') count++
  }
  const hook = createHook({ init }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return count
}

onAnyEngine('signing in', (_, kind) => {
  const post = async (path: string, body?: unknown, headers?: Record<string, string>) =>
    request((await urlOn(kind)) + path, 'POST', body, headers)
  const registration = (changes: object = {}) => ({
    email: newEmail(),
    password: PASSWORD,
    name: 'Ada Lovelace',
    ...changes,
  })
  const system = async () => ({ db: systemDb((await serviceOn(kind)).service.services) })
  const login = (email: string, password: string = PASSWORD) => post('/api/auth/login', { email, password })
  const refresh = (token: string) => post('/api/auth/refresh', { refresh_token: token })

  it('registers a user with their own account', async () => {
    const input = registration({ account_name: 'Ærø & Søn GmbH' })
    const { status, body, headers } = await post('/api/auth/register', input)
    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(body).sort()).toEqual(
      ['access_token', 'account', 'expires_in', 'refresh_token', 'token_type', 'user'].sort(),
    )
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 900 })
    expect(body.user).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      email: input.email,
      email_confirmed_at: null,
      name: 'Ada Lovelace',
    })
    expect(body.account).toMatchObject({ name: 'Ærø & Søn GmbH', currency: 'USD', role: 'owner' })
    expect(body.account.slug).toMatch(/^aero-son-gmbh(-[0-9a-f]{12})?$/)

    const url = await urlOn(kind)
    const created = await request(`${url}/api/companies`, 'POST', { name: 'Acme' }, bearer(body.access_token))
    expect(created).toMatchObject({ status: 201, body: { account_id: body.account.id } })
    const stages = await query(
      await system(),
      sql<{ name: string }>`select name from stages where account_id = ${body.account.id} order by position`,
    )
    expect(stages.map(stage => stage.name)).toEqual([
      'Lead',
      'Qualified',
      'Proposal',
      'Negotiation',
      'Won',
      'Lost',
    ])
  })

  it('names the account after the user by default, with a unique slug', async () => {
    const both = await Promise.all([
      post('/api/auth/register', registration({ name: 'Grace Hopper' })),
      post('/api/auth/register', registration({ name: 'Grace Hopper' })),
    ])
    expect(both.map(answer => answer.status)).toEqual([201, 201])
    expect(both.map(answer => answer.body.account.name)).toEqual(['Grace Hopper', 'Grace Hopper'])
    expect(new Set(both.map(answer => answer.body.account.slug)).size).toBe(2)
  })

  it.each([
    [{ email: 'nobody' }, 'email', 'value_error'],
    [{ email: undefined }, 'email', 'missing'],
    [{ password: '1234567' }, 'password', 'string_too_short'],
    [{ password: 'x'.repeat(201) }, 'password', 'string_too_long'],
    [{ password: 12345678 }, 'password', 'string_type'],
    [{ password: 'with a \u0000 in it' }, 'password', 'value_error'],
    [{ name: '' }, 'name', 'string_too_short'],
    [{ name: 'x'.repeat(256) }, 'name', 'string_too_long'],
    [{ name: 'two\nlines' }, 'name', 'value_error'],
    [{ name: null }, 'name', 'string_type'],
    [{ account_name: '' }, 'account_name', 'string_too_short'],
    [{ account_name: 'x'.repeat(256) }, 'account_name', 'string_too_long'],
  ])('refuses to register with %j', async (change, field, type) => {
    const { status, body } = await post('/api/auth/register', registration(change))
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ loc: ['body', field], type }])
  })

  it('accepts passwords and names of minimum and maximum length', async () => {
    const long = registration({ password: '🐎'.repeat(200), name: 'x'.repeat(255), account_name: '🐎' })
    const { status, body } = await post('/api/auth/register', long)
    expect(status).toBe(201)
    expect(body.account.slug).toMatch(/^account(-|$)/)
    expect(await login(long.email, long.password)).toMatchObject({ status: 200 })
    expect(await login(long.email, '🐎'.repeat(199))).toMatchObject({ status: 401 })
  })

  it('registers an address once, in any case and with concurrent requests', async () => {
    const first = registration()
    expect(await post('/api/auth/register', first)).toMatchObject({ status: 201 })
    const again = { ...first, email: first.email.toUpperCase() }
    expect(await post('/api/auth/register', again)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('email') },
    })
    const race = registration()
    const answers = await Promise.all([1, 2, 3].map(() => post('/api/auth/register', race)))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409, 409])
  })

  it('ignores an Idempotency-Key where there is no account yet', async () => {
    const key = { 'idempotency-key': 'first' }
    expect(await post('/api/auth/register', registration(), key)).toMatchObject({ status: 201 })
    expect(await post('/api/auth/register', registration(), key)).toMatchObject({ status: 201 })
  })

  it('signs in only with the right password', async () => {
    const person = await registered(await urlOn(kind))
    const right = await login(person.email.toUpperCase())
    expect(right).toMatchObject({
      status: 200,
      body: {
        token_type: 'bearer',
        expires_in: 900,
        user: { id: person.userId, email: person.email },
        accounts: [{ id: person.accountId, role: 'owner' }],
      },
    })
    expect(right.body.user).not.toHaveProperty('password_hash')
    const wrong = { status: 401, body: { detail: 'Invalid email or password' } }
    for (const [email, password] of [
      [person.email, 'wrong horse battery'],
      [person.email, ''],
      [newEmail(), PASSWORD],
    ]) {
      const answer = await login(email!, password)
      expect(answer).toMatchObject(wrong)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  it('compares a password also for an unknown address, so that the time reveals nothing', async () => {
    const { email } = await registered(await urlOn(kind))
    // the first sign-in of a process also hashes the password that unknown addresses are compared with
    await login(email, 'wrong horse battery')
    expect(await hashings(() => login(email, 'wrong horse battery'))).toBe(1)
    expect(await hashings(() => login(newEmail(), 'wrong horse battery'))).toBe(1)
  })

  it('accepts a refresh token once, and ends the session when it is used again', async () => {
    const person = await registered(await urlOn(kind))
    const other = await login(person.email)
    const second = await refresh(person.refreshToken)
    expect(second).toMatchObject({ status: 200, body: { token_type: 'bearer', expires_in: 900 } })
    expect(second.body.refresh_token).not.toBe(person.refreshToken)
    const third = await refresh(second.body.refresh_token)
    expect(third.status).toBe(200)
    const me = await request(`${person.url}/api/auth/me`, 'GET', undefined, bearer(third.body.access_token))
    expect(me.body.id).toBe(person.userId)

    expect(await refresh(person.refreshToken)).toMatchObject({
      status: 401,
      body: { detail: 'Invalid token' },
    })
    expect(await refresh(third.body.refresh_token)).toMatchObject({ status: 401 })
    expect(await refresh(other.body.refresh_token)).toMatchObject({ status: 200 })
  })

  it('accepts at most one of two concurrent refreshes', async () => {
    const person = await registered(await urlOn(kind))
    const answers = await Promise.all([1, 2].map(() => refresh(person.refreshToken)))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 401])
    const winner = answers.find(answer => answer.status === 200)!
    expect(await refresh(winner.body.refresh_token)).toMatchObject({ status: 401 })
  })

  it('refuses unknown and expired refresh tokens, and stores only hashes', async () => {
    expect(await refresh('rt_nothing')).toMatchObject({ status: 401, body: { detail: 'Invalid token' } })
    const { refreshToken } = await registered(await urlOn(kind))
    const hash = tokenHash(refreshToken)
    const [kept] = await query(
      await system(),
      sql`update refresh_tokens set expires_at = now() where token_hash = ${hash} returning id`,
    )
    expect(kept).toBeDefined()
    expect(await refresh(refreshToken)).toMatchObject({ status: 401 })
    expect(await post('/api/auth/refresh', {})).toMatchObject({ status: 422 })
    expect(await post('/api/auth/refresh', { refresh_token: 'x'.repeat(201) })).toMatchObject({ status: 422 })
  })

  it('signs out by refresh token, or by the access token alone', async () => {
    const person = await registered(await urlOn(kind))
    const second = (await login(person.email)).body
    const third = (await login(person.email)).body
    const out = await person.call('POST', '/api/auth/logout', { refresh_token: second.refresh_token })
    expect(out).toMatchObject({ status: 200, body: {} })
    expect(await refresh(second.refresh_token)).toMatchObject({ status: 401 })
    const url = await urlOn(kind)
    const me = (token: string) =>
      request(`${url}/api/auth/me`, 'GET', undefined, { authorization: `Bearer ${token}` })
    expect((await me(second.access_token)).status).toBe(401)
    expect(await person.call('POST', '/api/auth/logout')).toMatchObject({ status: 200 })
    expect(await person.call('GET', '/api/auth/me')).toMatchObject({ status: 401 })
    expect((await me(third.access_token)).status).toBe(200)
    expect(await refresh(person.refreshToken)).toMatchObject({ status: 401 })
    expect(await refresh(third.refresh_token)).toMatchObject({ status: 200 })
    expect(await post('/api/auth/logout')).toMatchObject({ status: 401 })
  })

  it('does not sign out other sessions', async () => {
    const url = await urlOn(kind)
    const [ada, eve] = [await registered(url), await registered(url)]
    await eve.call('POST', '/api/auth/logout', { refresh_token: ada.refreshToken })
    expect(await refresh(ada.refreshToken)).toMatchObject({ status: 200 })
  })

  it('limits attempts by address and email', async () => {
    const { service, url } = await serviceWith(kind, config => ({
      limits: { ...config.limits, loginsPerMinute: 2 },
      trustProxy: 1,
    }))
    try {
      const from = (address: string, email: string, path = 'login') =>
        request(
          `${url}/api/auth/${path}`,
          'POST',
          { email, password: PASSWORD, name: 'Ada' },
          { 'x-forwarded-for': address },
        )
      const tried = 'tried@people.test'
      expect(await from('10.0.0.1', tried)).toMatchObject({ status: 401 })
      expect(await from('10.0.0.1', tried.toUpperCase())).toMatchObject({ status: 401 })
      const refused = await from('10.0.0.1', tried)
      expect(refused).toMatchObject({ status: 429, body: { detail: 'Too many requests: slow down' } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
      expect(await from('10.0.0.1', tried, 'register')).toMatchObject({ status: 429 })
      expect(await from('10.0.0.2', tried)).toMatchObject({ status: 401 })
      expect(await from('10.0.0.1', newEmail())).toMatchObject({ status: 401 })
      // what the client itself claims does not count: only the nearest proxy is trusted
      const forged = await Promise.all(
        ['1.1.1.1', '2.2.2.2', '3.3.3.3'].map(claimed => from(`${claimed}, 10.0.0.4`, tried)),
      )
      expect(forged.filter(answer => answer.status === 429)).toHaveLength(1)
      // one address, whatever the emails
      const many = await Promise.all(Array.from({ length: 25 }, () => from('10.0.0.3', newEmail())))
      expect(many.filter(answer => answer.status === 429)).toHaveLength(5)
    } finally {
      await service.close()
    }
  })
})
