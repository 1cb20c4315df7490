/** Totals of lists with filters whose values record_counts counts: the same as counting the records, whatever is written. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { cleanUp } from '../src/db/clean-up.ts'
import { SYSTEM } from '../src/db/engine.ts'
import { type Account, onBothEngines } from './support/service.ts'

const STATUSES = ['lead', 'customer', 'Ünique, with a comma', ' ', null]
const TYPES = ['call', 'meeting', 'task']
const STATES = ['planned', 'in_progress', 'completed', 'cancelled']
const KINDS = ['companies', 'contacts', 'deals', 'activities'] as const
type Kind = (typeof KINDS)[number]

interface Stages {
  ids: string[]
}

/** A record of the kind, one of many by `n`. */
function values(kind: Kind, n: number, { ids }: Stages): Record<string, unknown> {
  const status = STATUSES[n % STATUSES.length]
  if (kind === 'companies') return { name: `Company ${n}`, status }
  if (kind === 'contacts') return { first_name: `Person ${n}`, status }
  if (kind === 'deals') return { name: `Deal ${n}`, stage_id: ids[n % ids.length] }
  return { type: TYPES[n % TYPES.length], status: STATES[n % STATES.length], subject: `Activity ${n}` }
}

const kind = fc.constantFrom(...KINDS)
const n = fc.nat(59)
const write = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('create' as const),
      kind,
      n,
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('update' as const),
      kind,
      n,
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('delete' as const),
      kind,
      n,
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('restore' as const), kind, n, count: fc.constant(1) }),
  },
  fc.record({
    op: fc.constantFrom(
      'purge' as const,
      'undo' as const,
      'merge' as const,
      'add up' as const,
      'fail' as const,
    ),
    kind,
    n,
    count: fc.constant(2),
  }),
)
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never

const some = <T>(all: readonly T[], from: number, count: number): T[] =>
  Array.from({ length: Math.min(count, all.length) }, (_, i) => all[(from + i) % all.length] as T)

