/** Sessions of browsers: the cookie, what protects it, and the list of sessions. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { bearer, newEmail, newPerson, PASSWORD, registered, urlOn } from '../../../test/support/person.ts'
import { type Answer, onAnyEngine, request, serviceOn } from '../../../test/support/service.ts'
import { query, systemDb } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { deviceOf } from './device.ts'
import { tokenHash } from './sessions.ts'

const OWN_PAGE = { 'x-kith-session': '1' }
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? ''

onAnyEngine('the session of a browser', (_, kind) => {
  const call = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request((await urlOn(kind)) + path, method, body, headers)
  const signIn = (email: string, more: object = {}, headers: Record<string, string> = {}) =>
    call('POST', '/api/session', { email, password: PASSWORD, ...more }, { 'user-agent': CHROME, ...headers })
  const refresh = (cookie: string, headers: Record<string, string> = OWN_PAGE) =>
    call('POST', '/api/session/refresh', undefined, { cookie, ...headers })
  const signOut = (cookie: string) => call('DELETE', '/api/session', undefined, { cookie, ...OWN_PAGE })
  const me = (token: string) => call('GET', '/api/auth/me', undefined, bearer(token))
  const person = async () => registered(await urlOn(kind))
  /** As if the token of the cookie had been exchanged a minute earlier. */
  const age = async (cookie: string) => {
    const { service } = await serviceOn(kind)
    const hash = tokenHash(cookie.split('=')[1] ?? '')
    const earlier = sql`update refresh_tokens set used_at = used_at - interval '1 minute' where token_hash = ${hash}`
    await query({ db: systemDb(service.services) }, earlier)
  }

  it('has the access token in the body and the refresh token in a cookie', async () => {
    const { email, userId, accountId } = await person()
    const answer = await signIn(email)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      token_type: 'bearer',
      expires_in: 900,
      user: { id: userId, email },
      accounts: [{ id: accountId, role: 'owner' }],
      account: { id: accountId },
    })
    expect(answer.text).not.toContain('rt_')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('set-cookie')).toMatch(
      /^kith=rt_[\w-]{43}; Path=\/api\/session; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    )
    expect(await me(answer.body.access_token)).toMatchObject({ status: 200, body: { id: userId } })
  })

  it('exchanges the cookie at each refresh, and ends when an old one comes back', async () => {
    const { email, userId } = await person()
    const first = cookieOf(await signIn(email))
    const renewed = await refresh(first)
    expect(renewed).toMatchObject({ status: 200, body: { user: { id: userId } } })
    const second = cookieOf(renewed)
    expect(second).toMatch(/^kith=rt_/)
    expect(second).not.toBe(first)
    await age(first)
    expect(await refresh(first)).toMatchObject({ status: 401, body: { detail: 'Invalid token' } })
    expect(await refresh(second)).toMatchObject({ status: 401 })
    expect(await me(renewed.body.access_token)).toMatchObject({ status: 401 })
  })

  it('serves two tabs that send the same cookie at the same time', async () => {
    const { email } = await person()
    const cookie = cookieOf(await signIn(email))
    const tabs = await Promise.all([refresh(cookie), refresh(cookie), refresh(cookie)])
    expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200])
    const [latest, ...others] = tabs.map(cookieOf).filter(text => text !== '')
    expect(others).toEqual([])
    expect(await refresh(latest ?? '')).toMatchObject({ status: 200 })
  })

  it('ends at sign-out, with its access tokens and its cookie', async () => {
    const { email } = await person()
    const session = await signIn(email)
    const out = await signOut(cookieOf(session))
    expect(out).toMatchObject({ status: 200, body: {} })
    expect(out.headers.get('set-cookie')).toContain('kith=; Path=/api/session; Max-Age=0')
    expect(await me(session.body.access_token)).toMatchObject({ status: 401 })
    expect(await refresh(cookieOf(session))).toMatchObject({ status: 401 })
    expect(await signOut(cookieOf(session))).toMatchObject({ status: 200 })
    expect(await signOut('')).toMatchObject({ status: 200 })
  })

  it('works in the chosen account, and remembers a switch', async () => {
    const { email, accountId, call: own } = await person()
    const { body: second } = await own('POST', '/api/accounts', { name: 'Second' })
    expect((await signIn(email)).body.account.id).toBe(accountId)
    const session = await signIn(email, { account_id: second.id })
    expect(session.body).toMatchObject({ account: { id: second.id }, accounts: [{}, {}] })
    const switched = (id: string) =>
      call('POST', '/api/session/switch', { account_id: id }, bearer(session.body.access_token))
    const answer = await switched(accountId)
    expect(answer).toMatchObject({ status: 200, body: { account: { id: accountId } } })
    expect(answer.headers.get('set-cookie')).toBeNull()
    const renewed = await refresh(cookieOf(session))
    expect(renewed.body.account.id).toBe(accountId)
    const stranger = await newPerson(kind)
    for (const id of [stranger.accountId, newId()]) {
      const foreign = { status: 403, body: { detail: 'Access to this account is not allowed' } }
      expect(await switched(id)).toMatchObject(foreign)
      expect(await signIn(email, { account_id: id })).toMatchObject(foreign)
    }
  })

  it('is listed with its device, and can be ended from another one', async () => {
    const { email } = await person()
    const browser = await signIn(email)
    const program = await call(
      'POST',
      '/api/auth/login',
      { email, password: PASSWORD },
      { 'user-agent': 'curl/8' },
    )
    const mine = bearer(program.body.access_token)
    const listed = await call('GET', '/api/sessions', undefined, mine)
    expect(listed).toMatchObject({ status: 200, body: { total: 3, page: 1 } })
    const devices = listed.body.items.map((item: { device: string; is_current: boolean }) => [
      item.device,
      item.is_current,
    ])
    expect(devices.slice(0, 2)).toEqual(
      expect.arrayContaining([
        ['curl', true],
        ['Chrome on Linux', false],
      ]),
    )
    const { id, created_at } = listed.body.items.find(
      ({ user_agent }: { user_agent: string }) => user_agent === CHROME,
    )
    const renewed = await refresh(cookieOf(browser))
    const again = await call('GET', '/api/sessions', undefined, mine)
    expect(again.body.items[0]).toMatchObject({ id, created_at, device: 'Chrome on Linux' })
    expect(await call('DELETE', `/api/sessions/${id}`, undefined, mine)).toMatchObject({
      status: 200,
      body: {},
    })
    expect(await call('DELETE', `/api/sessions/${id}`, undefined, mine)).toMatchObject({
      status: 404,
      body: { detail: 'Session not found' },
    })
    expect(await me(renewed.body.access_token)).toMatchObject({ status: 401 })
    expect(await refresh(cookieOf(renewed))).toMatchObject({ status: 401 })
  })

  it('cannot be ended by another person', async () => {
    const [{ email }, other] = [await person(), await newPerson(kind)]
    const session = await signIn(email)
    const { body } = await call('GET', '/api/sessions', undefined, bearer(session.body.access_token))
    const id = body.items.find((item: { is_current: boolean }) => item.is_current).id
    expect(await other.call('DELETE', `/api/sessions/${id}`)).toMatchObject({ status: 404 })
    expect(await me(session.body.access_token)).toMatchObject({ status: 200 })
  })

  it('outlives a new password that it sets, and no other session does', async () => {
    const { email } = await person()
    const [current, other] = [await signIn(email), await signIn(email)]
    const change = { password: 'another horse battery', current_password: PASSWORD }
    const mine = bearer(current.body.access_token)
    expect(await call('PUT', '/api/auth/me', change, mine)).toMatchObject({ status: 200 })
    expect(await refresh(cookieOf(other))).toMatchObject({ status: 401 })
    expect(await refresh(cookieOf(current))).toMatchObject({ status: 200 })
  })
})

