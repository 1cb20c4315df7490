/** A set of records is written with a few statements, and comes out as if each had been written alone, in order. */
import pg from 'pg'
import { afterEach, expect, it, vi } from 'vitest'
import { type Account, type Item, onAnyEngine } from '../../../../test/support/service.ts'
import { newId } from '../../../kernel/ids.ts'

const create = (record: Item) => ({ action: 'create', record })
const update = (id: string, record: Item) => ({ action: 'update', id, record })
const upsert = (match_on: string, record: Item) => ({ action: 'upsert', match_on, record })

afterEach(() => vi.restoreAllMocks())

/** Records that the cases below name. */
interface Others {
  company: Item
  second: Item
  contact: Item
  user: string
}

const TIME = '2024-05-01T10:00:00.000Z'

/** For each kind, records that take different columns and rules, and a change of each. */
const CASES: [group: string, records: (others: Others) => [created: Item, changed: Item][]][] = [
  [
    'companies',
    ({ contact }) => [
      [{ name: 'Plain' }, { industry: 'Software' }],
      [
        { name: 'Full', domains: 'full.example', metadata: { a: 1 }, categories: ['vip'] },
        { metadata: { b: [2] } },
      ],
      [{ name: 'Team', team_ids: [contact.id] }, { team_ids: [] }],
      [
        { name: 'List', domains: ['list.example'], annual_revenue: 1.5 },
        { domains: null, categories: ['VIP', 'new'] },
      ],
    ],
  ],
  [
    'contacts',
    ({ company, second, user }) => [
      [{ first_name: 'Ann' }, { last_name: 'Lee', owner_id: user }],
      [{ email: 'a@example.com', phone: '+43 1 234' }, { emails: [{ email: 'b@example.com' }] }],
      [{ last_name: 'Team', company_id: company.id }, { company_id: second.id }],
      [
        { last_name: 'Teams', company_ids: [company.id, second.id], birthday: '1990-01-31' },
        { company_ids: [second.id], do_not_contact: true },
      ],
    ],
  ],
  [
    'deals',
    ({ company, second, contact, user }) => [
      [{ name: 'Plain' }, { amount: 5 }],
      [{ name: 'Linked', company_id: company.id, primary_contact_id: contact.id }, { company_id: second.id }],
      [
        { name: 'Owned', owner_id: user, currency: 'usd' },
        { probability: 12, metadata: { a: 1 } },
      ],
      [
        { name: 'All', associated_company_ids: [company.id] },
        { associated_company_ids: [second.id, company.id] },
      ],
    ],
  ],
  [
    'activities',
    ({ contact, company, user }) => [
      [{ type: 'call', subject: 'Plain' }, { title: 'Titled' }],
      [{ type: 'task', title: 'Title', assignee_id: user }, { status: 'completed' }],
      [
        { type: 'meeting', subject: 'Span', start_at: TIME, contact_ids: [contact.id] },
        { end_at: '2024-05-01T11:00:00Z' },
      ],
      [
        { type: 'email', subject: 'Links', company_ids: [company.id] },
        { company_ids: [], contact_ids: [contact.id] },
      ],
    ],
  ],
  [
    'notes',
    ({ contact, company }) => [
      [{ content: 'Plain' }, { is_pinned: true }],
      [
        { content: 'On', entity_type: 'contact', entity_id: contact.id },
        { entity_type: 'company', entity_id: company.id },
      ],
      [{ content: 'Links', company_ids: [company.id] }, { contact_ids: [contact.id] }],
      [
        { content: 'Off', entity_type: 'company', entity_id: company.id },
        { entity_type: null, entity_id: null },
      ],
    ],
  ],
  [
    'products',
    () => [
      [{ name: 'Plain' }, { unit_price: 5 }],
      [{ name: 'Coded', sku: 'A-1', currency: 'USD' }, { sku: 'A-2' }],
      [
        { name: 'Off', active: false, categories: ['x'] },
        { active: true, metadata: { a: null } },
      ],
    ],
  ],
]

/** What differs between any two records, or between two accounts. */
const OWN = [
  ...['id', 'account_id', 'created_at', 'updated_at', 'completed_at', 'stage_entered_at', 'position'],
  ...['pipeline_id', 'pipeline', 'stage_id', 'stage'],
]
const shown = (record: Item): Item =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !OWN.includes(name)))

