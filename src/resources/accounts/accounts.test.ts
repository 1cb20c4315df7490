import { expect, it } from 'vitest'
import { joining, newPerson } from '../../../test/support/person.ts'
import { onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

onBothEngines('accounts', (account, kind) => {
  const person = () => newPerson(kind)

  it('lists the caller’s accounts with their role, without X-Account-ID', async () => {
    const ada = await person()
    const bob = await person()
    const second = await ada.call('POST', '/api/accounts', { name: 'Second', currency: 'EUR' })
    expect(second).toMatchObject({ status: 201, body: { name: 'Second', currency: 'EUR', role: 'owner' } })
    const invited = await bob.call('POST', `/api/accounts/${bob.accountId}/invitations`, {
      email: ada.email,
      role: 'viewer',
    })
    await ada.call('POST', '/api/auth/accept-invitation', { token: invited.body.token })

    const mine = await ada.call('GET', '/api/accounts')
    expect(mine).toMatchObject({ status: 200, body: { total: 3, page: 1, page_size: 50, total_pages: 1 } })
    const roles = mine.body.items.map((item: { id: string; role: string }) => [item.id, item.role])
    expect(new Map(roles)).toEqual(
      new Map([
        [ada.accountId, 'owner'],
        [bob.accountId, 'viewer'],
        [second.body.id, 'owner'],
      ]),
    )
    const page = await ada.call('GET', '/api/accounts?page=2&page_size=2')
    expect(page.body).toMatchObject({ total: 3, page: 2, page_size: 2, total_pages: 2 })
    expect(page.body.items).toHaveLength(1)
    expect((await ada.call('GET', '/api/accounts?page=9')).body.items).toEqual([])
    expect(await ada.call('GET', '/api/accounts?page_size=0')).toMatchObject({ status: 422 })
  })

  it('shows a key only its own account', async () => {
    const ada = await person()
    await ada.call('POST', '/api/accounts', { name: 'Second' })
    const inFirst = { 'x-account-id': ada.accountId }
    const made = await ada.call('POST', '/api/api-keys', { name: 'k' }, inFirst)
    const byKey = await account()
    const seen = await byKey.get('/api/accounts', { 'x-api-key': made.body.key })
    expect(seen.body.items.map((item: { id: string }) => item.id)).toEqual([ada.accountId])
    expect(await byKey.post('/api/accounts', { name: 'Third' })).toMatchObject({ status: 403 })
  })

  it('creates another account that can be used at once', async () => {
    const ada = await person()
    const { body } = await ada.call('POST', '/api/accounts', { name: 'Second' })
    const there = { 'x-account-id': body.id }
    expect(await ada.call('POST', '/api/companies', { name: 'Acme' }, there)).toMatchObject({
      status: 201,
      body: { account_id: body.id },
    })
    expect(await ada.call('POST', '/api/accounts', { name: '' })).toMatchObject({ status: 422 })
    expect(await ada.call('POST', '/api/accounts', { name: 'X', currency: 'eur' })).toMatchObject({
      status: 422,
    })
  })

  it('gives each account a unique slug, also when several are created at once', async () => {
    const ada = await person()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ada.call('POST', '/api/accounts', { name: `Acme ${ada.userId}` })),
    )
    expect(answers.map(answer => answer.status)).toEqual(Array(8).fill(201))
    expect(new Set(answers.map(answer => answer.body.slug)).size).toBe(8)
  })

  it('reads and updates the account in the path', async () => {
    const ada = await person()
    const { body: second } = await ada.call('POST', '/api/accounts', { name: 'Second' })
    const path = `/api/accounts/${second.id}`
    const got = await ada.call('GET', path)
    expect(got).toMatchObject({ status: 200, body: second })
    const changed = await ada.call('PUT', path, { name: 'Renamed', currency: 'CHF' })
    expect(changed).toMatchObject({
      status: 200,
      body: { id: second.id, slug: second.slug, name: 'Renamed', currency: 'CHF' },
    })
    expect(await ada.call('PATCH', path, { currency: 'JPY' })).toMatchObject({
      body: { name: 'Renamed', currency: 'JPY' },
    })
    const stale = { 'if-match': got.headers.get('etag')! }
    expect(await ada.call('PUT', path, { name: 'Late' }, stale)).toMatchObject({ status: 412 })
    expect((await ada.call('GET', path)).body.name).toBe('Renamed')
  })

  it('changes the slug to one that no other account has', async () => {
    const [ada, bob] = [await person(), await person()]
    const path = `/api/accounts/${ada.accountId}`
    const slug = `new-${ada.accountId.slice(-12)}`
    expect(await ada.call('PUT', path, { slug })).toMatchObject({ status: 200, body: { slug } })
    expect((await ada.call('GET', path)).body.slug).toBe(slug)
    const taken = await bob.call('PUT', `/api/accounts/${bob.accountId}`, { slug })
    expect(taken).toMatchObject({ status: 409, body: { detail: 'Another account has this slug' } })
    expect(await ada.call('PUT', path, { slug, name: 'Same slug' })).toMatchObject({ status: 200 })
  })

  it.each([
    [{ slug: '' }, 'slug', 'string_too_short'],
    [{ slug: 'Upper' }, 'slug', 'string_pattern_mismatch'],
    [{ slug: 'a--b' }, 'slug', 'string_pattern_mismatch'],
    [{ slug: 'x'.repeat(64) }, 'slug', 'string_too_long'],
    [{ slug: null }, 'slug', 'string_type'],
    [{ name: '' }, 'name', 'string_too_short'],
    [{ name: 'x'.repeat(256) }, 'name', 'string_too_long'],
    [{ name: null }, 'name', 'string_type'],
    [{ currency: 'usd' }, 'currency', 'string_pattern_mismatch'],
    [{ currency: 'DOLLAR' }, 'currency', 'string_pattern_mismatch'],
    [{ currency: 'QQQ' }, 'currency', 'value_error'],
    [{ currency: null }, 'currency', 'string_type'],
  ])('refuses %j', async (change, field, type) => {
    const { put, accountId } = await account()
    const { status, body } = await put(`/api/accounts/${accountId}`, change)
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ loc: ['body', field], type }])
  })

  it.each(['', '/members', '/invitations'])(
    'does not show whether another account exists (%s)',
    async part => {
      const [ada, bob] = [await person(), await person()]
      const missing = { status: 404, body: { detail: 'Account not found' } }
      for (const id of [bob.accountId, newId()]) {
        expect(await ada.call('GET', `/api/accounts/${id}${part}`)).toMatchObject(missing)
        const header = { 'x-account-id': ada.accountId }
        expect(await ada.call('GET', `/api/accounts/${id}${part}`, undefined, header)).toMatchObject(missing)
        const { get } = await account()
        expect(await get(`/api/accounts/${id}${part}`)).toMatchObject(missing)
      }
      expect(await ada.call('PUT', `/api/accounts/${bob.accountId}`, { name: 'Mine' })).toMatchObject(missing)
      const bad = await ada.call('GET', `/api/accounts/nothing${part}`)
      expect(bad).toMatchObject({ status: 422, body: { detail: [{ loc: ['path', 'account_id'] }] } })
    },
  )

  it.each([
    ['owner', 200],
    ['admin', 200],
    ['member', 403],
    ['viewer', 403],
  ])('is updated by an %s: %i', async (role, status) => {
    const owner = await person()
    const guest = await joining(owner, role)
    expect(await guest.call('GET', `/api/accounts/${owner.accountId}`)).toMatchObject({
      status: 200,
      body: { role },
    })
    expect(await guest.call('PUT', `/api/accounts/${owner.accountId}`, { name: 'New' })).toMatchObject({
      status,
    })
  })
})
