import { expect, it } from 'vitest'
import { newEmail, PASSWORD, registered, serviceWith, urlOn } from '../../../test/support/person.ts'
import { onAnyEngine, request } from '../../../test/support/service.ts'

const ME = '/api/auth/me'

onAnyEngine('the person who calls', (account, kind) => {
  const login = async (email: string, password: string) =>
    (await request(`${await urlOn(kind)}/api/auth/login`, 'POST', { email, password })).status

  it('is returned with an ETag, for a token and for a key', async () => {
    const person = await registered(await urlOn(kind))
    const me = await person.call('GET', ME)
    expect(me).toMatchObject({ status: 200, body: { id: person.userId, email: person.email } })
    const known = { 'if-none-match': me.headers.get('etag')! }
    expect(await person.call('GET', ME, undefined, known)).toMatchObject({ status: 304 })
    const { get, userId } = await account({ scopes: ['companies:read'] })
    expect(await get(ME)).toMatchObject({ status: 200, body: { id: userId } })
  })

  it('changes name and email', async () => {
    const person = await registered(await urlOn(kind))
    const email = newEmail()
    const renamed = await person.call('PUT', ME, { name: 'Ada King', unknown: 1 })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Ada King', email: person.email } })
    expect(await person.call('PATCH', ME, { email, current_password: PASSWORD })).toMatchObject({
      status: 200,
      body: { email, name: 'Ada King' },
    })
    expect(await login(email, PASSWORD)).toBe(200)
    expect(await login(person.email, PASSWORD)).toBe(401)
    expect(await person.call('PUT', ME, {})).toMatchObject({ status: 200, body: { email, name: 'Ada King' } })
  })

  it('cannot change the email to that of another user', async () => {
    const url = await urlOn(kind)
    const [ada, eve] = [await registered(url), await registered(url)]
    expect(
      await eve.call('PUT', ME, { email: ada.email.toUpperCase(), current_password: PASSWORD }),
    ).toMatchObject({ status: 409 })
    expect(await eve.call('PUT', ME, { email: eve.email })).toMatchObject({ status: 200 })
  })

  it('is not updated when it has changed since (If-Match)', async () => {
    const person = await registered(await urlOn(kind))
    const etag = (await person.call('GET', ME)).headers.get('etag')!
    expect(await person.call('PUT', ME, { name: 'One' }, { 'if-match': etag })).toMatchObject({ status: 200 })
    expect(await person.call('PUT', ME, { name: 'Two' }, { 'if-match': etag })).toMatchObject({ status: 412 })
    expect((await person.call('GET', ME)).body.name).toBe('One')
  })

  it('changes the password with the current one, and ends other sessions', async () => {
    const person = await registered(await urlOn(kind))
    const elsewhere = await request(`${person.url}/api/auth/login`, 'POST', {
      email: person.email,
      password: PASSWORD,
    })
    const changed = await person.call('PUT', ME, { password: 'a new password', current_password: PASSWORD })
    expect(changed).toMatchObject({ status: 200, body: { id: person.userId } })
    expect(await login(person.email, PASSWORD)).toBe(401)
    expect(await login(person.email, 'a new password')).toBe(200)
    const refresh = (refresh_token: string) =>
      request(`${person.url}/api/auth/refresh`, 'POST', { refresh_token })
    expect(await refresh(elsewhere.body.refresh_token)).toMatchObject({ status: 401 })
    expect(await refresh(person.refreshToken)).toMatchObject({ status: 200 })
  })

  it.each([
    [{ password: 'a new password' }, 'current_password', 'missing'],
    [{ password: 'a new password', current_password: 'wrong' }, 'current_password', 'value_error'],
    [{ email: 'new@people.test' }, 'current_password', 'missing'],
    [{ email: 'new@people.test', current_password: 'wrong' }, 'current_password', 'value_error'],
    [{ password: 'short', current_password: PASSWORD }, 'password', 'string_too_short'],
    [{ password: 'x'.repeat(201), current_password: PASSWORD }, 'password', 'string_too_long'],
    [{ name: '' }, 'name', 'string_too_short'],
    [{ name: null }, 'name', 'string_type'],
    [{ email: 'nobody' }, 'email', 'value_error'],
    [{ email: null }, 'email', 'string_type'],
  ])('refuses %j', async (change, field, type) => {
    const person = await registered(await urlOn(kind))
    const { status, body } = await person.call('PUT', ME, change)
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ loc: ['body', field], type }])
    expect(JSON.stringify(body)).not.toContain(PASSWORD)
    expect(await login(person.email, PASSWORD)).toBe(200)
  })

  it('cannot be changed by a key, except to let the first owner sign in', async () => {
    const person = await registered(await urlOn(kind))
    const made = await person.call('POST', '/api/api-keys', { name: 'k' })
    const byKey = { 'x-api-key': made.body.key }
    expect(await request(`${person.url}${ME}`, 'PUT', { name: 'Eve' }, byKey)).toMatchObject({ status: 403 })

    const narrow = await account({ scopes: ['accounts:write'] })
    expect(await narrow.put(ME, { password: PASSWORD })).toMatchObject({ status: 403 })
    const owner = await account()
    const email = newEmail()
    expect(await owner.put(ME, { email, password: PASSWORD })).toMatchObject({ status: 200, body: { email } })
    expect(await login(email, PASSWORD)).toBe(200)
    expect(await owner.put(ME, { email: newEmail() })).toMatchObject({
      status: 403,
      body: { detail: 'An API key cannot do this: sign in as a person' },
    })
  })

  it('limits guesses of the current password', async () => {
    const { service, url } = await serviceWith(kind, config => ({
      limits: { ...config.limits, loginsPerMinute: 2 },
    }))
    try {
      const person = await registered(url)
      const guess = () =>
        person.call('PUT', ME, { password: 'a new password', current_password: 'wrong guess' })
      expect(await guess()).toMatchObject({ status: 422 })
      expect(await guess()).toMatchObject({ status: 422 })
      expect(await guess()).toMatchObject({ status: 429 })
      expect(await person.call('PUT', ME, { name: 'Ada' })).toMatchObject({ status: 200 })
    } finally {
      await service.close()
    }
  })
})
