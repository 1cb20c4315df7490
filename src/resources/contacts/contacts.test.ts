/** A contact: its fields, their bounds, its name, and what PUT leaves alone. */
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const at = '/api/contacts'

const FIELDS = [
  'id',
  'created_at',
  'updated_at',
  'first_name',
  'last_name',
  'full_name',
  'email',
  'emails',
  'phone',
  'phones',
  'job_title',
  'department',
  'company_id',
  'owner_id',
  'status',
  'connection_strength',
  'lead_source',
  'website',
  'linkedin_url',
  'facebook_url',
  'instagram_url',
  'twitter_url',
  'avatar_url',
  'twitter_handle',
  'twitter_follower_count',
  'address',
  'city',
  'state',
  'country',
  'postal_code',
  'birthday',
  'timezone',
  'language',
  'do_not_contact',
  'email_opt_out',
  'description',
  'notes',
  'categories',
  'metadata',
  'enrichment',
  'enrichment_provider',
  'enrichment_last_updated',
  'enrichment_status',
  'first_interaction',
  'last_interaction',
  'next_interaction',
  'created_by',
  'company_ids',
  'associated_deal_ids',
  'account_id',
  'is_favorite',
  'custom_fields',
]

const WHOLE = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  emails: [
    { email: 'ada@example.com', type: 'work', is_primary: true },
    { email: 'ada@home.test', type: 'home', is_primary: false },
  ],
  phone: '+44 20 7946 0000',
  phones: [{ phone: '+44 20 7946 0000', type: 'mobile', is_primary: true }],
  job_title: 'Analyst',
  department: 'Engines',
  status: 'lead',
  connection_strength: 'weak',
  lead_source: 'fair',
  website: 'https://ada.test',
  linkedin_url: 'https://linkedin.com/in/ada',
  facebook_url: 'https://facebook.com/ada',
  instagram_url: 'https://instagram.com/ada',
  twitter_url: 'https://twitter.com/ada',
  avatar_url: 'https://ada.test/me.png',
  twitter_handle: '@ada',
  twitter_follower_count: 3,
  address: '12 St James’s Square',
  city: 'London',
  state: 'Greater London',
  country: 'United Kingdom',
  postal_code: 'SW1Y 4JH',
  birthday: '1815-12-10',
  timezone: 'Europe/London',
  language: 'en',
  do_not_contact: true,
  email_opt_out: true,
  description: 'Wrote the first program',
  notes: 'Prefers letters',
  categories: ['Pioneer'],
  metadata: { shoe: 38 },
  enrichment: { by: 'hand' },
  enrichment_provider: 'someone',
  enrichment_last_updated: '2026-01-31T09:30:00.000Z',
  enrichment_status: 'done',
}

const FIXED = ['first_name', 'do_not_contact', 'email_opt_out', 'metadata', 'enrichment']
const NULLABLE = Object.keys(WHOLE).filter(name => !FIXED.includes(name))

