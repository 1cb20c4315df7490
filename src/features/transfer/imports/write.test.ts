/** Rows of every kind are written as sets, by the rules of their resource. */
import pg from 'pg'
import { afterEach, expect, it, vi } from 'vitest'
import { type Item, onAnyEngine } from '../../../../test/support/service.ts'
import { errorsOf, imported } from './testing.ts'

afterEach(() => vi.restoreAllMocks())

const deal = { entity_type: 'deal', options: { duplicate_strategy: 'update', match_on: 'name' } }

onAnyEngine('rows as sets', account => {
  it('adds custom values to those of a deal, and does not write a record without changes', async () => {
    const me = await account()
    const old = await me.create('/api/deals', { name: 'Old', amount: 5, metadata: { a: '1', b: '2' } })
    const mapping = { name: 'name', amount: 'amount', b: 'cf.b' }
    const file = 'name,amount,b\nOld,5,3\nNew,7,4\n'
    expect(await imported(me, file, { ...deal, mapping })).toMatchObject({
      ...{ created_count: 1, updated_count: 1, skipped_count: 0, error_count: 0 },
    })
    expect((await me.get(`/api/deals/${old.id}`)).body.metadata).toEqual({ a: '1', b: '3' })
    const { updated_at } = (await me.get(`/api/deals/${old.id}`)).body
    expect(await imported(me, file, { ...deal, mapping })).toMatchObject({
      updated_count: 0,
      skipped_count: 2,
    })
    expect((await me.get(`/api/deals/${old.id}`)).body.updated_at).toBe(updated_at)
  })

  it('fails the rows alone that a rule of the resource refuses', async () => {
    const me = await account()
    const file =
      'subject,type,start_at,end_at\nGood,call,2024-05-01T10:00Z,2024-05-01T11:00Z\nBad,call,2024-05-02T10:00Z,2024-05-01T11:00Z\n'
    const result = await imported(me, file, { entity_type: 'activity' })
    expect(result).toMatchObject({ created_count: 1, error_count: 1 })
    expect(await errorsOf(me, result.id)).toMatchObject([{ row: 3, field: 'end_at' }])
    expect((await me.get('/api/activities')).body.items.map(({ subject }: Item) => subject)).toEqual(['Good'])
  })

  it.each([
    ['deal', 'deals', 'name,amount', (i: number) => `Deal ${i},${i}`],
    ['activity', 'activities', 'subject,type', (i: number) => `Call ${i},call`],
    ['product', 'products', 'name,sku', (i: number) => `Product ${i},S-${i}`],
    ['company', 'companies', 'name,domains', (i: number) => `Company ${i},c${i}.example`],
  ])('%s: as many statements for fifty rows as for two', async (entity_type, table, head, line) => {
    const me = await account()
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    const count = async (from: number, rows: number) => {
      asked.mockClear()
      const lines = Array.from({ length: rows }, (_, i) => line(from + i))
      const result = await imported(me, [head, ...lines, ''].join('\n'), { entity_type })
      expect(result).toMatchObject({ created_count: rows, error_count: 0 })
      const texts = asked.mock.calls.map(([what]) => (what as { text?: string }).text ?? '')
      return texts.filter(text => /^\s*(insert|update|delete)/.test(text) && text.includes(`"${table}"`))
        .length
    }
    expect(await count(0, 2)).toBe(await count(100, 50))
  })
})
