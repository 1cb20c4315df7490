import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Account, anotherMember, onBothEngines } from '../../../../test/support/service.ts'
import { groupLines, matching, type Records } from './naive.testing.ts'
import { BUCKETS, type Condition, type Query } from './spec.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of every kind, as the API answers them
type Item = Record<string, any>

const COUNTRIES = ['Germany', 'France', 'Peru']
const AMOUNTS = [0, 10, 250, 99.5]
const DAYS = ['2025-12-31', '2026-01-01', '2026-03-31', '2026-04-01']
const some = <T>(list: readonly T[]) => fc.constantFrom(...list)
const maybe = <T>(list: readonly T[]) => fc.option(some(list), { freq: 4 })

interface Shape {
  companies: { country: string | null; employee_count: number | null; categories: string[] }[]
  contacts: { city: string | null; company: number | null }[]
  deals: {
    amount: number | null
    currency: string
    stage: number
    owner: number | null
    close: string | null
    company: number | null
    contacts: number[]
  }[]
  tags: [kind: number, at: number][]
}

const index = (n: number) => fc.integer({ min: 0, max: n - 1 })
const shape: fc.Arbitrary<Shape> = fc.record({
  companies: fc.array(
    fc.record({
      country: maybe(COUNTRIES),
      employee_count: maybe([0, 5, 50]),
      categories: fc.uniqueArray(some(['key', 'old']), { maxLength: 2 }),
    }),
    { minLength: 4, maxLength: 4 },
  ),
  contacts: fc.array(fc.record({ city: maybe(['Bonn', 'Lyon']), company: fc.option(index(4)) }), {
    minLength: 5,
    maxLength: 5,
  }),
  deals: fc.array(
    fc.record({
      amount: maybe(AMOUNTS),
      currency: some(['EUR', 'USD']),
      stage: index(6),
      owner: fc.option(index(2)),
      close: maybe(DAYS),
      company: fc.option(index(4)),
      contacts: fc.uniqueArray(index(5), { maxLength: 3 }),
    }),
    { minLength: 8, maxLength: 8 },
  ),
  tags: fc.array(fc.tuple(index(2), index(4)), { maxLength: 5 }),
})

async function fill(account: Account, world: Shape): Promise<void> {
  const owners = [account.userId, (await anotherMember(account)).userId]
  const { items: stages } = (await account.get('/api/deals/stages?page_size=100')).body
  const idOf = async (path: string, body: object): Promise<string> => (await account.create(path, body)).id
  const companies: string[] = []
  for (const [i, body] of world.companies.entries())
    companies.push(await idOf('/api/companies', { name: `C${i}`, ...body }))
  const contacts: string[] = []
  for (const [i, { company, city }] of world.contacts.entries()) {
    const company_id = company === null ? null : companies[company]
    contacts.push(await idOf('/api/contacts', { first_name: `P${i}`, city, company_id }))
  }
  const deals: string[] = []
  for (const [i, { stage, owner, close, company, contacts: people, ...rest }] of world.deals.entries())
    deals.push(
      await idOf('/api/deals', {
        name: `D${i}`,
        ...rest,
        stage_id: stages[stage].id,
        owner_id: owner === null ? null : owners[owner],
        expected_close_date: close,
        company_id: company === null ? null : companies[company],
        associated_contact_ids: people.map(at => contacts[at]),
      }),
    )
  const tag = await idOf('/api/tags', { name: 'vip' })
  for (const [kind, at] of world.tags)
    await account.put(
      kind === 0 ? `/api/tags/records/company/${companies[at]}` : `/api/tags/records/deal/${deals[at]}`,
      { tag_ids: [tag] },
    )
}

