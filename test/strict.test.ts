/** `Prefer: handling=strict`, the endpoints that are always strict, and the one filter language. */
import { expect, it } from 'vitest'
import { pathOf } from '../src/kernel/general-endpoints.ts'
import { resources } from '../src/resources/index.ts'
import { examples } from './support/examples.ts'
import { type Account, onAnyEngine } from './support/service.ts'

const STRICT = { prefer: 'handling=strict' }
const cases = resources.filter(resource => examples[pathOf(resource)]).map(pathOf)
const problem = ({ status, body }: Awaited<ReturnType<Account['get']>>) => [
  status,
  body.detail?.[0]?.type,
  body.detail?.[0]?.loc,
  body.detail?.[0]?.ctx?.suggestion,
]

onAnyEngine('strict handling', account => {
  it.each(cases)('%s: refuses unknown keys and parameters on request', async path => {
    const me = await account()
    const { body, change } = examples[path]!
    const input = await body(me, 1)
    const before = (await me.get(path)).body.total
    const refused = await me.post(path, { ...input, nonsense_key: 1 }, STRICT)
    expect(problem(refused)).toEqual([422, 'extra_forbidden', ['body', 'nonsense_key'], undefined])
    expect(refused.headers.get('preference-applied')).toBe('handling=strict')
    expect((await me.get(path)).body.total).toBe(before)

    const made = await me.post(path, input, STRICT)
    expect(made.status).toBe(201)
    expect(made.headers.get('preference-applied')).toBe('handling=strict')
    const one = `${path}/${made.body.id}`
    expect((await me.put(one, change, STRICT)).status).toBe(200)
    const readOnly = await me.put(one, { ...change, created_at: made.body.created_at }, STRICT)
    expect(problem(readOnly)).toEqual([422, 'extra_forbidden', ['body', 'created_at'], undefined])
    expect(readOnly.body.detail[0].msg).toContain('read-only')
    expect(problem(await me.call('PATCH', one, { nonsense_key: 1 }, STRICT))[0]).toBe(422)

    expect(problem(await me.get(`${path}?page_sise=1`, STRICT))).toEqual([
      422,
      'extra_forbidden',
      ['query', 'page_sise'],
      'page_size',
    ])
    expect((await me.get(`${path}?page=1&page=2`, STRICT)).status).toBe(422)
    expect((await me.get(`${path}?page=1&ids=${made.body.id}&ids=${made.body.id}`, STRICT)).status).toBe(200)
    expect((await me.get(`${one}?fields=id`, STRICT)).status).toBe(422)

    // without the preference, or under another, everything is as the contract has it
    for (const headers of [{}, { prefer: 'handling=lenient' }]) {
      const answers = [
        await me.put(one, { ...change, nonsense_key: 1, created_at: null }, headers),
        await me.get(`${path}?page_sise=1&constructor=1&__proto__=1&toString=x`, headers),
        await me.get(`${path}?page=2&page=1`, headers),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(answers[0]!.headers.get('preference-applied')).toBeNull()
    }
  })

  it('suggests the nearest key, at any depth, and accepts any key in free objects', async () => {
    const me = await account()
    const company = (body: object) => me.post('/api/companies', { name: 'Acme', ...body }, STRICT)
    expect(problem(await company({ indutsry: 'x' }))[3]).toBe('industry')
    expect(problem(await company({ companySize: '1-10' }))[3]).toBe('company_size')
    expect((await company({ custom_fields: { a: 1 } })).body.detail[0].msg).toContain('read-only')
    expect((await company({ metadata: { anything: { at: 'all' } } })).status).toBe(201)
    const contact = (body: object) => me.post('/api/contacts', { first_name: 'Ann', ...body }, STRICT)
    expect(problem(await contact({ emails: [{ email: 'a@b.co', tpye: 'work' }] }))).toEqual([
      422,
      'extra_forbidden',
      ['body', 'emails', 0, 'tpye'],
      'type',
    ])
    // together with everything else that is wrong, and after it
    const both = await company({ employee_count: -1, nonsense: 1 })
    expect(both.body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual([
      'employee_count',
      'nonsense',
    ])
    const merge = { ...STRICT, 'content-type': 'application/merge-patch+json' }
    const { id } = await me.create('/api/companies', { name: 'Acme' })
    const patch = (body: object) => me.call('PATCH', `/api/companies/${id}`, JSON.stringify(body), merge)
    expect((await patch({ metadata: { x: null, y: 1 } })).status).toBe(200)
    expect(problem(await patch({ metdata: {} }))[3]).toBe('metadata')
  })

  it('accepts cf.<key> only where a list has custom fields', async () => {
    const me = await account()
    expect((await me.get('/api/companies?cf.tier=gold&cf.n__gte=1', STRICT)).status).toBe(200)
    expect((await me.get('/api/companies?cf.=gold', STRICT)).status).toBe(422)
    expect((await me.get('/api/tags?cf.tier=gold', STRICT)).status).toBe(422)
  })

  it('is always on for queries, bulk changes, exports and imports', async () => {
    const me = await account()
    await me.create('/api/companies', { name: 'Acme' })
    const set = { status: 'lead' }
    for (const [path, body, loc] of [
      ['companies/query', { filter: { status: 'lead' } }, ['body', 'filter']],
      ['companies/query', { where: { feild: 'name', value: 'x' } }, ['body', 'where', 'feild']],
      ['companies/query', { where: { field: 'name', valu: 'x' } }, ['body', 'where', 'valu']],
      ['companies/query', { where: { and: [], or: [] } }, ['body', 'where', 'or']],
      ['companies/query', { sort_by: 'nonsense' }, ['body', 'sort_by']],
      ['companies/bulk-update', { ids: [], set, nonsense: 1 }, ['body', 'nonsense']],
      ['companies/bulk-update', { ids: [], set: { staus: 'lead' } }, ['body', 'set', 'staus']],
      ['companies/bulk-update', { filter: { staus: 'lead' }, set }, ['body', 'filter', 'staus']],
      ['companies/bulk-update', { filter: { deleted: true }, set }, ['body', 'filter', 'deleted']],
      ['companies/bulk-update', { where: { field: 'staus', value: 1 }, set }, ['body', 'where', 'field']],
      ['companies/bulk-update', { where: {}, set }, ['body', 'where', 'field']],
      ['companies/bulk-update', { ids: [], where: { and: [] }, set }, ['body']],
      ['exports', { entity_type: 'company', filters: {} }, ['body', 'filters']],
      ['exports', { entity_type: 'company', filter: { staus: 'lead' } }, ['body', 'filter', 'staus']],
      ['exports', { entity_type: 'company', filter: { page: 1 } }, ['body', 'filter', 'page']],
      ['exports', { entity_type: 'company', where: { field: 'x' } }, ['body', 'where', 'field']],
      ['exports', { entity_type: 'account', filter: { status: 'lead' } }, ['body']],
    ] as const) {
      const answer = await me.post(`/api/${path}`, body)
      expect([answer.status, answer.body.detail[0].loc], JSON.stringify(body)).toEqual([422, loc])
    }
    expect((await me.get('/api/companies')).body.items[0].status).toBeNull()
    expect((await me.get('/api/exports')).body.total).toBe(0)
  })

  it('refuses unknown parts of an upload', async () => {
    const me = await account()
    const upload = (fields: Record<string, string>, fileName = 'file') => {
      const form = new FormData()
      form.append(fileName, new Blob(['Name\nAcme\n']), 'companies.csv')
      for (const [name, value] of Object.entries({ entity_type: 'company', ...fields }))
        form.append(name, value)
      return me.post('/api/imports', form)
    }
    expect((await upload({})).status).toBe(201)
    expect(problem(await upload({ entitytype: 'x' }))).toEqual([
      422,
      'extra_forbidden',
      ['body', 'entitytype'],
      'entity_type',
    ])
    expect(problem(await upload({}, 'upload'))[0]).toBe(422)
    expect(problem(await upload({ options: '{"duplicate_strateg": "skip"}' }))).toEqual([
      422,
      'extra_forbidden',
      ['body', 'options', 'duplicate_strateg'],
      'duplicate_strategy',
    ])
    expect((await me.get('/api/imports')).body.total).toBe(1)
  })

  it('selects the same records by the same `where` in every endpoint', async () => {
    const me = await account()
    const acme = await me.create('/api/companies', { name: 'Acme', country: 'AT' })
    const beta = await me.create('/api/companies', { name: 'Beta', country: 'DE' })
    for (const [name, company_id, amount] of [
      ['A', acme.id, 10],
      ['B', beta.id, 20],
      ['C', beta.id, 30],
    ]) {
      await me.create('/api/deals', { name, company_id, amount })
    }
    const where = {
      and: [{ field: 'company.country', value: 'DE' }, { not: { field: 'amount', op: 'gt', value: 25 } }],
    }
    const queried = await me.post('/api/deals/query', { where })
    expect(queried.body.items.map(({ name }: { name: string }) => name)).toEqual(['B'])

    const changed = await me.post('/api/deals/bulk-update', { where, set: { next_step: 'Call' } })
    expect(changed.body.updated).toBe(1)
    expect((await me.get('/api/deals?search=Call')).body.items).toMatchObject([{ name: 'B' }])
    const filter = { amount_gte: 15 }
    const both = await me.post('/api/deals/bulk-update', { where, filter, set: { next_step: 'Write' } })
    expect(both.body.updated).toBe(1)

    const fields = ['name']
    const started = await me.post('/api/exports', { entity_type: 'deal', format: 'json', fields, where })
    expect(started).toMatchObject({ status: 202, body: { where } })
    const file = `/api/exports/${started.body.id}/download`
    await expect.poll(async () => (await me.get(file)).status).toBe(200)
    expect(JSON.parse((await me.get(file)).text)).toEqual({ name: 'B' })
  })
})
