import { expect, it } from 'vitest'
import { type Account, onBothEngines } from '../../../../test/support/service.ts'

interface Made {
  ids: Record<string, string>
}

/** Three companies, contacts and deals of theirs, an activity and a tag. */
async function world({ create, get, call }: Account): Promise<Made> {
  const { items: pipelines } = (await get('/api/deals/pipelines')).body
  const stage = (type: string) => pipelines[0].stages.find((one: { type: string }) => one.type === type).id
  const company = (name: string, country: string, employee_count: number) =>
    create('/api/companies', { name, country, employee_count, metadata: { seats: employee_count / 10 } })
  const [acme, globex, idle] = [
    await company('Acme', 'Germany', 120),
    await company('Globex', 'Norway', 30),
    await company('Idle', 'Norway', 5),
  ]
  const ann = await create('/api/contacts', {
    first_name: 'Ann',
    email: 'ann@acme.test',
    company_id: acme.id,
  })
  const bob = await create('/api/contacts', {
    first_name: 'Bob',
    email: 'bob@globex.test',
    company_id: globex.id,
  })
  const deal = (
    name: string,
    amount: number,
    currency: string,
    type: string,
    company_id: string,
    contact: string,
  ) =>
    create('/api/deals', {
      name,
      amount,
      currency,
      stage_id: stage(type),
      company_id,
      associated_contact_ids: [contact],
      expected_close_date: type === 'open' ? '2030-02-10' : '2030-03-10',
    })
  const a1 = await deal('A1', 1000, 'EUR', 'open', acme.id, ann.id)
  const a2 = await deal('A2', 3000, 'EUR', 'won', acme.id, ann.id)
  const g1 = await deal('G1', 500, 'USD', 'won', globex.id, bob.id)
  await create('/api/activities', { type: 'call', subject: 'Call', deal_ids: [a1.id], contact_ids: [ann.id] })
  const tag = await create('/api/tags', { name: 'VIP' })
  await call('PUT', `/api/tags/records/company/${acme.id}`, { tag_ids: [tag.id] })
  return { ids: { acme: acme.id, globex: globex.id, idle: idle.id, a1: a1.id, a2: a2.id, g1: g1.id } }
}

const won = { field: 'status', op: 'eq', value: 'won' }
const open = { field: 'status', op: 'eq', value: 'open' }

