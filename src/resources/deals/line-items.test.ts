import { expect, it } from 'vitest'
import { type Account, type Item, onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const amountOf = async (me: Account, dealId: string) => {
  const { amount, amount_source } = (await me.get(`/api/deals/${dealId}`)).body
  return [amount, amount_source]
}

async function setup(me: Account, deal: Item = {}) {
  const plan = await me.create('/api/products', { name: 'Plan', unit_price: 100, currency: 'EUR' })
  const box = await me.create('/api/products', { name: 'Box', unit_price: 9.99, currency: 'EUR' })
  const { id } = await me.create('/api/deals', { name: 'Deal', currency: 'EUR', ...deal })
  const put = (lines: unknown) => me.put(`/api/deals/${id}/line-items`, lines)
  return { plan, box, id, put }
}

onBothEngines('the line items of a deal', account => {
  it('are replaced as a whole, keep existing lines, and set the amount', async () => {
    const me = await account()
    const { plan, box, id, put } = await setup(me)
    expect((await me.get(`/api/deals/${id}/line-items`)).body).toEqual([])
    expect(await amountOf(me, id)).toEqual([null, null])

    const first = await put([
      { product_id: plan.id, quantity: 2, discount: 12.5, tax: 20 },
      { product_id: box.id, quantity: 3 },
      { name: 'Delivery', unit_price: 5 },
    ])
    expect(first.status, first.text).toBe(200)
    expect(first.body[0]).toEqual({
      ...{ id: first.body[0].id, created_at: first.body[0].created_at, deal_id: id, product_id: plan.id },
      ...{ name: 'Plan', quantity: 2, unit_price: 100, currency: 'EUR', discount: 12.5, tax: 20 },
      ...{ net_amount: 175, tax_amount: 35 },
    })
    expect(first.body.map((line: Item) => line.net_amount)).toEqual([175, 29.97, 5])
    expect(await amountOf(me, id)).toEqual([209.97, 'line_items'])
    expect((await me.get(`/api/deals/${id}/line-items`)).body).toEqual(first.body)

    // sending the record back unchanged changes nothing
    const back = await put(first.body)
    expect(back.body).toEqual(first.body)
    // a price that was agreed stays when the product's changes; a line without its id is found by its product
    await me.put(`/api/products/${plan.id}`, { unit_price: 200, name: 'Plan B' })
    const second = await put([{ product_id: plan.id, quantity: 3 }])
    expect(second.body).toMatchObject([
      { id: first.body[0].id, name: 'Plan', unit_price: 100, quantity: 3, discount: 12.5, tax: 20 },
    ])
    expect(await amountOf(me, id)).toEqual([262.5, 'line_items'])
    await put([])
    expect(await amountOf(me, id)).toEqual([null, null])
  })

  it('keep the values that are not sent, and those of a new product', async () => {
    const me = await account()
    const { plan, box, put } = await setup(me)
    const line = { name: 'Plan for Ann', quantity: 3, unit_price: 80, discount: 10, tax: 20 }
    const [made] = (await put([{ product_id: plan.id, ...line }])).body
    const steps: [Item, Item][] = [
      [{}, {}],
      [{ name: 'Plan for Bob' }, { name: 'Plan for Bob' }],
      [{ unit_price: 90 }, { unit_price: 90 }],
      [
        { quantity: 0, discount: 0, tax: 0 },
        { quantity: 0, discount: 0, tax: 0 },
      ],
      [{ quantity: 2 }, { quantity: 2 }],
      [{ product_id: box.id }, { product_id: box.id, name: 'Box', unit_price: 9.99 }],
    ]
    let expected = { id: made.id, product_id: plan.id, ...line }
    for (const [change, changed] of steps) {
      expected = { ...expected, ...changed }
      expect((await put([{ id: made.id, ...change }])).body).toMatchObject([expected])
    }
    const fresh = { quantity: 1, discount: 0, tax: 0 }
    expect((await put([{ name: 'New', unit_price: 5 }])).body).toMatchObject([fresh])
  })

  it('change the amount once, or not at all, when they are replaced', async () => {
    const me = await account()
    const { put } = await setup(me)
    const amounts = async () => {
      const events: Item[] = (await me.get('/api/events?types=deal.updated')).body.items
      return events.map(({ changes }) => changes.map(({ from, to }: Item) => [from, to])[0])
    }
    await put([{ name: 'A', unit_price: 5 }])
    expect(await amounts()).toEqual([[null, 5]])
    await put([{ name: 'B', unit_price: 5 }])
    expect(await amounts()).toEqual([[null, 5]])
    await put([
      { name: 'C', unit_price: 4 },
      { name: 'D', unit_price: 3 },
    ])
    await put([])
    expect(await amounts()).toEqual([
      [null, 5],
      [5, 7],
      [7, null],
    ])
  })

  it('do not change an amount that was set by hand, until it is cleared', async () => {
    const me = await account()
    const { plan, id, put } = await setup(me, { amount: 500 })
    expect(await amountOf(me, id)).toEqual([500, 'manual'])
    await put([{ product_id: plan.id, quantity: 2 }])
    expect(await amountOf(me, id)).toEqual([500, 'manual'])
    await me.put(`/api/deals/${id}`, { amount: null })
    expect(await amountOf(me, id)).toEqual([200, 'line_items'])

    // after it is sent back unchanged, the amount still follows the lines
    const {
      associated_company_ids: _a,
      associated_contact_ids: _b,
      ...got
    } = (await me.get(`/api/deals/${id}`)).body
    await me.put(`/api/deals/${id}`, got)
    expect(await amountOf(me, id)).toEqual([200, 'line_items'])
    await me.call(
      'PATCH',
      `/api/deals/${id}`,
      { amount: 1 },
      { 'content-type': 'application/merge-patch+json' },
    )
    expect(await amountOf(me, id)).toEqual([1, 'manual'])

    await me.put(`/api/deals/${id}`, { amount: null })
    const edit = await me.post('/api/deals/bulk-update', { ids: [id], set: { amount: 7 } })
    expect(await amountOf(me, id)).toEqual([7, 'manual'])
    await put([{ product_id: plan.id, quantity: 4 }])
    expect((await me.post(`/api/operations/${edit.body.operation_id}/undo`)).status).toBe(200)
    expect(await amountOf(me, id)).toEqual([400, 'line_items'])
  })

  it('are in the currency of the deal', async () => {
    const me = await account()
    const { plan, id, put } = await setup(me, { currency: 'JPY' })
    const refused = await put([{ product_id: plan.id }])
    expect(refused.body.detail[0]).toMatchObject({
      type: 'value_error',
      loc: ['body', 0, 'unit_price'],
      msg: 'Value error, the product’s price is in EUR: give a unit_price in JPY',
    })
    const taken = await put([{ product_id: plan.id, unit_price: 15_001, discount: 50 }])
    expect(taken.body).toMatchObject([{ currency: 'JPY', net_amount: 7501 }])
    expect(await amountOf(me, id)).toEqual([7501, 'line_items'])
    // another currency would make these prices others
    const other = await me.put(`/api/deals/${id}`, { currency: 'EUR', name: 'Other' })
    expect([other.status, other.body.detail[0]]).toMatchObject([
      422,
      {
        type: 'value_error',
        loc: ['body', 'currency'],
        msg: 'Value error, the line items of the deal have prices in JPY: remove them first, and set them again with prices in EUR',
      },
    ])
    expect((await me.put(`/api/deals/${id}`, { currency: 'jpy', name: 'Same' })).body.name).toBe('Same')
    const bulk = await me.post('/api/deals/bulk-update', { ids: [id], set: { currency: 'EUR' } })
    expect(bulk.status).toBe(422)
    expect(await amountOf(me, id)).toEqual([7501, 'line_items'])
    await put([])
    expect((await me.put(`/api/deals/${id}`, { currency: 'EUR' })).body.currency).toBe('EUR')
    expect((await put([{ product_id: plan.id }])).body).toMatchObject([{ currency: 'EUR', unit_price: 100 }])
  })

  it('refuse invalid input and write nothing', async () => {
    const me = await account()
    const stranger = await account()
    const { plan, id, put } = await setup(me)
    const free = await me.create('/api/products', { name: 'Free of a price' })
    const foreign = await stranger.create('/api/products', { name: 'Theirs', unit_price: 1 })
    for (const [line, loc, type] of [
      [{ product_id: newId() }, ['product_id'], 'reference_not_found'],
      [{ product_id: foreign.id }, ['product_id'], 'reference_not_found'],
      [{ id: newId(), product_id: plan.id }, ['id'], 'reference_not_found'],
      [{ product_id: free.id }, ['unit_price'], 'value_error'],
      [{ unit_price: 5 }, ['name'], 'value_error'],
      [{ name: 'x' }, ['unit_price'], 'value_error'],
      [{ product_id: plan.id, quantity: -1 }, ['quantity'], 'greater_than_equal'],
      [{ product_id: plan.id, discount: 101 }, ['discount'], 'less_than_equal'],
      [{ product_id: plan.id, tax: 'x' }, ['tax'], 'float_parsing'],
    ] as const) {
      const answer = await put([{ product_id: plan.id }, line])
      expect([answer.status, answer.body.detail[0].loc, answer.body.detail[0].type], String(loc)).toEqual([
        422,
        ['body', 1, ...loc],
        type,
      ])
    }
    expect((await put([{ name: 'x', quantity: 1e9, unit_price: 1e12 }])).status).toBe(422)
    expect((await me.get(`/api/deals/${id}/line-items`)).body).toEqual([])
    const path = `/api/deals/${id}/line-items`
    expect((await stranger.get(path)).status).toBe(404)
    expect((await stranger.put(path, [])).status).toBe(404)
    await me.delete(`/api/deals/${id}`)
    expect((await put([])).status).toBe(404)
  })

  it('lead from deals to products and back, and are in both timelines', async () => {
    const me = await account()
    const { plan, box, id, put } = await setup(me)
    await put([{ product_id: plan.id, quantity: 2 }])
    await put([{ product_id: plan.id, quantity: 3 }])
    const ids = async (path: string) => (await me.get(path)).body.items.map((item: Item) => item.id)
    expect(await ids(`/api/deals?product_id=${plan.id}`)).toEqual([id])
    expect(await ids(`/api/deals?product_id=${box.id}`)).toEqual([])
    expect(await ids(`/api/products/${plan.id}/deals`)).toEqual([id])
    const found = async (entity: string, where: Item) =>
      (await me.post('/api/query', { entity, where })).body.items.map((item: Item) => item.name)
    expect(await found('deal', { some: 'products', where: { field: 'name', value: 'Plan' } })).toEqual([
      'Deal',
    ])
    expect(await found('product', { none: 'deals' })).toEqual(['Box'])

    const [changed, , linked] = (await me.get(`/api/products/${plan.id}/timeline`)).body.items
    expect(changed ?? linked).toMatchObject({ related: { entity_type: 'deal', id, name: 'Deal' } })
    const entries = (await me.get(`/api/deals/${id}/timeline`)).body.items
    expect(entries.map((entry: Item) => entry.type).sort()).toEqual(
      ['created', 'link_changed', 'linked', 'updated', 'updated'].sort(),
    )
    expect(entries.find((entry: Item) => entry.type === 'link_changed')).toMatchObject({
      changes: [{ field: 'quantity', from: 2, to: 3 }],
      related: { entity_type: 'product', id: plan.id, name: 'Plan' },
    })
  })

  it('remain when their product is in the trash', async () => {
    const me = await account()
    const { plan, id, put } = await setup(me)
    const made = (await put([{ product_id: plan.id }])).body
    await me.delete(`/api/products/${plan.id}`)
    expect((await me.get(`/api/deals/${id}/line-items`)).body).toEqual(made)
    expect((await put(made)).body).toEqual(made)
    expect(await amountOf(me, id)).toEqual([100, 'line_items'])
    expect((await put([{ product_id: plan.id }, { product_id: plan.id }])).status).toBe(422)
  })
})
