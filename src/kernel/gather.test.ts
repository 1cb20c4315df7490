/** Calls of one caller that arrive while others run. */
import { sql } from 'kysely'
import { afterEach, expect, it, vi } from 'vitest'
import { onAnyEngine, onBothEngines } from '../../test/support/service.ts'
import { type Ctx, systemDb } from './context.ts'
import { type Call, gathered, PATIENCE_MS } from './gather.ts'
import { newId } from './ids.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

/** On a busy machine every statement takes too long; then the number of statements would depend on the machine. */
function withPatience(): void {
  const { setTimeout } = globalThis
  const longer = (run: () => void, ms?: number) => setTimeout(run, ms === PATIENCE_MS ? 60_000 : ms)
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(longer as typeof setTimeout)
}
afterEach(() => vi.restoreAllMocks())

onBothEngines('requests of one caller at the same time', account => {
  it('create records with few statements, each with its own answer and journal', async () => {
    const { post, get, service, accountId } = await account()
    withPatience()
    const answers = await Promise.all(
      numbers(60).map(i =>
        post('/api/companies', {
          name: `Company ${i}`,
          domains: [`c${i}.example`],
          employee_count: i % 3 === 0 ? null : i,
          metadata: { i, text: `"${i}" {a,b} \\ ü` },
        }),
      ),
    )
    expect(answers.map(({ status, body }) => [status, body.name, body.metadata.i])).toEqual(
      numbers(60).map(i => [201, `Company ${i}`, i]),
    )
    for (const { body } of answers) expect((await get(`/api/companies/${body.id}`)).body).toEqual(body)
    const { rows } = await sql<{ sets: number }>`select count(*)::int as created,
      count(distinct actor_id)::int as actors, count(distinct xmin::text)::int as sets
      from changes where account_id = ${accountId} and kind = 'companies' and action = 'created'`.execute(
      systemDb(service.services),
    )
    expect(rows).toMatchObject([{ created: 60, actors: 1 }])
    // 5 to 10 on an idle machine; 32 on a busy one, where requests arrive slowly
    expect(rows[0]?.sets).toBeLessThan(answers.length)
    expect((await get('/api/companies?domain=c7.example')).body.total).toBe(1)
  })

  it('are refused one by one where a value is taken or invalid', async () => {
    const { post, get } = await account()
    const answers = await Promise.all(
      numbers(24).map(i => post('/api/tags', { name: i % 4 === 0 ? 'Same' : i % 4 === 1 ? '' : `Tag ${i}` })),
    )
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(6)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(13)
    expect((await get('/api/tags')).body.total).toBe(13)
  })

  it('change records, also one that others change, and miss those that do not exist', async () => {
    const { create, put, get, service, accountId } = await account()
    const ids: string[] = []
    for (const i of numbers(8)) ids.push((await create('/api/companies', { name: `Old ${i}` })).id)
    const other = await account()
    const foreign = (await other.create('/api/companies', { name: 'Foreign' })).id
    const targets = [...ids, ...ids.slice(0, 3), newId(), foreign]
    const answers = await Promise.all(
      targets.map((id, i) => put(`/api/companies/${id}`, { name: `New ${i}`, employee_count: i })),
    )
    expect(answers.map(({ status, body }) => (status === 200 ? body.name : status))).toEqual([
      ...numbers(11).map(i => `New ${i}`),
      404,
      404,
    ])
    for (const [i, id] of ids.entries())
      expect([`New ${i}`, `New ${i + 8}`]).toContain((await get(`/api/companies/${id}`)).body.name)
    expect((await other.get(`/api/companies/${foreign}`)).body.name).toBe('Foreign')
    const { rows } = await sql`select count(*)::int as updated from changes
      where account_id = ${accountId} and kind = 'companies' and action = 'updated'`.execute(
      systemDb(service.services),
    )
    expect(rows).toEqual([{ updated: 11 }])
  })

  it('read records with few statements, as single requests do', async () => {
    const { create, call, get, service } = await account()
    const deal = await create('/api/deals', { name: 'Deal', amount: 5 })
    const ids: string[] = []
    for (const i of numbers(10))
      ids.push(
        (await create('/api/companies', { name: `C${i}`, associated_deal_ids: i % 2 ? [deal.id] : [] })).id,
      )
    const other = await account()
    const foreign = (await other.create('/api/companies', { name: 'Foreign' })).id
    const alone: unknown[] = []
    for (const id of ids)
      alone.push(await get(`/api/companies/${id}`).then(({ status, body }) => [status, body]))
    withPatience()
    const before = service.services.engine.stats().statements
    const together = await Promise.all(
      [...ids, ...ids, foreign].map(id => call('GET', `/api/companies/${id}`)),
    )
    // the service's own statements count, too
    expect(service.services.engine.stats().statements - before).toBeLessThan(together.length)
    expect(together.slice(0, -1).map(({ status, body }) => [status, body])).toEqual([...alone, ...alone])
    expect(together.at(-1)?.status).toBe(404)
  })
})

