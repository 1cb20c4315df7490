import { expect, it } from 'vitest'
import { onAnyEngine, onBothEngines } from '../../../../test/support/service.ts'
import { newId } from '../../../kernel/ids.ts'

type Item = Record<string, unknown>

/** What is set at once and what is set record by record must come out as the single merge patch would have it. */
const CASES: [group: string, made: Item, set: Item][] = [
  [
    'companies',
    { name: 'A', status: 'lead' },
    { status: 'customer', city: null, categories: ['New', 'new'] },
  ],
  ['companies', { name: 'A', metadata: { a: 1 } }, { metadata: { b: 2 }, industry: 'Software' }],
  ['companies', { name: 'A', enrichment: { a: 1, b: 2 } }, { enrichment: { a: null, c: 3 } }],
  ['companies', { name: 'A', external_ids: { attio: 'x' } }, { external_ids: { attio: null } }],
  [
    'contacts',
    { first_name: 'Ann', metadata: { a: 1, b: { c: 1, d: 2 }, e: [1] } },
    { metadata: { a: null, b: { d: null, f: 3 }, e: [2], g: 4 } },
  ],
  ['contacts', { first_name: 'Ann', job_title: 'Buyer' }, { status: 'customer', job_title: null }],
  ['contacts', { first_name: 'Ann', email: 'ann@example.com' }, { first_name: 'Eve', categories: ['vip'] }],
  ['deals', { name: 'Big', amount: 5 }, { amount: 7.5, currency: 'EUR', expected_close_date: '2027-01-31' }],
  ['deals', { name: 'Big' }, { probability: 12 }],
  ['activities', { type: 'task', subject: 'Ring' }, { status: 'completed', priority: 'high' }],
  ['activities', { type: 'task', subject: 'Ring' }, { title: 'Write' }],
  ['notes', { content: 'Hello' }, { is_pinned: true, title: 'Greeting' }],
  ['notes', { content: 'Hello', metadata: { a: 1 } }, { metadata: { b: 2 }, attachments: { c: 3 } }],
  ['products', { name: 'A', metadata: { a: 1 } }, { metadata: { b: 2 } }],
]

/** Without what differs between any two records. */
const told = ({ id, created_at, updated_at, completed_at, stage_entered_at, position, ...rest }: Item) => rest

onAnyEngine('bulk update', account => {
  it.each(CASES)('of %s has the result of updating each: %j, %j', async (group, made, set) => {
    const me = await account()
    const path = `/api/${group}`
    const [one, ...many] = await Promise.all([0, 1, 2].map(n => me.create(path, unlike(made, n))))
    const headers = { 'content-type': 'application/merge-patch+json' }
    const expected = await me.call('PATCH', `${path}/${one.id}`, set, headers)
    expect(expected.status).toBe(200)
    if (set.metadata) expect(expected.body.metadata).not.toEqual(set.metadata)
    const changed = await me.post(`${path}/bulk-update`, { ids: many.map(({ id }) => id), set })
    expect(changed).toMatchObject({ status: 200, body: { updated: 2 } })
    for (const [i, { id, updated_at }] of many.entries()) {
      const { body } = await me.get(`${path}/${id}`)
      expect({ ...told(body), ...addresses(expected.body) }).toEqual(told(expected.body))
      expect(body.updated_at >= updated_at).toBe(true)
      if (made.email && !set.email) expect(body.email).toBe(`${i + 1}${made.email}`)
    }
    await me.post(`/api/operations/${changed.body.operation_id}/undo`)
    for (const before of many) {
      const { body } = await me.get(`${path}/${before.id}`)
      expect({ ...body, updated_at: '' }).toEqual({ ...before, updated_at: '' })
    }
  })

  it('sets one custom field of records with different others, or removes it', async () => {
    const me = await account()
    await me.create('/api/custom-fields', {
      ...{ entity_type: 'company', name: 'Tier', field_type: 'select', is_required: true },
      options: ['A', 'B'].map(value => ({ value, label: value })),
    })
    const all = [{ tier: 'A', a: 1 }, { tier: 'B', b: 2 }, { tier: 'A' }]
    const ids: string[] = []
    for (const [i, metadata] of all.entries())
      ids.push((await me.create('/api/companies', { name: `C${i}`, metadata })).id)
    const bulk = (metadata: Item) => me.post('/api/companies/bulk-update', { ids, set: { metadata } })
    const stored = async () =>
      Promise.all(ids.map(async id => (await me.get(`/api/companies/${id}`)).body.metadata))
    expect((await bulk({ region: 'DACH' })).body.updated).toBe(3)
    expect(await stored()).toEqual(all.map(metadata => ({ ...metadata, region: 'DACH' })))
    await bulk({ region: null, b: null })
    expect(await stored()).toEqual([{ tier: 'A', a: 1 }, { tier: 'B' }, { tier: 'A' }])
    for (const tier of [null, 'C']) {
      const refused = await bulk({ tier })
      expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'set', 'metadata', 'tier']])
    }
    const large = await bulk({ note: 'x'.repeat(300_000) })
    expect([large.status, large.body.detail[0].loc]).toEqual([422, ['body', 'set', 'metadata']])
  })

  it('sets the owner of many records, who must be a member', async () => {
    const me = await account()
    const other = await account()
    const ids = []
    for (const first_name of ['A', 'B', 'C']) ids.push((await me.create('/api/contacts', { first_name })).id)
    for (const owner_id of [newId(), other.userId]) {
      const refused = await me.post('/api/contacts/bulk-update', { ids, set: { owner_id } })
      expect(refused.status).toBe(422)
      expect(refused.body.detail[0]).toMatchObject({
        type: 'reference_not_found',
        loc: ['body', 'set', 'owner_id'],
      })
    }
    await me.post('/api/contacts/bulk-update', { ids, set: { owner_id: me.userId } })
    expect((await me.get(`/api/contacts?owner_id=${me.userId}`)).body.total).toBe(3)
    // Another account's records are none of ours.
    const none = await other.post('/api/contacts/bulk-update', { ids, set: { status: 'customer' } })
    expect(none.body.updated).toBe(0)
    expect((await me.get('/api/contacts?status=customer')).body.total).toBe(0)
  })
})

