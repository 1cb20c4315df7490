/** The log tells what happened, in lines of JSON, and no secret that went through. */
import { randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { allEndpoints } from '../src/service.ts'
import { SLOW, startKith, tempFolder } from './support/process.ts'
import { anyEngine, freshDatabase, request } from './support/service.ts'

const secret = (kind: string) => `${kind}-${randomBytes(12).toString('hex')}`

describe.each(anyEngine)('the log (%s)', SLOW, kind => {
  it('contains no key, password, token or value of a request, even at level trace', async () => {
    const password = secret('Password')
    const jwtSecret = secret('jwt-secret-of-32-bytes-and-more')
    const env: Record<string, string> = {
      KITH_LOG_LEVEL: 'trace',
      KITH_INDEXER: 'true',
      KITH_DATA_DIR: tempFolder(),
      KITH_API_KEY: `sk_${randomBytes(24).toString('base64url')}`,
      KITH_JWT_SECRET: jwtSecret,
      KITH_LOGIN_RATE_LIMIT: '1000',
    }
    if (kind === 'server') env.DATABASE_URL = await freshDatabase()
    const kith = await startKith({ env })
    const key = env.KITH_API_KEY!
    const otherKey = `sk_${randomBytes(24).toString('base64url')}`
    const token = async (claims: object, using = jwtSecret) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(using))
    const stale = await token({ sub: 'nobody', exp: 1, email: secret('claim') })
    const forged = await token(
      { sub: 'nobody', exp: 9_999_999_999 },
      secret('another-secret-of-32-bytes-and-more'),
    )
    const value = secret('value')
    const told = [password, jwtSecret, key, otherKey, stale, forged, value]
    const call = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const answer = await request(kith.url + path, method, body, { 'x-api-key': key, ...headers })
      for (const name of ['key', 'access_token', 'refresh_token', 'token']) {
        if (typeof answer.body?.[name] === 'string') told.push(answer.body[name])
      }
      return answer
    }

    const person = { email: 'ann@people.test', password, name: 'Ann' }
    await call('POST', '/api/auth/register', person)
    await call('POST', '/api/auth/register', person)
    const login = await call('POST', '/api/auth/login', person)
    expect(login).toMatchObject({ status: 200, body: { access_token: expect.any(String) } })
    await call('POST', '/api/auth/login', { ...person, password: `${password}x` })
    await call('POST', '/api/auth/login', `{"email":"ann@people.test","password":"${password}`)
    const signedIn = { 'x-api-key': '', authorization: `Bearer ${login.body.access_token}` }
    expect((await call('GET', '/api/auth/me', undefined, signedIn)).status).toBe(200)
    await call('POST', '/api/auth/refresh', { refresh_token: login.body.refresh_token })
    await call('POST', '/api/api-keys', { name: 'Another' })
    for (const credential of [otherKey, stale, forged, 'x.y.z', value]) {
      await call('GET', '/api/companies', undefined, {
        'x-api-key': '',
        authorization: `Bearer ${credential}`,
      })
      await call('GET', '/api/companies', undefined, { 'x-api-key': credential })
      await call('GET', `/api/companies?api_key=${credential}&search=${credential}&sort_by=${credential}`)
      await call('GET', `/api/companies/${credential}?token=${credential}`)
    }
    // Whatever is sent anywhere, as it is and as the database refuses it.
    for (const { method, path } of allEndpoints()) {
      // it does not end before its client leaves; its line in the log is like any other
      if (path === '/api/events/stream') continue
      const filled = path.replace(/\{\w+\}/g, '01900000-0000-7000-8000-000000000000')
      const body =
        method === 'GET'
          ? undefined
          : { name: value, password: value, token: value, key: value, email: value }
      await call(method, `${filled}?q=${value}&cf.x=${value}`, body, {
        cookie: value,
        'idempotency-key': value,
      })
    }
    await call('GET', '/api/companies', undefined, { 'x-request-id': key })
    expect(await kith.stop()).toBe(0)

    const output = kith.stdout() + kith.stderr()
    const requests = kith.log().filter(({ msg }) => msg === 'request')
    expect(requests.length).toBeGreaterThan(allEndpoints().length)
    expect(told.filter(text => output.includes(text))).toEqual([])

    const lines = kith
      .stdout()
      .split('\n')
      .filter(line => line !== '')
    // beside the log only what the start prints for a person
    const printed =
      /^(?:Kith is running|Reference:|Create the owner|\s+http:\/\/127\.0\.0\.1:\d+\/setup#|The web client is being built)/
    expect(lines.filter(line => !line.startsWith('{"level":') && !printed.test(line))).toEqual([])
    expect(requests.find(line => line.route === '/api/companies' && line.status === 200)).toMatchObject({
      method: 'GET',
      account: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ip: '127.0.0.1',
      ms: expect.any(Number),
      req: expect.any(String),
    })
    // Nothing that a client sends is a fault of ours.
    expect(requests.filter(({ status }) => status === 500)).toEqual([])
  })
})