onAnyEngine('the cookie of a session', (account, kind) => {
  const call = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request((await urlOn(kind)) + path, method, body, headers)
  const login = (email: string, origin: string) =>
    call('POST', '/api/session', { email, password: PASSWORD }, { origin })

  it('is Secure and of this host alone where the browser shows https', async () => {
    const url = await urlOn(kind)
    const { email } = await registered(url)
    const origin = url.replace('http:', 'https:')
    const answer = await login(email, origin)
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-kith=rt_[\w-]{43}; Path=\/; Secure; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    )
    const cookie = cookieOf(answer)
    const refresh = (headers: Record<string, string>) =>
      call('POST', '/api/session/refresh', undefined, { cookie, ...OWN_PAGE, ...headers })
    expect(await refresh({ origin: url })).toMatchObject({
      status: 401,
      body: { detail: 'Not authenticated' },
    })
    expect(await refresh({ origin })).toMatchObject({ status: 200 })
  })

  it.each(['https://evil.test', 'null', 'http://127.0.0.1:1', 'nonsense'])(
    'is not for pages of %s',
    async origin => {
      const url = await urlOn(kind)
      const { email } = await registered(url)
      const refused = { status: 403, body: { detail: expect.stringContaining('Only pages of this service') } }
      expect(await login(email, origin)).toMatchObject(refused)
      const cookie = cookieOf(await login(email, url))
      const headers = { cookie, origin, ...OWN_PAGE }
      expect(await call('POST', '/api/session/refresh', undefined, headers)).toMatchObject(refused)
      expect(await call('DELETE', '/api/session', undefined, headers)).toMatchObject(refused)
      expect(
        await call('POST', '/api/session/refresh', undefined, { ...headers, origin: url }),
      ).toMatchObject({
        status: 200,
      })
    },
  )

  it('needs the header that forms and other sites cannot send', async () => {
    const { email } = await registered(await urlOn(kind))
    const cookie = cookieOf(await login(email, await urlOn(kind)))
    for (const [method, path] of [
      ['POST', '/api/session/refresh'],
      ['DELETE', '/api/session'],
    ] as const) {
      const answer = await call(method, path, undefined, { cookie })
      expect(answer).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('X-Kith-Session') },
      })
    }
  })

  it.each(['', 'kith=', 'kith=rt_x', `kith=rt_${'x'.repeat(43)}`, 'other=1', 'kith'])(
    '"%s" is no session',
    async cookie => {
      const answer = await call('POST', '/api/session/refresh', undefined, { cookie, ...OWN_PAGE })
      expect(answer.status).toBe(401)
    },
  )

  it('comes only with the right password', async () => {
    const { email } = await registered(await urlOn(kind))
    for (const input of [
      { email, password: 'wrong horse battery' },
      { email: newEmail(), password: PASSWORD },
    ]) {
      const answer = await call('POST', '/api/session', input)
      expect(answer).toMatchObject({ status: 401, body: { detail: 'Invalid email or password' } })
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
  })

  it('concerns people: an API key has no session', async () => {
    const me = await account()
    for (const answer of [
      await me.get('/api/sessions'),
      await me.delete(`/api/sessions/${newId()}`),
      await me.post('/api/session/switch', { account_id: me.accountId }),
    ])
      expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('sign in') } })
  })
})

it.each([
  [CHROME, 'Chrome on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
  ['curl/8.14.1', 'curl'],
  ['<script>', 'Unknown device'],
  [null, 'Unknown device'],
])('the device of %s is %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})
