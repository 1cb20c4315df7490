/** The company of the contract: its fields, their bounds, and what PUT leaves alone. */
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const FIELDS = [
  'id',
  'created_at',
  'updated_at',
  'name',
  'domains',
  'industry',
  'company_size',
  'employee_count',
  'annual_revenue',
  'phone',
  'email',
  'website',
  'address',
  'city',
  'state',
  'country',
  'postal_code',
  'linkedin_url',
  'facebook_url',
  'instagram_url',
  'twitter_url',
  'twitter_handle',
  'twitter_follower_count',
  'description',
  'notes',
  'logo_url',
  'connection_strength',
  'status',
  'categories',
  'team_ids',
  'associated_deal_ids',
  'metadata',
  'enrichment',
  'enrichment_provider',
  'enrichment_last_updated',
  'enrichment_status',
  'account_id',
  'is_favorite',
  'custom_fields',
]

const WHOLE = {
  name: 'Acme',
  domains: ['acme.com', 'acme.io'],
  industry: 'Software',
  company_size: '11-50',
  employee_count: 42,
  annual_revenue: 1234567.89,
  phone: '+1 (555) 010-9999',
  email: 'info@acme.com',
  website: 'https://acme.com',
  address: '1 Main St',
  city: 'Vienna',
  state: 'W',
  country: 'Austria',
  postal_code: '1010',
  linkedin_url: 'https://linkedin.com/company/acme',
  facebook_url: 'https://facebook.com/acme',
  instagram_url: 'https://instagram.com/acme',
  twitter_url: 'https://twitter.com/acme',
  twitter_handle: '@acme',
  twitter_follower_count: 7,
  description: 'Makes everything',
  notes: 'Likes coyotes',
  logo_url: 'https://acme.com/logo.png',
  connection_strength: 'strong',
  status: 'customer',
  categories: ['Partner', 'Big'],
  metadata: { tier: 1, deep: { list: [1, 'two', null] } },
  enrichment: { source: 'x' },
  enrichment_provider: 'someone',
  enrichment_last_updated: '2026-01-31T09:30:00.000Z',
  enrichment_status: 'done',
}

const NULLABLE = Object.keys(WHOLE).filter(name => !['name', 'metadata', 'enrichment'].includes(name))

onBothEngines('companies', account => {
  it('has exactly the 39 fields of the contract', async () => {
    const { post, accountId } = await account()
    const answer = await post('/api/companies/', { name: 'Acme' })
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body).sort()).toEqual([...FIELDS].sort())
    expect(FIELDS).toHaveLength(39)
    expect(answer.body).toMatchObject({
      name: 'Acme',
      account_id: accountId,
      team_ids: [],
      associated_deal_ids: [],
      metadata: {},
      enrichment: {},
      custom_fields: {},
      is_favorite: false,
    })
    for (const name of NULLABLE) expect(answer.body[name], name).toBeNull()
    expect(answer.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('stores every field', async () => {
    const { create, get } = await account()
    const made = await create('/api/companies/', WHOLE)
    expect(made).toMatchObject({ ...WHOLE, custom_fields: WHOLE.metadata })
    expect((await get(`/api/companies/${made.id}`)).body).toEqual(made)
    expect((await get('/api/companies')).body.items).toEqual([made])
  })

  it('stores domains unchanged, as one text or a list', async () => {
    const { create } = await account()
    for (const domains of ['acme.com', 'a.com, b.com', [], ['a.com'], null]) {
      expect((await create('/api/companies', { name: 'Acme', domains })).domains).toEqual(domains)
    }
  })

  it('ignores read-only and unknown fields', async () => {
    const { create, accountId } = await account()
    const id = newId()
    const made = await create('/api/companies', {
      name: 'Acme',
      id,
      created_at: '2001-01-01T00:00:00Z',
      account_id: id,
      is_favorite: true,
      custom_fields: { x: 1 },
      surprise: 1,
    })
    expect(made.id).not.toBe(id)
    expect(made).toMatchObject({ account_id: accountId, is_favorite: false, custom_fields: {} })
    expect(made.created_at).not.toContain('2001')
  })

  it('does not change absent fields on PUT and PATCH, and clears fields that are null', async () => {
    const { create, put, call } = await account()
    const made = await create('/api/companies', WHOLE)
    const renamed = await put(`/api/companies/${made.id}`, { name: 'Acme Ltd' })
    expect(renamed.status).toBe(200)
    expect(renamed.body).toEqual({ ...made, name: 'Acme Ltd', updated_at: renamed.body.updated_at })
    expect(renamed.body.updated_at >= made.updated_at).toBe(true)
    expect((await call('PATCH', `/api/companies/${made.id}`, { city: 'Graz' })).body).toMatchObject({
      name: 'Acme Ltd',
      city: 'Graz',
    })

    const nothing = Object.fromEntries(NULLABLE.map(name => [name, null]))
    const cleared = await put(`/api/companies/${made.id}`, nothing)
    expect(cleared.status).toBe(200)
    expect(cleared.body).toMatchObject({ ...nothing, name: 'Acme Ltd', metadata: WHOLE.metadata })
    expect((await put(`/api/companies/${made.id}`, {})).body).toMatchObject({ name: 'Acme Ltd' })
  })

  it('replaces metadata as a whole and mirrors it', async () => {
    const { create, put } = await account()
    const { id } = await create('/api/companies', { name: 'Acme', metadata: { a: 1, b: 2 } })
    const { body } = await put(`/api/companies/${id}`, { metadata: { b: 3 } })
    expect(body.metadata).toEqual({ b: 3 })
    expect(body.custom_fields).toEqual({ b: 3 })
  })

  it('hides other accounts’ companies', async () => {
    const mine = await account()
    const theirs = await account()
    const { id } = await theirs.create('/api/companies', { name: 'Secret' })
    const one = `/api/companies/${id}`
    const calls = [
      () => mine.get(one),
      () => mine.put(one, { name: 'x' }),
      () => mine.delete(one),
      () => mine.post(`${one}/restore`),
      () => mine.get(`${one}/team`),
      () => mine.put(`${one}/team`, []),
      () => mine.put(`${one}/team/${newId()}`, {}),
      () => mine.delete(`${one}/team/${newId()}`),
      () => mine.post(`${one}/update-logo`, { logo_url: 'https://x.test/y.png' }),
      () => mine.get(`${one}/fetch-logo-possibilities`),
    ]
    for (const call of calls) {
      const answer = await call()
      expect([answer.status, answer.body]).toEqual([404, { detail: 'Company not found' }])
    }
    expect((await mine.get('/api/companies')).body.total).toBe(0)
    await mine.post('/api/companies/bulk-delete', [id])
    expect((await theirs.get(one)).status).toBe(200)
  })

  it('returns 404 for an unknown id and 422 for a malformed one', async () => {
    const { get, put, delete: remove, post } = await account()
    const unknown = `/api/companies/${newId()}`
    for (const call of [get(unknown), put(unknown, {}), remove(unknown), post(`${unknown}/restore`)]) {
      expect((await call).status).toBe(404)
    }
    const bad = await get('/api/companies/abc')
    expect(bad.status).toBe(422)
    expect(bad.body.detail[0]).toMatchObject({ type: 'uuid_parsing', loc: ['path', 'company_id'] })
  })
})
