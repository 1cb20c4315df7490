import { expect, it } from 'vitest'
import { type Item, onBothEngines } from '../../../test/support/service.ts'

const names = (body: { items: Item[] }) => body.items.map(item => item.name)

onBothEngines('products', account => {
  it('have every field, and defaults for those that are left out', async () => {
    const me = await account()
    const plain = await me.create('/api/products', { name: 'Widget' })
    expect(plain).toEqual({
      ...{ id: plain.id, created_at: plain.created_at, updated_at: plain.updated_at },
      ...{ account_id: me.accountId, created_by: me.userId, name: 'Widget', sku: null, unit_price: null },
      ...{ currency: 'USD', billing_period: 'one_time', description: null, active: true, categories: null },
      ...{ metadata: {}, custom_fields: {}, is_favorite: false },
    })
    const given = {
      ...{ name: 'Plan', sku: 'PL-1', unit_price: 49.9, currency: 'EUR', billing_period: 'monthly' },
      ...{ description: 'Help by phone', active: false, categories: ['Support'], metadata: { tier: 2 } },
    }
    expect(await me.create('/api/products', given)).toMatchObject(given)
    for (const [field, value, type] of [
      ['unit_price', -1, 'greater_than_equal'],
      ['currency', 'XXY', 'value_error'],
      ['billing_period', 'weekly', 'enum'],
      ['sku', '', 'string_too_short'],
      ['name', null, 'string_type'],
    ] as const) {
      const answer = await me.put(`/api/products/${plain.id}`, { [field]: value })
      expect([answer.status, answer.body.detail[0].type], field).toEqual([422, type])
    }
  })

  it('have a sku that is unique outside the trash', async () => {
    const me = await account()
    const first = await me.create('/api/products', { name: 'A', sku: 'AB-1' })
    const second = await me.create('/api/products', { name: 'B', sku: 'AB-2' })
    const taken = [409, { detail: 'There is a product with the sku "ab-1" already' }]
    const made = await me.post('/api/products', { name: 'C', sku: 'ab-1' })
    expect([made.status, made.body]).toEqual(taken)
    const changed = await me.put(`/api/products/${second.id}`, { sku: 'ab-1' })
    expect([changed.status, changed.body]).toEqual(taken)
    const bulk = await me.post('/api/products/bulk-update', {
      ids: [first.id, second.id],
      set: { sku: 'AB-3' },
    })
    expect(bulk.status).toBeLessThan(500)
    await me.delete(`/api/products/${first.id}`)
    await me.create('/api/products', { name: 'C', sku: 'ab-1' })
    expect((await me.post(`/api/products/${first.id}/restore`)).status).toBe(409)
    await (await account()).create('/api/products', { name: 'C', sku: 'ab-1' })
  })

  it('are listed by their filters and by search', async () => {
    const me = await account()
    for (const row of [
      { name: 'a', sku: 'S-1', unit_price: 5, currency: 'EUR' },
      { name: 'b', unit_price: 50, billing_period: 'yearly' },
      { name: 'c', unit_price: 500, active: false, description: 'heavy anvil' },
    ])
      await me.create('/api/products', row)
    for (const [query, expected] of [
      ['sku=s-1', ['a']],
      ['active=false', ['c']],
      ['billing_period=yearly', ['b']],
      ['currency=eur', ['a']],
      ['unit_price_gte=50&unit_price_lte=100', ['b']],
      ['search=anvil', ['c']],
      ['sort_by=unit_price&sort_order=desc', ['c', 'b', 'a']],
    ] as const)
      expect(names((await me.get(`/api/products?${query}`)).body), query).toEqual(expected)
  })

  it('have tags, custom fields, notes and favorites, which timeline and lists show', async () => {
    const me = await account()
    const { id } = await me.create('/api/products', { name: 'Widget' })
    const path = `/api/products/${id}`
    const tag = await me.create('/api/tags', { name: 'New' })
    await me.put(`/api/tags/records/product/${id}`, { tag_ids: [tag.id] })
    expect(names((await me.get('/api/products?tag=new')).body)).toEqual(['Widget'])
    expect((await me.get(`/api/tags/${tag.id}`)).body.usage_count).toBe(1)

    await me.create('/api/custom-fields', {
      ...{ entity_type: 'product', name: 'Weight', field_type: 'number', is_required: false },
    })
    expect((await me.put(path, { metadata: { weight: 'x' } })).status).toBe(422)
    await me.put(path, { metadata: { weight: 7 } })
    expect(names((await me.get('/api/products?cf.weight=7')).body)).toEqual(['Widget'])

    const note = await me.create('/api/notes', {
      content: 'Sells well',
      entity_type: 'product',
      entity_id: id,
    })
    expect((await me.get(`${path}/notes`)).body.items).toEqual([note])
    expect((await me.get(`/api/notes?product_id=${id}`)).body.total).toBe(1)

    expect((await me.put(`${path}/favorite`)).body.is_favorite).toBe(true)
    expect((await me.put(`${path}/favorite`)).body.is_favorite).toBe(true)
    expect((await me.get('/api/products?is_favorite=true')).body.total).toBe(1)
    expect((await me.get('/api/favorites')).body.total).toBe(0)
    expect((await me.delete(`${path}/favorite`)).body.is_favorite).toBe(false)
    const refused = await me.post('/api/favorites', { entity_type: 'product', entity_id: id })
    expect(refused.body.detail[0].msg).toBe("Input should be 'company', 'contact' or 'deal'")

    await me.put(path, { name: 'Gadget' })
    const { items } = (await me.get(`${path}/timeline`)).body
    expect(items.map((entry: Item) => entry.type)).toEqual([
      ...['updated', 'note_added', 'updated', 'linked', 'created'],
    ])
    expect(items[3].related).toEqual({ entity_type: 'tag', id: tag.id, name: 'New' })
    expect(items[0].changes).toEqual([{ field: 'name', from: 'Widget', to: 'Gadget' }])
    expect((await me.get(`/api/notes/${note.id}/timeline`)).body.items[0].related).toMatchObject({
      entity_type: 'product',
      name: 'Gadget',
    })
  })

  it('are queried, changed in bulk and undone', async () => {
    const me = await account()
    for (const [name, unit_price, currency] of [
      ['a', 10, 'EUR'],
      ['b', 20, 'EUR'],
      ['c', 5, 'USD'],
    ])
      await me.create('/api/products', { name, unit_price, currency })
    const ask = async (query: Item) => (await me.post('/api/query', { entity: 'product', ...query })).body
    expect((await ask({ measure: { kind: 'count' } })).total).toBe(3)
    expect((await ask({ measure: { kind: 'sum', field: 'unit_price' } })).figures).toMatchObject([
      { currency: 'EUR', value: 30 },
      { currency: 'USD', value: 5 },
    ])
    expect(
      (await ask({ where: { field: 'unit_price', op: 'gt', value: 7 }, order: [{ by: 'name' }] })).items.map(
        (item: Item) => item.name,
      ),
    ).toEqual(['a', 'b'])
    const { body } = await me.post('/api/products/bulk-update', {
      filter: { currency: 'EUR' },
      set: { active: false },
    })
    expect(body.updated).toBe(2)
    expect((await me.get('/api/products?active=true')).body.total).toBe(1)
    expect((await me.post(`/api/operations/${body.operation_id}/undo`)).status).toBe(200)
    expect((await me.get('/api/products?active=true')).body.total).toBe(3)
    const upserted = await me.post('/api/products/upsert?match_on=sku', { name: 'd', sku: 'D' })
    expect(upserted.status).toBe(201)
    const again = await me.post('/api/products/upsert?match_on=sku', { name: 'e', sku: 'd' })
    expect([again.status, again.body.id, again.body.name]).toEqual([200, upserted.body.id, 'e'])
  })
})