/** What the account holds, read through its lists; the relations are those that its records show. */
async function read(account: Account): Promise<Records> {
  const list = async (path: string): Promise<Item[]> =>
    (await account.get(`${path}?page_size=1000`)).body.items
  const [companies, contacts, deals, stages, tags] = [
    await list('/api/companies'),
    await list('/api/contacts'),
    await list('/api/deals'),
    await list('/api/deals/stages'),
    await list('/api/tags'),
  ]
  const users = await list(`/api/accounts/${account.accountId}/members`)
  const tagsOf = new Map<string, Item[]>()
  for (const [type, items] of [
    ['company', companies],
    ['deal', deals],
  ] as const)
    for (const { id } of items) {
      const { body } = await account.get(`/api/tags/records/${type}/${id}`)
      const ids = body.tag_ids.map((one: Item) => one.id)
      tagsOf.set(
        id,
        tags.filter(one => ids.includes(one.id)),
      )
    }
  const all: Record<string, Item[]> = {
    company: companies,
    contact: contacts,
    deal: deals,
    stage: stages,
    member: users,
  }
  const among = (kind: string, ids: (string | null)[]) => ({
    kind,
    items: all[kind]!.filter(item => ids.includes(item.id)),
  })
  const idsOf = (items: Item[] | null) => (items ?? []).map(({ id }) => id as string)
  const steps: Record<string, (item: Item) => { kind: string; items: Item[] }> = {
    'company contacts': item => among('contact', idsOf(item.team_ids)),
    'company deals': item => among('deal', idsOf(item.associated_deal_ids)),
    'company tags': item => ({ kind: 'tag', items: tagsOf.get(item.id)! }),
    'contact company': item => among('company', [item.company_id]),
    'contact companies': item => among('company', idsOf(item.company_ids)),
    'contact deals': item => among('deal', idsOf(item.associated_deal_ids)),
    'deal company': item => among('company', [item.company_id]),
    'deal companies': item => among('company', idsOf(item.associated_company_ids)),
    'deal contacts': item => among('contact', idsOf(item.associated_contact_ids)),
    'deal stage': item => among('stage', [item.stage_id]),
    'deal owner': item => among('member', [item.owner_id]),
    'deal tags': item => ({ kind: 'tag', items: tagsOf.get(item.id)! }),
    'stage deals': item => ({ kind: 'deal', items: deals.filter(one => one.stage_id === item.id) }),
    'member deals': item => ({ kind: 'deal', items: deals.filter(one => one.owner_id === item.id) }),
  }
  return { all, related: (kind, item, relation) => steps[`${kind} ${relation}`]!(item) }
}

const RELATIONS: Record<string, Record<string, string>> = {
  company: { contacts: 'contact', deals: 'deal', tags: 'tag' },
  contact: { company: 'company', companies: 'company', deals: 'deal' },
  deal: {
    company: 'company',
    companies: 'company',
    contacts: 'contact',
    stage: 'stage',
    owner: 'member',
    tags: 'tag',
  },
  stage: { deals: 'deal' },
  member: { deals: 'deal' },
  tag: {},
}
const TEXTS: Record<string, [string, readonly string[]][]> = {
  company: [
    ['country', COUNTRIES],
    ['name', ['C0', 'C1', 'C9']],
  ],
  contact: [
    ['city', ['Bonn', 'Lyon']],
    ['full_name', ['P0', 'P3']],
  ],
  deal: [
    ['currency', ['EUR', 'USD']],
    ['status', ['open', 'won', 'lost']],
    ['expected_close_date', DAYS],
  ],
  stage: [['name', ['Lead', 'Won']]],
  member: [['name', ['Mia', 'Test']]],
  tag: [['name', ['vip', 'none']]],
}
const NUMBERS: Record<string, [string, readonly number[]][]> = {
  company: [['employee_count', [0, 5, 50]]],
  deal: [['amount', AMOUNTS]],
  stage: [['probability', [0, 50]]],
}