onBothEngines('contacts', account => {
  it('returns its fields in their order', async () => {
    const { post, accountId, userId } = await account()
    const answer = await post(`${at}/`, { first_name: 'Ada' })
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body)).toEqual(FIELDS)
    expect(answer.body).toMatchObject({
      full_name: 'Ada',
      do_not_contact: false,
      email_opt_out: false,
      company_id: null,
      owner_id: null,
      first_interaction: null,
      last_interaction: null,
      next_interaction: null,
      company_ids: [],
      associated_deal_ids: [],
      metadata: {},
      enrichment: {},
      custom_fields: {},
      is_favorite: false,
      created_by: userId,
      account_id: accountId,
    })
    for (const name of NULLABLE) expect(answer.body[name], name).toBeNull()
  })

  it('stores every field', async () => {
    const { create, get, userId } = await account()
    const made = await create(at, { ...WHOLE, owner_id: userId })
    expect(made).toMatchObject({
      ...WHOLE,
      owner_id: userId,
      full_name: 'Ada Lovelace',
      custom_fields: { shoe: 38 },
    })
    expect((await get(`${at}/${made.id}`)).body).toEqual(made)
    expect((await get(at)).body.items).toEqual([made])
  })

  it('ignores read-only and unknown fields', async () => {
    const { create, put } = await account()
    const forged = {
      id: newId(),
      full_name: 'Forged',
      created_by: newId(),
      first_interaction: '2001-01-01T00:00:00Z',
      last_interaction: '2001-01-01T00:00:00Z',
      next_interaction: '2001-01-01T00:00:00Z',
      is_favorite: true,
      custom_fields: { x: 1 },
      surprise: 1,
    }
    const made = await create(at, { first_name: 'Ada', ...forged })
    expect(made).toMatchObject({
      full_name: 'Ada',
      last_interaction: null,
      custom_fields: {},
      is_favorite: false,
    })
    expect((await put(`${at}/${made.id}`, forged)).body).toEqual({ ...made, updated_at: expect.any(String) })
  })

  it('does not change absent fields and clears fields that are null', async () => {
    const { create, put, call } = await account()
    const made = await create(at, WHOLE)
    const one = `${at}/${made.id}`
    const moved = await put(one, { city: 'Paris' })
    expect(moved.body).toEqual({ ...made, city: 'Paris', updated_at: moved.body.updated_at })
    expect((await call('PATCH', one, { last_name: 'King' })).body.full_name).toBe('Ada King')
    const nothing = Object.fromEntries(NULLABLE.map(name => [name, null]))
    const cleared = await put(one, nothing)
    expect(cleared.status).toBe(200)
    expect(cleared.body).toMatchObject({ ...nothing, full_name: 'Ada', metadata: { shoe: 38 } })
    for (const name of ['do_not_contact', 'email_opt_out', 'metadata', 'enrichment']) {
      expect((await put(one, { [name]: null })).body.detail[0].loc).toEqual(['body', name])
    }
  })

  it.each([
    [{ first_name: 'Ada', last_name: 'Lovelace', email: 'a@b.co' }, 'Ada Lovelace'],
    [{ first_name: 'Ada' }, 'Ada'],
    [{ last_name: 'Lovelace' }, 'Lovelace'],
    [{ email: 'a@b.co' }, 'a@b.co'],
    [{ first_name: ' ', email: 'a@b.co' }, 'a@b.co'],
    [{ emails: [{ email: 'a@b.co' }] }, 'a@b.co'],
  ])('names %j %j', async (fields, full_name) => {
    const { create } = await account()
    expect((await create(at, fields)).full_name).toBe(full_name)
  })

  it.each([
    [{}],
    [{ first_name: null, last_name: '', email: null }],
    [{ first_name: '  ' }],
    [{ phone: '123', job_title: 'x' }],
    [{ emails: [] }],
  ])('refuses a contact without a name: %j', async fields => {
    const { post, get } = await account()
    const answer = await post(at, fields)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toEqual([
      {
        type: 'value_error',
        loc: ['body'],
        msg: 'Value error, a contact needs at least one of first_name, last_name and email',
        input: fields,
        ctx: { error: {} },
      },
    ])
    expect((await get(at)).body.total).toBe(0)
  })

  it('still has a name after every update', async () => {
    const { create, put, get } = await account()
    const { id } = await create(at, { first_name: 'Ada', email: 'a@b.co' })
    expect((await put(`${at}/${id}`, { first_name: null, email: null })).status).toBe(422)
    expect((await put(`${at}/${id}`, { first_name: null })).body.full_name).toBe('a@b.co')
    expect((await put(`${at}/${id}`, { email: null })).body.detail[0].loc).toEqual(['body'])
    expect((await put(`${at}/${id}`, { email: null, last_name: 'L' })).body.full_name).toBe('L')
    expect((await put(`${at}/${id}`, { last_name: ' ' })).status).toBe(422)
    expect((await get(`${at}/${id}`)).body).toMatchObject({ first_name: null, last_name: 'L', email: null })
    const listed = await create(at, { emails: [{ email: 'a@b.co' }, { email: 'c@d.co' }] })
    expect((await put(`${at}/${listed.id}`, { email: null })).body.detail[0].loc).toEqual(['body'])
    expect((await put(`${at}/${listed.id}`, { emails: [] })).status).toBe(422)
    expect((await put(`${at}/${newId()}`, { first_name: null })).body).toEqual({
      detail: 'Contact not found',
    })
  })

  it('is owned by a member of the account or has no owner', async () => {
    const { create, post, put, userId, get } = await account()
    const stranger = await account()
    const { id } = await create(at, { first_name: 'Ada', owner_id: userId })
    for (const owner_id of [newId(), stranger.userId]) {
      const answer = await post(at, { first_name: 'Bea', owner_id })
      expect(answer.status).toBe(422)
      expect(answer.body.detail).toEqual([
        { type: 'reference_not_found', loc: ['body', 'owner_id'], msg: 'User not found', input: owner_id },
      ])
      expect((await put(`${at}/${id}`, { city: 'x', owner_id })).status).toBe(422)
    }
    expect((await get(at)).body).toMatchObject({ total: 1, items: [{ city: null, owner_id: userId }] })
    expect((await put(`${at}/${id}`, { owner_id: null })).body.owner_id).toBeNull()
  })

  it('hides other accounts’ contacts', async () => {
    const mine = await account()
    const theirs = await account()
    const { id } = await theirs.create(at, { first_name: 'Eve', email: 'eve@x.test' })
    const one = `${at}/${id}`
    const calls = [
      mine.get(one),
      mine.put(one, { first_name: 'x' }),
      mine.put(one, { city: 'x' }),
      mine.delete(one),
      mine.post(`${one}/restore`),
      mine.get(`${one}/vcard`),
      mine.post(`${one}/erase`),
      mine.get(`${one}/companies`),
    ]
    for (const call of calls) {
      const answer = await call
      expect([answer.status, answer.body]).toEqual([404, { detail: 'Contact not found' }])
    }
    expect((await mine.get(`${at}?email=eve@x.test`)).body.total).toBe(0)
    await mine.post(`${at}/bulk-delete`, [id])
    expect((await theirs.get(one)).status).toBe(200)
  })

  it('is deleted and restored', async () => {
    const { create, get, post, delete: remove } = await account()
    const made = await create(at, WHOLE)
    const one = `${at}/${made.id}`
    expect((await remove(one)).body).toEqual({})
    expect((await get(one)).status).toBe(404)
    expect((await get(`${at}?email=ada@home.test`)).body.total).toBe(0)
    expect((await get(`${at}?deleted=true`)).body.items).toHaveLength(1)
    const back = await post(`${one}/restore`)
    expect(back.body).toEqual({ ...made, updated_at: back.body.updated_at })
    expect((await get(`${at}?email=ada@home.test`)).body.total).toBe(1)
    const bulk = await post(`${at}/bulk-delete`, [made.id, newId()])
    expect([bulk.status, bulk.body]).toEqual([200, {}])
    expect((await get(at)).body.total).toBe(0)
  })
})
