/** What a record and a page may hold in bytes. */
import { sql } from 'kysely'
import { describe, expect, it, test } from 'vitest'
import { MAX_RESULT_BYTES, ResultTooLarge } from '../src/db/bounded-query.ts'
import { paced } from '../src/features/transfer/exports/paced.ts'
import { answerOf } from '../src/http/error-answer.ts'
import { query, transaction } from '../src/kernel/context.ts'
import { dict, json, MAX_JSON_BYTES } from '../src/kernel/schema/index.ts'
import { fault, run } from '../src/kernel/schema/testing.ts'
import { resources } from '../src/resources/index.ts'
import { type Account, contextOf, onBothEngines } from './support/service.ts'

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))
const TOO_MANY_BYTES = 'Value error, this must have at most 262144 bytes as JSON'
const TOO_MANY_KEYS = 'Value error, this must have at most 1000 keys'

describe('a free object', () => {
  test.each([
    [{ a: 'x'.repeat(MAX_JSON_BYTES - 8) }],
    [{ a: 'é'.repeat(MAX_JSON_BYTES / 2 - 4) }],
    [keys(1000)],
    [{ a: keys(499), b: [keys(499)] }],
  ])('is accepted up to its limits %#', input => {
    expect(Buffer.byteLength(JSON.stringify(input))).toBeLessThanOrEqual(MAX_JSON_BYTES)
    expect(run(dict(), input)).toBe(input)
  })

  test.each([
    [{ a: 'x'.repeat(MAX_JSON_BYTES) }, TOO_MANY_BYTES],
    [{ a: 'é'.repeat(MAX_JSON_BYTES / 2) }, TOO_MANY_BYTES],
    [{ a: Array(MAX_JSON_BYTES).fill(1) }, TOO_MANY_BYTES],
    [keys(1001), TOO_MANY_KEYS],
    [{ a: keys(500), b: [keys(500)] }, TOO_MANY_KEYS],
  ])('is refused beyond them %#', (input, msg) => {
    expect(fault(dict(), input).msg).toBe(msg)
    expect(fault(json(), input).msg).toBe(msg)
  })
})

test('every record with a free object has a budget for its pages', () => {
  const without = resources
    .filter(({ record }) => record.table !== 'custom_fields' && !record.hasBytes)
    .filter(({ record }) =>
      Object.values(record.input.fields).some(({ json: { anyOf, ...json } }) =>
        (anyOf ?? [json]).some(kind => kind.additionalProperties === true),
      ),
    )
  expect(without.map(({ name }) => name)).toEqual([])
})

test('rows that are too large together are read a few at a time', async () => {
  const rows = Array.from({ length: 23 }, (_, i) => i)
  const asked: number[] = []
  const fitting = paced(100)
  const read: number[] = []
  for (let more = true; more; ) {
    const page = await fitting(async size => {
      asked.push(size)
      if (size > 10) throw new ResultTooLarge()
      return rows.slice(read.length, read.length + size)
    })
    read.push(...page.rows)
    more = page.isFull
  }
  expect(read).toEqual(rows)
  expect(asked).toEqual([100, 25, 6, 6, 6, 6])
  await expect(
    paced(4)(async () => {
      throw new ResultTooLarge()
    }),
  ).rejects.toBeInstanceOf(ResultTooLarge)
})

onBothEngines('pages', (newAccount, _, onOne) => {
  /** 250 KB of metadata in these records. */
  const enlarge = (account: Account, table: string, id: string | null = null, letter = 'x') =>
    query(
      contextOf(account),
      sql`update ${sql.table(table)} set metadata = jsonb_build_object('a', repeat(${letter}, 250000))
        where account_id = ${account.accountId} and id = coalesce(${id}::uuid, id)`,
    )
  const createMany = (account: Account, path: string, count: number, body: object) =>
    Promise.all(Array.from({ length: count }, () => account.create(path, body)))
  const tooLarge = { detail: 'This page would be larger than 20 MB: take a smaller page_size' }

  onOne('refuse free objects that are too large', async () => {
    const account = await newAccount()
    const huge = { a: 'x'.repeat(300_000) }
    const tried: [string, object][] = [
      ['/api/companies', { name: 'A', metadata: huge }],
      ['/api/companies', { name: 'A', enrichment: keys(1001) }],
      ['/api/notes', { content: 'a', attachments: huge }],
      ['/api/chats', { settings: huge }],
      ['/api/email-drafts', { attachments: [huge] }],
    ]
    for (const [path, body] of tried) {
      const answer = await account.post(path, body)
      expect([path, answer.status, answer.text.length < 2000]).toEqual([path, 422, true])
    }
  })

  it('have a budget in bytes', async () => {
    const account = await newAccount()
    await createMany(account, '/api/notes', 85, { content: 'a' })
    await enlarge(account, 'notes')
    expect(await account.get('/api/notes?page_size=1000')).toMatchObject({ status: 413, body: tooLarge })
    expect(await account.get('/api/notes?page_size=85&search=a')).toMatchObject({ status: 413 })
    expect(await account.post('/api/notes/query', { page_size: 85 })).toMatchObject({ status: 413 })
    expect(await account.get('/api/notes?page_size=100&cursor=')).toMatchObject({ status: 413 })
    const page = await account.get('/api/notes?page_size=10&page=2')
    expect([page.status, page.body.items.length, page.body.total]).toEqual([200, 10, 85])
    expect((await account.get('/api/companies?page_size=1000')).status).toBe(200)
    expect(await account.get('/api/events?limit=1000')).toMatchObject({ status: 413 })
    const events = await account.get('/api/events?limit=20')
    expect([events.status, events.body.items.length]).toEqual([200, 20])
  })

  onOne('count values that are returned twice', async () => {
    const account = await newAccount()
    await createMany(account, '/api/deals', 43, { name: 'A' })
    await enlarge(account, 'deals')
    expect(await account.get('/api/deals?page_size=1000')).toMatchObject({ status: 413, body: tooLarge })
    expect((await account.get('/api/deals/board?limit=100')).status).toBe(413)
    expect((await account.get('/api/deals/board?limit=10')).status).toBe(200)
    const { id } = (await account.get('/api/deals?page_size=1')).body.items[0]
    for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP')
      await enlarge(account, 'deals', id, letter)
    expect((await account.get(`/api/deals/${id}/timeline?page_size=1000`)).status).toBe(413)
    expect((await account.get(`/api/deals/${id}/timeline?page_size=10`)).body.items).toHaveLength(10)
  })

  it('of any other statement are limited by the result size', async () => {
    const account = await newAccount()
    const ctx = contextOf(account)
    const many = sql`select repeat('x', 1000000) as x from generate_series(1, ${Math.ceil(MAX_RESULT_BYTES / 1e6)}::int)`
    const refused = await query(ctx, many).catch(error => error)
    expect(refused).toBeInstanceOf(ResultTooLarge)
    expect(answerOf(refused).status).toBe(413)
    const inside = await transaction(ctx, async tx => {
      await query(tx, many).catch(() => {})
      return query(tx, sql<{ one: number }>`select 1 as one where ${true}`)
    })
    expect(inside).toEqual([{ one: 1 }])
  })
})
