import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { joining, newPerson } from '../../../test/support/person.ts'
import {
  type Account,
  type Answer,
  anotherMember,
  onAnyEngine,
  onBothEngines,
  request,
  serviceOn,
} from '../../../test/support/service.ts'
import { accessToken } from '../../../test/support/session.ts'
import { query, systemDb } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { createService } from '../../service.ts'

const KEYS = '/api/api-keys'

/** A process keeps a key in memory for 30 s: one that is refused earlier was not just forgotten. */
const EARLIER = { timeout: 25_000 }
const soon = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Sets the nearest time to expire that is not past when the request is handled: a machine can pause for seconds. */
async function expiringSoon(set: (expires_at: string) => Promise<Answer>): Promise<Answer> {
  for (const ms of [300, 3000, 10_000]) {
    const answer = await set(soon(ms))
    if (answer.status !== 422) return answer
  }
  throw new Error('No time to expire was accepted')
}

onAnyEngine('API keys', (account, kind) => {
  const using = (
    { url }: { url: string },
    key: string,
    method = 'GET',
    path = '/api/companies',
    body?: unknown,
  ) => request(url + path, method, body, { 'x-api-key': key })
  const refused = { status: 401, body: { detail: 'Invalid API key' } }

  it('are stored without their secret', async () => {
    const owner = await account()
    const expires_at = soon(3_600_000)
    const made = await owner.post(KEYS, { name: 'Zapier', scopes: ['companies:read'], expires_at })
    expect(made.status).toBe(201)
    expect(made.headers.get('cache-control')).toBe('no-store')
    const { key, ...rest } = made.body
    expect(key).toMatch(/^sk_[\w-]{43}$/)
    expect(rest).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      account_id: owner.accountId,
      name: 'Zapier',
      prefix: key.slice(0, 9),
      scopes: ['companies:read'],
      expires_at,
      last_used_at: null,
      revoked_at: null,
      created_by: owner.userId,
    })
    const got = await owner.get(`${KEYS}/${rest.id}`)
    expect(got).toMatchObject({ status: 200, body: rest })
    expect(got.headers.get('etag')).toBeTruthy()
    const { service } = await serviceOn(kind)
    const [stored] = await query(
      { db: systemDb(service.services) },
      sql<{
        row: string
        hash: Buffer
      }>`select k::text as row, k.key_hash as hash from api_keys k where id = ${rest.id}`,
    )
    expect(stored!.hash).toEqual(createHash('sha256').update(key).digest())
    expect(stored!.row).not.toContain(key.slice(9))
  })

  it('work as X-API-Key and as bearer token, and store when they were last used', async () => {
    const owner = await account()
    const { id, key } = await owner.create(KEYS, { name: 'k' })
    expect(await using(owner, key)).toMatchObject({ status: 200 })
    const asBearer = { authorization: `Bearer ${key}` }
    expect(await request(`${owner.url}/api/companies`, 'GET', undefined, asBearer)).toMatchObject({
      status: 200,
    })
    await expect
      .poll(async () => (await owner.get(`${KEYS}/${id}`)).body.last_used_at)
      .toEqual(expect.any(String))
    const { body } = await owner.get(`${KEYS}/${id}`)
    expect(body.updated_at).toBe(body.created_at)
  })

  it('are listed with paging, filters and order, without their secrets', async () => {
    const owner = await account()
    const one = await owner.create(KEYS, { name: 'One' })
    const two = await owner.create(KEYS, { name: 'Two' })
    await owner.delete(`${KEYS}/${one.id}`)
    const names = async (parameters: string) =>
      (await owner.get(`${KEYS}?${parameters}`)).body.items.map((item: { name: string }) => item.name)
    expect(await names('')).toEqual(['Two', 'One', 'test'])
    expect(await names('revoked=true')).toEqual(['One'])
    expect(await names('revoked=false')).toEqual(['Two', 'test'])
    expect(await names('sort_by=name&sort_order=asc')).toEqual(['One', 'test', 'Two'])
    expect(await names(`ids=${two.id}`)).toEqual(['Two'])
    expect(await names('page=2&page_size=2')).toEqual(['test'])
    const { body, text } = await owner.get(KEYS)
    expect(body).toMatchObject({ total: 3, page: 1, page_size: 50, total_pages: 1 })
    expect(text).not.toContain(two.key)
    expect(Object.keys(body.items[0])).not.toContain('key')
  })

  it.each([
    [{}, ['name'], 'missing'],
    [{ name: '' }, ['name'], 'string_too_short'],
    [{ name: 'x'.repeat(256) }, ['name'], 'string_too_long'],
    [{ name: 'k', scopes: [] }, ['scopes'], 'too_short'],
    [{ name: 'k', scopes: 'all' }, ['scopes'], 'list_type'],
    [{ name: 'k', scopes: Array(101).fill('*') }, ['scopes'], 'too_long'],
    [{ name: 'k', scopes: [''] }, ['scopes', 0], 'string_too_short'],
    [{ name: 'k', scopes: ['*', 'nothing:read'] }, ['scopes', 1], 'value_error'],
    [{ name: 'k', scopes: ['companies'] }, ['scopes', 0], 'value_error'],
    [{ name: 'k', scopes: ['companies:delete'] }, ['scopes', 0], 'value_error'],
    [{ name: 'k', scopes: ['companies:read:write'] }, ['scopes', 0], 'value_error'],
    [{ name: 'k', expires_at: '2020-01-01T00:00:00Z' }, ['expires_at'], 'value_error'],
    [{ name: 'k', expires_at: 'tomorrow' }, ['expires_at'], 'datetime_from_date_parsing'],
  ])('refuse %j', async (body, loc, type) => {
    const owner = await account()
    const answer = await owner.post(KEYS, body)
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', ...loc], type }] } })
    expect((await owner.get(KEYS)).body.total).toBe(1)
  })

  it.each([
    [['*'], { list: 200, create: 201, other: 200, keys: 200 }],
    [['companies:read'], { list: 200, create: 403, other: 403, keys: 403 }],
    [['companies:write'], { list: 403, create: 201, other: 403, keys: 403 }],
    [['companies:*'], { list: 200, create: 201, other: 403, keys: 403 }],
    [['*:read'], { list: 200, create: 403, other: 200, keys: 200 }],
    [['contacts:read', 'companies:write'], { list: 403, create: 201, other: 200, keys: 403 }],
  ])('with the scopes %j have exactly these permissions', async (scopes, reach) => {
    const owner = await account()
    const { key } = await owner.create(KEYS, { name: 'k', scopes: [...scopes, ...scopes] })
    expect({
      list: (await using(owner, key)).status,
      create: (await using(owner, key, 'POST', '/api/companies', { name: 'A' })).status,
      other: (await using(owner, key, 'GET', '/api/contacts')).status,
      keys: (await using(owner, key, 'GET', KEYS)).status,
    }).toEqual(reach)
  })

  it('report which scope is missing', async () => {
    const owner = await account({ scopes: ['companies:read'] })
    expect(await owner.post('/api/companies', { name: 'A' })).toMatchObject({
      status: 403,
      body: { detail: 'This API key lacks the scope companies:write' },
    })
  })

  it.each([
    [['api-keys:*', 'companies:read'], ['companies:read'], 201],
    [['api-keys:*', 'companies:read'], ['companies:write'], 403],
    [['api-keys:*', 'companies:read'], ['companies:*'], 403],
    [['api-keys:*', 'companies:read'], ['*'], 403],
    [['api-keys:*', '*:read'], ['*:read', 'contacts:read'], 201],
    [['api-keys:*', '*:read'], ['contacts:write'], 403],
    [['api-keys:read', 'api-keys:write'], ['api-keys:*'], 201],
  ])('with %j create a key with %j: %i', async (own, wanted, status) => {
    const maker = await account({ scopes: own })
    expect(await maker.post(KEYS, { name: 'k', scopes: wanted })).toMatchObject({ status })
    const { id } = await maker.create(KEYS, { name: 'k', scopes: ['api-keys:read'] })
    const changed = await maker.put(`${KEYS}/${id}`, { scopes: wanted })
    expect(changed.status).toBe(status === 201 ? 200 : status)
  })

  it('create keys with their own scopes by default', async () => {
    const maker = await account({ scopes: ['api-keys:write', 'companies:read'] })
    expect((await maker.create(KEYS, { name: 'k' })).scopes).toEqual(['api-keys:write', 'companies:read'])
  })

  it('are managed by admins and owners', async () => {
    const owner = await newPerson(kind)
    for (const [role, allowed] of [
      ['owner', true],
      ['admin', true],
      ['member', false],
      ['viewer', false],
    ] as const) {
      const guest = await joining(owner, role)
      const answers = [
        await guest.call('GET', KEYS),
        await guest.call('POST', KEYS, { name: 'k' }),
        await guest.call('POST', `${KEYS}/bulk-delete`, []),
      ]
      expect(answers.map(answer => answer.status)).toEqual(allowed ? [200, 201, 200] : [403, 403, 403])
    }
  })

  it('change their name, scopes and expiry', async () => {
    const owner = await account()
    const { id, key } = await owner.create(KEYS, { name: 'k' })
    expect(await using(owner, key, 'POST', '/api/companies', { name: 'A' })).toMatchObject({ status: 201 })
    const changed = await owner.put(`${KEYS}/${id}`, {
      name: 'Reader',
      scopes: ['companies:read'],
      prefix: 'x',
    })
    expect(changed).toMatchObject({ status: 200, body: { name: 'Reader', prefix: key.slice(0, 9) } })
    expect(changed.body).not.toHaveProperty('key')
    expect(await using(owner, key, 'POST', '/api/companies', { name: 'A' })).toMatchObject({ status: 403 })
    const expire = (expires_at: string) => owner.call('PATCH', `${KEYS}/${id}`, { expires_at })
    expect(await expire(soon(3_600_000))).toMatchObject({ status: 200 })
    expect(await using(owner, key)).toMatchObject({ status: 200 })
    expect(await expiringSoon(expire)).toMatchObject({ status: 200 })
    await expect.poll(() => using(owner, key), EARLIER).toMatchObject(refused)
    expect(await owner.put(`${KEYS}/${id}`, { expires_at: null })).toMatchObject({
      body: { expires_at: null },
    })
    expect(await using(owner, key)).toMatchObject({ status: 200 })
    for (const body of [{ name: null }, { scopes: null }, { expires_at: '2020-01-01' }])
      expect(await owner.put(`${KEYS}/${id}`, body)).toMatchObject({ status: 422 })
  })

  it('are not updated when they have changed since (If-Match)', async () => {
    const owner = await account()
    const { id } = await owner.create(KEYS, { name: 'k' })
    const etag = { 'if-match': (await owner.get(`${KEYS}/${id}`)).headers.get('etag')! }
    expect(await owner.put(`${KEYS}/${id}`, { name: 'One' }, etag)).toMatchObject({ status: 200 })
    expect(await owner.put(`${KEYS}/${id}`, { name: 'Two' }, etag)).toMatchObject({ status: 412 })
    expect(await owner.delete(`${KEYS}/${id}`, etag)).toMatchObject({ status: 412 })
  })

  it('are revoked at once and permanently', async () => {
    const owner = await account()
    const { id, key } = await owner.create(KEYS, { name: 'k' })
    expect(await using(owner, key)).toMatchObject({ status: 200 })
    expect(await owner.delete(`${KEYS}/${id}`)).toMatchObject({ status: 200, body: {} })
    expect(await using(owner, key)).toMatchObject(refused)
    const { body } = await owner.get(`${KEYS}/${id}`)
    expect(body.revoked_at).toEqual(expect.any(String))
    expect(await owner.delete(`${KEYS}/${id}`)).toMatchObject({ status: 200 })
    expect((await owner.get(`${KEYS}/${id}`)).body).toEqual(body)
    expect(await owner.put(`${KEYS}/${id}`, { name: 'n' })).toMatchObject({ status: 409 })
    expect(await owner.post(`${KEYS}/${id}/rotate`)).toMatchObject({ status: 409 })
    expect(await owner.post(`${KEYS}/${id}/restore`)).toMatchObject({ status: 404 })
  })

  it('are revoked in bulk, which cannot be undone', async () => {
    const owner = await account()
    const stranger = await account()
    const [one, two] = [await owner.create(KEYS, { name: '1' }), await owner.create(KEYS, { name: '2' })]
    const theirs = await stranger.create(KEYS, { name: '3' })
    const answer = await owner.post(`${KEYS}/bulk-delete`, [one.id, two.id, theirs.id, newId()])
    expect(answer).toMatchObject({ status: 200, body: {} })
    expect(answer.headers.get('x-operation-id')).toBeNull()
    expect(await using(owner, one.key)).toMatchObject(refused)
    expect(await using(owner, two.key)).toMatchObject(refused)
    expect(await using(stranger, theirs.key)).toMatchObject({ status: 200 })
    const bad = await owner.post(`${KEYS}/bulk-delete`, [one.id, 'x'])
    expect(bad).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 1] }] } })
  })

  it('are rotated with and without a grace period', async () => {
    const owner = await account()
    const first = await owner.create(KEYS, { name: 'k', scopes: ['companies:read'] })
    expect(await using(owner, first.key)).toMatchObject({ status: 200 })
    const path = `${KEYS}/${first.id}/rotate`
    const second = await owner.post(path, { grace_seconds: 3600 })
    expect(second).toMatchObject({ status: 200, body: { id: first.id, scopes: ['companies:read'] } })
    expect(second.body.prefix).toBe(second.body.key.slice(0, 9))
    for (const key of [first.key, second.body.key]) {
      expect(await using(owner, key)).toMatchObject({ status: 200 })
      expect(await using(owner, key, 'POST', '/api/companies', { name: 'A' })).toMatchObject({ status: 403 })
    }
    const third = await owner.post(path)
    expect(third.status).toBe(200)
    expect(await using(owner, second.body.key)).toMatchObject(refused)
    expect(await using(owner, first.key)).toMatchObject({ status: 200 })
    expect(await using(owner, third.body.key)).toMatchObject({ status: 200 })
    await owner.delete(`${KEYS}/${first.id}`)
    for (const key of [first.key, third.body.key]) expect(await using(owner, key)).toMatchObject(refused)
  })

  it('work until the grace period ends', async () => {
    const owner = await account()
    const { id, key } = await owner.create(KEYS, { name: 'k' })
    const { body: second } = await owner.post(`${KEYS}/${id}/rotate`, { grace_seconds: 3600 })
    expect(await using(owner, key)).toMatchObject({ status: 200 })
    await owner.post(`${KEYS}/${id}/rotate`, { grace_seconds: 1 })
    await expect.poll(() => using(owner, second.key), EARLIER).toMatchObject(refused)
  })

  it.each([[-1], [604_801], [1.5], ['x'], [null]])(
    'refuse a grace period of %j seconds',
    async grace_seconds => {
      const owner = await account()
      const { id } = await owner.create(KEYS, { name: 'k' })
      const answer = await owner.post(`${KEYS}/${id}/rotate`, { grace_seconds })
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'grace_seconds'] }] } })
      expect(await owner.post(`${KEYS}/${id}/rotate`, { grace_seconds: 604_800 })).toMatchObject({
        status: 200,
      })
    },
  )

  it('cannot be rotated by a caller with fewer scopes, who would get the new key', async () => {
    const owner = await account()
    const { id } = await owner.create(KEYS, { name: 'owner’s' })
    const admin = await anotherMember(owner, { role: 'admin' })
    const narrow = await anotherMember(owner, { role: 'owner', scopes: ['api-keys:*'] })
    const rotate = (by: Account) => by.post(`${KEYS}/${id}/rotate`)
    expect(await rotate(admin)).toMatchObject({ status: 403 })
    expect(await rotate(narrow)).toMatchObject({ status: 403 })
    expect(await rotate(owner)).toMatchObject({ status: 200 })
    expect(await admin.delete(`${KEYS}/${id}`)).toMatchObject({ status: 200 })
  })

  it('of an owner cannot be extended or reactivated by an admin, who would gain the owner’s rights', async () => {
    const owner = await account()
    const admin = await anotherMember(owner, { role: 'admin' })
    const { body } = await owner.post(KEYS, { name: 'CI', scopes: ['companies:read'] })
    const path = `${KEYS}/${body.id}`
    const tooLow = { status: 403, body: { detail: 'This needs the role owner or higher' } }
    for (const change of [{ scopes: ['*'] }, { expires_at: null }, { expires_at: soon(3_600_000) }]) {
      expect(await admin.put(path, change)).toMatchObject(tooLow)
    }
    const promotion = `/api/accounts/${owner.accountId}/members/${admin.userId}`
    expect((await using(owner, body.key, 'PUT', promotion, { role: 'owner' })).status).toBe(403)
    expect((await admin.put(path, { name: 'Renamed' })).status).toBe(200)
    expect((await owner.put(path, { scopes: ['contacts:read'] })).status).toBe(200)

    const narrow = await anotherMember(owner, { role: 'owner', scopes: ['api-keys:*', 'companies:read'] })
    expect(await narrow.put(path, { scopes: ['companies:read'] })).toMatchObject({
      status: 403,
      body: { detail: 'This API key lacks the scope contacts:read' },
    })
    expect((await admin.delete(path)).status).toBe(200)
  })

  it('that have expired must be renewed before they can be rotated', async () => {
    const owner = await account()
    const created = await expiringSoon(expires_at => owner.post(KEYS, { name: 'k', expires_at }))
    const { id, key } = created.body
    await expect.poll(() => using(owner, key), EARLIER).toMatchObject(refused)
    expect(await owner.post(`${KEYS}/${id}/rotate`)).toMatchObject({ status: 409 })
    await owner.put(`${KEYS}/${id}`, { expires_at: soon(60_000) })
    expect(await owner.post(`${KEYS}/${id}/rotate`)).toMatchObject({ status: 200 })
  })

  it('of another account are not found', async () => {
    const [ada, bob] = [await account(), await account()]
    const { id, key } = await bob.create(KEYS, { name: 'k' })
    const missing = { status: 404, body: { detail: 'API key not found' } }
    for (const other of [id, newId()]) {
      expect(await ada.get(`${KEYS}/${other}`)).toMatchObject(missing)
      expect(await ada.put(`${KEYS}/${other}`, { name: 'mine' })).toMatchObject(missing)
      expect(await ada.delete(`${KEYS}/${other}`)).toMatchObject(missing)
      expect(await ada.post(`${KEYS}/${other}/rotate`)).toMatchObject(missing)
    }
    expect(await using(bob, key)).toMatchObject({ status: 200 })
    expect(await ada.get(`${KEYS}/nothing`)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['path', 'key_id'] }] },
    })
  })

  it('have their secret neither in a replayed response nor in the database', async () => {
    const owner = await account()
    const again = { 'idempotency-key': 'once' }
    const first = await owner.post(KEYS, { name: 'k' }, again)
    const replay = await owner.post(KEYS, { name: 'k' }, again)
    expect(replay.headers.get('idempotency-replayed')).toBe('true')
    expect(replay).toMatchObject({ status: 201, body: { id: first.body.id } })
    expect(replay.body).not.toHaveProperty('key')
    expect(await using(owner, first.body.key)).toMatchObject({ status: 200 })
    const { service } = await serviceOn(kind)
    const traces = await query(
      { db: systemDb(service.services) },
      sql`select 1 from idempotency_keys where account_id = ${owner.accountId} and strpos(body, ${first.body.key}) > 0
        union all select 1 from changes c where account_id = ${owner.accountId}
          and (strpos(c::text, ${first.body.key}) > 0 or c.after ? 'key_hash')`,
    )
    expect(traces).toEqual([])
  })
})

