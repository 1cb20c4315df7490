/** A dry run has the counts, errors and warnings of the import, for any file. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Account, onBothEngines } from '../../../../test/support/service.ts'
import { BATCH } from './batch-size.ts'
import { MAX_REPEATS } from './repeats.ts'
import { done, errorsOf, uploaded, warningsOf } from './testing.ts'

const file = (rows: readonly string[][]) =>
  `${rows.map(cells => cells.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')}\n`

/** Few different values, so that rows collide with each other and with what is there. */
const some = (...values: string[]) => fc.constantFrom(...values)
const cell = {
  name: some('Ann', 'Bob', 'ANN', '', 'Zoë'),
  email: some('a@x.example', 'b@x.example', 'c@x.example', 'A@X.example', '', 'broken', 'd@x.example'),
  emails: some('', 'a@x.example; e@x.example', 'f@x.example', 'b@x.example'),
  phone: some('', '+43 1 234567', '431234567', '12'),
  company: some('', 'Acme', 'ACME', 'New Co'),
  domain: some('', 'acme.example', 'https://www.acme.example', 'b.example'),
  category: some('', 'vip', 'VIP; friend'),
  tag: some('', 'known', 'Known; new', 'new, other', 'x'.repeat(101)),
  size: some('', 'S', 's; L', 'XL', 'Large'),
  birthday: some('', '1990-01-02', 'x'),
  code: some('', 'c1', 'c2', 'C1', 'c3'),
  amount: some('', '5', '1.2M', 'ca. 5'),
  stage: some('', 'Lead', 'Won', 'Nowhere'),
  day: some('', '2024-01-15', '2099-01-01'),
  title: some('', 'Chief', 'Boss'),
  owner: some('', 'Test Person', 'Nobody', 'test person'),
  id: some('', '', '', '018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002', 'x'),
}

interface Kind {
  entity_type: string
  columns: Record<string, fc.Arbitrary<string>>
  matchOn: (string[] | null)[]
}

const kinds: Kind[] = [
  {
    entity_type: 'contact',
    columns: {
      id: cell.id,
      first_name: cell.name,
      email: cell.email,
      emails: cell.emails,
      phone: cell.phone,
      company_name: cell.company,
      company_id: cell.id,
      categories: cell.category,
      tags: cell.tag,
      'cf.size': cell.size,
      birthday: cell.birthday,
      job_title: cell.title,
      owner_name: cell.owner,
      'cf.code': cell.code,
    },
    matchOn: [null, ['email', 'phone'], ['name'], ['cf.code'], ['email', 'name']],
  },
  {
    entity_type: 'company',
    columns: {
      id: cell.id,
      name: fc.oneof(cell.company, cell.name),
      domains: cell.domain,
      annual_revenue: cell.amount,
      owner_name: cell.owner,
      parent_name: fc.oneof(cell.company, cell.name),
      parent_domain: some('', '', '', 'b.example', 'www.ACME.example'),
      parent_id: cell.id,
      categories: cell.category,
      tags: cell.tag,
      'cf.size': cell.size,
      'cf.code': cell.code,
    },
    matchOn: [null, ['name'], ['cf.code'], ['domain']],
  },
  {
    entity_type: 'deal',
    columns: {
      id: cell.id,
      name: cell.name,
      amount: cell.amount,
      stage_name: cell.stage,
      pipeline_name: some('', '', '', 'Other'),
      close_date: cell.day,
      owner_name: cell.owner,
      company_name: cell.company,
      primary_contact_name: some('', 'Ann', 'New Person', 'Nia (nia@x.example)'),
      'cf.code': cell.code,
    },
    matchOn: [null, ['name'], ['cf.code']],
  },
]

const messy = fc.constantFrom(...kinds).chain(({ entity_type, columns, matchOn }) =>
  fc.record({
    entity_type: fc.constant(entity_type),
    head: fc.constant(Object.keys(columns)),
    // many of them the same again
    rows: fc
      .array(fc.tuple(...Object.values(columns)), { minLength: 5, maxLength: 60 })
      .chain(rows => fc.array(fc.constantFrom(...rows), { minLength: 5, maxLength: 90 })),
    match_on: fc.constantFrom(...matchOn),
    duplicate_strategy: fc.constantFrom('skip', 'update', 'update', 'create'),
    on_missing: fc.constantFrom<Record<string, string>>(
      {},
      { stage: 'create', contact: 'create', pipeline: 'create', option: 'create' },
      { stage: 'empty', contact: 'empty', company: 'fail', tag: 'empty', option: 'empty', owner: 'empty' },
      { tag: 'fail', owner: 'empty', company: 'empty' },
    ),
    unique: fc.boolean(),
  }),
)

const COUNTS = [
  'created_count',
  'updated_count',
  'skipped_count',
  'error_count',
  'warning_count',
  'processed_rows',
]

async function outcome(me: Account, id: string, action: 'validate' | 'start') {
  const result = await done(me, id, action)
  expect(result.error).toBeNull()
  const problems = [...(await errorsOf(me, id)), ...(await warningsOf(me, id))]
  return {
    counts: Object.fromEntries(COUNTS.map(name => [name, result[name]])),
    // ids of records that a row made differ each time
    problems: problems.map(problem => ({
      ...problem,
      message: problem.message.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id'),
    })),
  }
}

