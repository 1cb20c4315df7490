/** `search` in lists of accounts that are large enough for the index of texts (decision 34), here with tiny blocks. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { SYSTEM } from '../src/db/engine.ts'
import { indexTexts } from '../src/db/text-index/build.ts'
import { listRecords } from '../src/kernel/list-query.ts'
import { searchPath } from '../src/kernel/text-search.ts'
import { companies } from '../src/resources/companies/index.ts'
import { waitFor } from './support/process.ts'
import { type Account, contextOf, onBothEngines } from './support/service.ts'

const SIZE = { blocks: 128, blockSize: 2 }
const SEGMENT = SIZE.blocks * SIZE.blockSize
const CITIES = ['Berlin', 'São Paulo', 'Łódź', 'Zürich', 'Wien']
const { record } = companies

const company = (i: number) => ({
  name: `Company ${i}`,
  city: CITIES[i % CITIES.length],
  ...(i % 50 === 7 ? { phone: `+49 (170) 555-${1000 + i}` } : {}),
})

const index = (a: Account) => indexTexts(a.service.services.engine, new AbortController().signal, SIZE)

/** Indexes until the journal is covered up to now: other tests' transactions may still be open. */
async function indexAll(a: Account): Promise<void> {
  const db = a.service.services.engine.as(SYSTEM)
  const { rows } = await sql<{
    seq: number
  }>`select max(seq) as seq from changes where account_id = ${a.accountId}`.execute(db)
  await waitFor(async () => {
    await index(a)
    const { rows: done } = await sql`select from search_text_progress
      where account_id = ${a.accountId} and kind = 'companies' and covered >= ${rows[0]?.seq}`.execute(db)
    return done.length > 0
  })
}

async function large(a: Account, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, i) => company(i))
  const answer = await a.post('/api/companies/batch', {
    items: items.map(record => ({ action: 'create', record })),
  })
  expect(answer.status).toBe(200)
  await indexAll(a)
}

const namesOf = async (a: Account, search: string): Promise<string[]> => {
  const { body } = await a.get(
    `/api/companies?page_size=500&sort_by=name&sort_order=asc&search=${encodeURIComponent(search)}`,
  )
  expect(body.total).toBe(body.items.length)
  return body.items.map(({ name }: { name: string }) => name)
}

const usesIndex = async (a: Account, search: string) =>
  typeof (await searchPath(contextOf(a), record, search, { fewRecords: 20_000, exactTotal: 10_000 })) ===
  'function'

