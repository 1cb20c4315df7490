/** `search` in lists of accounts that are large enough for the index of texts (decision 34), here with tiny blocks. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { SYSTEM } from '../src/db/engine.ts'
import { indexTexts } from '../src/db/text-index/build.ts'
import { listRecords } from '../src/kernel/list-query.ts'
import { SEARCH_LIMITS, searchOf } from '../src/kernel/text-search.ts'
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
    `/api/companies?page_size=1000&sort_by=name&sort_order=asc&search=${encodeURIComponent(search)}`,
  )
  expect(body.total).toBe(body.items.length)
  return body.items.map(({ name }: { name: string }) => name)
}

const usesIndex = async (a: Account, search: string) =>
  (await searchOf(contextOf(a), record, search, SEARCH_LIMITS))?.path === 'by index'

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

  it('finds what changes while the index is built again, whatever has been read with it', async () => {
    const a = await account()
    await large(a, SEGMENT * 2)
    const { items } = (await a.get('/api/companies?sort_order=asc&page_size=600')).body
    const db = a.service.services.engine.as(SYSTEM)
    // the last record of the first segment and the first of the second, one of each, and one that no segment has
    const tail = await a.create('/api/companies', { name: 'Tail' })
    const changed = [items[SEGMENT - 1], items[SEGMENT], items[7], items[SEGMENT + 9], tail]
    const rename = (word: string) =>
      Promise.all(changed.map(({ id }, i) => a.put(`/api/companies/${id}`, { name: `${word} ${i}` })))
    const words = ['Okapi', 'Quagga', 'Numbat']
    for (const [i, word] of words.entries()) {
      await rename(word)
      const all = changed.map((_, no) => `${word} ${no}`)
      expect(await namesOf(a, word)).toEqual(all)
      await indexAll(a)
      expect(await namesOf(a, word)).toEqual(all)
      // as if the segments had been built at different times
      await sql`update search_text_segments set read_after = case when above <> '00000000-0000-0000-0000-000000000000'
          then ${i} else (select max(seq) from changes) end
        where account_id = ${a.accountId}`.execute(db)
      await sql`update search_text_progress set covered = 0 where account_id = ${a.accountId}`.execute(db)
      expect(await namesOf(a, word)).toEqual(all)
      await rename(`${word} again`)
      expect(await namesOf(a, `${word} again`)).toHaveLength(changed.length)
      await indexAll(a)
      expect(await namesOf(a, `${word} again`)).toHaveLength(changed.length)
    }
  })

  it('knows that the last record of a segment is not in the next one, which was read later', async () => {
    const a = await account()
    await large(a, SEGMENT * 2)
    const db = a.service.services.engine.as(SYSTEM)
    const { rows } = await sql<{ id: string }>`select ends[cardinality(ends)] as id from search_text_segments
      where account_id = ${a.accountId} order by above limit 1`.execute(db)
    await a.put(`/api/companies/${rows[0]?.id}`, { name: 'Okapi' })
    await sql`update search_text_segments set read_after = (select max(seq) from changes)
      where account_id = ${a.accountId} and above = ${rows[0]?.id}`.execute(db)
    expect(await namesOf(a, 'okapi')).toEqual(['Okapi'])
    await indexAll(a)
    expect(await namesOf(a, 'okapi')).toEqual(['Okapi'])
  })

  it('covers the journal at once up to where all segments were read', async () => {
    const a = await account()
    await large(a, SEGMENT * 2)
    const db = a.service.services.engine.as(SYSTEM)
    await sql`delete from search_text_segments where account_id = ${a.accountId}`.execute(db)
    await indexAll(a)
    await sql`update search_text_progress set covered = 0 where account_id = ${a.accountId}`.execute(db)
    const { rows } = await sql<{ least: number }>`select min(read_after) as least from search_text_segments
      where account_id = ${a.accountId}`.execute(db)
    expect(await index(a)).toMatchObject({ changed: 0 })
    const { rows: progress } = await sql<{ covered: number }>`select covered from search_text_progress
      where account_id = ${a.accountId}`.execute(db)
    expect(progress[0]?.covered).toBeGreaterThanOrEqual(rows[0]?.least ?? Number.NaN)
  })

  it('builds the last segment again while it grows, and reads no more than a quarter of one without it', async () => {
    const a = await account()
    await large(a, SEGMENT)
    const quarter = SEGMENT / 4
    const segments = async () => {
      const { rows } = await sql<{
        blocks: number
      }>`select cardinality(ends) as blocks from search_text_segments
        where account_id = ${a.accountId} and kind = 'companies' order by above`.execute(
        a.service.services.engine.as(SYSTEM),
      )
      return rows.map(({ blocks }) => blocks / SIZE.blocks)
    }
    const add = async (from: number, count: number) => {
      const items = Array.from({ length: count }, (_, i) => ({ action: 'create', record: company(from + i) }))
      expect((await a.post('/api/companies/batch', { items })).status).toBe(200)
      await indexAll(a)
    }
    expect(await segments()).toEqual([1])
    await add(SEGMENT, quarter - 2)
    expect(await segments()).toEqual([1])
    await add(SEGMENT + quarter - 2, 2)
    expect(await segments()).toEqual([1, 0.25])
    await add(SEGMENT + quarter, quarter * 2)
    expect(await segments()).toEqual([1, 0.75])
    expect(await namesOf(a, `company ${SEGMENT + 1}`)).toEqual([`Company ${SEGMENT + 1}`])
    await add(SEGMENT + quarter * 3, quarter * 2)
    expect(await segments()).toEqual([1, 1, 0.25])
    const last = SEGMENT * 2 + quarter - 1
    for (const i of [SEGMENT - 1, SEGMENT, SEGMENT * 2 - 1, SEGMENT * 2, last])
      expect(await namesOf(a, `company ${i}`)).toEqual([`Company ${i}`])
    expect(await namesOf(a, 'company')).toHaveLength(last + 1)
  })

  it('reads all texts where very many records have changed since they were indexed', async () => {
    const a = await account()
    await large(a, SEGMENT)
    const { items } = (await a.get('/api/companies?page_size=20')).body
    for (const { id } of items) await a.put(`/api/companies/${id}`, { name: `Okapi ${id}` })
    const pathOf = async (search: string, fewRecords: number) =>
      (await searchOf(contextOf(a), record, search, { fewRecords, exactTotal: 10 }))?.path
    expect(await pathOf('okapi', 10)).toBe('all')
    expect(await pathOf('company', 10)).toBe('in order')
    expect(await pathOf('okapi', 1000)).toBe('by index')
    await indexAll(a)
    expect(await pathOf('okapi', 10)).not.toBe('all')
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
