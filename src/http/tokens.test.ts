import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, newEmail, PASSWORD, registered, serviceWith } from '../../test/support/person.ts'
import { anyEngine, request } from '../../test/support/service.ts'
import { newId } from '../kernel/ids.ts'
import type { Service } from '../service.ts'

const ISSUER = 'https://issuer.example'
const AUDIENCE = 'kith-under-test'
const now = () => Math.floor(Date.now() / 1000)
const good = (sub: string): JWTPayload => ({ sub, iss: ISSUER, aud: AUDIENCE, exp: now() + 600 })
const invalid = { status: 401, body: { detail: 'Invalid token' } }

const sign = (claims: JWTPayload, key: CryptoKey | Uint8Array, header: JWTHeaderParameters) =>
  new SignJWT(claims).setProtectedHeader(header).sign(key)
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Publishes a set of keys and counts the requests for it. */
async function publish(keys: () => unknown): Promise<{ server: Server; url: string; asked: () => number }> {
  let count = 0
  const server = createServer((_, answer) => {
    count++
    const body = keys()
    answer.writeHead(body === undefined ? 500 : 200, { 'content-type': 'application/json' })
    answer.end(JSON.stringify(body ?? {}))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { server, url: `http://127.0.0.1:${port}/keys`, asked: () => count }
}

const pairs = async () => ({
  rsa: await generateKeyPair('RS256', { extractable: true }),
  ec: await generateKeyPair('ES256', { extractable: true }),
})

describe.each(anyEngine)('tokens of an external issuer (%s)', kind => {
  let keys: Awaited<ReturnType<typeof pairs>>
  let strangers: Awaited<ReturnType<typeof pairs>>
  let issuer: Awaited<ReturnType<typeof publish>>
  let attacker: Awaited<ReturnType<typeof publish>>
  let service: Service
  let url: string
  let away = true

  beforeAll(async () => {
    keys = await pairs()
    strangers = await pairs()
    const set = {
      keys: [
        { ...(await exportJWK(keys.rsa.publicKey)), kid: 'rsa', alg: 'RS256', use: 'sig' },
        { ...(await exportJWK(keys.ec.publicKey)), kid: 'ec', alg: 'ES256', use: 'sig' },
      ],
    }
    issuer = await publish(() => (away ? undefined : set))
    const own = { keys: [{ ...(await exportJWK(strangers.rsa.publicKey)), kid: 'rsa', alg: 'RS256' }] }
    attacker = await publish(() => own)
    const jwt = { secret: undefined, jwksUrl: issuer.url, issuer: ISSUER, audience: AUDIENCE }
    ;({ service, url } = await serviceWith(kind, () => ({ jwt, logLevel: 'silent' })))
  })
  afterAll(async () => {
    await service?.close()
    issuer?.server.close()
    attacker?.server.close()
  })

  const rsa = (claims: JWTPayload) => sign(claims, keys.rsa.privateKey, { alg: 'RS256', kid: 'rsa' })
  const get = (token: string, path = '/api/companies') => request(url + path, 'GET', undefined, bearer(token))

  it('do not each call an issuer that is down', async () => {
    const token = await rsa(good(newId()))
    const begun = Date.now()
    for (let i = 0; i < 5; i++) {
      const answer = await get(token)
      expect(answer).toMatchObject({ status: 503, body: { detail: expect.stringContaining('issuer') } })
      expect(answer.headers.get('retry-after')).toBe('2')
    }
    // once every two seconds
    expect(issuer.asked()).toBeLessThanOrEqual(1 + Math.floor((Date.now() - begun) / 2000))
    away = false
    await expect.poll(() => get(token).then(answer => answer.status), { interval: 250 }).toBe(403)
  })

  it('name a person by our id, under RS256 and ES256', async () => {
    const person = await registered(url)
    const claims = good(person.userId)
    const es256 = await sign(claims, keys.ec.privateKey, { alg: 'ES256', kid: 'ec' })
    for (const token of [await rsa(claims), es256]) {
      expect(await get(token)).toMatchObject({ status: 200 })
      expect(await get(token, '/api/auth/me')).toMatchObject({ status: 200, body: { id: person.userId } })
    }
    expect(await get(await rsa({ ...claims, aud: ['other', AUDIENCE] }))).toMatchObject({ status: 200 })
    // the service's own tokens stay valid
    expect(await person.call('GET', '/api/companies')).toMatchObject({ status: 200 })
  })

  it('are refused when a claim or the signature is wrong', async () => {
    const { userId } = await registered(url)
    const claims = good(userId)
    const without = (name: keyof JWTPayload) => {
      const { [name]: _, ...rest } = claims
      return rest
    }
    const publicKey = new TextEncoder().encode(await exportSPKI(keys.rsa.publicKey))
    const modulus = Buffer.from((await exportJWK(keys.rsa.publicKey)).n!, 'base64url')
    const evil = { alg: 'RS256', kid: 'rsa', jku: attacker.url, x5u: attacker.url }
    const ownKey = { jwk: await exportJWK(strangers.rsa.publicKey), alg: 'RS256', kid: 'rsa' }
    const [header, payload, signature] = (await rsa(claims)).split('.') as [string, string, string]
    const bad: Record<string, string> = {
      'wrong issuer': await rsa({ ...claims, iss: 'https://other.example' }),
      'no issuer': await rsa(without('iss')),
      'our own issuer': await rsa({ ...claims, iss: 'kith', aud: 'kith' }),
      'wrong audience': await rsa({ ...claims, aud: 'other' }),
      'no audience': await rsa(without('aud')),
      expired: await rsa({ ...claims, exp: now() - 60 }),
      'no expiry': await rsa(without('exp')),
      'not yet good': await rsa({ ...claims, nbf: now() + 600 }),
      'no subject': await rsa(without('sub')),
      'empty subject': await rsa({ ...claims, sub: '' }),
      'subject with NUL': await rsa({ ...claims, sub: 'a\u0000b' }),
      'long subject': await rsa({ ...claims, sub: 'x'.repeat(256) }),
      'subject that is no text': await rsa({ ...claims, sub: { id: userId } as unknown as string }),
      'alg none': `${encode({ alg: 'none' })}.${payload}.`,
      'alg none with the signature': `${encode({ alg: 'none', kid: 'rsa' })}.${payload}.${signature}`,
      'public key as secret': await sign(claims, publicKey, { alg: 'HS256', kid: 'rsa' }),
      'modulus as secret': await sign(claims, modulus, { alg: 'HS256', kid: 'rsa' }),
      'public key as secret, HS512': await sign(claims, publicKey, { alg: 'HS512', kid: 'rsa' }),
      'another key': await sign(claims, strangers.rsa.privateKey, { alg: 'RS256', kid: 'rsa' }),
      'another kind of key': await sign(claims, keys.ec.privateKey, { alg: 'ES256', kid: 'rsa' }),
      'keys from elsewhere': await sign(claims, strangers.rsa.privateKey, evil),
      'its own key along': await sign(claims, strangers.rsa.privateKey, ownKey),
      'other claims': `${header}.${encode({ ...claims, sub: newId() })}.${signature}`,
      'no signature': `${header}.${payload}.`,
      'two parts': `${header}.${payload}`,
    }
    for (const [name, token] of Object.entries(bad)) {
      expect({ name, ...(await get(token)) }).toMatchObject({ name, ...invalid })
    }
    expect(attacker.asked()).toBe(0)
  })

  it('with unknown key ids do not cause repeated requests to the issuer', async () => {
    const before = issuer.asked()
    for (let i = 0; i < 10; i++) {
      const token = await sign(good(newId()), strangers.rsa.privateKey, { alg: 'RS256', kid: `k${i}` })
      expect(await get(token)).toMatchObject(invalid)
    }
    expect(issuer.asked() - before).toBeLessThanOrEqual(1)
  })

  it('of an unknown person give no access', async () => {
    for (const sub of [newId(), 'idp|nobody']) {
      const token = await rsa({ ...good(sub), email: newEmail(), email_verified: true })
      expect(await get(token)).toMatchObject({ status: 403 })
      expect(await get(token, '/api/auth/me')).toMatchObject({ status: 403 })
      expect(await get(token, '/api/accounts')).toMatchObject({ status: 403 })
    }
  })

  it('are linked to a person who accepts an invitation with them', async () => {
    const owner = await registered(url)
    const email = newEmail()
    const invited = await owner.call('POST', `/api/accounts/${owner.accountId}/invitations`, { email })
    const token = await rsa(good(`idp|${newId()}`))
    const path = `${url}/api/auth/accept-invitation`
    const accepted = await request(path, 'POST', { token: invited.body.token, name: 'Grace' }, bearer(token))
    expect(accepted).toMatchObject({
      status: 200,
      body: { user: { email, name: 'Grace' }, account: { id: owner.accountId, role: 'member' } },
    })
    // the issuer decides how long they stay valid
    expect(accepted.body).not.toHaveProperty('refresh_token')
    expect(await get(token)).toMatchObject({ status: 200 })
    expect(await get(token, '/api/auth/me')).toMatchObject({ body: { id: accepted.body.user.id } })
    // A stolen token, valid for minutes, must not be enough to set a permanent password.
    const change = { password: PASSWORD }
    expect(await request(`${url}/api/auth/me`, 'PUT', change, bearer(token))).toMatchObject({
      status: 403,
      body: { detail: 'You sign in through an outside issuer: no password can be set for you here' },
    })
    const login = await request(`${url}/api/auth/login`, 'POST', { email, password: PASSWORD })
    expect(login.status).toBe(401)
  })

  it('are linked by a verified address to a person without a password', async () => {
    const email = newEmail()
    const key = { 'x-api-key': service.first!.newKey! }
    const owner = await request(`${url}/api/auth/me`, 'PUT', { email }, key)
    expect(owner.status).toBe(200)
    const sub = `idp|${newId()}`
    for (const claim of [
      {},
      { email },
      { email, email_verified: false },
      { email, email_verified: 'true' },
    ]) {
      expect(await get(await rsa({ ...good(sub), ...claim }))).toMatchObject({ status: 403 })
    }
    const verified = { email: email.toUpperCase(), email_verified: true }
    expect(await get(await rsa({ ...good(sub), ...verified }))).toMatchObject({ status: 200 })
    expect(await get(await rsa(good(sub)), '/api/auth/me')).toMatchObject({ body: { id: owner.body.id } })
    expect(await get(await rsa({ ...good('idp|other'), ...verified }))).toMatchObject({ status: 403 })
    // and the key no longer authenticates as them
    expect(await request(`${url}/api/auth/me`, 'PUT', { name: 'Eve' }, key)).toMatchObject({ status: 403 })
  })

  it('are not linked to a person who registered with another person’s address', async () => {
    const { email } = await registered(url)
    const token = await rsa({ ...good('idp|victim'), email, email_verified: true })
    expect(await get(token)).toMatchObject({ status: 403 })
  })
})

describe.each(anyEngine)('tokens under a shared secret (%s)', kind => {
  const secret = 'a secret that both sides know, and nobody else'
  let service: Service
  let url: string

  beforeAll(async () => {
    const jwt = { secret, jwksUrl: undefined, issuer: undefined, audience: AUDIENCE }
    ;({ service, url } = await serviceWith(kind, () => ({ jwt })))
  })
  afterAll(() => service?.close())

  const token = (claims: JWTPayload, key = secret, alg = 'HS256') =>
    sign(claims, new TextEncoder().encode(key), { alg })
  const get = async (claims: JWTPayload, key?: string, alg?: string) =>
    request(`${url}/api/companies`, 'GET', undefined, bearer(await token(claims, key, alg)))

  it('are accepted from every issuer that has it', async () => {
    const person = await registered(url)
    expect(await get({ sub: person.userId, aud: AUDIENCE, exp: now() + 60 })).toMatchObject({ status: 200 })
    expect(await get(good(person.userId.toUpperCase()))).toMatchObject({ status: 200 })
    expect(await get({ ...good(person.userId), iss: 'anybody' })).toMatchObject({ status: 200 })
    expect(await person.call('GET', '/api/companies')).toMatchObject({ status: 200 })
    expect(await get(good(newId()))).toMatchObject({ status: 403 })
  })

  it('are refused when something is wrong with them', async () => {
    const { userId } = await registered(url)
    const claims = good(userId)
    expect(await get(claims, `${secret}!`)).toMatchObject(invalid)
    expect(await get(claims, secret, 'HS512')).toMatchObject(invalid)
    expect(await get({ ...claims, aud: 'other' })).toMatchObject(invalid)
    expect(await get({ ...claims, exp: now() - 1 })).toMatchObject(invalid)
    const { rsa } = await pairs()
    const asymmetric = await sign(claims, rsa.privateKey, { alg: 'RS256' })
    expect(await request(`${url}/api/companies`, 'GET', undefined, bearer(asymmetric))).toMatchObject(invalid)
  })
})
