import { SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { bearer, joining, newPerson, urlOn } from '../../test/support/person.ts'
import { onAnyEngine, request } from '../../test/support/service.ts'
import { newId } from '../kernel/ids.ts'

const LIST = '/api/companies'

onAnyEngine('credentials', (account, kind) => {
  const get = async (headers: Record<string, string>, path = LIST) =>
    request((await urlOn(kind)) + path, 'GET', undefined, headers)
  const strangeKey = `sk_${'x'.repeat(43)}`
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa(`{"sub":"${newId()}","exp":9999999999}`)}.`

  it.each([
    [{}, 'Not authenticated'],
    [{ authorization: '' }, 'Not authenticated'],
    [{ authorization: 'Bearer' }, 'Not authenticated'],
    [{ authorization: 'Bearer ' }, 'Not authenticated'],
    [{ authorization: 'Basic dXNlcjpwYXNz' }, 'Not authenticated'],
    [{ authorization: strangeKey }, 'Not authenticated'],
    [{ 'x-api-key': '' }, 'Not authenticated'],
    [{ 'x-api-key': strangeKey }, 'Invalid API key'],
    [{ 'x-api-key': 'not a key' }, 'Invalid API key'],
    [{ authorization: `Bearer ${strangeKey}` }, 'Invalid API key'],
    [{ authorization: 'Bearer sk_' }, 'Invalid API key'],
    [{ authorization: 'Bearer nonsense' }, 'Invalid token'],
    [{ authorization: 'Bearer a.b.c' }, 'Invalid token'],
    [{ authorization: `Bearer ${unsigned}` }, 'Invalid token'],
    [{ authorization: 'Bearer nonsense', 'x-account-id': 'nonsense' }, 'Invalid token'],
    [{ 'x-api-key': strangeKey, 'x-account-id': 'nonsense' }, 'Invalid API key'],
  ])('%j: 401 %s', async (headers, detail) => {
    const answer = await get(headers as Record<string, string>)
    expect(answer).toMatchObject({ status: 401, body: { detail } })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('are accepted in three forms', async () => {
    const { key, accountId } = await account()
    const person = await newPerson(kind)
    expect(await get({ 'x-api-key': key })).toMatchObject({ status: 200 })
    expect(await get({ authorization: `Bearer ${key}` })).toMatchObject({ status: 200 })
    expect(await get({ authorization: `bearer   ${key}` })).toMatchObject({ status: 200 })
    expect(await get({ 'x-api-key': key, 'x-account-id': accountId.toUpperCase() })).toMatchObject({
      status: 200,
    })
    expect(await person.call('GET', LIST, undefined, { 'x-account-id': person.accountId })).toMatchObject({
      status: 200,
    })
    // a blank header, as some proxies send, is ignored
    expect(await person.call('GET', LIST, undefined, { 'x-api-key': '' })).toMatchObject({ status: 200 })
  })

  it('prefer a key to a token', async () => {
    const { key, accountId } = await account()
    const person = await newPerson(kind)
    const made = await person.call('POST', LIST, { name: 'A' }, { 'x-api-key': key })
    expect(made).toMatchObject({ status: 201, body: { account_id: accountId } })
  })

  it('of a key are valid only for its own account', async () => {
    const [ada, bob] = [await account(), await account()]
    expect(await ada.get(LIST, { 'x-account-id': bob.accountId })).toMatchObject({
      status: 403,
      body: { detail: 'Access to this account is not allowed' },
    })
    expect(await ada.get('/api/auth/me', { 'x-account-id': newId() })).toMatchObject({ status: 403 })
  })

  it('of a person are valid for the accounts they belong to', async () => {
    const [ada, bob] = [await newPerson(kind), await newPerson(kind)]
    const foreign = { status: 403, body: { detail: 'Access to this account is not allowed' } }
    for (const id of [bob.accountId, newId()]) {
      expect(await ada.call('GET', LIST, undefined, { 'x-account-id': id })).toMatchObject(foreign)
    }
    expect(await ada.call('POST', LIST, { name: 'Ada’s' })).toMatchObject({
      status: 201,
      body: { account_id: ada.accountId },
    })
    const { body: second } = await ada.call('POST', '/api/accounts', { name: 'Second' })
    expect(await ada.call('GET', LIST)).toMatchObject({
      status: 400,
      body: { detail: 'You belong to several accounts: name one in the X-Account-ID header' },
    })
    for (const [id, total] of [
      [ada.accountId, 1],
      [second.id, 0],
    ]) {
      const there = await ada.call('GET', LIST, undefined, { 'x-account-id': id })
      expect(there).toMatchObject({ status: 200, body: { total } })
    }
    // endpoints about the caller need no account
    for (const path of ['/api/auth/me', '/api/accounts']) {
      expect(await ada.call('GET', path)).toMatchObject({ status: 200 })
    }
  })

  it('of a person without an account reach only endpoints about the person', async () => {
    const owner = await newPerson(kind)
    const guest = await joining(owner, 'member')
    await owner.call('DELETE', `/api/accounts/${owner.accountId}/members/${guest.userId}`)
    expect(await guest.call('GET', LIST)).toMatchObject({ status: 403 })
    expect(await guest.call('GET', '/api/auth/me')).toMatchObject({ status: 200 })
    expect(await guest.call('GET', '/api/accounts')).toMatchObject({ status: 200, body: { items: [] } })
    expect(await guest.call('POST', '/api/auth/logout')).toMatchObject({ status: 200, body: {} })
  })

  it.each(['nonsense', '', '01900000-0000-7000-8000'])('with the account "%s": 422', async id => {
    const { get: byKey } = await account()
    const person = await newPerson(kind)
    for (const path of [LIST, '/api/auth/me', '/api/accounts']) {
      for (const answer of [
        await byKey(path, { 'x-account-id': id }),
        await person.call('GET', path, undefined, { 'x-account-id': id }),
      ]) {
        expect(answer).toMatchObject({
          status: 422,
          body: { detail: [{ type: 'uuid_parsing', loc: ['header', 'x-account-id'], input: id }] },
        })
      }
    }
  })

  it('are checked before everything else', async () => {
    const url = await urlOn(kind)
    const bad = await request(`${url}/api/companies/nonsense?page=0`, 'PUT', '{bad json')
    expect(bad).toMatchObject({ status: 401 })
    const viewer = await account({ role: 'viewer' })
    expect(await viewer.put('/api/companies/nonsense', '{bad json')).toMatchObject({
      status: 403,
      body: { detail: 'This needs the role member or higher' },
    })
  })

  it.each([
    ['viewer', 403],
    ['member', 201],
    ['admin', 201],
    ['owner', 201],
  ])('of a %s write: %i', async (role, status) => {
    const owner = await newPerson(kind)
    const guest = await joining(owner, role)
    expect(await guest.call('GET', LIST)).toMatchObject({ status: 200 })
    expect(await guest.call('POST', LIST, { name: 'A' })).toMatchObject({ status })
  })

  it('signed with another secret are refused', async () => {
    const { userId } = await newPerson(kind)
    const forge = (secret: string) =>
      new SignJWT()
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(userId)
        .setIssuer('kith')
        .setAudience('kith')
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode(secret))
    for (const secret of ['', 'kith', 'secret', 'x'.repeat(64)].filter(Boolean)) {
      expect(await get(bearer(await forge(secret)))).toMatchObject({
        status: 401,
        body: { detail: 'Invalid token' },
      })
    }
  })
})
