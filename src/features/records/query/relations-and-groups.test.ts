import { beforeAll, expect, it } from 'vitest'
import { type Account, anotherMember, onAnyEngine } from '../../../../test/support/service.ts'
import { queryWorld } from './query.testing.ts'
import type { Group } from './result.ts'
import type { Condition, Order, Query } from './spec.ts'

onAnyEngine('queries over related records, groups and pages', newAccount => {
  let account: Account
  let ids: Record<string, string>
  beforeAll(async () => {
    account = await newAccount()
    ;({ ids } = await queryWorld(account))
  })

  const run = async (query: Query, more: object = {}) => {
    const answer = await account.post('/api/query', { ...query, ...more })
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
    return answer.body
  }
  const names = (body: { items: Record<string, string>[] }) =>
    body.items.map(item => item.name ?? item.full_name ?? item.subject ?? item.title)
  const by = (name: string): Order[] => [{ by: name, direction: 'asc' }]

  it.each<[string, Condition, string]>([
    ['deal', { field: 'status', value: 'won' }, 'A2 G1'],
    ['deal', { field: 'stage.name', value: 'Proposal' }, 'A1 I1'],
    ['deal', { field: 'owner.name', value: 'Mia Wong' }, 'A1 A2'],
    ['deal', { field: 'company.country', op: 'in', value: ['Germany', 'Spain'] }, 'A1 A2 A3 I1'],
    ['deal', { not: { field: 'company.country', value: 'Germany' } }, 'G1'],
    [
      'deal',
      {
        or: [
          { field: 'amount', op: 'lt', value: 100 },
          { field: 'status', value: 'open' },
        ],
      },
      'A1 A3 I1',
    ],
    ['deal', { not: { or: [{ field: 'amount', op: 'gt', value: 0 }] } }, 'I1'],
    ['deal', { field: 'company.cf.score', op: 'gt', value: 10 }, 'G1'],
    ['deal', { some: 'tags', where: { field: 'name', value: 'vip' } }, 'G1'],
    ['deal', { field: 'company.tags.name', value: 'vip' }, 'A1 A2 A3'],
    ['deal', { field: 'expected_close_date', op: 'is_null' }, 'A3'],
    ['deal', { field: 'expected_close_date', op: 'between', value: ['2026-02-01', '2026-02-28'] }, 'A2 G1'],
    // what a deal's owner is called is empty where it has none, as in groups
    ['deal', { field: 'owner.name', op: 'is_null' }, 'I1'],
    ['deal', { field: 'owner.name', op: 'is_null', value: false }, 'A1 A2 A3 G1'],
    ['deal', { none: 'contacts' }, 'A3 I1'],
    ['deal', { some: 'notes' }, 'A1'],
    ['deal', { some: 'contacts', where: { field: 'email', op: 'is_null', value: true } }, 'A2 G1'],
    ['deal', { every: 'contacts', where: { field: 'email', op: 'is_null', value: false } }, 'A1 A3 I1'],
    ['company', { every: 'deals', where: { field: 'status', value: 'won' } }, 'Globex Vale'],
    [
      'company',
      { and: [{ some: 'deals' }, { every: 'deals', where: { field: 'status', value: 'won' } }] },
      'Globex',
    ],
    ['company', { none: 'deals', where: { field: 'status', value: 'won' } }, 'Initech Vale'],
    ['company', { count: 'deals', op: 'gte', value: 1 }, 'Acme Globex Initech'],
    ['company', { count: 'deals', op: 'eq', value: 0 }, 'Vale'],
    ['company', { count: 'contacts', op: 'between', value: [1, 1] }, 'Globex'],
    [
      'company',
      { count: 'deals', op: 'in', value: [1, 3], where: { field: 'currency', value: 'EUR' } },
      'Globex Initech',
    ],
    ['company', { some: 'activities', where: { field: 'type', value: 'call' } }, 'Acme'],
    ['company', { some: 'activities', where: { field: 'type', value: 'task' } }, 'Globex'],
    ['company', { field: 'categories', op: 'contains', value: 'KEY' }, 'Acme Globex'],
    ['company', { field: 'categories', op: 'not_in', value: ['old'] }, 'Globex Initech Vale'],
    ['company', { field: 'cf.plans', value: 'gold' }, 'Acme'],
    ['company', { field: 'cf.plans', op: 'ne', value: 'gold' }, 'Globex Initech Vale'],
    ['company', { field: 'cf.loose', op: 'starts_with', value: 'X' }, 'Initech'],
    ['company', { field: 'cf.score', op: 'is_null' }, 'Initech Vale'],
    ['contact', { field: 'deals.company.country', value: 'France' }, 'Cy'],
    ['contact', { field: 'birthday_day', op: 'between', value: ['12-01', '12-31'] }, 'Bob'],
    // four steps
    [
      'contact',
      {
        some: 'deals',
        where: {
          some: 'company',
          where: { some: 'deals', where: { field: 'owner.name', value: 'Ravi Lee' } },
        },
      },
      'Ann Bob Cy',
    ],
    ['activity', { field: 'contacts.company.name', value: 'Acme' }, 'Call'],
    ['activity', { field: 'companies.name', value: 'Globex' }, 'Task'],
    ['activity', { field: 'happened_at', op: 'gte', value: '2026-03-01' }, 'Call'],
    ['activity', { field: 'assignee.name', op: 'contains', value: 'mia' }, 'Call'],
    ['note', { field: 'deals.name', value: 'A1' }, 'Wish'],
    ['stage', { some: 'deals', where: { field: 'currency', value: 'USD' } }, 'Lost'],
    ['tag', { some: 'companies' }, 'vip'],
    ['member', { none: 'deals', where: { field: 'status', value: 'open' } }, 'Ravi Lee'],
    ['company', { and: [] }, 'Acme Globex Initech Vale'],
    ['company', { or: [] }, ''],
  ])('%s where %j: %s', async (entity, where, expected) => {
    const name =
      entity === 'contact'
        ? 'full_name'
        : entity === 'activity'
          ? 'subject'
          : entity === 'note'
            ? 'title'
            : 'name'
    const body = await run({ entity, where, order: by(name) })
    expect(names(body).join(' ')).toBe(expected)
    expect(body.total).toBe(expected === '' ? 0 : body.items.length)
    const counted = await run({ entity, where, measure: { kind: 'count' } })
    expect(counted.figures).toEqual([{ value: body.total, currency: null, count: body.total }])
  })

  it('sorts, limits and pages', async () => {
    const order: Order[] = [{ by: 'company.name' }, { by: 'amount', direction: 'desc' }]
    expect(names(await run({ entity: 'deal', order }))).toEqual(['A2', 'A1', 'A3', 'G1', 'I1'])
    const first = await run({ entity: 'deal', order, limit: 3 }, { page_size: 2 })
    expect(first).toMatchObject({ total: 5, page: 1, page_size: 2, total_pages: 2 })
    expect(names(await run({ entity: 'deal', order, limit: 3 }, { page_size: 2, page: 2 }))).toEqual(['A3'])
    expect(await run({ entity: 'deal', order, limit: 3 }, { page_size: 2, page: 9 })).toMatchObject({
      total: 5,
      items: [],
    })
    expect(names(await run({ entity: 'company', order: [{ by: 'cf.score', direction: 'desc' }] }))).toEqual([
      'Globex',
      'Acme',
      'Vale',
      'Initech',
    ])
  })

  it('sorts by the number of related records, and leaves out the first', async () => {
    const most: Order[] = [{ by: 'deals.count', direction: 'desc' }, { by: 'name' }]
    expect(names(await run({ entity: 'company', order: most }))).toEqual([
      'Acme',
      'Globex',
      'Initech',
      'Vale',
    ])
    const won: Order[] = [{ by: 'deals.count', where: { field: 'status', value: 'won' } }, { by: 'name' }]
    expect(names(await run({ entity: 'company', order: won }))).toEqual(['Initech', 'Vale', 'Acme', 'Globex'])
    const second = { entity: 'company', order: most, offset: 1, limit: 2 }
    expect(names(await run(second))).toEqual(['Globex', 'Initech'])
    expect(await run(second, { page_size: 1, page: 2 })).toMatchObject({ total: 4, total_pages: 2 })
    expect(names(await run(second, { page_size: 1, page: 2 }))).toEqual(['Initech'])
    const { figures } = await run({ entity: 'company', measure: { kind: 'avg', field: 'deals.count' } })
    expect(figures).toEqual([{ value: 1.25, currency: null, count: 4 }])
    const byStatus: Query = { entity: 'deal', group_by: [{ field: 'status' }], order: by('status') }
    const { groups } = await run({ ...byStatus, offset: 1, limit: 1 })
    expect(groups).toMatchObject([(await run(byStatus)).groups[1]])
  })

  it.each<[Query['measure'] & { kind: string }, unknown]>([
    [
      { kind: 'sum', field: 'amount' },
      [
        { value: 600, currency: 'EUR', count: 3 },
        { value: 50, currency: 'USD', count: 1 },
      ],
    ],
    [
      { kind: 'avg', field: 'amount' },
      [
        { value: 200, currency: 'EUR', count: 3 },
        { value: 50, currency: 'USD', count: 1 },
      ],
    ],
    [
      { kind: 'median', field: 'amount' },
      [
        { value: 200, currency: 'EUR', count: 3 },
        { value: 50, currency: 'USD', count: 1 },
      ],
    ],
    [
      { kind: 'max', field: 'amount' },
      [
        { value: 300, currency: 'EUR', count: 3 },
        { value: 50, currency: 'USD', count: 1 },
      ],
    ],
    [{ kind: 'min', field: 'expected_close_date' }, [{ value: '2026-01-15', currency: null, count: 4 }]],
    [{ kind: 'sum', field: 'company.employee_count' }, [{ value: 390, currency: null, count: 4 }]],
    [{ kind: 'avg', field: 'company.cf.score' }, [{ value: 8.25, currency: null, count: 4 }]],
  ])('measures %j', async (measure, figures) => {
    expect(await run({ entity: 'deal', measure })).toMatchObject({ figures, total: 5 })
  })

  it('returns a figure for an empty set', async () => {
    const where = { field: 'name', value: 'none' }
    const of = async (kind: 'sum' | 'avg') =>
      (await run({ entity: 'deal', where, measure: { kind, field: 'amount' } })).figures
    expect(await of('sum')).toEqual([{ value: 0, currency: null, count: 0 }])
    expect(await of('avg')).toEqual([{ value: null, currency: null, count: 0 }])
  })

  it.each<[string, Partial<Query>, unknown]>([
    ['deal', { group_by: [{ field: 'status' }] }, ['open 2', 'won 2', 'lost 1']],
    [
      'deal',
      { group_by: [{ field: 'owner.name' }], order: [{ by: 'owner.name', direction: 'desc' }] },
      ['Ravi Lee 2', 'Mia Wong 2', 'null 1'],
    ],
    [
      'deal',
      { group_by: [{ field: 'expected_close_date', bucket: 'month' }] },
      ['2026-01-01 1', '2026-02-01 2', '2026-04-01 1', 'null 1'],
    ],
    [
      'deal',
      { group_by: [{ field: 'expected_close_date', bucket: 'quarter' }] },
      ['2026-01-01 3', '2026-04-01 1', 'null 1'],
    ],
    [
      'deal',
      { group_by: [{ field: 'expected_close_date', bucket: 'week' }], limit: 2 },
      ['2026-01-12 1', '2026-01-26 1'],
    ],
    [
      'deal',
      { group_by: [{ field: 'company.country' }, { field: 'currency' }] },
      ['Germany/EUR 3', 'France/EUR 1', 'Germany/USD 1'],
    ],
    ['deal', { group_by: [{ field: 'contacts.full_name' }] }, ['Ann 2', 'null 2', 'Bob 1', 'Cy 1']],
    ['company', { group_by: [{ field: 'categories' }] }, ['Key 2', 'null 2', 'Old 1']],
    ['company', { group_by: [{ field: 'cf.plans' }] }, ['silver 2', 'null 2', 'gold 1']],
    ['company', { group_by: [{ field: 'tags.name' }] }, ['null 3', 'vip 1']],
    ['deal', { group_by: [{ field: 'status' }], having: { op: 'lt', value: 2 } }, ['lost 1']],
    [
      'deal',
      {
        measure: { kind: 'sum', field: 'amount' },
        group_by: [{ field: 'owner.name' }],
        having: { op: 'gt', value: 60 },
      },
      ['Mia Wong 400 EUR', 'Ravi Lee 200 EUR'],
    ],
  ])('groups %s by %j', async (entity, query, expected) => {
    const { groups } = await run({ entity, ...query })
    const texts = groups.map(
      ({ key, value, currency }: Group) =>
        `${key.map(one => one ?? 'null').join('/')} ${value}${currency ? ` ${currency}` : ''}`,
    )
    expect(texts).toEqual(expected)
  })

  it('reports whether there are more groups', async () => {
    const query: Query = { entity: 'deal', group_by: [{ field: 'status' }] }
    expect(await run({ ...query, limit: 2 })).toMatchObject({ has_more: true, total: 5 })
    expect(await run({ ...query, limit: 3 })).toMatchObject({ has_more: false })
  })

  it.each<[object, (string | number)[], string]>([
    [{ entity: 'deal', where: { count: 'contacts', op: 'gt' } }, ['where', 'value'], 'number'],
    [
      { entity: 'deal', where: { count: 'contacts', op: 'contains', value: 1 } },
      ['where', 'op'],
      'compared by',
    ],
    [
      { entity: 'deal', where: { field: 'company.deals.company.deals.company.name', value: 'x' } },
      ['where', 'field'],
      'at most 4 steps',
    ],
    [
      { entity: 'company', where: { field: 'country', value: null } },
      ['where', 'value'],
      'null is compared by is_null alone',
    ],
    [
      { entity: 'deal', where: { not: { field: 'company.employee_count', op: 'ne', value: null } } },
      ['where', 'not', 'value'],
      'null is compared by is_null alone',
    ],
    [
      { entity: 'company', where: { field: 'cf.plans', op: 'in', value: ['gold', null] } },
      ['where', 'value'],
      'null is compared by is_null alone',
    ],
    [{ entity: 'company', where: { feild: 'country' } }, ['where', 'feild'], "did you mean 'field'?"],
    [{ entity: 'bill' }, ['entity'], 'take one of company, contact, deal, pipeline, stage, product'],
    [{ entity: 'deal', measure: { kind: 'sum', field: 'status' } }, ['measure', 'field'], 'not a number'],
    [
      { entity: 'deal', measure: { kind: 'sum', field: 'contacts.twitter_follower_count' } },
      ['measure', 'field'],
      'may have several',
    ],
    [{ entity: 'deal', order: [{ by: 'contacts.city' }] }, ['order', 0, 'by'], 'may have several'],
    [
      { entity: 'deal', order: [{ by: 'amount', where: { field: 'status', value: 'won' } }] },
      ['order', 0, 'where'],
      'only a number of related records',
    ],
    [
      { entity: 'deal', order: [{ by: 'contacts.count', where: { field: 'status' } }] },
      ['order', 0, 'where', 'value'],
      'valid string',
    ],
    [
      { entity: 'deal', group_by: [{ field: 'status' }], order: [{ by: 'measure', where: { and: [] } }] },
      ['order', 0, 'where'],
      'without conditions',
    ],
    [
      {
        entity: 'deal',
        measure: { kind: 'max', field: 'created_at' },
        group_by: [{ field: 'status' }],
        having: { op: 'gt', value: 1 },
      },
      ['having'],
      'having compares numbers',
    ],
    [{ entity: 'deal', measure: { kind: 'count' }, page: 2 }, ['page'], 'only a list has pages'],
    [
      { entity: 'deal', where: { or: Array.from({ length: 201 }, () => ({ and: [] })) } },
      ['where'],
      'at most 200 conditions',
    ],
  ])('refuses %j', async (query, loc, sentence) => {
    const { status, body } = await account.post('/api/query', query)
    expect([status, body.detail?.[0]?.loc]).toEqual([422, ['body', ...loc]])
    expect(body.detail[0].msg).toContain(sentence)
  })

  it('needs the scope of every kind of record that it refers to', async () => {
    const clerk = await anotherMember(account, { scopes: ['deals:read'] })
    const ask = (query: object) => clerk.post('/api/query', query)
    expect((await ask({ entity: 'deal' })).status).toBe(200)
    expect((await ask({ entity: 'deal', where: { field: 'stage.name', value: 'Won' } })).status).toBe(200)
    for (const [query, scope] of [
      [{ entity: 'company' }, 'companies:read'],
      [{ entity: 'deal', where: { field: 'company.name', value: 'Acme' } }, 'companies:read'],
      [{ entity: 'deal', where: { none: 'contacts' } }, 'contacts:read'],
      [{ entity: 'deal', measure: { kind: 'sum', field: 'company.employee_count' } }, 'companies:read'],
      [{ entity: 'deal', order: [{ by: 'company.name' }] }, 'companies:read'],
    ] as const) {
      const answer = await ask(query)
      expect([answer.status, answer.body.detail]).toEqual([403, `This API key lacks the scope ${scope}`])
    }
    const nested = await clerk.post('/api/deals/query', { where: { field: 'company.name', value: 'Acme' } })
    expect(nested.status).toBe(403)
  })

  it('sees only its own account and nothing in the trash', async () => {
    const other = await newAccount()
    for (const entity of ['company', 'contact', 'deal', 'activity', 'note', 'tag', 'chat'])
      expect((await other.post('/api/query', { entity })).body.total).toBe(0)
    expect((await other.post('/api/query', { entity: 'member' })).body.total).toBe(1)
    const mine = await newAccount()
    const company = await mine.create('/api/companies', { name: 'Gone' })
    await mine.create('/api/deals', { name: 'Left', company_id: company.id })
    const where = { field: 'company.name', value: 'Gone' }
    expect((await mine.post('/api/query', { entity: 'deal', where })).body.total).toBe(1)
    await mine.delete(`/api/companies/${company.id}`)
    expect((await mine.post('/api/query', { entity: 'deal', where })).body.total).toBe(0)
    expect((await mine.post('/api/query', { entity: 'company' })).body.total).toBe(0)
  })

  it('supports the whole language at the endpoint of one resource, and still lists', async () => {
    const where = { some: 'deals', where: { field: 'status', value: 'won' } }
    const listed = await account.post('/api/companies/query', { where, sort_by: 'name', sort_order: 'asc' })
    expect(names(listed.body)).toEqual(['Acme', 'Globex'])
    expect(listed.body).toMatchObject({ total: 2, page: 1, total_pages: 1 })
    const grouped = await account.post('/api/companies/query', { group_by: [{ field: 'country' }] })
    expect(grouped.body).toMatchObject({
      total: 4,
      groups: [{ count: 2 }, { count: 1 }, { count: 1 }],
    })
    const mixed = await account.post('/api/companies/query', { measure: { kind: 'count' }, sort_by: 'name' })
    expect([mixed.status, mixed.body.detail[0].loc]).toEqual([422, ['body', 'sort_by']])
    await account.delete(`/api/deals/${ids.A3}`)
    const trash = await account.post('/api/deals/query', {
      where: { field: 'company.name', value: 'Acme' },
      deleted: true,
    })
    expect(names(trash.body)).toEqual(['A3'])
    await account.post(`/api/deals/${ids.A3}/restore`)
  })
})
