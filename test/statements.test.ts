/** How often the database is asked: a list of fifty no more often than a list of one, a change for its record once. */
import pg from 'pg'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type Account, onBothEngines } from './support/service.ts'

afterEach(() => vi.restoreAllMocks())

/** Other work of the process (jobs, clean-up) asks the database too: only statements about the group count. */
const reads = (what: unknown, table: string) => {
  const { text } = what as { text?: string }
  return text?.includes(`"${table}"`) ?? false
}

/**
 * The fewest statements of five requests. The indexer reads the same tables now and then (a run of the suite has counted
 * its statement), and can only add to the count; a statement for each row would be in all five.
 */
async function fewest(count: () => Promise<number>): Promise<number> {
  let least = Infinity
  for (let request = 0; request < 5; request++) least = Math.min(least, await count())
  return least
}

/** An account with at least six records of every kind. */
async function filled(account: () => Promise<Account>): Promise<Account> {
  const made = await account()
  const { create } = made
  const company = await create('/api/companies', { name: 'A', categories: ['x'] })
  const contact = await create('/api/contacts', { first_name: 'A', company_id: company.id })
  const links = { contact_ids: [contact.id], company_ids: [company.id] }
  await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      const { id } = await create('/api/companies', { name: `B${n}`, team_ids: [contact.id] })
      await create('/api/contacts', { first_name: `B${n}`, company_id: company.id })
      await create('/api/deals', { name: `B${n}`, associated_company_ids: [company.id] })
      await create('/api/activities', { type: 'call', subject: `B${n}`, ...links })
      await create('/api/notes', { content: `B${n}`, ...links })
      await create('/api/favorites', { entity_type: 'company', entity_id: id })
      await create('/api/categories', { name: `B${n}` })
      await create('/api/tags', { name: `B${n}` })
    }),
  )
  return made
}

onBothEngines('statements of a list', account => {
  let get: Account['get']
  beforeAll(async () => {
    get = (await filled(account)).get
  })

  it.each(['companies', 'contacts', 'deals', 'activities', 'notes', 'favorites', 'categories', 'tags'])(
    '%s: as many statements for fifty rows as for one',
    async group => {
      const path = `/api/${group}`
      await get(path)
      const asked = vi.spyOn(pg.Client.prototype, 'query')
      const count = (size: number) =>
        fewest(async () => {
          asked.mockClear()
          const { body } = await get(`${path}?page_size=${size}`)
          expect(body.items.length).toBeGreaterThanOrEqual(Math.min(size, 6))
          return asked.mock.calls.filter(([what]) => reads(what, group)).length
        })
      const forOne = await count(1)
      expect(await count(50)).toBe(forOne)
      expect([1, 2]).toContain(forOne)
    },
  )
})

onBothEngines('statements of a change', account => {
  const bodies = {
    companies: [{ name: 'Acme' }, { name: 'Acme 2', metadata: { a: 1 }, categories: ['x'] }],
    contacts: [{ first_name: 'Ada' }, { first_name: 'Bea', metadata: { a: 1 }, categories: ['x'] }],
    deals: [{ name: 'Deal' }, { name: 'Deal 2', position: 0, metadata: { a: 1 }, categories: ['x'] }],
    activities: [
      { type: 'call', subject: 'Call' },
      { subject: 'Call 2', assignee_id: null, metadata: { a: 1 }, categories: ['x'] },
    ],
    notes: [{ content: 'Note' }, { content: 'Note 2', contact_ids: [] }],
  }

  it.each(Object.entries(bodies))(
    '%s: a PUT locks and reads the record once',
    async (group, [body, change]) => {
      const { create, put } = await account()
      const { id } = await create(`/api/${group}`, body)
      const asked = vi.spyOn(pg.Client.prototype, 'query')
      const { status } = await put(`/api/${group}/${id}`, change)
      expect(status).toBe(200)
      const locks = asked.mock.calls.filter(
        ([what]) => reads(what, group) && /for (no key )?update/.test(JSON.stringify(what)),
      )
      expect(locks).toHaveLength(1)
    },
  )
})

onBothEngines('statements of a list of events', account => {
  it('are as many for records of eight kinds as for one record', async () => {
    const { get } = await filled(account)
    await get('/api/events?limit=1000')
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    const count = (limit: number) =>
      fewest(async () => {
        asked.mockClear()
        const { body } = await get(`/api/events?limit=${limit}`)
        if (limit > 1) expect(kindsCreated(body.items)).toBeGreaterThan(5)
        return asked.mock.calls.filter(([what]) => reads(what, 'changes')).length
      })
    expect(await count(1000)).toBe(await count(1))
  })
})

const kindsCreated = (events: { type: string }[]) =>
  new Set(events.map(({ type }) => type).filter(type => type.endsWith('.created'))).size
