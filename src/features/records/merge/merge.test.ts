import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Account, onBothEngines } from '../../../../test/support/service.ts'
import { systemDb } from '../../../kernel/context.ts'
import { followersOf } from './followers.ts'

/** Everything of a contact and its surroundings that a merge may touch, as the interface shows it. */
async function picture(account: Account, ids: string[]): Promise<unknown> {
  const paths = [
    ...ids.flatMap(id => [
      `/api/contacts/${id}`,
      `/api/contacts/${id}/notes`,
      `/api/contacts/${id}/activities`,
    ]),
    '/api/contacts?sort_by=id',
    '/api/companies?sort_by=id',
    '/api/notes?sort_by=id',
    '/api/activities?sort_by=id',
    '/api/favorites',
  ]
  const answers = await Promise.all(paths.map(path => account.get(path)))
  // when a record was last touched is not part of what it holds
  return JSON.parse(JSON.stringify(answers.map(answer => answer.body)), (key, value) =>
    key === 'updated_at' ? undefined : value,
  )
}

onBothEngines('merge', account => {
  it('merges three contacts with everything linked to them, and undo restores the exact state', async () => {
    const it = await account()
    const { create, post, get } = it
    const acme = await create('/api/companies', { name: 'Acme' })
    const beta = await create('/api/companies', { name: 'Beta' })
    const a = await create('/api/contacts', {
      first_name: 'Ann',
      email: 'ann@acme.com',
      company_ids: [acme.id],
    })
    const b = await create('/api/contacts', {
      first_name: 'Anne',
      last_name: 'Lee',
      email: 'ann@home.test',
      phone: '+1 555 010 1234',
      company_ids: [acme.id, beta.id],
      categories: ['VIP'],
      do_not_contact: true,
      metadata: { tier: 'gold' },
    })
    const c = await create('/api/contacts', { last_name: 'Lee', city: 'Rome', categories: ['vip', 'New'] })
    await create('/api/notes', { content: 'on b', entity_type: 'contact', entity_id: b.id })
    await create('/api/notes', { content: 'on a and b', contact_ids: [a.id, b.id] })
    await create('/api/activities', { type: 'call', subject: 'with c', contact_ids: [c.id] })
    await create('/api/favorites', { entity_type: 'contact', entity_id: a.id })
    await create('/api/favorites', { entity_type: 'contact', entity_id: b.id })
    const before = await picture(it, [a.id, b.id, c.id])

    const merged = await post('/api/contacts/merge', {
      primary_id: a.id,
      secondary_ids: [b.id, c.id],
      overrides: { job_title: 'CEO' },
    })
    expect(merged.status).toBe(200)
    expect(merged.body).toMatchObject({
      id: a.id,
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'ann@acme.com',
      city: 'Rome',
      job_title: 'CEO',
      do_not_contact: true,
      categories: ['VIP', 'New'],
      metadata: { tier: 'gold' },
      is_favorite: true,
    })
    expect(merged.body.emails.map((entry: { email: string }) => entry.email)).toEqual([
      'ann@acme.com',
      'ann@home.test',
    ])
    expect(merged.body.company_ids.map((ref: { name: string }) => ref.name).sort()).toEqual(['Acme', 'Beta'])
    expect((await get(`/api/contacts/${a.id}/notes`)).body.total).toBe(2)
    expect((await get(`/api/contacts/${a.id}/activities`)).body.total).toBe(1)
    expect((await get(`/api/companies/${acme.id}`)).body.team_ids).toHaveLength(1)
    expect((await get('/api/favorites')).body.total).toBe(1)
    expect((await get(`/api/contacts/${b.id}`)).status).toBe(404)
    expect(
      (await get(`/api/contacts/${a.id}/timeline`)).body.items.map((entry: { type: string }) => entry.type),
    ).toContain('merged')

    const undone = await post(`/api/operations/${merged.body.operation_id}/undo`)
    expect(undone).toMatchObject({ status: 200, body: { conflicts: [] } })
    expect(await picture(it, [a.id, b.id, c.id])).toEqual(before)
  })

  it('takes over custom fields that the primary has empty, and decides them one by one', async () => {
    const { create, post } = await account()
    const a = await create('/api/contacts', {
      first_name: 'Ann',
      metadata: { tier: null, size: 'S', tags: [] },
    })
    const b = await create('/api/contacts', {
      last_name: 'Lee',
      metadata: { tier: 'gold', size: 'L', tags: ['x'], berth: 4 },
    })
    const merged = await post('/api/contacts/merge', {
      primary_id: a.id,
      secondary_ids: [b.id],
      overrides: { metadata: { size: 'L' } },
    })
    expect(merged.body.metadata).toEqual({ tier: 'gold', size: 'L', tags: ['x'], berth: 4 })
  })

  it('merges two companies', async () => {
    const { create, post, put, get } = await account()
    const ann = await create('/api/contacts', { first_name: 'Ann' })
    const bob = await create('/api/contacts', { first_name: 'Bob' })
    const a = await create('/api/companies', { name: 'Acme', domains: 'acme.com', team_ids: [ann.id] })
    const b = await create('/api/companies', {
      name: 'ACME Inc',
      domains: ['acme.io'],
      team_ids: [bob.id, ann.id],
    })
    await put(`/api/companies/${b.id}/team/${bob.id}`, { role: 'CEO', is_primary: true })
    await put(`/api/companies/${a.id}/team/${ann.id}`, { is_primary: true })
    const merged = await post('/api/companies/merge', { primary_id: a.id, secondary_ids: [b.id] })
    expect(merged.body).toMatchObject({ name: 'Acme', domains: ['acme.com', 'acme.io'] })
    const team = (await get(`/api/companies/${a.id}/team`)).body
    expect(
      team.map((m: { first_name: string; is_primary: boolean }) => [m.first_name, m.is_primary]),
    ).toEqual(
      expect.arrayContaining([
        ['Ann', true],
        ['Bob', false],
      ]),
    )
    await post(`/api/operations/${merged.body.operation_id}/undo`)
    expect((await get(`/api/companies/${b.id}/team`)).body).toMatchObject([
      { first_name: 'Bob', role: 'CEO', is_primary: true },
      { first_name: 'Ann', is_primary: false },
    ])
    expect((await get(`/api/companies/${a.id}`)).body.domains).toBe('acme.com')
  })

  it('refuses invalid merges and changes nothing', async () => {
    const mine = await account()
    const other = await account()
    const a = await mine.create('/api/contacts', { first_name: 'A' })
    const foreign = await other.create('/api/contacts', { first_name: 'B' })
    const unknown = '01900000-0000-7000-8000-000000000000'
    for (const [body, loc] of [
      [{ primary_id: a.id, secondary_ids: [foreign.id] }, ['body', 'secondary_ids', 0]],
      [{ primary_id: unknown, secondary_ids: [a.id] }, ['body', 'primary_id']],
      [{ primary_id: a.id, secondary_ids: [a.id] }, ['body', 'secondary_ids', 0]],
      [{ primary_id: a.id, secondary_ids: [] }, ['body', 'secondary_ids']],
      [{ primary_id: a.id }, ['body', 'secondary_ids']],
    ]) {
      const answer = await mine.post('/api/contacts/merge', body)
      expect(answer.status).toBe(422)
      expect(answer.body.detail[0].loc).toEqual(loc)
    }
    expect((await other.get(`/api/contacts/${foreign.id}`)).status).toBe(200)
  })

  it('moves every reference to a contact or company that the database has', async () => {
    const { service } = await account()
    for (const [entity, table] of [
      ['contact', 'contacts'],
      ['company', 'companies'],
    ] as const) {
      const { rows } = await sql<{ name: string }>`
        select t.child::regclass::text || '.' || k as name
        from kith.foreign_keys t cross join unnest(t.columns) k
        where t.parent = ${`kith.${table}`}::regclass and k <> 'account_id'`.execute(
        systemDb(service.services),
      )
      // kept by triggers from the record itself
      const derived = ['contact_addresses.contact_id', 'company_domains.company_id']
      const moved = followersOf(entity).map(follower => `${follower.table}.${follower.column}`)
      expect(
        rows.map(row => row.name).filter(name => !derived.includes(name) && !moved.includes(name)),
      ).toEqual([])
    }
  })
})

