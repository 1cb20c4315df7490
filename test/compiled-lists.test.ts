/** Lists with filters, cursors and searches have compiled statements, which must serve every value. */
import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from './support/service.ts'

const CITIES = ['Berlin', 'Rome', null]
const company = (i: number) => ({
  name: `Company ${i}`,
  status: i % 2 === 0 ? 'lead' : 'customer',
  city: CITIES[i % CITIES.length],
  employee_count: i % 4 === 0 ? null : i % 5,
})

/** The names of all pages, by numbers and by cursors. */
async function walk(a: Account, query: string, size: number): Promise<[string[], string[]]> {
  const names = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name)
  const byNumber: string[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { status, body } = await a.get(`/api/companies?${query}&page_size=${size}&page=${page}`)
    expect(status).toBe(200)
    byNumber.push(...names(body))
    pages = body.total_pages
    expect(body.total).toBeLessThanOrEqual(pages * size)
  }
  const byCursor: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await a.get(
      `/api/companies?${query}&page_size=${size}&cursor=${encodeURIComponent(cursor)}`,
    )
    byCursor.push(...names(body))
    cursor = body.next_cursor
  }
  return [byNumber, byCursor]
}

onAnyEngine('lists with filters', account => {
  it('return the same pages by numbers and by cursors, for every value and order', async () => {
    const a = await account()
    const items = Array.from({ length: 24 }, (_, i) => ({ action: 'create', record: company(i) }))
    expect((await a.post('/api/companies/batch', { items })).status).toBe(200)
    const expected = (query: URLSearchParams) =>
      items
        .map(({ record }) => record)
        .filter(({ status }) => !query.has('status') || query.get('status') === status)
        .filter(({ name }) => !query.has('search') || name.includes(query.get('search') ?? ''))
        .map(({ name }) => name)
    for (const filter of [
      '',
      'status=lead',
      'status=customer',
      'search=Company 1',
      'status=lead&search=Company 2',
    ]) {
      for (const sort of ['created_at', 'city', 'employee_count', 'name']) {
        for (const [order, size] of [
          ['asc', 7],
          ['desc', 10],
        ] as const) {
          const query = `${filter}&sort_by=${sort}&sort_order=${order}`
          const [byNumber, byCursor] = await walk(a, query, size)
          expect([query, byCursor]).toEqual([query, byNumber])
          expect([query, byNumber.toSorted()]).toEqual([
            query,
            expected(new URLSearchParams(filter)).toSorted(),
          ])
        }
      }
    }
  })

  it('take times, ids and several filters at once', async () => {
    const a = await account()
    const first = await a.create('/api/companies', { name: 'First', status: 'lead', country: 'DE' })
    const second = await a.create('/api/companies', { name: 'Second', status: 'lead', country: 'IT' })
    const total = async (query: string) => (await a.get(`/api/companies?${query}`)).body.total
    expect(await total(`ids=${first.id}`)).toBe(1)
    expect(await total(`ids=${first.id},${second.id}&status=lead`)).toBe(2)
    expect(await total(`created_before=${first.created_at}`)).toBe(0)
    expect(await total(`created_after=${first.created_at}&status=lead&country=IT`)).toBe(1)
    expect(await total('created_after=2999-01-01&status=lead')).toBe(0)
    await a.delete(`/api/companies/${first.id}`)
    expect(await total('deleted=true&status=lead')).toBe(1)
    expect(await total('deleted_after=2020-01-01&status=lead')).toBe(1)
    expect(await total('deleted_after=2999-01-01&status=lead')).toBe(0)
    expect(await total('status=lead')).toBe(1)
    expect(await total('status=lead&page=7')).toBe(1)
  })
})
