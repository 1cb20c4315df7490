/** Files with products, as other systems write them. */
import { expect, it } from 'vitest'
import { type Item, onAnyEngine } from '../../../../test/support/service.ts'
import { errorsOf, imported } from './testing.ts'

onAnyEngine('an import of products', account => {
  it('recognises the columns, reads prices with their currency, and finds products again by their sku', async () => {
    const me = await account()
    const file = [
      'Product name,Product code,Price,Billing frequency,Active',
      'Plan,PL-1,"€1,200.50",monthly,yes',
      'Box,BX-1,$9.99,one_time,no',
      'Bad,BD-1,-5,never,no',
    ].join('\n')
    const first = await imported(me, file, { entity_type: 'product' })
    expect(first).toMatchObject({ status: 'completed', created_count: 2, error_count: 1 })
    expect((await errorsOf(me, first.id)).map((error: Item) => error.field).sort()).toEqual([
      'billing_period',
      'unit_price',
    ])
    const { items } = (await me.get('/api/products?sort_by=name&sort_order=asc')).body
    expect(items).toMatchObject([
      {
        name: 'Box',
        sku: 'BX-1',
        unit_price: 9.99,
        currency: 'USD',
        billing_period: 'one_time',
        active: false,
      },
      {
        name: 'Plan',
        sku: 'PL-1',
        unit_price: 1200.5,
        currency: 'EUR',
        billing_period: 'monthly',
        active: true,
      },
    ])
    const again = await imported(me, 'name,sku,price\nPlan plus,pl-1,1300\n', {
      entity_type: 'product',
      options: { duplicate_strategy: 'update' },
    })
    expect(again).toMatchObject({ created_count: 0, updated_count: 1 })
    expect((await me.get('/api/products?sku=PL-1')).body.items[0]).toMatchObject({
      ...{ id: items[1].id, name: 'Plan plus', unit_price: 1300, currency: 'EUR' },
    })
  })
})