onBothEngines('a dry run', (account, kind, onOne) => {
  it.each([
    ['batches of a few rows', { most: 7, least: 1 }],
    ['one batch', { most: 500, least: 50 }],
  ])(
    'has the counts, errors and warnings of the import, in %s',
    async (_, size) => {
      const usual = { ...BATCH[kind] }
      Object.assign(BATCH[kind], size)
      await fc
        .assert(
          fc.asyncProperty(messy, async ({ entity_type, head, rows, unique, ...options }) => {
            const me = await account()
            const is_unique = unique && entity_type !== 'note'
            await me.create('/api/custom-fields', {
              entity_type,
              name: 'Code',
              field_type: 'text',
              is_unique,
            })
            await me.create('/api/custom-fields', {
              ...{ entity_type, name: 'Size', field_type: 'multi_select' },
              options: [{ value: 's', label: 'S' }, { value: 'large' }],
            })
            await me.create('/api/tags', { name: 'Known' })
            await me.create('/api/companies', { name: 'Acme', domains: ['acme.example'] })
            await me.create('/api/contacts', {
              first_name: 'Ann',
              email: 'a@x.example',
              phone: '431234567',
            })
            await me.create('/api/deals', { name: 'Bob' })
            const { id } = await uploaded(me, file([head, ...rows]), {
              entity_type,
              options,
              mapping: Object.fromEntries(head.map(name => [name, name])),
            })
            const expected = await outcome(me, id, 'validate')
            const totals = async () =>
              Promise.all(
                ['contacts', 'companies', 'deals', 'categories', 'tags', 'operations'].map(
                  async group => (await me.get(`/api/${group}`)).body.total,
                ),
              )
            expect(await totals()).toEqual([1, 1, 1, 0, 1, 0])
            expect(await outcome(me, id, 'validate')).toEqual(expected)
            expect(await outcome(me, id, 'start')).toEqual(expected)
          }),
          { numRuns: Number(process.env.KITH_DRY_RUNS ?? (kind === 'server' ? 6 : 2)), endOnFailure: true },
        )
        .finally(() => Object.assign(BATCH[kind], usual))
    },
    300_000,
  )

  interface Family {
    what: string
    /** companies with their parents */
    existing?: [name: string, domain: string, parent?: string][]
    match_on?: string[]
    company: 'create' | 'fail'
    rows: string[][]
    counts: { created_count: number; updated_count: number }
    failed: number[]
  }
  const X = '018f0000-0000-7000-8000-000000000001'
  const Y = '018f0000-0000-7000-8000-000000000002'
  const families: Family[] = [
    {
      what: 'of a second row with its id',
      company: 'fail',
      rows: [
        ['id', 'name', 'parent_id', 'parent_name'],
        ['', 'Group', '', ''],
        [X, '', '', ''],
        [X, 'Branch', '', 'Group'],
        ['', 'Shop', X, ''],
      ],
      counts: { created_count: 3, updated_count: 0 },
      failed: [3],
    },
    {
      what: 'created with the id of a later row',
      company: 'create',
      rows: [
        ['id', 'name', 'parent_id', 'parent_name'],
        ['', 'Group', '', ''],
        [X, '', '', ''],
        ['', 'Shop', X, 'Branch'],
        [X, '', '', 'Group'],
      ],
      counts: { created_count: 2, updated_count: 1 },
      failed: [3],
    },
    {
      what: 'created with the name of a later row',
      company: 'create',
      rows: [
        ['name', 'parent_name', 'annual_revenue'],
        ['Group', '', ''],
        ['Branch', '', 'ca. 5'],
        ['Shop', 'Branch', ''],
        ['Branch', 'Group', '5'],
      ],
      counts: { created_count: 2, updated_count: 1 },
      failed: [3],
    },
    {
      what: 'created with the id in an earlier row',
      company: 'create',
      rows: [
        ['id', 'name', 'parent_id', 'parent_name'],
        [Y, '', '', ''],
        ['', 'Group', '', ''],
        ['', 'Shop', X, 'Branch'],
        ['', 'Kiosk', Y, 'Branch'],
        [Y, '', '', 'Group'],
      ],
      counts: { created_count: 3, updated_count: 0 },
      failed: [2, 6],
    },
    {
      what: 'created with the id in an earlier row that waits for another',
      company: 'create',
      rows: [
        ['id', 'name', 'parent_id', 'parent_name'],
        [X, '', '', ''],
        [Y, '', '', ''],
        ['', 'Group', '', ''],
        ['', 'Shop', X, ''],
        ['', 'Shop', X, 'Branch'],
        ['', 'Kiosk', Y, 'Branch'],
        [Y, '', '', 'Group'],
      ],
      counts: { created_count: 3, updated_count: 0 },
      failed: [2, 3, 5, 8],
    },
    {
      what: 'moved below the company by a row',
      existing: [
        ['Top', ''],
        ['Left', '', 'Top'],
        ['Other', ''],
        ['Right', '', 'Other'],
      ],
      company: 'fail',
      rows: [
        ['name', 'parent_name'],
        ['Other', 'Left'],
        ['Top', 'Right'],
      ],
      counts: { created_count: 0, updated_count: 1 },
      failed: [3],
    },
    {
      what: 'with the name of a company renamed',
      existing: [['Group', 'group.example']],
      match_on: ['domain'],
      company: 'fail',
      rows: [
        ['name', 'domains', 'parent_name'],
        ['Old Group', 'group.example', ''],
        ['Group', 'new.example', ''],
        ['Shop', 'shop.example', 'Group'],
      ],
      counts: { created_count: 2, updated_count: 1 },
      failed: [],
    },
  ]
  onOne.each(families)(
    'has a parent $what, in batches of any size',
    async ({ existing = [], match_on, company, rows, counts, failed }) => {
      const usual = { ...BATCH[kind] }
      for (const size of [{ most: 1, least: 1 }, usual]) {
        const me = await account()
        const ids = new Map<string, string>()
        for (const [name, domain, parent = ''] of existing) {
          const domains = domain === '' ? [] : [domain]
          const created = await me.create('/api/companies', {
            name,
            domains,
            parent_id: ids.get(parent) ?? null,
          })
          ids.set(name, created.id)
        }
        const options = { duplicate_strategy: 'update', match_on, on_missing: { company } }
        const { id } = await uploaded(me, file(rows), { entity_type: 'company', options })
        Object.assign(BATCH[kind], size)
        try {
          for (const action of ['validate', 'start'] as const) {
            expect(await done(me, id, action)).toMatchObject({ ...counts, skipped_count: 0 })
            expect((await errorsOf(me, id)).map(({ row }: { row: number }) => row)).toEqual(failed)
          }
        } finally {
          Object.assign(BATCH[kind], usual)
        }
      }
    },
  )

  onOne('lists the warnings of a row in one order, in batches of any size', async () => {
    const me = await account()
    const rows = [
      ['first_name', 'company_name', 'owner_name'],
      ['Ann', '', 'Nobody'],
      ['Bob', 'Nowhere', 'Nobody'],
    ]
    const options = { on_missing: { company: 'empty', owner: 'empty' } }
    const { id } = await uploaded(me, file(rows), { entity_type: 'contact', options })
    const usual = { ...BATCH[kind] }
    const together = await outcome(me, id, 'validate')
    Object.assign(BATCH[kind], { most: 1, least: 1 })
    try {
      expect(together.problems).toMatchObject([{ row: 2 }, { row: 3 }, { row: 3 }])
      expect(await outcome(me, id, 'validate')).toEqual(together)
    } finally {
      Object.assign(BATCH[kind], usual)
    }
  })

  onOne('counts a repeated row after one that failed as the first', async () => {
    const me = await account()
    const rows = [
      ['first_name', 'email', 'birthday'],
      ['Ann', 'ann@x.example', 'never'],
      ['Ann', 'ann@x.example', '1990-01-02'],
      ['Ann', 'ann@x.example', '1990-01-02'],
    ]
    const { id } = await uploaded(me, file(rows), { entity_type: 'contact' })
    const counts = { created_count: 1, skipped_count: 1, error_count: 1 }
    expect(await done(me, id, 'validate')).toMatchObject(counts)
    expect(await done(me, id, 'start')).toMatchObject(counts)
  })

  it('sees what a row of an earlier batch would have changed', async () => {
    const me = await account()
    const others = Array.from({ length: 450 }, (_, i) => [`P${i}`, `p${i}@x.example`, 'Chief'])
    const rows = [
      ['first_name', 'email', 'job_title'],
      ['Ann', 'ann@x.example', 'Chief'],
      ...others,
      ['Ann', 'ann@x.example', 'Chief'],
      ['Ann', 'ann@x.example', 'Boss'],
    ]
    const options = { duplicate_strategy: 'update' }
    const { id } = await uploaded(me, file(rows), { entity_type: 'contact', options })
    const counts = { created_count: 451, updated_count: 1, skipped_count: 1, error_count: 0 }
    expect(await done(me, id, 'validate')).toMatchObject(counts)
    expect(await done(me, id, 'start')).toMatchObject(counts)
  })

  onOne('refuses more rows about one record than it can repeat, as the import does', async () => {
    const me = await account()
    const rows = Array.from({ length: MAX_REPEATS + 5 }, (_, i) => [
      'Ann',
      'none@x.example',
      `Title ${i % 2}`,
    ])
    const options = { duplicate_strategy: 'update' }
    const { id } = await uploaded(me, file([['first_name', 'email', 'job_title'], ...rows]), {
      entity_type: 'contact',
      options,
    })
    const counts = { created_count: 1, updated_count: MAX_REPEATS - 1, error_count: 5 }
    expect(await done(me, id, 'validate')).toMatchObject(counts)
    expect(await done(me, id, 'start')).toMatchObject(counts)
    expect((await errorsOf(me, id))[0]).toMatchObject({ code: 'too_many_repeats', row: MAX_REPEATS + 2 })
  })
})
