import { sql } from 'kysely'
import { expect, it } from 'vitest'
import {
  bearer,
  joining,
  newEmail,
  newPerson,
  PASSWORD,
  type Person,
  registered,
  urlOn,
} from '../../../test/support/person.ts'
import { onAnyEngine, request, serviceOn } from '../../../test/support/service.ts'
import { query, systemDb } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { tokenHash } from './sessions.ts'

onAnyEngine('invitations', (account, kind) => {
  const person = () => newPerson(kind)
  const withPassword = async () => registered(await urlOn(kind))
  const all = (host: Person) => `/api/accounts/${host.accountId}/invitations`
  const invite = (host: Person, email: string, role?: string) =>
    host.call('POST', all(host), { email, ...(role === undefined ? {} : { role }) })
  const accept = async (body: object, headers?: Record<string, string>) =>
    request(`${await urlOn(kind)}/api/auth/accept-invitation`, 'POST', body, headers)
  const newcomer = { name: 'Guest', password: PASSWORD }
  const gone = { status: 404, body: { detail: 'Invitation not found' } }

  it('have a token that is shown once and stored as a hash', async () => {
    const owner = await person()
    const email = newEmail()
    const made = await invite(owner, email)
    expect(made.status).toBe(201)
    expect(made.headers.get('cache-control')).toBe('no-store')
    const { token, mailed, mail_problem, ...rest } = made.body
    expect([mailed, mail_problem]).toEqual([false, 'Email sending is not configured'])
    expect(token.length).toBeGreaterThanOrEqual(43)
    expect(rest).toMatchObject({
      account_id: owner.accountId,
      email,
      role: 'member',
      created_by: owner.userId,
    })
    const days = (Date.parse(rest.expires_at) - Date.parse(rest.created_at)) / 86_400_000
    expect(days).toBeCloseTo(7, 3)

    expect((await owner.call('GET', all(owner))).body).toMatchObject({ items: [rest], total: 1 })
    const one = `${all(owner)}/${rest.id}`
    expect((await owner.call('GET', one)).body).toEqual(rest)
    const { service } = await serviceOn(kind)
    const kept = await query(
      { db: systemDb(service.services) },
      sql<{ token_hash: Buffer }>`select token_hash from invitations where id = ${rest.id}`,
    )
    expect(kept[0]!.token_hash).toEqual(tokenHash(token))
    expect(await owner.call('DELETE', one)).toMatchObject({ status: 200, body: {} })
    expect(await owner.call('GET', one)).toMatchObject(gone)
    expect(await owner.call('DELETE', one)).toMatchObject(gone)
    expect(await accept({ token, ...newcomer })).toMatchObject(gone)
  })

  it('say which account they are to, as long as they are open', async () => {
    const owner = await person()
    const email = newEmail()
    const { token } = (await invite(owner, email, 'viewer')).body
    const read = async () => request(`${await urlOn(kind)}/api/auth/read-invitation`, 'POST', { token })
    const { name } = (await owner.call('GET', `/api/accounts/${owner.accountId}`)).body
    expect(await read()).toMatchObject({
      status: 200,
      body: { account_name: name, email, role: 'viewer', expires_at: expect.any(String) },
    })
    const accepted = await accept({ token, ...newcomer, start_session: false })
    expect(accepted).toMatchObject({ status: 200, body: { user: { email } } })
    expect(accepted.body).not.toHaveProperty('refresh_token')
    expect(await read()).toMatchObject(gone)
  })

  it('register a new user, who is signed in', async () => {
    const owner = await person()
    const email = newEmail()
    const { token } = (await invite(owner, email, 'viewer')).body
    const accepted = await accept({ token, ...newcomer })
    expect(accepted).toMatchObject({
      status: 200,
      body: {
        token_type: 'bearer',
        refresh_token: expect.stringMatching(/^rt_/),
        user: { email, name: 'Guest' },
        account: { id: owner.accountId, role: 'viewer' },
      },
    })
    const seen = await request(
      `${owner.url}/api/companies`,
      'GET',
      undefined,
      bearer(accepted.body.access_token),
    )
    expect(seen.status).toBe(200)
    expect((await owner.call('GET', all(owner))).body.total).toBe(0)
    expect(await accept({ token, ...newcomer })).toMatchObject(gone)
    const login = await request(`${owner.url}/api/auth/login`, 'POST', { email, password: PASSWORD })
    expect(login.status).toBe(200)
  })

  it.each([
    [{}, ['password', 'name'], ['missing', 'missing']],
    [{ name: 'Guest' }, ['password'], ['missing']],
    [{ password: PASSWORD }, ['name'], ['missing']],
    [{ name: 'Guest', password: 'short' }, ['password'], ['string_too_short']],
    [{ name: '', password: PASSWORD }, ['name'], ['string_too_short']],
    [{ name: 'Guest', password: 'x'.repeat(201) }, ['password'], ['string_too_long']],
  ])('need name and password of a new user: %j', async (given, fields, types) => {
    const { token } = (await invite(await person(), newEmail())).body
    const { status, body } = await accept({ token, ...given })
    expect(status).toBe(422)
    expect(body.detail.map((issue: { loc: string[] }) => issue.loc[1])).toEqual(fields)
    expect(body.detail.map((issue: { type: string }) => issue.type)).toEqual(types)
  })

  it('are accepted by a registered user with an access token or password, never with the invitation alone', async () => {
    const [owner, ada, eve] = [await person(), await withPassword(), await withPassword()]
    const invited = await invite(owner, ada.email.toUpperCase(), 'admin')
    const { token } = invited.body
    expect(await accept({ token })).toMatchObject({ status: 401, body: { detail: 'Not authenticated' } })
    expect(await accept({ token, ...newcomer, password: 'wrong password' })).toMatchObject({
      status: 401,
      body: { detail: 'Invalid email or password' },
    })
    expect(await accept({ token }, bearer('nonsense'))).toMatchObject({ status: 401 })
    expect(await eve.call('POST', '/api/auth/accept-invitation', { token })).toMatchObject({ status: 403 })
    const { key } = await account()
    expect(await accept({ token }, { 'x-api-key': key })).toMatchObject({ status: 403 })
    expect(await ada.call('GET', '/api/accounts')).toMatchObject({ body: { total: 1 } })

    const accepted = await ada.call('POST', '/api/auth/accept-invitation', { token })
    expect(accepted).toMatchObject({
      status: 200,
      body: { user: { id: ada.userId }, account: { id: owner.accountId, role: 'admin' } },
    })
    expect(accepted.body).not.toHaveProperty('access_token')
    const again = (await invite(owner, eve.email)).body
    expect(await accept({ token: again.token, password: PASSWORD })).toMatchObject({
      status: 200,
      body: { user: { id: eve.userId, name: 'Test Person' }, access_token: expect.any(String) },
    })
  })

  it('are renewed by inviting again, and expire after seven days', async () => {
    const owner = await person()
    const email = newEmail()
    const first = (await invite(owner, email, 'admin')).body
    const second = (await invite(owner, email.toUpperCase(), 'viewer')).body
    expect(second.id).toBe(first.id)
    expect((await owner.call('GET', all(owner))).body).toMatchObject({
      total: 1,
      items: [{ role: 'viewer' }],
    })
    expect(await accept({ token: first.token, ...newcomer })).toMatchObject(gone)
    const { service } = await serviceOn(kind)
    await query(
      { db: systemDb(service.services) },
      sql`update invitations set expires_at = now() where id = ${second.id} returning id`,
    )
    expect(await accept({ token: second.token, ...newcomer })).toMatchObject(gone)
  })

  it('end when the inviter loses the permission', async () => {
    const owner = await person()
    const admin = await joining(owner, 'admin')
    const { token } = (await invite({ ...admin, accountId: owner.accountId }, newEmail())).body
    const path = `/api/accounts/${owner.accountId}/members/${admin.userId}`
    await owner.call('PUT', path, { role: 'member' })
    expect(await accept({ token, ...newcomer })).toMatchObject(gone)
    await owner.call('PUT', path, { role: 'admin' })
    expect(await accept({ token, ...newcomer })).toMatchObject({ status: 200 })
  })

  it('are accepted once when two requests arrive at once', async () => {
    const owner = await person()
    const { token } = (await invite(owner, newEmail())).body
    const answers = await Promise.all([1, 2].map(() => accept({ token, ...newcomer })))
    const [good, ...others] = answers.sort((a, b) => a.status - b.status)
    expect(good!.status).toBe(200)
    expect([401, 404, 409]).toContain(others[0]!.status)
    const { body } = await owner.call('GET', `/api/accounts/${owner.accountId}/members`)
    expect(body.total).toBe(2)
  })

  it.each([
    ['owner', 'owner', 201],
    ['admin', 'admin', 201],
    ['admin', 'owner', 403],
    ['member', 'viewer', 403],
    ['viewer', 'viewer', 403],
  ])('an %s invites an %s: %i', async (callerRole, role, status) => {
    const owner = await person()
    const caller = await joining(owner, callerRole)
    expect(await caller.call('POST', all(owner), { email: newEmail(), role })).toMatchObject({ status })
    expect((await caller.call('GET', all(owner))).status).toBe(
      status === 403 && role === 'viewer' ? 403 : 200,
    )
  })

  it.each([
    [{ role: 'member' }, 'email', 'missing'],
    [{ email: 'nobody' }, 'email', 'value_error'],
    [{ email: 'a@b.test', role: 'boss' }, 'role', 'enum'],
  ])('refuse %j', async (body, field, type) => {
    const owner = await person()
    const answer = await owner.call('POST', all(owner), body)
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', field], type }] } })
  })

  it('are refused for members and to other accounts', async () => {
    const [owner, stranger] = [await person(), await person()]
    const member = await joining(owner, 'member')
    expect(await invite(owner, member.email.toUpperCase())).toMatchObject({ status: 409 })
    const { id } = (await invite(owner, newEmail())).body
    expect(await stranger.call('DELETE', `${all(stranger)}/${id}`)).toMatchObject(gone)
    expect(await owner.call('DELETE', `${all(owner)}/${newId()}`)).toMatchObject(gone)
    expect(await owner.call('GET', `${all(owner)}/${id}`)).toMatchObject({ status: 200 })
  })

  it('omit their token in a replayed response', async () => {
    const owner = await person()
    const key = { 'idempotency-key': 'invite' }
    const body = { email: newEmail() }
    const first = await owner.call('POST', all(owner), body, key)
    expect(first.body.token).toEqual(expect.any(String))
    const replay = await owner.call('POST', all(owner), body, key)
    expect(replay.headers.get('idempotency-replayed')).toBe('true')
    const { token: _, ...rest } = first.body
    expect(replay).toMatchObject({ status: 201, body: rest })
    expect(replay.body).not.toHaveProperty('token')
  })
})
