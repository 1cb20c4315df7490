/** What the list of companies offers: paging, cursors, sorting, searching, filtering, the trash. */
import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const at = '/api/companies'
const names = (answer: { body: { items: { name: string }[] } }) => answer.body.items.map(item => item.name)
const encoded = (params: Record<string, unknown>) =>
  `${at}?${new URLSearchParams(params as Record<string, string>)}`

/** Created one after the other, so that the last is the newest. */
async function made(account: Account, rows: Record<string, unknown>[]) {
  const items = []
  for (const row of rows) items.push(await account.create(at, { name: 'Acme', ...row }))
  return items
}

const PEOPLE = [
  {
    name: 'Ångström AB',
    city: 'Malmö',
    phone: '+46 (40) 123-45 67',
    domains: ['angstrom.se'],
    country: 'Sweden',
  },
  { name: '100% Cotton', description: 'under_scored \\ back', status: 'customer', industry: 'Textiles' },
  { name: 'Straße & Söhne', email: 'kontakt@strasse.de', website: 'https://www.strasse.de', status: 'lead' },
  { name: 'Plain', domains: 'https://www.Plain.com/about, plain.org', connection_strength: 'strong' },
]

const searches: [search: string, found: string[]][] = [
  ['angstrom', ['Ångström AB']],
  ['ÅNGSTRÖM', ['Ångström AB']],
  ['ngstr', ['Ångström AB']],
  ['malmo', ['Ångström AB']],
  ['0%', ['100% Cotton']],
  ['%', ['100% Cotton']],
  ['_', ['100% Cotton']],
  ['\\', ['100% Cotton']],
  ['strasse', ['Straße & Söhne']],
  ['STRAßE', ['Straße & Söhne']],
  ['soehne', []],
  ['sohne', ['Straße & Söhne']],
  ['KONTAKT@', ['Straße & Söhne']],
  ['40123456', ['Ångström AB']],
  ['+46 40/123', ['Ångström AB']],
  ['(40) 1', ['Ångström AB']],
  ['4676543', []],
  ['plain.org', ['Plain']],
  ['angstrom.se', ['Ångström AB']],
  // the search finds domains, not the JSON that stores them
  ['["', []],
  ['  textiles  ', ['100% Cotton']],
  ["'; drop table companies; --", []],
  ['', ['Plain', 'Straße & Söhne', '100% Cotton', 'Ångström AB']],
]

const filters: [query: string, found: string[]][] = [
  ['status=customer', ['100% Cotton']],
  ['status=nothing', []],
  ['industry=Textiles', ['100% Cotton']],
  ['connection_strength=strong', ['Plain']],
  ['country=Sweden', ['Ångström AB']],
  ['domain=angstrom.se', ['Ångström AB']],
  ['domain=plain.com', ['Plain']],
  ['domain=PLAIN.org', ['Plain']],
  ['domain=https://www.plain.com/x', ['Plain']],
  ['domain=lain.com', []],
  ['domain=', []],
  ['status=customer&industry=Textiles&search=cotton', ['100% Cotton']],
  ['status=customer&country=Sweden', []],
  ['unknown=1', ['Plain', 'Straße & Söhne', '100% Cotton', 'Ångström AB']],
]

const refused: [query: string, type: string, loc: string[]][] = [
  ['page=0', 'greater_than_equal', ['query', 'page']],
  ['page=x', 'int_parsing', ['query', 'page']],
  ['page=1.5', 'int_parsing', ['query', 'page']],
  ['page_size=0', 'greater_than_equal', ['query', 'page_size']],
  ['page_size=1001', 'less_than_equal', ['query', 'page_size']],
  ['sort_by=nonsense', 'enum', ['query', 'sort_by']],
  ['sort_by=domains', 'enum', ['query', 'sort_by']],
  ['sort_by=team_ids', 'enum', ['query', 'sort_by']],
  ['sort_order=up', 'enum', ['query', 'sort_order']],
  ['cursor=nonsense', 'value_error', ['query', 'cursor']],
  ['deleted=perhaps', 'bool_parsing', ['query', 'deleted']],
  ['is_favorite=2', 'bool_parsing', ['query', 'is_favorite']],
  ['created_after=soon', 'datetime_from_date_parsing', ['query', 'created_after']],
  ['ids=abc', 'uuid_parsing', ['query', 'ids']],
  [`search=${'x'.repeat(1001)}`, 'string_too_long', ['query', 'search']],
  ['search=%00', 'value_error', ['query', 'search']],
]