onBothEngines('search in a large list', account => {
  it('reads a record again only if it changed after its segment was read', async () => {
    const a = await account()
    await large(a, SEGMENT + 5)
    const db = a.service.services.engine.as(SYSTEM)
    const forget = () =>
      sql`update search_text_progress set covered = 0 where account_id = ${a.accountId}`.execute(db)
    // built again, now that the changes are below the horizon
    await sql`delete from search_text_segments where account_id = ${a.accountId}`.execute(db)
    await indexAll(a)
    await forget()
    expect((await index(a)).changed).toBe(0)
    const { items } = (await a.get('/api/companies?sort_order=asc&page_size=3')).body
    await a.put(`/api/companies/${items[2].id}`, { name: 'Renamed Quuxly' })
    await indexAll(a)
    expect((await a.get('/api/companies?search=quuxly')).body.total).toBe(1)
    await forget()
    expect((await index(a)).changed).toBe(1)
    expect((await a.get('/api/companies?search=quuxly')).body.total).toBe(1)
  })

  it('finds the same records with the index and without', async () => {
    const a = await account()
    const searches = [
      'company 131',
      'company 7',
      'COMPANY',
      'berlin',
      'lodz',
      'sao p',
      'Zürich',
      '9',
      '12',
      'x',
      '0170 555',
      '%',
      'n 25\nx',
    ]
    const items = Array.from({ length: SEGMENT + 20 }, (_, i) => company(i))
    expect(
      (await a.post('/api/companies/batch', { items: items.map(record => ({ action: 'create', record })) }))
        .status,
    ).toBe(200)
    const scanned = await Promise.all(searches.map(search => namesOf(a, search)))
    expect(await usesIndex(a, 'berlin')).toBe(false)
    await indexAll(a)
    expect(await usesIndex(a, 'berlin')).toBe(true)
    const indexed = await Promise.all(searches.map(search => namesOf(a, search)))
    expect(indexed).toEqual(scanned)
    expect(scanned.map(names => names.length)).toEqual(expect.arrayContaining([0, 1, SEGMENT + 20]))
  })

  it('reads a list in its order where many records match, and counts them up to a bound', async () => {
    const a = await account()
    await large(a, SEGMENT + 20)
    const ctx = contextOf(a)
    const list = (search: string, exactTotal: number, page: number) =>
      listRecords(ctx, record, { search, page, page_size: 10, sort_by: 'name', sort_order: 'desc' }, [], {
        fewRecords: 0,
        exactTotal,
      })
    const usual = (
      await a.get('/api/companies?search=berlin&page=2&page_size=10&sort_by=name&sort_order=desc')
    ).body
    const exact = await list('berlin', 1000, 2)
    expect(exact.items.map(({ id }) => id)).toEqual(usual.items.map(({ id }: { id: string }) => id))
    expect(exact.total).toBe(usual.total)
    expect(exact).not.toHaveProperty('total_is_exact')
    expect(await list('berlin', 15, 2)).toMatchObject({ total: 15, total_pages: 2, total_is_exact: false })
  })

  it('finds what was written after the index was built', async () => {
    const a = await account()
    await large(a, SEGMENT)
    const { body } = await a.get('/api/companies?search=company%2031&page_size=500')
    const { id } = body.items.find(({ name }: { name: string }) => name === 'Company 31')
    await a.put(`/api/companies/${id}`, { name: 'Okapi' })
    const later = await a.create('/api/companies', { name: 'Okapi the second' })
    expect(await usesIndex(a, 'okapi')).toBe(true)
    expect(await namesOf(a, 'okapi')).toEqual(['Okapi', 'Okapi the second'])
    await indexAll(a)
    expect(await namesOf(a, 'okapi')).toEqual(['Okapi', 'Okapi the second'])
    await a.delete(`/api/companies/${id}`)
    expect(await namesOf(a, 'okapi')).toEqual(['Okapi the second'])
    await a.put(`/api/companies/${later.id}`, { name: 'Zebra' })
    expect(await namesOf(a, 'okapi')).toEqual([])
    await a.post(`/api/companies/${id}/restore`)
    expect(await namesOf(a, 'okapi')).toEqual(['Okapi'])
  })

  it('finds a record whose id is older than the index', async () => {
    const a = await account()
    await large(a, SEGMENT)
    const id = '00000000-0000-7000-8000-000000000001'
    await sql`insert into companies (account_id, id, name) values (${a.accountId}, ${id}, 'Restored')`.execute(
      a.service.services.engine.as(SYSTEM),
    )
    expect(await namesOf(a, 'restored')).toEqual(['Restored'])
    await indexAll(a)
    expect(await namesOf(a, 'restored')).toEqual(['Restored'])
  })

  it('finds nothing of another account', async () => {
    const [mine, other] = [await account(), await account()]
    await large(mine, SEGMENT)
    await large(other, SEGMENT)
    await other.create('/api/companies', { name: 'Secret' })
    await indexAll(other)
    expect(await namesOf(mine, 'secret')).toEqual([])
    expect(await namesOf(mine, 'company 31')).toEqual(['Company 31'])
  })

  it('begins again where a process died while it wrote a segment', async () => {
    const a = await account()
    const items = Array.from({ length: SEGMENT }, (_, i) => company(i))
    await a.post('/api/companies/batch', { items: items.map(record => ({ action: 'create', record })) })
    const { engine } = a.service.services
    await indexAll(a)
    const db = engine.as(SYSTEM)
    await sql`update search_text_segments set is_complete = false where account_id = ${a.accountId}`.execute(
      db,
    )
    expect(await namesOf(a, 'company 31')).toEqual(['Company 31'])
    expect(await index(a)).toMatchObject({ segments: 0 })
    await sql`update search_text_segments set claimed_at = now() - interval '1 hour'
      where account_id = ${a.accountId}`.execute(db)
    await index(a)
    expect(await usesIndex(a, 'company 31')).toBe(true)
    expect(await namesOf(a, 'company 31')).toEqual(['Company 31'])
  })
})
