/** Lists by custom fields: `cf.<key>` as filter, as range and as order. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blocked } from '../../../test/support/blocked.ts'
import { type Account, onAnyEngine } from '../../../test/support/service.ts'
import { contextFor, systemDb, transaction } from '../../kernel/context.ts'
import { companies } from '../companies/index.ts'

const declare = (on: Account, key: string, field_type: string, more: object = {}) =>
  on.create('/api/custom-fields', { entity_type: 'company', key, name: key, field_type, ...more })

async function names(on: Account, query: string): Promise<string> {
  const answer = await on.get(`/api/companies?${query}`)
  if (answer.status !== 200) throw new Error(answer.text)
  expect(answer.body.total).toBe(answer.body.items.length)
  return answer.body.items.map((item: { name: string }) => item.name).join('')
}

const RECORDS: [name: string, metadata: object][] = [
  [
    'a',
    {
      num: 10,
      day: '2026-01-10',
      at: '2026-01-10T12:00:00Z',
      flag: true,
      pick: 'x',
      many: ['p', 'q'],
      word: 'Beta',
    },
  ],
  [
    'b',
    {
      num: 9,
      day: '2026-01-09',
      at: '2026-01-10T14:00:00+03:00',
      flag: false,
      pick: 'y',
      many: ['q'],
      word: 'alpha',
    },
  ],
  ['c', { num: 100, day: '2025-12-31', at: '2026-01-11T00:00:00Z', many: [], word: 'GAMMA', free: '5' }],
  ['d', { num: -1.5, free: 5 }],
  ['e', { free: ['5', '6'] }],
]

const TYPES = {
  num: 'number',
  day: 'date',
  at: 'datetime',
  flag: 'boolean',
  pick: 'select',
  many: 'multi_select',
  word: 'text',
}
const OPTIONS: Record<string, object> = {
  pick: { options: [{ value: 'x' }, { value: 'y' }] },
  many: { options: [{ value: 'p' }, { value: 'q' }] },
}

async function filled(on: Account, when: 'before' | 'after'): Promise<void> {
  const fields = async () => {
    for (const [key, type] of Object.entries(TYPES)) await declare(on, key, type, OPTIONS[key])
  }
  if (when === 'before') await fields()
  for (const [name, metadata] of RECORDS) await on.create('/api/companies', { name, metadata })
  if (when === 'after') await fields()
}

const FILTERS: [query: string, expected: string][] = [
  ['cf.num=10', 'a'],
  ['cf.num=1e1', 'a'],
  ['cf.num=10&cf.num=9', 'ab'],
  ['cf.num__gte=10', 'ac'],
  ['cf.num__lte=9', 'bd'],
  ['cf.num__gt=9&cf.num__lt=100', 'a'],
  ['cf.num=null', 'e'],
  ['cf.num=null&cf.num=9', 'be'],
  ['cf.day=2026-01-09', 'b'],
  ['cf.day__gte=2026-01-01', 'ab'],
  ['cf.day__lt=2026-01-01', 'c'],
  ['cf.at=2026-01-10T11:00:00Z', 'b'],
  ['cf.at__lte=2026-01-10T12:00:00Z', 'ab'],
  ['cf.at__gt=2026-01-10T12:00:00Z', 'c'],
  ['cf.flag=true', 'a'],
  ['cf.flag=no', 'b'],
  ['cf.pick=x', 'a'],
  ['cf.pick=z', ''],
  ['cf.many=q', 'ab'],
  ['cf.many=p', 'a'],
  ['cf.many=null', 'cde'],
  ['cf.word=Beta', 'a'],
  ['cf.word=beta', ''],
  ['cf.word__gte=B', 'abc'],
  // not declared: compared with the metadata verbatim
  ['cf.free=5', 'cde'],
  ['cf.free=6', 'e'],
  ['cf.nothing=5', ''],
  ['cf.num__gte=0&search=c', 'c'],
  ['cf.num=10&status=lead', ''],
]

const ORDERS: [query: string, expected: string][] = [
  ['sort_by=cf.num&sort_order=asc', 'dbace'],
  ['sort_by=cf.num&sort_order=desc', 'cabde'],
  ['sort_by=cf.day&sort_order=asc', 'cbade'],
  ['sort_by=cf.at&sort_order=desc', 'cabed'],
  ['sort_by=cf.word&sort_order=asc', 'bacde'],
  ['sort_by=cf.flag&sort_order=asc', 'bacde'],
  ['sort_by=cf.pick&sort_order=desc', 'baedc'],
  ['sort_by=cf.num&sort_order=asc&cf.num__gte=10', 'ac'],
  ['sort_by=cf.num&sort_order=desc&search=d', 'd'],
]

onAnyEngine('lists by custom fields', (account, kind) => {
  it.each(['before', 'after'] as const)('filter and sort by a field declared %s the records', async when => {
    const on = await account()
    await filled(on, when)
    for (const [query, expected] of FILTERS) {
      expect([query, await names(on, `${query}&sort_by=name&sort_order=asc`)]).toEqual([query, expected])
    }
    for (const [query, expected] of ORDERS) expect([query, await names(on, query)]).toEqual([query, expected])
  })

  it('follow changes, the trash and restores', async () => {
    const on = await account()
    await filled(on, 'before')
    const [{ id }] = (await on.get('/api/companies?cf.num=10')).body.items
    await on.put(`/api/companies/${id}`, { metadata: { num: 11 } })
    expect(await names(on, 'cf.num=10')).toBe('')
    expect(await names(on, 'cf.num=11')).toBe('a')
    expect(await names(on, 'cf.many=p')).toBe('')
    await on.delete(`/api/companies/${id}`)
    expect(await names(on, 'cf.num=11')).toBe('')
    expect(await names(on, 'cf.num=11&deleted=true')).toBe('a')
    expect(await names(on, 'sort_by=cf.num&sort_order=asc')).toBe('dbce')
    await on.post(`/api/companies/${id}/restore`)
    expect(await names(on, 'sort_by=cf.num&sort_order=asc')).toBe('dbace')
  })

  it('refuse a value that is not of the field’s type', async () => {
    const on = await account()
    await filled(on, 'before')
    for (const [query, type, name] of [
      ['cf.num=ten', 'float_parsing', 'cf.num'],
      ['cf.num__gte=', 'float_parsing', 'cf.num__gte'],
      ['cf.day=soon', 'date_from_datetime_parsing', 'cf.day'],
      ['cf.flag=perhaps', 'bool_parsing', 'cf.flag'],
      ['cf.at__lt=x', 'datetime_from_date_parsing', 'cf.at__lt'],
      ['cf.word=%00', 'value_error', 'cf.word'],
      ['cf.free=%00', 'value_error', 'cf.free'],
    ]) {
      const answer = await on.get(`/api/companies?${query}`)
      expect([query, answer.status, answer.body.detail]).toMatchObject([
        query,
        422,
        [{ type, loc: ['query', name] }],
      ])
    }
  })

  it('match long texts in full', async () => {
    const on = await account()
    await declare(on, 'long', 'long_text')
    const start = 'x'.repeat(600)
    for (const end of ['a', 'b'])
      await on.create('/api/companies', { name: end, metadata: { long: start + end } })
    expect(await names(on, `cf.long=${start}a`)).toBe('a')
    expect(await names(on, `cf.long=${start}`)).toBe('')
  })

  it('page through every record once, in any order', async () => {
    const on = await account()
    await declare(on, 'num', 'number')
    await declare(on, 'word', 'text')
    const values = fc.sample(
      fc.record({
        num: fc.option(fc.integer({ min: 0, max: 4 })),
        word: fc.option(fc.constantFrom('b', 'A', 'a', 'c')),
      }),
      { numRuns: 23, seed: 7 },
    )
    for (const [i, { num, word }] of values.entries()) {
      await on.create('/api/companies', {
        name: `${i}`,
        metadata: { ...(num === null ? {} : { num }), ...(word === null ? {} : { word }) },
      })
    }
    for (const key of ['num', 'word'] as const) {
      for (const order of ['asc', 'desc']) {
        const query = `/api/companies?sort_by=cf.${key}&sort_order=${order}&page_size=4`
        const walked: { name: string; metadata: Record<string, never> }[] = []
        for (let cursor: string | null = ''; cursor !== null; ) {
          const { body } = await on.get(`${query}&cursor=${cursor}`)
          walked.push(...body.items)
          cursor = body.next_cursor
        }
        const paged: typeof walked = []
        for (let page = 1; page <= 7; page++)
          paged.push(...(await on.get(`${query}&page=${page}`)).body.items)
        expect(paged.map(item => item.name)).toEqual(walked.map(item => item.name))
        expect(new Set(walked.map(item => item.name)).size).toBe(values.length)
        const seen = walked.map(({ metadata }) => metadata[key] as unknown as number | string | undefined)
        const sorted = seen
          .filter(value => value !== undefined)
          .map(value => (typeof value === 'string' ? value.toLowerCase() : value))
          .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        if (order === 'desc') sorted.reverse()
        const rest = Array(seen.length - sorted.length).fill(undefined)
        expect(seen.map(value => (typeof value === 'string' ? value.toLowerCase() : value))).toEqual([
          ...sorted,
          ...rest,
        ])
      }
    }
  })

  it.runIf(kind === 'server')('find a record that was written while the field was declared', async () => {
    const on = await account()
    const ctx = contextFor(on.service.services, {
      kind: 'user',
      id: on.userId,
      userId: on.userId,
      accountId: on.accountId,
      role: 'owner',
      scopes: ['*'],
    })
    let declaring: Promise<unknown> | undefined
    await transaction(ctx, async tx => {
      await companies.operations.create(tx, { name: 'a', metadata: { num: 5 } })
      declaring = declare(on, 'num', 'number')
      await blocked(systemDb(on.service.services))
    })
    await declaring
    expect(await names(on, 'cf.num__gte=5')).toBe('a')
  })

  it('work for contacts, deals and activities', async () => {
    const on = await account()
    for (const [entity_type, group, body] of [
      ['contact', 'contacts', { first_name: 'x' }],
      ['deal', 'deals', { name: 'x' }],
      ['activity', 'activities', { type: 'call', subject: 'x' }],
    ] as const) {
      await on.create('/api/custom-fields', { entity_type, key: 'n', name: 'n', field_type: 'number' })
      const ids: string[] = []
      for (const n of [10, 9, 100])
        ids.push((await on.create(`/api/${group}`, { ...body, metadata: { n } })).id)
      const order = (await on.get(`/api/${group}?sort_by=cf.n&sort_order=asc`)).body.items
      expect(order.map((item: { id: string }) => ids.indexOf(item.id))).toEqual([1, 0, 2])
      expect((await on.get(`/api/${group}?cf.n__gte=10`)).body.total).toBe(2)
    }
  })
})