onAnyEngine('the list of companies', account => {
  it('pages, newest first, with exact totals', async () => {
    const client = await account()
    await made(
      client,
      ['a', 'b', 'c', 'd', 'e'].map(name => ({ name })),
    )
    const pages: [query: string, found: string[], rest: Record<string, number>][] = [
      ['', ['e', 'd', 'c', 'b', 'a'], { total: 5, page: 1, page_size: 50, total_pages: 1 }],
      ['?page_size=2', ['e', 'd'], { total: 5, page: 1, page_size: 2, total_pages: 3 }],
      ['?page=3&page_size=2', ['a'], { total: 5, page: 3, page_size: 2, total_pages: 3 }],
      ['/?page=4&page_size=2', [], { total: 5, page: 4, page_size: 2, total_pages: 3 }],
      [
        '?page=2147483647&page_size=1000',
        [],
        { total: 5, page: 2147483647, page_size: 1000, total_pages: 1 },
      ],
      ['?page_size=1000', ['e', 'd', 'c', 'b', 'a'], { total: 5, page: 1, page_size: 1000, total_pages: 1 }],
      ['?search=c&page_size=1', ['c'], { total: 1, page: 1, page_size: 1, total_pages: 1 }],
      ['?search=nobody', [], { total: 0, page: 1, page_size: 50, total_pages: 0 }],
    ]
    for (const [query, found, rest] of pages) {
      const answer = await client.get(at + query)
      expect(answer.status, query).toBe(200)
      const { items, ...others } = answer.body
      expect([items.map((item: { name: string }) => item.name), others], query).toEqual([found, rest])
    }
  })

  it('is empty in a new account', async () => {
    const { get } = await account()
    expect((await get(at)).body).toEqual({ items: [], total: 0, page: 1, page_size: 50, total_pages: 0 })
    expect((await get(`${at}?cursor=`)).body).toMatchObject({ items: [], next_cursor: null })
  })

  it('searches and filters', async () => {
    const client = await account()
    await made(client, PEOPLE)
    const rows = [
      ...searches.map(([search, found]) => [`${new URLSearchParams({ search })}`, found] as const),
      ...filters,
    ]
    for (const [query, found] of rows) {
      const answer = await client.get(`${at}?${query}`)
      expect.soft([names(answer), answer.body.total], query).toEqual([found, found.length])
    }
  })

  it('finds a company by its only domain, however it was written', async () => {
    const client = await account()
    const written = [
      ['plain.example'],
      ['Upper.Example'],
      ['www.prefixed.example'],
      ['https://linked.example/about'],
      ['two.example, second.example'],
      ['üml.example'],
      ['www.example'],
    ]
    await made(
      client,
      written.map(domains => ({ name: String(domains), domains })),
    )
    const expected: [domain: string, found: string[]][] = [
      ['plain.example', ['plain.example']],
      ['upper.example', ['Upper.Example']],
      ['prefixed.example', ['www.prefixed.example']],
      ['linked.example', ['https://linked.example/about']],
      ['second.example', ['two.example, second.example']],
      ['üml.example', ['üml.example']],
      ['example', ['www.example']],
    ]
    for (const [domain, found] of expected)
      expect.soft(names(await client.get(`${at}?${new URLSearchParams({ domain })}`)), domain).toEqual(found)
  })

  it('refuses invalid parameters', async () => {
    const { get } = await account()
    for (const [query, type, loc] of refused) {
      const answer = await get(`${at}?${query}`)
      const issue = answer.body.detail?.[0]
      expect.soft([answer.status, issue?.type, issue?.loc.slice(0, 2)], query).toEqual([422, type, loc])
    }
  })

  it('filters by category, ignoring case, and by custom values', async () => {
    const client = await account()
    await made(client, [
      { name: 'a', categories: ['Key Account'], metadata: { tier: 'gold', tags: ['x', 'y'] } },
      { name: 'b', categories: ['other'], metadata: { tier: 'silver', tags: [] } },
      { name: 'c' },
    ])
    expect(names(await client.get(`${at}?category=key%20account`))).toEqual(['a'])
    expect(names(await client.get(`${at}?category=key`))).toEqual([])
    expect(names(await client.get(`${at}?cf.tier=gold`))).toEqual(['a'])
    expect(names(await client.get(`${at}?cf.tier=bronze`))).toEqual([])
  })

  it('filters by ids, skipping those of other accounts', async () => {
    const client = await account()
    const [a, b] = await made(client, [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
    const foreign = await (await account()).create(at, { name: 'foreign' })
    expect(names(await client.get(`${at}?ids=${a.id},${b.id},${foreign.id},${newId()}`))).toEqual(['b', 'a'])
    expect(names(await client.get(`${at}?ids=${a.id}&ids=${b.id}`))).toEqual(['b', 'a'])
    expect(names(await client.get(`${at}?ids=${newId()}`))).toEqual([])
  })

  it('filters by time: _after is inclusive, _before exclusive', async () => {
    const client = await account()
    const items = []
    for (const name of ['a', 'b', 'c']) {
      items.push(await client.create(at, { name }))
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    const moment = items[1].created_at
    expect(names(await client.get(encoded({ created_after: moment })))).toEqual(['c', 'b'])
    expect(names(await client.get(encoded({ created_before: moment })))).toEqual(['a'])
    const { body } = await client.put(`${at}/${items[0].id}`, { city: 'Graz' })
    expect(names(await client.get(encoded({ updated_after: body.updated_at })))).toEqual(['a'])
    expect(names(await client.get(encoded({ updated_before: body.updated_at })))).toEqual(['c', 'b'])
  })

  it('sorts in both directions, texts without case, numbers by value, empty values last', async () => {
    const client = await account()
    await made(client, [
      { name: 'beta', employee_count: 9, annual_revenue: 10.5, city: 'Wien' },
      { name: 'Alpha', employee_count: 10, annual_revenue: null, city: null },
      { name: 'gamma', employee_count: null, annual_revenue: 2, city: 'aachen' },
    ])
    const orders: [sortBy: string, order: string, found: string[]][] = [
      ['name', 'asc', ['Alpha', 'beta', 'gamma']],
      ['name', 'desc', ['gamma', 'beta', 'Alpha']],
      ['employee_count', 'asc', ['beta', 'Alpha', 'gamma']],
      ['employee_count', 'desc', ['Alpha', 'beta', 'gamma']],
      ['annual_revenue', 'asc', ['gamma', 'beta', 'Alpha']],
      ['annual_revenue', 'desc', ['beta', 'gamma', 'Alpha']],
      ['city', 'asc', ['gamma', 'beta', 'Alpha']],
      ['city', 'desc', ['beta', 'gamma', 'Alpha']],
      ['created_at', 'asc', ['beta', 'Alpha', 'gamma']],
      ['updated_at', 'desc', ['gamma', 'Alpha', 'beta']],
      ['id', 'asc', ['beta', 'Alpha', 'gamma']],
    ]
    for (const [sort_by, sort_order, found] of orders) {
      expect(names(await client.get(encoded({ sort_by, sort_order }))), `${sort_by} ${sort_order}`).toEqual(
        found,
      )
      expect(await walk(client, { sort_by, sort_order, page_size: 1 }), `${sort_by} by cursor`).toEqual(found)
    }
    const ties = await walk(client, { sort_by: 'country', page_size: 1 })
    expect(ties).toEqual(['gamma', 'Alpha', 'beta'])
  })

  it('walks by cursor and stops at the end', async () => {
    const client = await account()
    await made(
      client,
      ['a', 'b', 'c', 'd'].map(name => ({ name })),
    )
    expect(await walk(client, { page_size: 3 })).toEqual(['d', 'c', 'b', 'a'])
    expect(await walk(client, { page_size: 4 })).toEqual(['d', 'c', 'b', 'a'])
    const first = await client.get(`${at}?cursor=&page_size=1`)
    expect(first.body).toMatchObject({ total: 4, page_size: 1 })
    const other = await client.get(encoded({ cursor: first.body.next_cursor, sort_by: 'name' }))
    expect(other.status).toBe(422)
    const forged = Buffer.from(JSON.stringify(['created_at', true, 'soon', newId()])).toString('base64url')
    expect((await client.get(encoded({ cursor: forged }))).status).toBe(422)
  })

  it('lists the trash separately', async () => {
    const client = await account()
    const [a] = await made(client, [{ name: 'a' }, { name: 'b' }])
    await client.delete(`${at}/${a.id}`)
    expect((await client.get(at)).body).toMatchObject({ total: 1 })
    const trash = await client.get(`${at}?deleted=true`)
    expect([names(trash), trash.body.total]).toEqual([['a'], 1])
    expect(names(await client.get(`${at}?deleted=true&search=b`))).toEqual([])
    await client.post(`${at}/${a.id}/restore`)
    expect(names(await client.get(at))).toEqual(['b', 'a'])
    expect((await client.get(`${at}?deleted=true`)).body.total).toBe(0)
  })

  it('lists the companies of a contact', async () => {
    const client = await account()
    const [a, b] = await made(client, [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
    const person = await client.create('/api/contacts', { first_name: 'Ada', company_ids: [a.id, b.id] })
    expect(names(await client.get(`${at}?contact_id=${person.id}`))).toEqual(['b', 'a'])
    expect(
      names(await client.get(`/api/contacts/${person.id}/companies?sort_by=name&sort_order=asc`)),
    ).toEqual(['a', 'b'])
    expect((await client.get(`/api/contacts/${newId()}/companies`)).body).toEqual({
      detail: 'Contact not found',
    })
    const stranger = await account()
    expect((await stranger.get(`/api/contacts/${person.id}/companies`)).status).toBe(404)
  })
})

async function walk(client: Account, params: Record<string, unknown>): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body, status, text } = await client.get(encoded({ ...params, cursor }))
    if (status !== 200) throw new Error(text)
    found.push(...body.items.map((item: { name: string }) => item.name))
    cursor = body.next_cursor
  }
  return found
}