onAnyEngine('a record that a transaction has locked', account => {
  it('does not delay the changes of others', async () => {
    const { create, put, service } = await account()
    if (service.services.engine.kind === 'embedded') return
    const ids: string[] = []
    for (const i of numbers(6)) ids.push((await create('/api/companies', { name: `Old ${i}` })).id)
    const [locked = '', ...others] = ids
    let isAnswered = false
    const waiting = systemDb(service.services)
      .transaction()
      .execute(async db => {
        await sql`select from companies where id = ${locked} for update`.execute(db)
        const first = put(`/api/companies/${others[0]}`, { name: 'New' })
        const answer = put(`/api/companies/${locked}`, { name: 'New' }).finally(() => {
          isAnswered = true
        })
        const answers = await Promise.all([
          first,
          ...others.map(id => put(`/api/companies/${id}`, { name: 'New' })),
        ])
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
        expect(isAnswered).toBe(false)
        return { answer }
      })
    expect((await (await waiting).answer).body.name).toBe('New')
  })
})

interface Asked extends Call {
  value: number
}

/** Calls of one caller whose statements end when the test says so. */
function manual(together: boolean, failure = 'not as one') {
  const statements: { calls: Asked[]; end(): void }[] = []
  const started = (calls: readonly Asked[]) =>
    new Promise<void>(resolve => {
      statements.push({ calls: [...calls], end: resolve })
    })
  const ask = gathered<Asked, number>({
    alone: async call => {
      await started([call])
      if (call.value < 0) throw new Error(`no ${call.value}`)
      return call.value * 2
    },
    together: async calls => {
      await started(calls)
      if (!together) throw new Error(failure)
      return new Map(calls.flatMap(call => (call.value < 0 ? [] : [[call, call.value * 2]])))
    },
  })
  const db = {}
  const ctx = { db, inTransaction: false, caller: { role: 'owner', scopes: ['*'] } } as unknown as Ctx
  return {
    statements,
    ask: (value: number, other: Partial<Call> = {}) =>
      ask({ ctx, id: String(value), shape: 'a', value, ...other }),
    ctx,
  }
}

it('runs a call at once if nothing runs, and the calls that come meanwhile as one set', async () => {
  const { statements, ask } = manual(true)
  const answers = Promise.all([1, 2, 3, 3, 4].map(value => ask(value)))
  expect(statements.map(({ calls }) => calls.map(({ value }) => value))).toEqual([[1]])
  statements[0]?.end()
  await expect.poll(() => statements.length).toBe(2)
  // two calls for one record are not in one set
  expect(statements[1]?.calls.map(({ value }) => value)).toEqual([2, 3, 4])
  statements[1]?.end()
  await expect.poll(() => statements.length).toBe(3)
  statements[2]?.end()
  expect(await answers).toEqual([2, 4, 6, 6, 8])
})

it('runs calls alone that have no result in their set, and all if the set fails', async () => {
  for (const isPossible of [true, false]) {
    const { statements, ask } = manual(isPossible)
    const answers = Promise.allSettled([1, 2, -3].map(value => ask(value)))
    for (let i = 0; i < (isPossible ? 3 : 4); i++) {
      await expect.poll(() => statements.length).toBeGreaterThan(i)
      statements[i]?.end()
    }
    expect((await answers).map(one => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual(
      [2, 4, 'no -3'],
    )
  }
})

it('runs nothing again when the connection was lost: the set may have been written', async () => {
  const { statements, ask } = manual(false, 'Connection terminated unexpectedly')
  const answers = Promise.allSettled([1, 2, 3].map(value => ask(value)))
  statements[0]?.end()
  await expect.poll(() => statements.length).toBe(2)
  statements[1]?.end()
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(statements).toHaveLength(2)
})

it('keeps callers, permissions and shapes apart, and does not wait in a transaction', async () => {
  const { statements, ask, ctx } = manual(true)
  void ask(1)
  void ask(2, { shape: 'b' })
  void ask(3, { ctx: { ...ctx, db: {} } as Ctx })
  void ask(4, { ctx: { ...ctx, caller: { ...ctx.caller, role: 'viewer' } } })
  void ask(5, { ctx: { ...ctx, caller: { ...ctx.caller, scopes: ['companies:read'] } } })
  void ask(6, { ctx: { ...ctx, inTransaction: true } })
  expect(statements).toHaveLength(6)
})

it('does not wait long for a statement that does not end', async () => {
  const { statements, ask } = manual(true)
  const answers = [1, 2, 3].map(value => ask(value))
  await expect.poll(() => statements.length).toBe(2)
  statements[1]?.end()
  expect(await Promise.all(answers.slice(1))).toEqual([4, 6])
  statements[0]?.end()
  expect(await answers[0]).toBe(2)
})