async function others(me: Account): Promise<Others> {
  const [company, second, contact] = [
    await me.create('/api/companies', { name: 'Acme' }),
    await me.create('/api/companies', { name: 'Second' }),
    await me.create('/api/contacts', { first_name: 'Bea' }),
  ]
  return { company, second, contact, user: me.userId }
}

/** With names instead of ids, which differ between two accounts. */
const named = (record: Item, { company, second, contact, user }: Others): Item =>
  JSON.parse(
    [company, second, contact].reduce(
      (text, other) => text.replaceAll(other.id, other.name ?? 'Bea'),
      JSON.stringify(shown(record)).replaceAll(user, 'me'),
    ),
  )

onAnyEngine('sets', account => {
  it.each(CASES)('%s: a batch has the same result as single requests', async (group, records) => {
    const [one, set] = [await account(), await account()]
    const [here, there] = [await others(one), await others(set)]
    const path = `/api/${group}`
    const read = async (me: Account, ids: string[], names: Others) => {
      const found = []
      for (const id of ids) found.push(named((await me.get(`${path}/${id}`)).body, names))
      const people = (await me.get(`/api/contacts/${names.contact.id}`)).body
      return [...found, named({ company_id: people.company_id, company_ids: people.company_ids }, names)]
    }
    const ids: string[] = []
    for (const [record] of records(here)) ids.push((await one.create(path, record)).id)
    const made = await set.post(`${path}/batch`, { items: records(there).map(([record]) => create(record)) })
    expect(made.body).toMatchObject({ created: ids.length, failed: 0 })
    const madeIds: string[] = made.body.results.map(({ id }: Item) => id)
    // The company of the person is one of the set, with an id of its own.
    const isSame = async () => {
      const [first, second] = [await read(one, ids, here), await read(set, madeIds, there)]
      const byPlace = (value: unknown, own: string[]) =>
        JSON.parse(own.reduce((text, id, i) => text.replaceAll(id, `#${i}`), JSON.stringify(value)))
      expect(byPlace(second, madeIds)).toEqual(byPlace(first, ids))
    }
    await isSame()
    for (const [i, [, change]] of records(here).entries()) {
      expect((await one.put(`${path}/${ids[i]}`, change)).status).toBe(200)
    }
    const changes = records(there).map(([, change], i) => update(madeIds[i] ?? '', change))
    expect((await set.post(`${path}/batch`, { items: changes })).body).toMatchObject({ updated: ids.length })
    await isSame()
  })

  it.each([
    ['companies', (i: number) => ({ name: `C${i}`, metadata: { i } }), 'name'],
    ['contacts', (i: number) => ({ email: `p${i}@example.com`, first_name: `P${i}` }), 'email'],
    ['deals', (i: number) => ({ name: `D${i}`, amount: i, probability: i % 100 }), 'name'],
    ['activities', (i: number) => ({ type: 'call', subject: `A${i}`, start_at: TIME }), 'subject'],
    ['notes', (i: number) => ({ title: `N${i}`, content: 'x', contact_ids: [] }), 'title'],
    ['products', (i: number) => ({ name: `P${i}`, sku: `S${i}` }), 'name'],
  ])('%s: uses as many statements for forty records as for two', async (group, record, key) => {
    const me = await account()
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    const count = async (items: unknown[]) => {
      asked.mockClear()
      const answer = await me.post(`/api/${group}/batch`, { items })
      expect(answer.body, answer.text).toMatchObject({ failed: 0 })
      const statements = asked.mock.calls.map(([what]) => (what as { text?: string }).text ?? '')
      const own = statements.filter(text => text.includes(`"${group}"`)).length
      return { own, ids: answer.body.results.map(({ id }: Item) => id) as string[] }
    }
    const items = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => record(from + i))
    const two = await count(items(0, 2).map(create))
    const forty = await count(items(10, 50).map(create))
    expect(forty.own).toBe(two.own)
    const changeTwo = await count(items(110, 112).map((one, i) => update(two.ids[i] ?? '', one)))
    const changeForty = await count(items(120, 160).map((one, i) => update(forty.ids[i] ?? '', one)))
    expect(changeForty.own).toBe(changeTwo.own)
    const upsertTwo = await count(items(110, 112).map(one => upsert(key, one)))
    const upsertForty = await count(items(120, 160).map(one => upsert(key, one)))
    expect(upsertForty.own).toBe(upsertTwo.own)
  })

  it('writes items about the same record one after the other', async () => {
    const me = await account()
    const { id } = await me.create('/api/contacts', { first_name: 'Old' })
    const emails = [{ email: 'x@example.com' }, { email: 'y@example.com' }]
    const { body } = await me.post('/api/contacts/batch', {
      items: [
        update(id, { job_title: 'First' }),
        update(id, { job_title: 'Second', department: 'Sales' }),
        upsert('email', { email: 'x@example.com', emails }),
        upsert('email', { email: 'z@example.com' }),
        upsert('email', { email: 'Y@example.com', department: 'Legal' }),
      ],
    })
    const status = body.results.map((one: Item) => one.status)
    expect(status).toEqual(['updated', 'updated', 'created', 'created', 'updated'])
    expect(body.results[4].id).toBe(body.results[2].id)
    expect((await me.get(`/api/contacts/${id}`)).body).toMatchObject({
      job_title: 'Second',
      department: 'Sales',
    })
    expect((await me.get('/api/contacts')).body.total).toBe(3)

    const companies = await me.post('/api/companies/batch', {
      items: ['Café', 'Other', 'cafe'].map(name => upsert('name', { name })),
    })
    expect(companies.body).toMatchObject({ created: 2, updated: 1 })
  })

  it('moves a unique value from one record to another in the order of the items', async () => {
    const me = await account()
    await me.create('/api/custom-fields', {
      ...{ entity_type: 'company', name: 'Code', field_type: 'text', is_unique: true },
    })
    const code = (value: string) => ({ metadata: { code: value } })
    const a = await me.create('/api/companies', { name: 'A', ...code('x') })
    const b = await me.create('/api/companies', { name: 'B' })
    const freed = await me.post('/api/companies/batch', {
      items: [update(a.id, code('y')), update(b.id, code('x'))],
    })
    expect(freed.body).toMatchObject({ updated: 2, failed: 0 })
    const taken = await me.post('/api/companies/batch', {
      items: [update(a.id, code('x')), update(b.id, code('z'))],
    })
    expect(taken.body.results).toMatchObject([
      { status: 'failed', errors: [{ type: 'conflict' }] },
      { status: 'updated' },
    ])
    const skus = ['a', 'b', 'A', 'c'].map(sku => create({ name: sku, sku }))
    const products = await me.post('/api/products/batch', { items: skus })
    expect(products.body.results.map((one: Item) => one.status)).toEqual([
      'created',
      'created',
      'failed',
      'created',
    ])
    expect(products.body.results[2].errors[0].msg).toBe('There is a product with the sku "A" already')
  })

  it('leaves nothing behind of an item that fails', async () => {
    const me = await account()
    const { body } = await me.post('/api/companies/batch', {
      items: [
        create({ name: 'Bad', categories: ['Unused'], team_ids: [newId()] }),
        create({ name: 'Good', categories: ['Used'] }),
      ],
    })
    expect(body).toMatchObject({ created: 1, failed: 1 })
    const { body: categories } = await me.get('/api/categories')
    expect(categories.items.map(({ name }: Item) => name)).toEqual(['Used'])
  })

  it('makes the first of several new companies the primary company of a contact', async () => {
    const me = await account()
    const { id } = await me.create('/api/contacts', { first_name: 'Ann' })
    const { body } = await me.post('/api/companies/batch', {
      items: ['A', 'B'].map(name => create({ name, team_ids: [id] })),
    })
    const contact = (await me.get(`/api/contacts/${id}`)).body
    expect(contact.company_id).toBe(body.results[0].id)
    expect(contact.company_ids.map(({ name }: Item) => name).sort()).toEqual(['A', 'B'])
  })

  it('locks a record once for If-Match and a merge patch together', async () => {
    const me = await account()
    const { id } = await me.create('/api/companies', { name: 'A', metadata: { a: 1, b: 2 } })
    const etag = (await me.get(`/api/companies/${id}`)).headers.get('etag') ?? ''
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    const headers = { 'if-match': etag, 'content-type': 'application/merge-patch+json' }
    const patched = await me.call('PATCH', `/api/companies/${id}`, { metadata: { a: null } }, headers)
    expect(patched).toMatchObject({ status: 200, body: { metadata: { b: 2 } } })
    const texts = asked.mock.calls.map(([what]) => (what as { text?: string }).text ?? '')
    expect(texts.filter(text => /"companies".* for update/s.test(text))).toHaveLength(1)
    const stale = await me.call('PATCH', `/api/companies/${id}`, { metadata: { b: null } }, headers)
    expect(stale.status).toBe(412)
  })
})
