import { expect, it } from 'vitest'
import { type Item, onAnyEngine, onBothEngines } from '../../../../test/support/service.ts'

const email = (address: string, is_primary = false, type = 'work') => ({ email: address, type, is_primary })
const phone = (number: string, is_primary = false, type = 'work') => ({ phone: number, type, is_primary })

/** A record, an upsert that matches it, and the fields that are expected of it then. */
const CASES: [path: string, record: Item, sent: Item, expected: Item][] = [
  [
    'companies/upsert?match_on=domain',
    { name: 'A', domains: ['a.example', 'b.example'] },
    { domains: ['a.example'], city: 'Graz' },
    { domains: ['a.example', 'b.example'], city: 'Graz' },
  ],
  [
    'companies/upsert?match_on=domain',
    { name: 'A', domains: 'www.a.example' },
    { domains: 'https://A.example/about' },
    { domains: 'www.a.example' },
  ],
  [
    'companies/upsert?match_on=domain',
    { name: 'A', domains: 'a.example, b.example' },
    { domains: ['b.example', 'c.example', 'http://c.example', 'www.A.example'] },
    { domains: ['a.example', 'b.example', 'c.example'] },
  ],
  ['companies/upsert?match_on=name', { name: 'Café' }, { name: 'CAFE', city: 'Graz' }, { name: 'Café' }],
  [
    'companies/upsert?match_on=email',
    { name: 'A', email: 'Ann.Lee@a.example' },
    { email: 'ann.lee@a.example', name: 'B' },
    { email: 'Ann.Lee@a.example', name: 'B' },
  ],
  [
    'products/upsert?match_on=sku',
    { name: 'A', sku: 'X-1' },
    { sku: 'x-1', name: 'B' },
    { sku: 'X-1', name: 'B' },
  ],
  [
    'contacts/upsert?match_on=email',
    { emails: [email('a@x.example', true), email('b@x.example', false, 'home')] },
    { email: 'B@x.example', first_name: 'Ann' },
    {
      email: 'a@x.example',
      emails: [email('a@x.example', true), email('b@x.example', false, 'home')],
      first_name: 'Ann',
    },
  ],
  [
    'contacts/upsert?match_on=email',
    { email: 'a@x.example' },
    { email: 'A@x.example', emails: [email('b@x.example', true), email('a@x.example')] },
    { email: 'a@x.example', emails: [email('a@x.example', true), email('b@x.example')] },
  ],
  [
    'contacts/upsert?match_on=email',
    { email: 'a@x.example', emails: [email('a@x.example', true), email('b@x.example')] },
    { emails: [email('b@x.example', true, 'home'), email('c@x.example', false, 'home')] },
    {
      email: 'a@x.example',
      emails: [email('a@x.example', true), email('b@x.example'), email('c@x.example', false, 'home')],
    },
  ],
  [
    'contacts/upsert?match_on=phone',
    { first_name: 'Ann', phone: '+49 170 5550199' },
    { phone: '0170 5550199', last_name: 'Lee' },
    { phone: '+49 170 5550199', phones: null, last_name: 'Lee' },
  ],
  [
    'contacts/upsert?match_on=phone',
    { first_name: 'Ann', phone: '+49 170 5550199' },
    { phone: '0170 5550199', phones: [phone('0170/5550199', true), phone('030 123456', false, 'home')] },
    {
      phone: '+49 170 5550199',
      phones: [phone('+49 170 5550199', true), phone('030 123456', false, 'home')],
    },
  ],
]

onAnyEngine('an upsert of a record that has the value', account => {
  it.each(CASES)('%s leaves the value as it is: %j, %j', async (path, record, sent, expected) => {
    const me = await account()
    const group = path.split('/')[0]
    const { id } = await me.create(`/api/${group}`, record)
    const answer = await me.post(`/api/${path}`, sent)
    expect(answer, answer.text).toMatchObject({ status: 200, body: { id, ...expected } })
    const match_on = path.split('=')[1] ?? ''
    const batch = await me.post(`/api/${group}/batch`, {
      items: [{ action: 'upsert', match_on, record: sent }],
    })
    expect(batch.body.results).toMatchObject([{ status: 'updated', id }])
    expect((await me.get(`/api/${group}/${id}`)).body).toMatchObject(expected)
  })

  it('refuses more values than the field can have', async () => {
    const me = await account()
    const list = (from: number) => Array.from({ length: 11 }, (_, i) => email(`p${from + i}@x.example`))
    await me.create('/api/contacts', { emails: list(0) })
    const sent = { email: 'p0@x.example', emails: list(20) }
    const refused = await me.post('/api/contacts/upsert?match_on=email', sent)
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'emails']])
    const batch = await me.post('/api/contacts/batch', {
      items: [
        { action: 'upsert', match_on: 'email', record: sent },
        { action: 'upsert', match_on: 'email', record: { email: 'p1@x.example', first_name: 'Ann' } },
      ],
    })
    expect(batch.body).toMatchObject({ failed: 1, updated: 1 })
  })
})

onAnyEngine('an upsert that several records match', account => {
  it('names the field and the records, at most five', async () => {
    const me = await account()
    const ids: string[] = []
    const upsert = () => me.post('/api/companies/upsert?match_on=name', { name: 'ACME' })
    for (let i = 0; i < 7; i++) {
      ids.push((await me.create('/api/companies', { name: 'Acme' })).id)
      if (i !== 1) continue
      const { status, body } = await upsert()
      expect(status).toBe(409)
      for (const part of ['match on name', ...ids]) expect(body.detail).toContain(part)
    }
    const { detail } = (await upsert()).body
    expect(ids.filter(id => detail.includes(id))).toHaveLength(5)
    expect(detail).toContain('and others')
    const item = { action: 'upsert', match_on: 'name', record: { name: 'ACME' } }
    const batch = await me.post('/api/companies/batch', { items: [item] })
    expect(batch.body.results[0].errors[0]).toMatchObject({ type: 'conflict', msg: detail })
  })
})

onBothEngines('concurrent upserts', account => {
  it('lose no value that they add to the same record', async () => {
    const me = await account()
    const { id } = await me.create('/api/companies', { name: 'A', domains: ['a.example'] })
    const domains = Array.from({ length: 8 }, (_, i) => `d${i}.example`)
    await Promise.all(
      domains.map(domain =>
        me.post('/api/companies/upsert?match_on=domain', { domains: ['a.example', domain] }),
      ),
    )
    const { body } = await me.get(`/api/companies/${id}`)
    expect([...body.domains].sort()).toEqual(['a.example', ...domains])
  })
})
