/** `search` in lists of accounts that are large enough for the index of texts (decision 34), here with tiny blocks. */
import { type RawBuilder, sql } from 'kysely'
import { expect, it } from 'vitest'
import { SYSTEM } from '../src/db/engine.ts'
import { indexTexts } from '../src/db/text-index/build.ts'
import { catchUpAll } from '../src/db/text-index/catch-up.ts'
import { listRecords } from '../src/kernel/list-query.ts'
import type { Page } from '../src/kernel/resource.ts'
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
async function indexAll(a: Account, run: (a: Account) => Promise<unknown> = index): Promise<void> {
  const db = a.service.services.engine.as(SYSTEM)
  const { rows } = await sql<{
    seq: number
  }>`select max(seq) as seq from changes where account_id = ${a.accountId}`.execute(db)
  await waitFor(async () => {
    await run(a)
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

/** Companies with ids in the order of their numbers, the i-th of them created `minutes` after the first day of 2025. */
async function dated(a: Account, count: number, minutes: RawBuilder<unknown>): Promise<void> {
  await sql`insert into companies (account_id, id, name, city, phone, created_at)
    select ${a.accountId}, ('00000001-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 'Company ' || i,
      (${CITIES}::text[])[1 + i % 5], case when i % 50 = 7 then '+49 (170) 555-' || 1000 + i end,
      '2025-01-01'::timestamptz + (${minutes}) * interval '1 minute'
    from generate_series(0, ${sql.lit(count - 1)}) i`.execute(a.service.services.engine.as(SYSTEM))
  await indexAll(a)
}

interface Listed {
  id: string
  name: string
  city?: string | null
  phone?: string | null
}

/**
 * Compares pages of searches in the order of creation, which are counted up to `exactTotal`, with the records of the list
 * without a search.
 */
async function comparePages(a: Account, exactTotal: number): Promise<void> {
  const size = Math.min(50, exactTotal / 5)
  const most = exactTotal * 1.5
  const ctx = contextOf(a)
  const limits = { ...SEARCH_LIMITS, exactTotal }
  for (const sort_order of ['desc', 'asc'] as const) {
    const all: Listed[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await a.get(
        `/api/companies?sort_order=${sort_order}&page_size=500&cursor=${encodeURIComponent(cursor)}`,
      )
      all.push(...body.items)
      cursor = body.next_cursor
    }
    const terms: Record<string, (one: Listed) => boolean> = {
      'company 3': ({ name }) => name.includes('Company 3'),
      'company 41': ({ name }) => name.includes('Company 41'),
      company: ({ name }) => name.includes('Company'),
      berlin: ({ city }) => city === 'Berlin',
      '0170 555': ({ phone }) => phone != null,
      okapi: ({ name }) => name.includes('Okapi'),
    }
    for (const [search, contains] of Object.entries(terms)) {
      const order = { descending: sort_order === 'desc', isFiltered: false }
      const found = await searchOf(ctx, record, search, limits, order)
      expect(found?.path).toBe('by index until enough')
      const ids = all.filter(contains).map(({ id }) => id)
      // exact where all matches had to be read
      const expectTotal = ({ total, total_is_exact }: Pick<Page<unknown>, 'total' | 'total_is_exact'>) =>
        expect(total).toBe(total_is_exact === false ? exactTotal : ids.length)
      const list = (part: { page: number; cursor?: string }) =>
        listRecords(ctx, record, { search, sort_order, page_size: size, ...part }, [], limits)
      for (const page of [1, 2, 4]) {
        const { items, ...rest } = await list({ page })
        expect([search, page, items.map(({ id }) => id)]).toEqual([
          search,
          page,
          ids.slice((page - 1) * size, page * size),
        ])
        expectTotal(rest)
      }
      const walked: string[] = []
      for (let cursor: string | null = ''; cursor !== null && walked.length < most; ) {
        const { items, next_cursor, ...rest } = await list({ page: 1, cursor })
        expectTotal(rest)
        walked.push(...items.map(({ id }) => id))
        cursor = next_cursor ?? null
      }
      expect(walked).toEqual(ids.slice(0, walked.length))
      expect(walked.length).toBeGreaterThanOrEqual(Math.min(ids.length, most))
    }
  }
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

  it('reads segments in the order of creation until a page is complete and enough is counted', async () => {
    const a = await account()
    // the second half was created first, as by an import of old records
    await dated(a, SEGMENT * 4, sql`(i + ${sql.lit(SEGMENT * 2)}) % ${sql.lit(SEGMENT * 4)}`)
    await a.create('/api/companies', { name: 'Okapi, not in a segment', city: 'Berlin' })
    // more than the matches of a segment, as usual: otherwise none is read to its end
    await comparePages(a, 300)
    const { total } = await listRecords(
      contextOf(a),
      record,
      { search: 'company', page: 1, page_size: 10 },
      [],
      {
        ...SEARCH_LIMITS,
        exactTotal: 300,
      },
    )
    expect(total).toBe(300)
  })

  it('returns complete pages where segments overlap in time', async () => {
    const a = await account()
    await dated(a, SEGMENT * 3, sql`i * 7919 % ${sql.lit(SEGMENT * 3)}`)
    await comparePages(a, 40)
  })

  it('returns complete pages where all records were created at the same time', async () => {
    const a = await account()
    await dated(a, SEGMENT * 2, sql`0`)
    await comparePages(a, 25)
  })

  it('finds a record that was created before or after the others of its segment', async () => {
    const a = await account()
    await dated(a, SEGMENT * 3, sql`i`)
    const db = a.service.services.engine.as(SYSTEM)
    for (const [i, created] of ['2020-01-01', '2099-01-01'].entries())
      await sql`insert into companies (account_id, id, name, created_at) values (
        ${a.accountId}, ${`00000001-0000-7000-8000-0000000002${i}f`}, ${`Company 3 Okapi ${i}`}, ${created})`.execute(
        db,
      )
    await comparePages(a, 40)
    await indexAll(a)
    await comparePages(a, 40)
  })

  it('reads adjacent blocks as one range of ids', async () => {
    const db = (await account()).service.services.engine.as(SYSTEM)
    const idOf = (no: number) => `00000000-0000-0000-0000-${String(no).padStart(12, '0')}`
    const ranges = async (bits: string) => {
      const { rows } = await sql<{ above: string; last: string }>`select above, last from search_text_ranges(
        ${idOf(0)}, ${Array.from({ length: bits.length }, (_, i) => idOf(i + 1))}::uuid[], ${bits}::bit(1024))`.execute(
        db,
      )
      return rows.map(({ above, last }) => [Number(above.slice(-12)), Number(last.slice(-12))])
    }
    expect(await ranges('0000')).toEqual([])
    expect(await ranges('1000')).toEqual([[0, 1]])
    expect(await ranges('0110111')).toEqual([
      [1, 3],
      [4, 7],
    ])
    expect(await ranges('1'.repeat(1024))).toEqual([[0, 1024]])
    expect(await ranges(`${'0'.repeat(1023)}1`)).toEqual([[1023, 1024]])
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

  it('adds changed records between two looks for accounts that have become large', async () => {
    const a = await account()
    await large(a, SEGMENT)
    const { body } = await a.get('/api/companies?search=company%2031&page_size=500')
    const { id } = body.items.find(({ name }: { name: string }) => name === 'Company 31')
    await a.put(`/api/companies/${id}`, { name: 'Okapi' })
    await indexAll(a, ({ service }) => catchUpAll(service.services.engine, new AbortController().signal))
    expect(await usesIndex(a, 'okapi')).toBe(true)
    expect(await namesOf(a, 'okapi')).toEqual(['Okapi'])
  })

  it('writes no mask that has the characters of a changed record already', async () => {
    const a = await account()
    await large(a, SEGMENT)
    const db = a.service.services.engine.as(SYSTEM)
    // a row that is only locked keeps its place, but has another `xmax`
    const masks = async () =>
      (
        await sql`select segment, gram, ctid::text, xmax::text from search_text_masks
          where account_id = ${a.accountId} order by segment, gram`.execute(db)
      ).rows
    const before = await masks()
    const { body } = await a.get('/api/companies?page_size=20')
    for (const { id } of body.items) await a.put(`/api/companies/${id}`, { connection_strength: 'strong' })
    await indexAll(a)
    expect(await masks()).toEqual(before)
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