onAnyEngine('bulk update of every record', account => {
  const set = { industry: 'Software' }
  const every = { and: [] }

  it.each([
    [{ filter: {} }, ['body', 'filter']],
    [{ filter: { search: ' ' } }, ['body', 'filter']],
    [{ where: every }, ['body', 'where']],
    [{ where: every, filter: {} }, ['body', 'where']],
    [{ where: { and: [every, every] } }, ['body', 'where']],
    [{ where: { or: [every, { field: 'city', op: 'eq', value: 'Rome' }] } }, ['body', 'where']],
    [{ where: { not: { or: [] } } }, ['body', 'where']],
    [{ where: { every: 'deals', where: every } }, ['body', 'where']],
    [{}, ['body']],
    [{ all: false }, ['body']],
    [{ all: true, filter: { country: 'IT' } }, ['body']],
    [{ all: true, ids: [] }, ['body']],
  ])('is refused for %j', async (selection, loc) => {
    const me = await account()
    await me.create('/api/companies', { name: 'A' })
    const refused = await me.post('/api/companies/bulk-update', { ...selection, set })
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc }] } })
    expect(refused.body.detail[0].msg).toContain('"all": true')
    expect((await me.get('/api/companies?industry=Software')).body.total).toBe(0)
  })

  it('takes all: true, or a condition', async () => {
    const me = await account()
    for (const country of ['IT', 'NO']) await me.create('/api/companies', { name: country, country })
    const update = async (selection: object) =>
      (await me.post('/api/companies/bulk-update', { ...selection, set })).body.updated
    expect(await update({ where: { or: [] } })).toBe(0)
    expect(await update({ where: every, filter: { country: 'IT' } })).toBe(1)
    expect(await update({ where: { field: 'country', op: 'eq', value: 'IT' }, filter: {} })).toBe(1)
    expect(await update({ ids: [newId()] })).toBe(0)
    expect(await update({ all: true })).toBe(2)
    const { key } = await me.create('/api/api-keys', { name: 'Writer', scopes: ['companies:write'] })
    const refused = await me.post('/api/companies/bulk-update', { all: true, set }, { 'x-api-key': key })
    expect(refused.status).toBe(403)
  })
})

onBothEngines('bulk update of many records', account => {
  /** More than the embedded engine changes in one transaction, in the order of their ids. */
  async function companies() {
    const me = await account()
    const items = Array.from({ length: 120 }, (_, n) => ({
      action: 'create',
      record: { name: `Company ${n}`, industry: 'Mining' },
    }))
    const { body } = await me.post('/api/companies/batch', { items })
    const ids: string[] = body.results.map(({ id }: Item) => id).sort()
    const totalOf = async (filter: string) => (await me.get(`/api/companies?${filter}`)).body.total
    return { me, ids, totalOf }
  }

  it('changes the records that matched when it began, as one operation', async () => {
    const { me, ids, totalOf } = await companies()
    const [parent, ...children] = ids
    await me.post('/api/companies/bulk-update', { ids: children, set: { parent_id: parent } })
    // The parent is changed first, after which no child matches any more.
    const where = {
      or: [
        { field: 'id', op: 'eq', value: parent },
        { field: 'parent.industry', op: 'eq', value: 'Mining' },
      ],
    }
    const changed = await me.post('/api/companies/bulk-update', { where, set: { industry: 'Software' } })
    expect(changed).toMatchObject({ status: 200, body: { updated: 120 } })
    expect(await totalOf('industry=Software')).toBe(120)
    const { operation_id } = changed.body
    expect((await me.get(`/api/operations/${operation_id}`)).body.record_count).toBe(120)
    await me.post(`/api/operations/${operation_id}/undo`)
    expect(await totalOf('industry=Mining')).toBe(120)
  })

  it('changes nothing when a late record is refused', async () => {
    const { me, ids, totalOf } = await companies()
    const set = { industry: 'Software', parent_id: ids.at(-1) }
    const refused = await me.post('/api/companies/bulk-update', { ids, set })
    expect(refused.status).toBe(422)
    expect(refused.body.detail[0].loc).toEqual(['body', 'set', 'parent_id'])
    expect(await totalOf('industry=Mining')).toBe(120)
    expect(await totalOf(`parent_id=${ids.at(-1)}`)).toBe(0)
  })
})

const unlike = (made: Item, n: number): Item => ({
  ...made,
  ...(made.email ? { email: `${n}${made.email}` } : {}),
  ...(made.external_ids ? { external_ids: { attio: `${n}` } } : {}),
})
const addresses = ({ email, emails, full_name }: Item): Item =>
  email === undefined ? {} : { email, emails, full_name }
