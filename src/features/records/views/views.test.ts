import { expect, it } from 'vitest'
import { type Account, anotherMember, onBothEngines } from '../../../../test/support/service.ts'
import { queryWorld } from '../query/query.testing.ts'

const OPEN = {
  name: 'Open deals',
  entity: 'deal',
  query: { where: { field: 'status', value: 'open' }, order: [{ by: 'name', direction: 'asc' }] },
}

onBothEngines('saved views', newAccount => {
  const withRecords = async () => {
    const account = await newAccount()
    const { ids } = await queryWorld(account)
    return { account, ids }
  }
  const results = (account: Account, id: string, parameters = '') =>
    account.get(`/api/views/${id}/results${parameters}`)

  it('are created, listed, changed, deleted and restored', async () => {
    const account = await newAccount()
    const made = await account.create('/api/views', OPEN)
    expect(made).toMatchObject({
      account_id: account.accountId,
      user_id: account.userId,
      name: 'Open deals',
      entity: 'deal',
      query: { entity: 'deal', ...OPEN.query },
      columns: [],
      is_shared: false,
      is_favorite: false,
    })
    expect((await account.get(`/api/views/${made.id}`)).body).toEqual(made)
    await account.create('/api/views', { name: 'Companies', entity: 'company', query: {}, is_shared: true })
    const names = async (parameters: string) =>
      (await account.get(`/api/views?sort_by=name&sort_order=asc&${parameters}`)).body.items.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names('')).toEqual(['Companies', 'Open deals'])
    expect(await names('entity=deal')).toEqual(['Open deals'])
    expect(await names('is_shared=true')).toEqual(['Companies'])
    expect(await names('search=OPEN')).toEqual(['Open deals'])
    const changed = await account.put(`/api/views/${made.id}`, {
      name: 'Won',
      query: { where: { field: 'status', value: 'won' } },
    })
    expect(changed.body).toMatchObject({
      name: 'Won',
      query: { entity: 'deal', where: { field: 'status', value: 'won' } },
    })
    expect((await account.delete(`/api/views/${made.id}`)).status).toBe(200)
    expect((await results(account, made.id)).status).toBe(404)
    expect((await account.post(`/api/views/${made.id}/restore`)).body.name).toBe('Won')
  })

  it('return their results in pages, with columns of related records', async () => {
    const { account, ids } = await withRecords()
    const view = await account.create('/api/views', {
      ...OPEN,
      query: { order: [{ by: 'name', direction: 'asc' }] },
      columns: ['name', 'company.country', 'contacts.full_name', 'created_at', 'company.cf.score'],
    })
    const first = await results(account, view.id, '?page_size=2')
    expect(first.body).toMatchObject({ entity: 'deal', total: 5, page: 1, page_size: 2, total_pages: 3 })
    expect(first.body.items.map(({ id }: { id: string }) => id)).toEqual([ids.A1, ids.A2])
    expect(first.body.cells[1]).toEqual({
      name: 'A2',
      'company.country': 'Germany',
      'contacts.full_name': ['Ann', 'Bob'],
      created_at: first.body.items[1].created_at,
      'company.cf.score': 7,
    })
    const last = await results(account, view.id, '?page_size=2&page=3')
    expect(last.body.items.map(({ id }: { id: string }) => id)).toEqual([ids.I1])
    const sum = await account.create('/api/views', {
      name: 'By stage',
      entity: 'deal',
      query: { measure: { kind: 'sum', field: 'amount' }, group_by: [{ field: 'stage.name' }] },
    })
    expect((await results(account, sum.id)).body.groups[0]).toMatchObject({
      key: ['Won'],
      value: 500,
      currency: 'EUR',
    })
    expect((await results(account, sum.id, '?page=2')).body.detail[0].loc).toEqual(['query', 'page'])
  })

  it('resolve `me` and relative dates when they are run', async () => {
    const { account, ids } = await withRecords()
    const mine = await account.create('/api/views', {
      name: 'Mine',
      entity: 'deal',
      query: {
        where: {
          and: [
            { field: 'owner_id', value: 'me' },
            { field: 'created_at', op: 'gte', value: 'today-1' },
          ],
        },
      },
      is_shared: true,
    })
    expect((await results(account, mine.id)).body.total).toBe(2)
    const other = await anotherMember(account)
    expect((await results(other, mine.id)).body.total).toBe(0)
    const past = { field: 'expected_close_date', op: 'between', value: ['year-1', 'month'] }
    expect((await account.post('/api/deals/query', { where: past })).status).toBe(200)
    const bad = await account.post('/api/deals/query', {
      where: { field: 'created_at', op: 'gt', value: 'someday' },
    })
    expect([bad.status, bad.body.detail[0].loc]).toEqual([422, ['body', 'where', 'value']])
    expect(ids.A1).toBeDefined()
  })

  it.each<[object, (string | number)[]]>([
    [{ ...OPEN, name: '' }, ['name']],
    [{ ...OPEN, entity: 'planet' }, ['entity']],
    [{ ...OPEN, query: { entity: 'company' } }, ['query', 'entity']],
    [{ ...OPEN, query: 5 }, ['query']],
    [
      { ...OPEN, query: { where: { and: [{ field: 'nope', value: 1 }] } } },
      ['query', 'where', 'and', 0, 'field'],
    ],
    [{ ...OPEN, query: { measure: { kind: 'sum', field: 'name' } } }, ['query', 'measure', 'field']],
    [{ ...OPEN, query: { colour: 'red' } }, ['query', 'colour']],
    [{ ...OPEN, columns: ['name', 'nope'] }, ['columns', 1]],
    [{ ...OPEN, columns: ['planet.name'] }, ['columns', 0]],
  ])('are refused when they would not run: %j', async (body, loc) => {
    const account = await newAccount()
    const answer = await account.post('/api/views', body)
    expect([answer.status, answer.body.detail?.[0]?.loc]).toEqual([422, ['body', ...loc]])
  })

  it('are private, or readable by all members', async () => {
    const account = await newAccount()
    const member = await anotherMember(account, { role: 'member' })
    const own = await account.create('/api/views', OPEN)
    const shared = await account.create('/api/views', { ...OPEN, is_shared: true })
    expect((await member.get(`/api/views/${own.id}`)).status).toBe(404)
    expect((await results(member, own.id)).status).toBe(404)
    expect((await member.put(`/api/views/${own.id}`, { name: 'x' })).status).toBe(404)
    expect((await member.delete(`/api/views/${own.id}`)).status).toBe(404)
    expect((await member.get('/api/views')).body.items.map(({ id }: { id: string }) => id)).toEqual([
      shared.id,
    ])
    expect((await results(member, shared.id)).status).toBe(200)
    const trashed = await account.create('/api/views', { ...OPEN, is_shared: true })
    await account.delete(`/api/views/${trashed.id}`)
    for (const answer of [
      await member.put(`/api/views/${shared.id}`, { name: 'x' }),
      await member.delete(`/api/views/${shared.id}`),
      await member.post('/api/views/bulk-delete', [shared.id]),
      await member.post(`/api/views/${trashed.id}/restore`),
    ])
      expect([answer.status, answer.body.detail]).toEqual([
        403,
        'Only its owner and admins of the account can change this view',
      ])
    const admin = await anotherMember(account, { role: 'admin' })
    expect((await admin.put(`/api/views/${shared.id}`, { name: 'Theirs' })).body).toMatchObject({
      name: 'Theirs',
      user_id: account.userId,
    })
    const unshared = await admin.put(`/api/views/${shared.id}`, { is_shared: false })
    expect([unshared.status, unshared.body.detail]).toEqual([
      403,
      'Only its owner can make a shared view private',
    ])
    expect((await account.put(`/api/views/${shared.id}`, { is_shared: false })).status).toBe(200)
    expect((await admin.get(`/api/views/${shared.id}`)).status).toBe(404)
  })

  it('run with the scopes of the caller', async () => {
    const account = await newAccount()
    const query = { where: { field: 'company.country', value: 'Germany' } }
    const view = await account.create('/api/views', { ...OPEN, query, is_shared: true })
    const clerk = await anotherMember(account, { scopes: ['views:*', 'deals:read'] })
    expect((await results(clerk, view.id)).body.detail).toBe('This API key lacks the scope companies:read')
    expect((await clerk.post('/api/views', { ...OPEN, query })).status).toBe(403)
    expect((await clerk.post('/api/views', OPEN)).status).toBe(201)
  })

  it('can be favorites', async () => {
    const account = await newAccount()
    const member = await anotherMember(account, { role: 'member' })
    const view = await account.create('/api/views', OPEN)
    const path = `/api/views/${view.id}/favorite`
    expect((await account.put(path)).body).toEqual({ ...view, is_favorite: true })
    expect((await account.put(path)).body.is_favorite).toBe(true)
    expect((await account.get('/api/views?is_favorite=true')).body.total).toBe(1)
    expect((await member.put(path)).status).toBe(404)
    expect((await member.delete(path)).status).toBe(404)
    await account.delete(`/api/views/${view.id}`)
    expect((await account.get('/api/views?is_favorite=true')).body.total).toBe(0)
    await account.post(`/api/views/${view.id}/restore`)
    expect((await account.get('/api/views?is_favorite=true')).body.total).toBe(1)
    expect((await account.get('/api/favorites')).body).toMatchObject({ items: [], total: 0 })
    expect((await account.delete(path)).body.is_favorite).toBe(false)
    expect((await account.delete(path)).status).toBe(200)
    expect((await account.get('/api/views?is_favorite=true')).body.total).toBe(0)
  })

  it('are visible only in their account', async () => {
    const [one, two] = [await newAccount(), await newAccount()]
    const view = await one.create('/api/views', { ...OPEN, is_shared: true })
    expect((await results(two, view.id)).status).toBe(404)
    expect((await two.get('/api/views')).body.total).toBe(0)
  })
})
