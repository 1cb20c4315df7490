import { expect, it } from 'vitest'
import { type Account, type Item, onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'
import { defaultPipelineOf } from '../deals/testing.ts'

const named = async (me: Account, ...names: string[]): Promise<string[]> => {
  const ids = []
  for (const name of names) ids.push((await me.create('/api/companies', { name })).id)
  return ids
}
const at = (id: string | undefined) => `/api/companies/${id}/relations`
const names = (items: Item[]) => items.map(({ name }) => name)

onBothEngines('relations of companies', account => {
  it('are an owner, a parent and sums of deals, each deal counted once', async () => {
    const me = await account()
    const { stage } = await defaultPipelineOf(me)
    const [group, branch, shop] = await named(me, 'Group', 'Branch', 'Shop')
    const before = (await me.get(`/api/companies/${branch}`)).body
    expect(Object.keys(before)).toHaveLength(39)
    const set = await me.put(at(branch), { parent_id: group, owner_id: me.userId })
    expect(set).toMatchObject({ status: 200, body: { parent_id: group, owner: { id: me.userId } } })
    await me.put(at(shop), { parent_id: branch })
    const deal = (name: string, amount: number, company: string | undefined, more: Item = {}) =>
      me.create('/api/deals', { name, amount, currency: 'EUR', company_id: company, ...more })
    await deal('A', 10, group)
    await deal('B', 20, branch, { stage_id: stage.Won })
    await deal('C', 30, shop, { associated_company_ids: [shop, branch] })
    await deal('D', 40, shop, { stage_id: stage.Lost })
    await deal('E', 50, shop, { currency: 'USD' })

    const { body } = await me.get(at(group))
    expect(names(body.children)).toEqual(['Branch'])
    expect(body).toMatchObject({ parent_id: null, ancestors: [], children_count: 1 })
    expect(body.deals).toEqual({
      own: { open: [{ currency: 'EUR', deals_count: 1, amount: 10 }], won: [] },
      total: {
        open: [
          { currency: 'EUR', deals_count: 2, amount: 40 },
          { currency: 'USD', deals_count: 1, amount: 50 },
        ],
        won: [{ currency: 'EUR', deals_count: 1, amount: 20 }],
      },
    })
    expect(names((await me.get(at(shop))).body.ancestors)).toEqual(['Branch', 'Group'])
    expect(names((await me.get(`/api/companies?parent_id=${group}`)).body.items)).toEqual(['Branch'])
    expect(names((await me.get(`/api/companies?owner_id=${me.userId}`)).body.items)).toEqual(['Branch'])
    const after = (await me.get(`/api/companies/${branch}`)).body
    expect({ ...after, updated_at: '' }).toEqual({
      ...before,
      updated_at: '',
      associated_deal_ids: after.associated_deal_ids,
      owner_id: me.userId,
      parent_id: group,
    })
    expect((await me.get(`/api/companies/${branch}/timeline`)).text).toContain('parent_id')

    const { key } = await me.create('/api/api-keys', { name: 'Companies', scopes: ['companies:read'] })
    expect((await me.get(at(group), { 'x-api-key': key })).body.deals).toBeNull()
    expect((await me.put(at(group), {}, { 'x-api-key': key })).status).toBe(403)
  })

  it('never form a cycle', async () => {
    const me = await account()
    const other = await account()
    const [a, b, c] = await named(me, 'A', 'B', 'C')
    const [foreign] = await named(other, 'Foreign')
    await me.put(at(b), { parent_id: a })
    await me.put(at(c), { parent_id: b })
    for (const parent_id of [a, b, c, foreign, newId(), 'nothing']) {
      const answer = await me.put(at(a), { parent_id })
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'parent_id'] }] } })
    }
    for (const owner_id of [other.userId, newId()]) {
      const answer = await me.put(at(a), { owner_id })
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'owner_id'] }] } })
    }
    expect((await me.get(at(foreign))).status).toBe(404)
    expect((await me.put(at(foreign), { parent_id: null })).status).toBe(404)

    // A company in the trash is still above: restoring it would close the cycle.
    await me.delete(at(b).replace('/relations', ''))
    for (const path of [at(a), `/api/companies/${a}`]) {
      const answer = await me.put(path, { parent_id: c })
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'parent_id'] }] } })
    }
    const bulk = await me.post('/api/companies/bulk-update', { ids: [a], set: { parent_id: c } })
    expect(bulk).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'set', 'parent_id'] }] } })

    const [x, y] = await named(me, 'X', 'Y')
    await Promise.all([me.put(at(x), { parent_id: y }), me.put(at(y), { parent_id: x })])
    const parents = await Promise.all([x, y].map(async id => (await me.get(at(id))).body.parent_id))
    expect(parents.filter(parent => parent !== null)).toHaveLength(1)
  })

  it('follow a merge and its undo without a cycle', async () => {
    const me = await account()
    const [a, b, c, d] = await named(me, 'A', 'B', 'C', 'D')
    await me.put(at(a), { parent_id: b })
    await me.put(at(b), { parent_id: c })
    await me.put(at(d), { parent_id: c })
    const merged = await me.post('/api/companies/merge', { primary_id: a, secondary_ids: [c] })
    expect(merged.status).toBe(200)
    expect(names((await me.get(at(d))).body.ancestors)).toEqual(['A', 'B'])
    expect((await me.get(at(b))).body).toMatchObject({ parent_id: null, children: [{ name: 'A' }] })
    await me.post(`/api/operations/${merged.body.operation_id}/undo`)
    expect(names((await me.get(at(a))).body.ancestors)).toEqual(['B', 'C'])
    expect(names((await me.get(at(d))).body.ancestors)).toEqual(['C'])
  })

  it('do not stop a merge of companies above each other', async () => {
    const me = await account()
    const [group, branch, shop, other, last] = await named(me, 'Group', 'Branch', 'Shop', 'Other', 'Last')
    await me.put(at(branch), { parent_id: group })
    await me.put(at(shop), { parent_id: branch })
    await me.put(at(last), { parent_id: other })
    const merge = (primary_id: string | undefined, ...secondary_ids: unknown[]) =>
      me.post('/api/companies/merge', { primary_id, secondary_ids })
    for (const [primary, ...others] of [
      [group, shop],
      [group, branch],
    ])
      expect((await merge(primary, ...others)).status).toBe(200)
    expect((await me.get(at(group))).body).toMatchObject({ parent_id: null, children: [] })
    expect(await merge(group, last, other)).toMatchObject({ status: 200 })
    expect((await me.get(at(group))).body.parent_id).toBeNull()
  })

  it('are fields of a company, too, in single requests, batches and bulk updates', async () => {
    const me = await account()
    const [a, b] = await named(me, 'A', 'B')
    const c = await me.create('/api/companies', { name: 'C', owner_id: me.userId, parent_id: a })
    expect(c).toMatchObject({ owner_id: me.userId, parent_id: a })
    const kept = await me.put(`/api/companies/${c.id}`, { city: 'Wien' })
    expect(kept.body).toMatchObject({ owner_id: me.userId, parent_id: a })
    const cleared = (await me.put(`/api/companies/${c.id}`, { owner_id: null, parent_id: null })).body
    expect(Object.keys(cleared)).toHaveLength(39)
    for (const input of [{ owner_id: newId() }, { parent_id: newId() }, { parent_id: c.id }])
      expect((await me.put(`/api/companies/${c.id}`, input)).status).toBe(422)
    const update = (id: string | undefined, parent_id: string | undefined) => ({
      ...{ action: 'update', id, record: { parent_id } },
    })
    // the second would close a cycle with the first
    const batch = await me.post('/api/companies/batch', {
      items: [update(a, b), update(b, a), update(c.id, b)],
    })
    expect(batch.body).toMatchObject({
      ...{ updated: 2, failed: 1 },
      results: [{}, { errors: [{ loc: ['body', 'items', 1, 'record', 'parent_id'] }] }, {}],
    })
    const bulk = await me.post('/api/companies/bulk-update', {
      where: { field: 'parent.name', op: 'eq', value: 'B' },
      set: { owner_id: me.userId },
    })
    expect(bulk.body).toMatchObject({ updated: 2 })
    const owned = await me.get(`/api/companies?owner_id=${me.userId}&sort_by=name&sort_order=asc`)
    expect(names(owned.body.items)).toEqual(['A', 'C'])
  })

  it('hide a parent in the trash until it is restored', async () => {
    const me = await account()
    const [a, b] = await named(me, 'A', 'B')
    await me.put(at(b), { parent_id: a })
    await me.delete(`/api/companies/${a}`)
    expect((await me.get(at(b))).body).toMatchObject({ parent_id: null, ancestors: [] })
    await me.post(`/api/companies/${a}/restore`)
    expect((await me.get(at(b))).body.parent_id).toBe(a)
  })
})
