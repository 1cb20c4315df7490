import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { clientOf, run, SLOW, startKith, tempFolder } from '../../../test/support/process.ts'
import {
  type Account,
  anyEngine,
  contextOf,
  engines,
  freshDatabase,
  type Item,
  onAnyEngine,
  onBothEngines,
} from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'
import { first } from '../../lib/values.ts'
import { fillDemo } from './index.ts'

/** A day of the past, so that no time of the demo is in the future. */
const TODAY = '2026-06-30'

const NAMES = ['email', 'name', 'subject', 'start_at', 'amount', 'closed_at']
const textsOf = (account: Account): Promise<string[][]> =>
  Promise.all(
    ['contacts', 'deals', 'activities'].map(async kind => {
      const { body } = await account.get(`/api/${kind}?page_size=1000&sort_by=created_at`)
      return body.items.map((item: Item) => NAMES.map(name => item[name]).join('|')).sort()
    }),
  )
/** Of the first account that was filled, on any engine: filling takes four seconds of processor time. */
let firstTexts: string[][] | undefined

async function expectExampleDomains(account: Account): Promise<void> {
  const { items } = (await account.get('/api/contacts?page_size=1000')).body
  for (const { email } of items) expect(email).toMatch(/^[a-z.]+@[a-z-]+\.example$/)
  expect(new Set(items.map(({ email }: Item) => email)).size).toBe(200)
}

/** How often the table of activities was analysed, except by the database itself. */
async function analysesOf(account: Account): Promise<number> {
  const { rows } = await sql<{ count: number }>`select analyze_count::int as count from pg_stat_all_tables
    where relid = 'kith.activities'::regclass`.execute(systemDb(account.service.services))
  return first(rows).count
}

onBothEngines('the demo', newAccount => {
  it('fills an account with two years of a company, and is undone as one', SLOW, async () => {
    const account = await newAccount()
    // the second engine fills an account that has a record
    const isForced = firstTexts !== undefined
    if (isForced) await account.create('/api/companies', { name: 'Here already' })
    const shown: number[] = []
    const options = { isForced, onProgress: (done: number) => shown.push(done) }
    const before = await analysesOf(account)
    const filled = await fillDemo(contextOf(account), TODAY, options)
    expect(await analysesOf(account)).toBeGreaterThan(before)
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([12, 0, 100])
    expect(filled.counts).toMatchObject({
      companies: 40,
      contacts: 200,
      pipelines: 3,
      deals: 120,
      products: 10,
    })
    expect(filled.counts.activities).toBeGreaterThan(900)
    const texts = await textsOf(account)
    firstTexts ??= texts
    expect(texts).toEqual(firstTexts)
    await expectExampleDomains(account)
    const total = async (path: string) => (await account.get(path)).body.total
    expect(await total('/api/deals?status=won')).toBeGreaterThan(40)
    expect(await total('/api/deals?status=open')).toBeGreaterThan(10)
    expect(await total('/api/kb/documents?type=folder')).toBe(3)
    expect(await total('/api/chats')).toBe(1)
    expect(await total('/api/transcriptions')).toBe(1)
    const [won] = (await account.get('/api/deals?status=won&page_size=1')).body.items
    expect(won.closed_at < '2026-07-01').toBe(true)
    const history = (await account.get(`/api/deals/${won.id}/stage-history`)).body.items
    const entered = history.map((entry: { entered_at: string }) => entry.entered_at)
    expect(entered.length).toBeGreaterThan(3)
    expect(entered).toEqual([...entered].sort())
    const byMonth = await account.post('/api/query', {
      entity: 'deal',
      where: { field: 'status', value: 'won' },
      measure: { kind: 'sum', field: 'amount' },
      group_by: [{ field: 'closed_at', bucket: 'quarter' }],
    })
    expect(byMonth.body.groups.length).toBeGreaterThan(5)
    await expect(fillDemo(contextOf(account), TODAY)).rejects.toThrow('This account has records')
    const undone = await account.post(`/api/operations/${filled.operation_id}/undo`)
    expect(undone).toMatchObject({ status: 200, body: { conflicts: [] } })
    expect(await total('/api/companies')).toBe(isForced ? 1 : 0)
    for (const kind of ['contacts', 'deals', 'activities', 'notes', 'products', 'tags'])
      expect(await total(`/api/${kind}`)).toBe(0)
    expect(await total('/api/deals/pipelines')).toBe(1)
  })
})

onAnyEngine('the demo', newAccount => {
  // otherwise the second engine above does it
  it.runIf(anyEngine.length === engines.length)(
    'is the same for the same day, also in an account with records, with example domains',
    SLOW,
    async () => {
      const account = await newAccount()
      await account.create('/api/companies', { name: 'Here already' })
      await fillDemo(contextOf(account), TODAY, { isForced: true })
      if (!firstTexts) {
        const empty = await newAccount()
        await fillDemo(contextOf(empty), TODAY)
        firstTexts = await textsOf(empty)
      }
      expect(await textsOf(account)).toEqual(firstTexts)
      await expectExampleDomains(account)
    },
  )

  it('is filled in by the command, which prints the key of a new installation', SLOW, async () => {
    const env = { KITH_DATA_DIR: tempFolder(), KITH_WORKER: 'false', DATABASE_URL: await freshDatabase() }
    const filling = run({ env, args: ['demo'] })
    expect(await filling.exited).toBe(0)
    const key = /^ {2}(sk_\S+)$/m.exec(filling.stdout())?.[1]
    const { url, stop } = await startKith({ env })
    expect(await clientOf(url, key).companies.list()).toMatchObject({ total: 40 })
    await stop()
  })

  it('is filled in by KITH_DEMO, on an empty account only', SLOW, async () => {
    const database = anyEngine.includes('server') ? { DATABASE_URL: await freshDatabase() } : {}
    const env = { KITH_DATA_DIR: tempFolder(), KITH_WORKER: 'false', ...database }
    const started = await startKith({ env: { ...env, KITH_DEMO: 'true' } })
    expect(await started.client.companies.list()).toMatchObject({ total: 40 })
    await started.stop()
    const again = run({ env, args: ['demo'] })
    expect(await again.exited).toBe(1)
    expect(again.stderr()).toContain('This account has records')
  })
})
