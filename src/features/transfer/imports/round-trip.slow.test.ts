/** Export → import → export is byte for byte the same, whatever the records hold. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../../test/support/service.ts'
import { EXPORTED } from '../exports/record.ts'
import { done, errorsOf, exportedText, uploaded } from './testing.ts'

/** Text that spreadsheets, CSV readers and databases stumble over; never only blank, which is no value. */
const hostile = (max: number) =>
  fc
    .oneof(
      fc.string({ unit: 'grapheme', maxLength: max }),
      fc
        .array(
          fc.constantFrom(
            ...[
              "'",
              '=',
              '+',
              '-',
              '@',
              ' ',
              '\t',
              '\r',
              '\n',
              '\r\n',
              '\ufeff',
              '"',
              ',',
              ';',
              '|',
              '[',
              '{',
              '1',
              'a',
              'ß',
              '😀',
              '\\',
            ],
          ),
          { maxLength: Math.min(max, 8) },
        )
        .map(parts => parts.join('')),
      fc.constantFrom(
        '=1+1',
        "'=1+1",
        "''=1",
        '@SUM(A1)',
        '-5',
        '+43 1 2',
        ' =x',
        '\n=x',
        'true',
        '007',
        '1,234',
        '2024-01-02',
      ),
    )
    .filter(
      text => text.trim() !== '' && text.isWellFormed() && !text.includes('\0') && [...text].length <= max,
    )

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 })

const company = fc.record({
  name: hostile(60),
  domains: maybe(fc.oneof(hostile(30), fc.array(hostile(20), { minLength: 1, maxLength: 3 }))),
  industry: maybe(hostile(30)),
  employee_count: maybe(fc.nat()),
  annual_revenue: maybe(fc.double({ min: 0, max: 1e12, noNaN: true })),
  description: maybe(hostile(200)),
  categories: maybe(fc.uniqueArray(hostile(20), { minLength: 1, maxLength: 3 })),
  metadata: fc.dictionary(
    fc.stringMatching(/^[a-z]{1,8}$/),
    fc.oneof(hostile(10), fc.integer(), fc.boolean(), fc.array(hostile(5))),
    {
      maxKeys: 3,
    },
  ),
})

const contact = fc.record({
  first_name: hostile(30),
  last_name: maybe(hostile(30)),
  phone: maybe(hostile(20)),
  job_title: maybe(hostile(30)),
  notes: maybe(hostile(200)),
  birthday: maybe(
    fc
      .date({ min: new Date('0100-01-01'), max: new Date('9000-01-01'), noInvalidDate: true })
      .map(d => d.toISOString().slice(0, 10)),
  ),
  do_not_contact: fc.boolean(),
  emails: maybe(
    fc
      .uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 3 })
      .map(names =>
        names.map((name, i) => ({ email: `${name}@example.com`, type: 'home', is_primary: i === 0 })),
      ),
  ),
  metadata: fc.record({
    score: maybe(fc.double({ noNaN: true, noDefaultInfinity: true })),
    since: maybe(fc.constant('2020-02-29')),
    words: maybe(hostile(20)),
  }),
})

const declared = [
  { entity_type: 'contact', name: 'Score', field_type: 'number' },
  { entity_type: 'contact', name: 'Since', field_type: 'date' },
  { entity_type: 'contact', name: 'Words', field_type: 'text' },
]

async function imports(account: Account, text: string, entity_type: string) {
  const { id } = await uploaded(account, text, { entity_type, options: { duplicate_strategy: 'update' } })
  const result = await done(account, id, 'start')
  expect(await errorsOf(account, id)).toEqual([])
  return result
}