onBothEngines('the query language', newAccount => {
  it('lists by conditions on related records, some, every, none and counted, at any depth', async () => {
    const account = await newAccount()
    await world(account)
    const rows: [entity: string, where: object, names: string[]][] = [
      ['deal', { field: 'company.employee_count', op: 'lt', value: 50 }, ['G1']],
      [
        'deal',
        {
          some: 'company',
          where: { some: 'contacts', where: { field: 'email', op: 'starts_with', value: 'ann' } },
        },
        ['A1', 'A2'],
      ],
      ['deal', { not: { some: 'company', where: { field: 'country', value: 'Germany' } } }, ['G1']],
      ['deal', { none: 'activities' }, ['A2', 'G1']],
      ['deal', { field: 'stage.name', op: 'is_null', value: false }, ['A1', 'A2', 'G1']],
      ['company', { none: 'deals' }, ['Idle']],
      ['company', { every: 'deals', where: won }, ['Globex', 'Idle']],
      ['company', { and: [{ some: 'deals' }, { every: 'deals', where: won }] }, ['Globex']],
      ['company', { count: 'deals', op: 'gte', value: 2 }, ['Acme']],
      ['company', { count: 'deals', op: 'lt', value: 2 }, ['Globex', 'Idle']],
      ['company', { count: 'deals', where: open, op: 'eq', value: 0 }, ['Globex', 'Idle']],
      ['company', { some: 'tags', where: { field: 'name', value: 'VIP' } }, ['Acme']],
      ['company', { field: 'cf.seats', op: 'gt', value: 2 }, ['Acme', 'Globex']],
      ['contact', { some: 'deals', where: { some: 'activities', where: { some: 'contacts' } } }, ['Ann']],
      [
        'contact',
        {
          or: [
            { field: 'companies.country', value: 'Norway' },
            { field: 'activities.type', value: 'call' },
          ],
        },
        ['Ann', 'Bob'],
      ],
      ['activity', { field: 'when', op: 'gt', value: '2000-01-01' }, ['Call']],
    ]
    for (const [entity, where, names] of rows) {
      const { status, body } = await account.post('/api/query', { entity, where })
      expect(status, JSON.stringify({ where, body })).toBe(200)
      const found = body.items.map(
        (item: Record<string, string>) => item.name ?? item.first_name ?? item.subject,
      )
      expect.soft(found.sort(), JSON.stringify(where)).toEqual(names)
      expect.soft(body.total).toBe(names.length)
    }
  })

  it('counts, sums and groups, with separate sums for each currency', async () => {
    const account = await newAccount()
    await world(account)
    const ask = async (query: object) => (await account.post('/api/query', query)).body
    expect(await ask({ entity: 'deal', measure: { kind: 'count' } })).toMatchObject({
      total: 3,
      figures: [{ value: 3 }],
    })
    expect(await ask({ entity: 'deal', measure: { kind: 'sum', field: 'amount' } })).toMatchObject({
      total: 3,
      figures: [
        { value: 4000, currency: 'EUR', count: 2 },
        { value: 500, currency: 'USD', count: 1 },
      ],
    })
    expect(
      await ask({ entity: 'company', measure: { kind: 'median', field: 'employee_count' } }),
    ).toMatchObject({
      figures: [{ value: 30, currency: null, count: 3 }],
    })
    expect(await ask({ entity: 'company', measure: { kind: 'sum', field: 'cf.seats' } })).toMatchObject({
      figures: [{ value: 15.5 }],
    })
    expect(
      await ask({
        entity: 'company',
        where: { field: 'name', value: 'none' },
        measure: { kind: 'max', field: 'employee_count' },
      }),
    ).toMatchObject({
      total: 0,
      figures: [{ value: null, count: 0 }],
    })
    expect((await ask({ entity: 'deal', group_by: [{ field: 'company.country' }] })).groups).toMatchObject([
      { key: ['Germany'], value: 2 },
      { key: ['Norway'], value: 1 },
    ])
    expect(
      (
        await ask({
          entity: 'deal',
          group_by: [{ field: 'expected_close_date', bucket: 'month' }],
          measure: { kind: 'count' },
        })
      ).groups,
    ).toMatchObject([
      { key: ['2030-02-01'], value: 1 },
      { key: ['2030-03-01'], value: 2 },
    ])
    const large = {
      entity: 'contact',
      group_by: [{ field: 'company.country' }],
      having: { op: 'gt', value: 1 },
    }
    expect((await ask(large)).groups).toEqual([])
    const ordered = await ask({
      entity: 'company',
      order: [{ by: 'employee_count', direction: 'desc' }],
      limit: 2,
    })
    expect(ordered.items.map((item: { name: string }) => item.name)).toEqual(['Acme', 'Globex'])
    expect(ordered.total).toBe(3)
  })

  it('reports the position of an error', async () => {
    const account = await newAccount()
    const rows: [query: object, loc: (string | number)[]][] = [
      [{ entity: 'planet' }, ['body', 'entity']],
      [
        { entity: 'deal', where: { and: [{ field: 'colour', value: 1 }] } },
        ['body', 'where', 'and', 0, 'field'],
      ],
      [{ entity: 'deal', where: { some: 'planets' } }, ['body', 'where', 'some']],
      [
        { entity: 'deal', where: { some: 'company', where: { field: 'name', op: 'like', value: 'x' } } },
        ['body', 'where', 'where', 'op'],
      ],
      [{ entity: 'deal', where: { field: 'amount', op: 'gt', value: 'x' } }, ['body', 'where', 'value']],
      [{ entity: 'deal', where: { field: 'amount', value: 1, or: [] } }, ['body', 'where', 'field']],
      [{ entity: 'deal', where: { every: 'contacts' } }, ['body', 'where', 'where']],
      [{ entity: 'deal', where: { field: 'constructor', value: 1 } }, ['body', 'where', 'field']],
      [{ entity: 'deal', measure: { kind: 'sum' } }, ['body', 'measure', 'field']],
      [{ entity: 'deal', measure: { kind: 'sum', field: 'name' } }, ['body', 'measure', 'field']],
      [{ entity: 'deal', group_by: [{ field: 'planets.city' }] }, ['body', 'group_by', 0, 'field']],
      [{ entity: 'deal', group_by: [{ field: 'name', bucket: 'month' }] }, ['body', 'group_by', 0, 'field']],
      [{ entity: 'deal', having: { op: 'gt', value: 1 } }, ['body', 'having']],
      [{ entity: 'deal', order: [{ by: 'colour' }] }, ['body', 'order', 0, 'by']],
      [{ entity: 'deal', where: nested(5) }, ['body', 'where', 'where', 'where', 'where', 'where', 'some']],
    ]
    for (const [query, loc] of rows) {
      const { status, body } = await account.post('/api/query', query)
      expect.soft([status, body.detail?.[0]?.loc], JSON.stringify(query)).toEqual([422, loc])
    }
  })

  it('needs the scope of every kind of record that it refers to', async () => {
    const { post } = await newAccount({ scopes: ['contacts:read'] })
    expect(
      (await post('/api/query', { entity: 'contact', where: { field: 'email', op: 'is_null' } })).status,
    ).toBe(200)
    for (const query of [
      { entity: 'deal' },
      { entity: 'contact', where: { field: 'company.annual_revenue', op: 'gt', value: 1 } },
      { entity: 'contact', where: { some: 'deals', where: { field: 'amount', op: 'gt', value: 1 } } },
      { entity: 'contact', group_by: [{ field: 'company.annual_revenue' }] },
    ]) {
      expect((await post('/api/query', query)).status).toBe(403)
    }
    expect(
      (await post('/api/contacts/query', { where: { field: 'company.industry', value: 'x' } })).status,
    ).toBe(403)
  })
})

const nested = (depth: number): object =>
  depth === 0
    ? { field: 'name', value: 'x' }
    : { some: depth % 2 ? 'companies' : 'deals', where: nested(depth - 1) }