function leaf(kind: string): fc.Arbitrary<Condition> {
  const equal = [...(TEXTS[kind] ?? []), ...(NUMBERS[kind] ?? [])].flatMap(([field, values]) => [
    fc.record({
      field: fc.constant(field),
      op: some(['eq', 'ne'] as const),
      value: some<string | number>(values),
    }),
    fc.record({
      field: fc.constant(field),
      op: some(['in', 'not_in'] as const),
      value: fc.array(some<string | number>(values), { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ field: fc.constant(field), op: fc.constant('is_null' as const), value: fc.boolean() }),
  ])
  const ordered = (NUMBERS[kind] ?? []).flatMap(([field, values]) => [
    fc.record({
      field: fc.constant(field),
      op: some(['gt', 'gte', 'lt', 'lte'] as const),
      value: some(values),
    }),
    fc.record({
      field: fc.constant(field),
      op: fc.constant('between' as const),
      value: fc.tuple(some(values), some(values)),
    }),
  ])
  const lists =
    kind === 'company'
      ? [
          fc.record({
            field: fc.constant('categories'),
            op: some(['contains', 'ne'] as const),
            value: some(['key', 'KEY', 'old']),
          }),
        ]
      : []
  return fc.oneof(...equal, ...ordered, ...lists)
}

function condition(kind: string, depth: number): fc.Arbitrary<Condition> {
  if (depth === 0) return leaf(kind)
  const inner = condition(kind, depth - 1)
  const steps = Object.entries(RELATIONS[kind]!).flatMap(([name, to]) => {
    const where = condition(to, depth - 1)
    return [
      fc.record({ some: fc.constant(name), where }),
      fc.record({ none: fc.constant(name), where }),
      fc.record({ every: fc.constant(name), where }),
      fc.record({
        count: fc.constant(name),
        op: some(['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const),
        value: fc.integer({ min: 0, max: 3 }),
        where,
      }),
      fc.record({ some: fc.constant(name) }),
      leaf(to).map(one => ('field' in one ? { ...one, field: `${name}.${one.field}` } : one)),
    ]
  })
  return fc.oneof(
    leaf(kind),
    fc.array(inner, { maxLength: 3 }).map(and => ({ and })),
    fc.array(inner, { maxLength: 3 }).map(or => ({ or })),
    inner.map(not => ({ not })),
    ...steps,
  )
}

const entity = some(['company', 'contact', 'deal'])
const filtered: fc.Arbitrary<Query> = entity.chain(kind =>
  fc.record({ entity: fc.constant(kind), where: condition(kind, 3) }),
)
const PATHS: Record<string, string[]> = {
  company: ['country', 'categories', 'tags.name', 'deals.status', 'deals.owner.name'],
  contact: ['city', 'company.country', 'deals.currency'],
  deal: ['status', 'stage.name', 'company.country', 'contacts.city', 'company.categories'],
}
const measures: Record<string, fc.Arbitrary<NonNullable<Query['measure']>>> = {
  company: fc.record({
    kind: some(['sum', 'avg', 'median', 'min', 'max'] as const),
    field: fc.constant('employee_count'),
  }),
  contact: fc.record({ kind: some(['sum', 'max'] as const), field: fc.constant('company.employee_count') }),
  deal: fc.record({
    kind: some(['sum', 'avg', 'median', 'min', 'max'] as const),
    field: fc.constant('amount'),
  }),
}
const key = (kind: string) =>
  fc.oneof(
    some(PATHS[kind]!).map(field => ({ field })),
    ...(kind === 'deal' ? [some(BUCKETS).map(bucket => ({ field: 'expected_close_date', bucket }))] : []),
  )
const grouped: fc.Arbitrary<Query> = entity.chain(kind =>
  fc.record(
    {
      entity: fc.constant(kind),
      where: condition(kind, 1),
      measure: fc.oneof(fc.constant({ kind: 'count' as const }), measures[kind]!),
      group_by: fc.uniqueArray(key(kind), { minLength: 1, maxLength: 2, selector: one => one.field }),
      having: fc.record({ op: some(['gt', 'lte', 'ne'] as const), value: some([0, 1, 60]) }),
    },
    { requiredKeys: ['entity', 'measure', 'group_by'] },
  ),
)

/** Of each of two accounts. Every run has other queries; `npm run test:all` tries twice as many. */
const MORE = process.env.KITH_TEST_ALL === 'true' ? 2 : 1
const RUNS = {
  server: { filtered: 60 * MORE, grouped: 40 * MORE },
  embedded: { filtered: 15 * MORE, grouped: 10 * MORE },
}

onBothEngines('queries are as their naive evaluation', (newAccount, kind) => {
  it('on random records', async () => {
    const worlds = fc.sample(shape, { numRuns: 2 })
    for (const world of worlds) {
      const account = await newAccount()
      await fill(account, world)
      const records = await read(account)
      const post = async (query: Query) => {
        const { status, body, text } = await account.post('/api/query', { ...query, limit: 1000 })
        expect([status, status === 200 ? '' : text]).toEqual([200, ''])
        return body
      }
      await fc.assert(
        fc.asyncProperty(filtered, async query => {
          const names = (items: Item[]) => items.map(item => item.name ?? item.full_name).sort()
          const body = await post(query)
          expect(names(body.items)).toEqual(names(matching(records, query)))
          expect(body.total).toBe(body.items.length)
        }),
        { numRuns: RUNS[kind].filtered },
      )
      await fc.assert(
        fc.asyncProperty(grouped, async query => {
          const { groups } = await post(query)
          const lines = groups.map(({ key, currency, value, count }: Item) => {
            const values = [...key, currency]
            return `${JSON.stringify(values)} ${typeof value === 'number' ? value.toFixed(6) : value} ${count}`
          })
          expect(lines.sort()).toEqual(groupLines(records, query).sort())
        }),
        { numRuns: RUNS[kind].grouped },
      )
    }
  })
})