const domainsIn = (domains: unknown): string[] =>
  [domains ?? []]
    .flat()
    .flatMap(domain =>
      String(domain)
        .toLowerCase()
        .split(/[\s,;]+/),
    )
    .map(domain => domain.replace(/^([a-z][a-z0-9+.-]*:\/\/)?(www\.)?|[/?#:].*$/gs, ''))
    .filter(domain => domain !== '')

const haveNothingInCommon = (keys: readonly string[][]): boolean => {
  const all = keys.flatMap(some => [...new Set(some)])
  return new Set(all).size === all.length
}

onAnyEngine('round trip', account => {
  it('of companies and contacts into another account', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(company, { minLength: 1, maxLength: 4 }),
        fc.array(contact, { minLength: 1, maxLength: 4 }),
        async (companies, contacts) => {
          // Those that have a domain, a name or an address in common are one and the same to an import.
          fc.pre(haveNothingInCommon(companies.map(({ domains }) => domainsIn(domains))))
          fc.pre(haveNothingInCommon(companies.map(({ name }) => [name.trim().toLowerCase()])))
          fc.pre(haveNothingInCommon(contacts.map(({ emails }) => (emails ?? []).map(({ email }) => email))))
          const [me, other] = [await account(), await account()]
          for (const field of declared)
            for (const one of [me, other]) await one.create('/api/custom-fields', field)
          const made = []
          for (const body of companies) made.push(await me.create('/api/companies', body))
          // parents after their children in the file
          for (const [i, { id }] of made.slice(0, -1).entries())
            await me.put(`/api/companies/${id}`, { parent_id: made[i + 1].id })
          for (const [i, body] of contacts.entries()) {
            const { id } = made[i % made.length]
            await me.create('/api/contacts', { ...body, ...(i % 2 === 0 ? { company_ids: [id] } : {}) })
          }
          for (const entity_type of ['company', 'contact']) {
            const first = await exportedText(me, { entity_type })
            const result = await imports(other, first, entity_type)
            expect(result.created_count).toBe(result.total_rows)
            expect(await exportedText(other, { entity_type })).toBe(first)
            // Once more into the account that it came from: everything is there, and nothing changes.
            const again = await imports(me, first, entity_type)
            expect(again).toMatchObject({ created_count: 0, updated_count: 0 })
            expect(await exportedText(me, { entity_type })).toBe(first)
          }
        },
      ),
      { numRuns: Number(process.env.KITH_ROUND_TRIPS ?? 6), endOnFailure: true },
    )
  })

  it('of deals, activities, notes and products with their links and tags', async () => {
    const [me, other] = [await account(), await account()]
    const acme = await me.create('/api/companies', { name: '=Acme' })
    const ann = await me.create('/api/contacts', {
      first_name: 'Ann',
      email: 'ann@example.com',
      company_id: acme.id,
    })
    const bob = await me.create('/api/contacts', { first_name: '@Bob; Jr.' })
    const deal = await me.create('/api/deals', {
      name: '+Deal',
      amount: 10.25,
      currency: 'EUR',
      company_id: acme.id,
      primary_contact_id: ann.id,
      associated_contact_ids: [bob.id],
      expected_close_date: '2026-02-28',
      probability: 33,
    })
    const call = await me.create('/api/activities', {
      type: 'call',
      subject: 'Ring\nagain',
      due_at: '2026-03-04T05:06:07.089Z',
      contact_ids: [bob.id, ann.id],
      deal_ids: [deal.id],
      duration_minutes: 15,
    })
    await me.create('/api/notes', {
      content: '# Title\r\n\r\n- "x",y',
      entity_type: 'activity',
      entity_id: call.id,
      company_ids: [acme.id],
    })
    await me.create('/api/notes', { title: "'=x", content: '\t', is_pinned: true, contact_ids: [bob.id] })
    await me.create('/api/products', {
      ...{ name: '=Plan, "gold"', sku: '-1', unit_price: 0.1, currency: 'CHF', billing_period: 'yearly' },
      ...{ description: 'a\r\nb', active: false, categories: ['x, y'], metadata: { tier: 2 } },
    })
    const tags = []
    for (const name of ['=vip', 'a; b', 'c, d', 'Größe'])
      tags.push((await me.create('/api/tags', { name })).id)
    for (const entity_type of EXPORTED) {
      const { items } = (await me.get(`/api/${groupOf[entity_type]}`)).body
      await me.put(`/api/tags/records/${entity_type}/${items[0].id}`, { tag_ids: tags })
    }
    for (const entity_type of EXPORTED) {
      const { items } = (await me.get('/api/deals/pipelines')).body
      // Stages have other ids in another account, and the same names.
      const fields = entity_type === 'deal' ? DEAL_FIELDS : null
      const first = await exportedText(me, { entity_type, fields })
      await imports(other, first, entity_type)
      expect(await exportedText(other, { entity_type, fields })).toBe(first)
      expect(items).toHaveLength(1)
    }
  })
})

const groupOf = {
  company: 'companies',
  contact: 'contacts',
  deal: 'deals',
  activity: 'activities',
  note: 'notes',
  product: 'products',
}

const DEAL_FIELDS = [
  'id',
  'tags',
  'created_at',
  'updated_at',
  'name',
  'amount',
  'currency',
  'pipeline_name',
  'stage_name',
  'probability',
  'expected_close_date',
  'company_id',
  'company_name',
  'associated_company_ids',
  'associated_contact_ids',
  'associated_contact_names',
  'primary_contact_id',
  'position',
]
