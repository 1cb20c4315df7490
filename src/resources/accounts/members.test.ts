import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { joining, newPerson, type Person } from '../../../test/support/person.ts'
import { onAnyEngine, request, serviceOn } from '../../../test/support/service.ts'
import { query, systemDb } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'

onAnyEngine('members', (account, kind) => {
  const person = () => newPerson(kind)
  const members = (host: Person) => `/api/accounts/${host.accountId}/members`
  const one = (host: Person, who: Person) => `${members(host)}/${who.userId}`

  it('are listed, filtered and read', async () => {
    const owner = await person()
    const viewer = await joining(owner, 'viewer')
    const all = await viewer.call('GET', members(owner))
    expect(all).toMatchObject({ status: 200, body: { total: 2, total_pages: 1 } })
    expect(all.body.items[1]).toEqual({
      id: viewer.userId,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      account_id: owner.accountId,
      user_id: viewer.userId,
      email: viewer.email,
      name: 'Test Person',
      role: 'viewer',
    })
    const found = async (filter: string) =>
      (await owner.call('GET', `${members(owner)}?${filter}`)).body.items.map((m: { role: string }) => m.role)
    expect(await found('role=viewer')).toEqual(['viewer'])
    expect(await found('search=TÉST%20pers')).toEqual(['owner', 'viewer'])
    expect(await found('search=nobody')).toEqual([])
    expect(await found(`search=${viewer.email}`)).toEqual(['viewer'])
    expect(await found('page=2&page_size=1')).toEqual(['viewer'])
    expect(await owner.call('GET', `${members(owner)}?role=boss`)).toMatchObject({ status: 422 })
    expect(await viewer.call('GET', one(owner, owner))).toMatchObject({
      status: 200,
      body: { role: 'owner' },
    })
  })

  it.each([
    ['owner', 'member', 'owner', 200],
    ['owner', 'owner', 'viewer', 200],
    ['admin', 'member', 'viewer', 200],
    ['admin', 'viewer', 'admin', 200],
    ['admin', 'member', 'owner', 403],
    ['admin', 'owner', 'member', 403],
    ['member', 'viewer', 'member', 403],
    ['viewer', 'viewer', 'member', 403],
  ])('an %s makes a %s a %s: %i', async (callerRole, before, after, status) => {
    const owner = await person()
    const caller = await joining(owner, callerRole)
    const target = await joining(owner, before)
    const answer = await caller.call('PUT', one(owner, target), { role: after })
    expect(answer.status).toBe(status)
    const now = await owner.call('GET', one(owner, target))
    expect(now.body.role).toBe(status === 200 ? after : before)
  })

  it('get a new role at once, and so do their keys', async () => {
    const owner = await person()
    const guest = await joining(owner, 'admin')
    const { key } = (await guest.call('POST', '/api/api-keys', { name: 'k' })).body
    const create = async () => {
      const byKey = await request(`${owner.url}/api/companies`, 'POST', { name: 'A' }, { 'x-api-key': key })
      return [(await guest.call('POST', '/api/companies', { name: 'A' })).status, byKey.status]
    }
    expect(await create()).toEqual([201, 201])
    await owner.call('PATCH', one(owner, guest), { role: 'viewer' })
    expect(await create()).toEqual([403, 403])
    await owner.call('PUT', one(owner, guest), { role: 'member' })
    expect(await create()).toEqual([201, 201])
  })

  it.each([
    [{ role: 'boss' }, 'enum'],
    [{ role: null }, 'enum'],
  ])('refuse %j', async (body, type) => {
    const owner = await person()
    const answer = await owner.call('PUT', one(owner, owner), body)
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'role'], type }] } })
  })

  it('are not updated when they have changed since (If-Match)', async () => {
    const owner = await person()
    const guest = await joining(owner, 'member')
    const etag = { 'if-match': (await owner.call('GET', one(owner, guest))).headers.get('etag')! }
    expect(await owner.call('PUT', one(owner, guest), { role: 'viewer' }, etag)).toMatchObject({
      status: 200,
    })
    expect(await owner.call('PUT', one(owner, guest), { role: 'admin' }, etag)).toMatchObject({ status: 412 })
    expect(await owner.call('DELETE', one(owner, guest), undefined, etag)).toMatchObject({ status: 412 })
  })

  it('can leave with any role and lose access at once', async () => {
    const owner = await person()
    const viewer = await joining(owner, 'viewer')
    expect(await viewer.call('DELETE', one(owner, viewer))).toMatchObject({ status: 200, body: {} })
    expect(await viewer.call('GET', '/api/companies')).toMatchObject({ status: 403 })
    expect(await viewer.call('GET', '/api/accounts')).toMatchObject({ status: 200, body: { total: 0 } })
    expect(await owner.call('GET', one(owner, viewer))).toMatchObject({
      status: 404,
      body: { detail: 'Member not found' },
    })
  })

  it.each([
    ['owner', 'owner', 200],
    ['admin', 'admin', 200],
    ['admin', 'owner', 403],
    ['member', 'viewer', 403],
    ['viewer', 'viewer', 403],
  ])('an %s removes an %s: %i', async (callerRole, targetRole, status) => {
    const owner = await person()
    const caller = await joining(owner, callerRole)
    const target = await joining(owner, targetRole)
    expect(await caller.call('DELETE', one(owner, target))).toMatchObject({ status })
    expect((await target.call('GET', '/api/companies')).status).toBe(status === 200 ? 403 : 200)
  })

  it('lose their keys permanently when they leave', async () => {
    const owner = await person()
    const guest = await joining(owner, 'admin')
    const { key } = (await guest.call('POST', '/api/api-keys', { name: 'k' })).body
    const use = () => request(`${owner.url}/api/companies`, 'GET', undefined, { 'x-api-key': key })
    expect(await use()).toMatchObject({ status: 200 })
    await owner.call('DELETE', one(owner, guest))
    expect(await use()).toMatchObject({ status: 401, body: { detail: 'Invalid API key' } })
    const invited = await owner.call('POST', `/api/accounts/${owner.accountId}/invitations`, {
      email: guest.email,
    })
    await guest.call('POST', '/api/auth/accept-invitation', { token: invited.body.token })
    expect(await guest.call('GET', '/api/companies')).toMatchObject({ status: 200 })
    expect(await use()).toMatchObject({ status: 401 })
  })

  it('always include an owner', async () => {
    const owner = await person()
    const admin = await joining(owner, 'admin')
    const refused = { status: 409, body: { detail: expect.stringContaining('owner') } }
    expect(await owner.call('DELETE', one(owner, owner))).toMatchObject(refused)
    expect(await owner.call('PUT', one(owner, owner), { role: 'admin' })).toMatchObject(refused)
    expect(await owner.call('PUT', one(owner, owner), { role: 'owner' })).toMatchObject({ status: 200 })
    await owner.call('PUT', one(owner, admin), { role: 'owner' })
    expect(await owner.call('DELETE', one(owner, owner))).toMatchObject({ status: 200 })
    expect(await admin.call('DELETE', one(owner, admin))).toMatchObject(refused)
  })

  it.each([
    ['leave', (who: Person, host: Person) => who.call('DELETE', one(host, who))],
    ['step back', (who: Person, host: Person) => who.call('PUT', one(host, who), { role: 'admin' })],
  ])('still include an owner when two %s at the same time', async (_name, goes) => {
    const first = await person()
    const second = await joining(first, 'owner')
    const answers = await Promise.all([goes(first, first), goes(second, first)])
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409])
    const stayed = answers[0]!.status === 409 ? first : second
    const owners = await stayed.call('GET', `${members(first)}?role=owner`)
    expect(owners.body.items).toMatchObject([{ user_id: stayed.userId }])
  })

  it('of another account are not found', async () => {
    const [ada, bob] = [await person(), await person()]
    const missing = { status: 404, body: { detail: 'Member not found' } }
    for (const id of [bob.userId, newId()]) {
      expect(await ada.call('GET', `${members(ada)}/${id}`)).toMatchObject(missing)
      expect(await ada.call('PUT', `${members(ada)}/${id}`, { role: 'viewer' })).toMatchObject(missing)
      expect(await ada.call('DELETE', `${members(ada)}/${id}`)).toMatchObject(missing)
    }
    expect(await bob.call('GET', members(bob))).toMatchObject({ status: 200, body: { total: 1 } })
  })

  it('are managed by keys that have the scope', async () => {
    const reader = await account({ scopes: ['accounts:read'] })
    const path = `/api/accounts/${reader.accountId}/members`
    expect(await reader.get(path)).toMatchObject({ status: 200 })
    expect(await reader.delete(`${path}/${reader.userId}`)).toMatchObject({
      status: 403,
      body: { detail: 'This API key lacks the scope accounts:write' },
    })
    const other = await account({ scopes: ['companies:*'] })
    expect(await other.get(`/api/accounts/${other.accountId}/members`)).toMatchObject({ status: 403 })
  })

  it('are journaled when they join, leave or change role', async () => {
    const owner = await person()
    const guest = await joining(owner, 'member')
    await owner.call('PUT', one(owner, guest), { role: 'admin' })
    await owner.call('DELETE', one(owner, guest))
    const { service } = await serviceOn(kind)
    const steps = await query(
      { db: systemDb(service.services) },
      sql`select action, before ->> 'role' as was, after ->> 'role' as is, user_id from changes
        where account_id = ${owner.accountId} and kind = 'members' and entity_id = ${guest.userId} order by seq`,
    )
    expect(steps).toEqual([
      { action: 'created', was: null, is: 'member', user_id: null },
      { action: 'updated', was: 'member', is: 'admin', user_id: owner.userId },
      { action: 'deleted', was: 'admin', is: null, user_id: owner.userId },
    ])
  })
})
