import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import {
  type Account,
  anotherMember,
  contextOf,
  onBothEngines,
  testConfig,
} from '../../../test/support/service.ts'
import { query, transaction } from '../../kernel/context.ts'
import { createService } from '../../service.ts'
import { allEvents, openEvents } from './events.testing.ts'

const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type)

onBothEngines('events', (newAccount, kind) => {
  const stageOf = async (account: Account, name: string): Promise<string> => {
    const { body } = await account.get('/api/deals/pipelines')
    const stages: { id: string; name: string }[] = body.items[0].stages
    return stages.find(stage => stage.name === name)?.id ?? ''
  }
  /** The sequence of the last event of an account, after which a test looks. */
  const present = async (account: Account) => (await allEvents(account)).at(-1)?.sequence ?? 0

  it.runIf(kind === 'embedded')(
    'are numbered by the poll while a stream reads, not after every write',
    async () => {
      const account = await newAccount()
      const { id } = await account.create('/api/companies', { name: 'Acme' })
      const transactions = async () => {
        const [row] = await query(
          contextOf(account),
          sql<{ xid: number }>`select pg_current_xact_id()::text::bigint as xid`,
        )
        return row?.xid ?? 0
      }
      const stream = await openEvents(account, `?after=${await present(account)}`)
      const [before, began] = [await transactions(), performance.now()]
      const writes = 150
      for (let i = 0; i < writes; i++) await account.put(`/api/companies/${id}`, { city: `City ${i}` })
      const polls = (performance.now() - began) / 250
      const more = (await transactions()) - before - writes
      await stream.until(writes)
      stream.close()
      // without this, about one for every second write
      expect(more).toBeLessThan(polls + 15)
    },
  )

  it('list every change in order, with its fields, actor and operation', async () => {
    const account = await newAccount()
    const start = await present(account)
    const contact = await account.create('/api/contacts', { first_name: 'Ann', last_name: 'Lee' })
    const deal = await account.create('/api/deals', { name: 'Renewal', amount: 10 })
    await account.put(`/api/deals/${deal.id}`, { amount: 20 })
    await account.put(`/api/deals/${deal.id}`, { stage_id: await stageOf(account, 'Proposal') })
    await account.put(`/api/deals/${deal.id}`, { associated_contact_ids: [contact.id] })
    const removed = await account.post('/api/contacts/bulk-delete', [contact.id])
    await account.post(`/api/contacts/${contact.id}/restore`)
    const events = await allEvents(account, start)
    expect(typesOf(events)).toEqual([
      'contact.created',
      'deal.created',
      'deal.updated',
      'deal.stage_changed',
      'deal.contact_linked',
      'contact.deleted',
      'contact.restored',
    ])
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => start + 1 + i))
    expect(events[2]).toEqual({
      sequence: start + 3,
      type: 'deal.updated',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      record: { entity_type: 'deal', id: deal.id },
      related: null,
      changes: [{ field: 'amount', from: 10, to: 20 }],
      actor: { kind: 'key', id: expect.any(String), user_id: account.userId },
      operation_id: null,
    })
    expect(events[3]?.changes.map(({ field }) => field)).toContain('stage_id')
    expect(events[4]?.related).toEqual({ entity_type: 'contact', id: contact.id })
    expect(events[5]?.operation_id).toBe(removed.headers.get('x-operation-id'))
  })

  it('can be read from any position and by type', async () => {
    const account = await newAccount()
    const start = await present(account)
    for (const name of ['A', 'B', 'C']) await account.create('/api/companies', { name })
    const deal = await account.create('/api/deals', { name: 'D' })
    await account.delete(`/api/deals/${deal.id}`)
    const page = await account.get(`/api/events?after=${start}&limit=2`)
    expect(page.body).toMatchObject({ next_after: start + 2, has_more: true })
    const rest = await account.get(`/api/events?after=${start + 2}&limit=100`)
    expect(rest.body).toMatchObject({ next_after: start + 5, has_more: false })
    expect(typesOf(rest.body.items)).toEqual(['company.created', 'deal.created', 'deal.deleted'])
    const chosen = await account.get(`/api/events?after=${start}&types=deal.deleted,company.*&limit=100`)
    expect(typesOf(chosen.body.items)).toEqual([...Array(3).fill('company.created'), 'deal.deleted'])
    expect((await account.get(`/api/events?after=${start + 5}`)).body).toEqual({
      items: [],
      next_after: start + 5,
      has_more: false,
    })
    const wrong = await account.get('/api/events?types=deal.creatd')
    expect([wrong.status, wrong.body.detail[0].msg]).toEqual([
      422,
      'Value error, there is no event type deal.creatd; did you mean deal.created?',
    ])
  })

  it('refuse a position after the last one, at which a reader would wait without an error', async () => {
    const account = await newAccount()
    await account.create('/api/companies', { name: 'Acme' })
    // also while nothing has been numbered yet
    const far = await account.get('/api/events?after=1000000')
    const last = await present(account)
    const sentence = `Value error, the last event of this account is ${last}: a backup was restored, or this is a position in another account. Start again with after=0, or read the records again and continue after ${last}`
    expect([far.status, far.body.detail[0].msg]).toEqual([422, sentence])
    const next = `after=${last + 1}`
    const asked: [string, Record<string, string>, string[]][] = [
      [`/api/events?${next}`, {}, ['query', 'after']],
      [`/api/events?${next}&types=deal.*`, {}, ['query', 'after']],
      [`/api/events/stream?${next}`, {}, ['query', 'after']],
      ['/api/events/stream', { 'last-event-id': String(last + 1) }, ['header', 'last-event-id']],
    ]
    for (const [path, headers, loc] of asked) {
      const { status, body } = await account.get(path, headers)
      expect([status, body.detail[0].loc, body.detail[0].msg]).toEqual([422, loc, sentence])
    }
  })

  it('show only records that the caller may read', async () => {
    const account = await newAccount()
    const start = await present(account)
    const clerk = await anotherMember(account, { scopes: ['events:read', 'contacts:read'] })
    const contact = await account.create('/api/contacts', { first_name: 'Ann' })
    await account.create('/api/deals', { name: 'Secret', associated_contact_ids: [contact.id] })
    expect(typesOf(await allEvents(clerk, start))).toEqual(['contact.created'])
    const refused = await clerk.get('/api/events?types=deal.created')
    expect([refused.status, refused.body.detail]).toEqual([403, 'This API key lacks the scope deals:read'])
    expect((await clerk.get('/api/events/stream?types=deal.contact_linked')).status).toBe(403)
    const stream = await openEvents(clerk, `?after=${start}`)
    await account.create('/api/contacts', { first_name: 'Bob' })
    expect(typesOf(await stream.until(2))).toEqual(['contact.created', 'contact.created'])
    stream.close()
    const other = await newAccount()
    expect((await allEvents(other)).map(({ record }) => record.id)).not.toContain(contact.id)
    const none = await anotherMember(account, { scopes: ['contacts:read'] })
    expect((await none.get('/api/events')).status).toBe(403)
  })

  it('contain the initial values of a record, whatever happened to it later', async () => {
    const account = await newAccount()
    const start = await present(account)
    const contact = await account.create('/api/contacts', {
      first_name: 'Ann',
      city: 'Rome',
      metadata: { a: null },
    })
    for (const first_name of ['Bea', 'Cleo']) await account.put(`/api/contacts/${contact.id}`, { first_name })
    await account.put(`/api/contacts/${contact.id}`, { city: null, phone: '+49 170 5550199', metadata: {} })
    await account.create('/api/activities', {
      type: 'call',
      subject: 'Hello',
      contact_ids: [contact.id],
      status: 'completed',
    })
    await account.delete(`/api/contacts/${contact.id}`)
    const [created] = await allEvents(account, start)
    const values = Object.fromEntries(created?.changes.map(({ field, to }) => [field, to]) ?? [])
    expect(values).toMatchObject({ first_name: 'Ann', city: 'Rome', metadata: { a: null } })
    expect(created?.changes.every(({ from }) => from === null)).toBe(true)
    // what the journal leaves out and what the record did not have
    for (const field of ['id', 'phone', 'last_interaction', 'updated_at', 'search_text', 'deleted_at'])
      expect(Object.keys(values)).not.toContain(field)
    await account.post(`/api/contacts/${contact.id}/erase`)
    expect((await allEvents(account, start))[0]).toMatchObject({ type: 'contact.created', changes: [] })
  })

  it('lose the values of erased records', async () => {
    const account = await newAccount()
    const start = await present(account)
    const contact = await account.create('/api/contacts', { first_name: 'Zebedee' })
    await account.put(`/api/contacts/${contact.id}`, { first_name: 'Zacharias' })
    await account.post(`/api/contacts/${contact.id}/erase`)
    const events = await allEvents(account, start)
    expect(typesOf(events)).toEqual(['contact.created', 'contact.updated', 'contact.erased'])
    expect(JSON.stringify(events)).not.toMatch(/Zebedee|Zacharias/)
  })

  it('are streamed, and a client continues at its last event', async () => {
    const account = await newAccount()
    await account.create('/api/companies', { name: 'Earlier' })
    const live = await openEvents(account, '?types=company.*')
    const a = await account.create('/api/companies', { name: 'A' })
    await account.create('/api/contacts', { first_name: 'Ann' })
    const [first] = await live.until(1)
    expect(first).toMatchObject({ type: 'company.created', record: { id: a.id } })
    live.close()
    const b = await account.create('/api/companies', { name: 'B' })
    const again = await openEvents(account, '?types=company.*', { 'last-event-id': String(first?.sequence) })
    const c = await account.create('/api/companies', { name: 'C' })
    expect((await again.until(2)).map(({ record }) => record.id)).toEqual([b.id, c.id])
    again.close()
    const bad = await account.get('/api/events/stream', { 'last-event-id': 'x' })
    expect([bad.status, bad.body.detail[0].loc]).toEqual([422, ['header', 'last-event-id']])
  })

  it('number each change once while many write and several read', async () => {
    const account = await newAccount()
    const start = await present(account)
    const companies = await Promise.all(
      ['A', 'B', 'C', 'D'].map(name => account.create('/api/companies', { name })),
    )
    const stream = await openEvents(account, `?after=${start}`)
    let isWriting = true
    const readers = [0, 1].map(async () => {
      const seen: number[] = []
      for (let after = start; ; ) {
        const wasWriting = isWriting
        const { body } = await account.get(`/api/events?after=${after}&limit=7`)
        seen.push(...body.items.map(({ sequence }: { sequence: number }) => sequence))
        after = body.next_after
        if (!wasWriting && !body.has_more) return seen
      }
    })
    await Promise.all(
      companies.flatMap(({ id }, i) =>
        [0, 1].map(async writer => {
          for (let n = 0; n < 10; n++)
            await account.put(`/api/companies/${id}`, { city: `${i} ${writer} ${n}` })
        }),
      ),
    )
    isWriting = false
    const expected = Array.from({ length: 84 }, (_, i) => start + 1 + i)
    for (const seen of await Promise.all(readers)) expect(seen).toEqual(expected)
    expect((await stream.until(84)).map(({ sequence }) => sequence)).toEqual(expected)
    // the changes of each record follow one another: each begins with what the one before ended with
    for (const { id } of companies) {
      const own = stream.events.filter(({ record, type }) => record.id === id && type === 'company.updated')
      for (const [i, event] of own.entries())
        expect(event.changes[0]?.from).toBe(i === 0 ? null : own[i - 1]?.changes[0]?.to)
    }
    stream.close()
  })

  it.runIf(kind === 'server')('include changes of a transaction that commits late', async () => {
    const account = await newAccount()
    const [early, late] = [
      await account.create('/api/companies', { name: 'Early' }),
      await account.create('/api/companies', { name: 'Late' }),
    ]
    const start = await present(account)
    const ctx = contextOf(account)
    const rename = (tx: typeof ctx, id: string) =>
      query(tx, sql`update companies set city = 'Rome' where account_id = ${ctx.account} and id = ${id}`)
    await transaction(ctx, async tx => {
      await rename(tx, late.id)
      // numbered and read while the transaction with the lower number in the journal is open
      for (let i = 0; i < 3; i++) {
        await rename(ctx, early.id)
        await account.create('/api/contacts', { first_name: 'Ann' })
        await allEvents(account, start)
      }
    })
    const events = await allEvents(account, start)
    expect(events.map(({ record }) => record.id).indexOf(late.id)).toBe(events.length - 1)
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => start + 1 + i))
    const feed = async () => {
      await account.get('/api/events')
      const found = sql<{
        left: number
      }>`select (select max(seq) from changes where account_id = ${ctx.account})
        - numbered_to as left from event_feeds where account_id = ${ctx.account}`
      return (await query(ctx, found))[0]?.left
    }
    // other tests of this server may have transactions open at any one moment
    for (let left = await feed(); left !== 0; left = await feed());
  })

  it.runIf(kind === 'server')('are numbered by one look at those of the account', async () => {
    const account = await newAccount()
    const client = new pg.Client({ connectionString: account.service.services.config.databaseUrl })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('set search_path = kith; begin')
    const number = async (id: string) => {
      await client.query(`select from number_events($1, '{companies}', 1000)`, [id])
    }
    // PostgreSQL makes the plan for all values at the sixth execution, here while there are few events
    for (let i = 0; i < 8; i++) {
      const other = await newAccount()
      await other.create('/api/companies', { name: 'Acme' })
      await number(other.accountId)
    }
    const counts = async () =>
      (
        await client.query(`select n_tup_ins as written, seq_tup_read + idx_tup_fetch as read
          from pg_stat_xact_user_tables where relname = 'events'`)
      ).rows[0]
    await client.query(
      `insert into changes (account_id, kind, entity_id, action, actor_kind)
        select $1, 'companies', gen_random_uuid(), 'created', 'user' from generate_series(1, 3000)`,
      [account.accountId],
    )
    const before = await counts()
    for (let i = 0; i < 4; i++) await number(account.accountId)
    const after = await counts()
    expect(after.written - before.written).toBe(3000)
    // 6,000: those that had their number, each time; a plan that reads them for each change reads ten million
    expect(after.read - before.read).toBeLessThan(20_000)
  })

  it.runIf(kind === 'server')('reach the streams of other processes', async () => {
    const account = await newAccount()
    const { databaseUrl } = account.service.services.config
    const service = await createService(await testConfig(kind, { databaseUrl }))
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const streams = [await openEvents(account), await openEvents({ url, key: account.key })]
    const company = await account.create('/api/companies', { name: 'Here' })
    for (const stream of streams) expect((await stream.until(1))[0]?.record.id).toBe(company.id)
    for (const stream of streams) stream.close()
    await service.close()
  })
})
