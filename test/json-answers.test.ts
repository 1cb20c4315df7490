/** Answers that are written from the bytes of the database are those of the operations as values. */
import { expect, it } from 'vitest'
import { pathOf } from '../src/kernel/general-endpoints.ts'
import { jsonOf } from '../src/kernel/json-answer.ts'
import { resources } from '../src/resources/index.ts'
import { examples } from './support/examples.ts'
import { contextOf, onBothEngines } from './support/service.ts'

const TEXT = 'a "quote", a \\, a\nline, \u0001, é李🦄'
const further: Record<string, object> = {
  '/api/companies': {
    ...{
      domains: ['one.example', 'two.example'],
      description: TEXT,
      annual_revenue: 1234.5,
      employee_count: 7,
    },
    ...{ metadata: { b: 1.5e300, a: [TEXT, null, { 10: true, 9: [] }] }, enrichment: { a: TEXT } },
    categories: ['Customer', TEXT],
  },
  '/api/contacts': { emails: [{ email: 'ann@example.com' }], metadata: { a: { b: TEXT } } },
  '/api/deals': { amount: 99.9, metadata: { a: [] } },
  '/api/notes': { content: TEXT },
}

onBothEngines('the answer of the database as text', account => {
  const cases = resources
    .filter(resource => examples[pathOf(resource)])
    .map(resource => ({ path: pathOf(resource), resource }))

  it.each(cases)('$path: get and list', async ({ path, resource: { operations } }) => {
    const me = await account()
    const ctx = contextOf(me)
    const ids: string[] = []
    for (let n = 1; n <= 3; n++) {
      const body = await examples[path]!.body(me, n)
      ids.push((await me.create(path, n === 1 ? body : { ...body, ...further[path] })).id)
    }
    await me.post('/api/favorites', { entity_type: 'company', entity_id: ids[0] })
    for (const id of ids) {
      const value = await operations.get(ctx, id)
      expect((await jsonOf(operations.get)?.(ctx, id))?.toString() ?? '').toBe(
        jsonOf(operations.get) ? JSON.stringify(value) : '',
      )
    }
    await me.delete(`${path}/${ids[2]}`)
    for (const query of [{}, { page: 2 }, { deleted: true }, { cursor: '' }, { sort_by: 'updated_at' }]) {
      const params = { page: 1, page_size: 1, ...query }
      const text = await jsonOf(operations.list)?.(ctx, params)
      if (text) expect(text.toString()).toBe(JSON.stringify(await operations.list(ctx, params)))
    }
  })

  // The ETag is a hash of the text. With an Idempotency-Key the text is also stored.
  it.each(cases)('$path: create and update', async ({ path, resource: { operations, record } }) => {
    const me = await account()
    const ctx = contextOf(me)
    const { create, update } = { create: jsonOf(operations.create), update: jsonOf(operations.update) }
    const bodyOf = async (n: number) => ({ ...(await examples[path]!.body(me, n)), ...further[path] })
    if (create) {
      const key = { 'idempotency-key': 'one' }
      const body = await bodyOf(1)
      const created = await me.post(path, body, key)
      expect([created.status, created.headers.get('etag')]).toEqual([
        201,
        (await me.get(`${path}/${created.body.id}`)).headers.get('etag'),
      ])
      expect((await me.post(path, body, key)).text).toBe(created.text)
    }
    if (update) {
      const { id } = await me.create(path, await bodyOf(2))
      const text = await update(ctx, id, {})
      expect(text.toString()).toBe(JSON.stringify(await operations.get(ctx, id)))
      await expect(update(ctx, me.accountId, {})).rejects.toThrow(`${record.label} not found`)
    }
  })

  it('is used for the kinds of record that people work with', () => {
    const withText = cases.filter(({ resource }) => jsonOf(resource.operations.get))
    expect(withText.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/api/companies', '/api/contacts', '/api/deals', '/api/activities']),
    )
  })
})