onBothEngines('keys in several processes', (account, kind) => {
  it.runIf(kind === 'server')('are revoked in all of them', async () => {
    const owner = await account()
    const { config } = owner.service.services
    const other = await createService(config)
    try {
      const url = await other.app.listen({ port: 0, host: '127.0.0.1' })
      const { id, key } = await owner.create(KEYS, { name: 'k' })
      const there = () => request(`${url}/api/companies`, 'GET', undefined, { 'x-api-key': key })
      expect(await there()).toMatchObject({ status: 200 })
      await owner.delete(`${KEYS}/${id}`)
      await expect.poll(there, EARLIER).toMatchObject({ status: 401 })
      const token = await accessToken(owner.service.services, owner.userId)
      const me = await request(`${url}/api/auth/me`, 'GET', undefined, { authorization: `Bearer ${token}` })
      expect(me).toMatchObject({ status: 200, body: { id: owner.userId } })
    } finally {
      await other.close()
    }
  })

  it('from the environment are still revoked or rotated after the next start', async () => {
    const { firstAccount } = await import('../accounts/first-account.ts')
    const { service } = await serviceOn(kind)
    const apiKey = `sk_environment_${newId()}`
    const services = { ...service.services, config: { ...service.services.config, apiKey } }
    const { url } = await serviceOn(kind)
    const use = () => request(`${url}${KEYS}`, 'GET', undefined, { 'x-api-key': apiKey })
    await firstAccount(services)
    const listed = await use()
    expect(listed.status).toBe(200)
    const { id } = listed.body.items.find((item: { prefix: string }) => apiKey.startsWith(item.prefix))
    const rotated = await request(`${url}${KEYS}/${id}/rotate`, 'POST', undefined, { 'x-api-key': apiKey })
    expect(rotated.status).toBe(200)
    await firstAccount(services)
    expect(await use()).toMatchObject({ status: 401 })
  })
})