onBothEngines('duplicates', account => {
  it('groups contacts by email, phone, name and profile', async () => {
    const { create, get } = await account()
    await create('/api/contacts', {
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'ann@acme.com',
      phone: '+1 (555) 010-9999',
    })
    await create('/api/contacts', {
      first_name: 'ann',
      last_name: 'LÉE',
      emails: [{ email: 'ANN@acme.com', type: 'work', is_primary: true }],
    })
    await create('/api/contacts', {
      first_name: 'Bob',
      last_name: 'Ray',
      phone: '555 010 9999',
      linkedin_url: 'https://www.linkedin.com/in/bob/',
    })
    await create('/api/contacts', {
      first_name: 'Robert',
      last_name: 'Ray',
      linkedin_url: 'linkedin.com/in/Bob',
    })
    const all = (await get('/api/contacts/duplicates')).body
    expect(
      all.items.map((group: { reason: string; score: number; items: unknown[] }) => [
        group.reason,
        group.score,
        group.items.length,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['email, name', 0.95, 2],
        ['linkedin', 0.95, 2],
        ['phone', 0.9, 2],
      ]),
    )
    expect(all.total).toBe(3)
    expect((await get('/api/contacts/duplicates?match_on=phone')).body.total).toBe(1)
    expect((await get('/api/contacts/duplicates?page=2&page_size=2')).body.items).toHaveLength(1)
    expect((await get('/api/contacts/duplicates?match_on=shoe')).status).toBe(422)
  })

  it('does not list records again that are not duplicates, until another one joins them', async () => {
    const { create, get, post } = await account()
    const name = { first_name: 'Jo', last_name: 'Lohse' }
    const ids = [await create('/api/contacts', name), await create('/api/contacts', name)].map(({ id }) => id)
    const total = async () => (await get('/api/contacts/duplicates')).body.total
    expect(await total()).toBe(1)
    expect(await post('/api/contacts/not-duplicates', { ids })).toMatchObject({ body: { pairs: 1 } })
    expect((await post('/api/contacts/not-duplicates', { ids: ids.toReversed() })).status).toBe(200)
    expect(await total()).toBe(0)
    await create('/api/contacts', name)
    expect(await total()).toBe(1)
    const stranger = await (await account()).create('/api/contacts', name)
    const refused = await post('/api/contacts/not-duplicates', { ids: [ids[0], stranger.id] })
    expect(refused).toMatchObject({ status: 422 })

    const others = [
      await create('/api/companies', { name: 'A' }),
      await create('/api/companies', { name: 'a' }),
    ]
    const body = { ids: others.map(({ id }) => id) }
    await post('/api/companies/not-duplicates', body)
    expect((await get('/api/companies/duplicates')).body.total).toBe(0)
    await post('/api/companies/not-duplicates', { ...body, remove: true })
    expect((await get('/api/companies/duplicates')).body.total).toBe(1)
  })

  it('groups companies by domain and by name without its legal form', async () => {
    const { create, get } = await account()
    await create('/api/companies', { name: 'Acme, Inc.', domains: ['acme.com'] })
    await create('/api/companies', { name: 'ACME', domains: 'https://acme.com' })
    await create('/api/companies', { name: 'Beta GmbH' })
    const { body } = await get('/api/companies/duplicates')
    expect(body.items).toHaveLength(1)
    expect(body.items[0].reason).toBe('domain, name')
  })
})