async function perform(a: Account, stages: Stages, { op, kind, n, count }: Write): Promise<void> {
  const db = a.service.services.engine.as({ ...SYSTEM, accountId: a.accountId })
  const idsOf = async (inTrash: boolean) => {
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(kind)}
      where account_id = ${a.accountId} and (deleted_at is not null) = ${inTrash} order by id`.execute(db)
    return some(rows, n, count).map(({ id }) => id)
  }
  if (op === 'create') {
    const items = Array.from({ length: count }, (_, i) => values(kind, n + i, stages))
    if (kind === 'activities') for (const item of items) await a.create(`/api/${kind}`, item)
    else await a.post(`/api/${kind}/batch`, { items: items.map(record => ({ action: 'create', record })) })
  } else if (op === 'update') {
    for (const id of await idsOf(false)) await a.put(`/api/${kind}/${id}`, values(kind, n, stages))
  } else if (op === 'delete') {
    const ids = await idsOf(false)
    if (ids.length > 0) await a.post(`/api/${kind}/bulk-delete`, { ids })
  } else if (op === 'restore') {
    for (const id of await idsOf(true)) await a.post(`/api/${kind}/${id}/restore`)
  } else if (op === 'purge') {
    await sql`select erase_records(${kind}, ${await idsOf(n % 2 === 0)}::uuid[])`.execute(db)
  } else if (op === 'undo') {
    const { items } = (await a.get('/api/operations?page_size=1')).body
    if (items[0]) await a.post(`/api/operations/${items[0].id}/undo`)
  } else if (op === 'merge') {
    const [primary_id, ...secondary_ids] = await idsOf(false)
    if (secondary_ids.length > 0 && (kind === 'companies' || kind === 'contacts'))
      await a.post(`/api/${kind}/merge`, { primary_id, secondary_ids })
  } else if (op === 'add up') {
    await sql`select merge_counts(${a.accountId}, ${kind})`.execute(db)
  } else {
    const fails = db.transaction().execute(async tx => {
      await sql`update ${sql.table(kind)} set deleted_at = now() where account_id = ${a.accountId}`.execute(
        tx,
      )
      throw new Error('rolled back')
    })
    await expect(fails).rejects.toThrow('rolled back')
  }
}

/** The filters of each kind, and the same as a condition. */
const filters = ({ ids }: Stages): Record<Kind, [string, ReturnType<typeof sql>][]> => {
  const byStatus = STATUSES.filter(status => status !== null).map(
    status =>
      [`status=${encodeURIComponent(status)}`, sql`status = ${status}`] as [string, ReturnType<typeof sql>],
  )
  return {
    companies: byStatus,
    contacts: [...byStatus, ['status=lead&lead_source=web', sql`status = 'lead' and lead_source = 'web'`]],
    deals: [
      ...ids
        .slice(0, 3)
        .map(id => [`stage_id=${id}`, sql`stage_id = ${id}`] as [string, ReturnType<typeof sql>]),
      ...['open', 'won'].map(
        type =>
          [
            `status=${type}`,
            sql`stage_id in (select id from stages where account_id = r.account_id and type = ${type})`,
          ] as [string, ReturnType<typeof sql>],
      ),
    ],
    activities: [
      ['type=call', sql`type = 'call'`],
      ['status=planned', sql`status = 'planned'`],
      ['type=task&status=completed', sql`type = 'task' and status = 'completed'`],
      ['type=task&overdue=false', sql`type = 'task' and (open_due_at is null or open_due_at >= now())`],
    ],
  }
}

async function expectCounted(a: Account, stages: Stages): Promise<void> {
  const db = a.service.services.engine.as({ ...SYSTEM, accountId: a.accountId })
  for (const kind of KINDS) {
    for (const [query, condition] of [['', sql`true`] as const, ...filters(stages)[kind]]) {
      for (const deleted of [false, true]) {
        const { rows } = await sql<{ count: number }>`select count(*)::int from ${sql.table(kind)} r
          where account_id = ${a.accountId} and (deleted_at is not null) = ${deleted} and ${condition}`.execute(
          db,
        )
        const path = `/api/${kind}?page_size=1&deleted=${deleted}&${query}`
        expect([path, (await a.get(path)).body.total]).toEqual([path, rows[0]?.count])
      }
    }
  }
}

onBothEngines('the total of a list with a filter', account => {
  it('is the number of its records after any writes', async () => {
    const a = await account()
    await a.create('/api/deals', { name: 'First' })
    const { items } = (await a.get('/api/deals/stages?page_size=100')).body
    const stages = { ids: items.map(({ id }: { id: string }) => id) }
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 8, maxLength: 30 }), async writes => {
        for (const one of writes) await perform(a, stages, one)
        await expectCounted(a, stages)
      }),
      { numRuns: 6, endOnFailure: true },
    )
    await cleanUp(a.service.services.engine, 24, new AbortController().signal)
    await expectCounted(a, stages)
  })

  it('follows records that are written at the same time', async () => {
    const a = await account()
    const ids = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, i) => (await a.create('/api/companies', { name: `C ${i}`, status: 'lead' })).id,
      ),
    )
    await Promise.all(
      ids.flatMap((id, i) => [
        a.put(`/api/companies/${id}`, { status: i % 2 === 0 ? 'customer' : 'inactive' }),
        ...(i % 5 === 0 ? [a.delete(`/api/companies/${id}`)] : []),
        a.create('/api/companies', { name: `D ${i}`, status: 'customer' }),
      ]),
    )
    await expectCounted(a, { ids: [] })
  })

  it('is counted by a statement without records of the account, too', async () => {
    const a = await account()
    expect((await a.get('/api/companies?status=lead')).body).toMatchObject({ total: 0, items: [] })
    await a.create('/api/companies', { name: 'A', status: 'lead' })
    expect((await a.get('/api/companies?status=lead&page=3')).body).toMatchObject({ total: 1, items: [] })
    expect((await a.get('/api/companies?status=LEAD')).body.total).toBe(0)
  })
})
