import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { onBothEngines } from '../../test/support/service.ts'
import { type Engine, SYSTEM } from './engine.ts'
import { besideKey } from './row-shapes.ts'
import { isUnavailable } from './sqlstate.ts'

const first = async <R>(engine: Engine, statement: ReturnType<typeof sql<R>>, scope = SYSTEM) =>
  (await statement.execute(engine.as(scope))).rows[0]!

onBothEngines('a connection', (account, kind) => {
  const engineOf = async () => (await account()).service.services.engine

  it('sees the rows of its account, and none without an account', async () => {
    const { accountId, service } = await account()
    const { engine } = service.services
    const who = sql<{
      role: string
      account: string | null
    }>`select current_user as role, current_account() as account`
    expect(await first(engine, who, { ...SYSTEM, accountId })).toEqual({
      role: 'kith_app',
      account: accountId,
    })
    expect(await first(engine, who, { ...SYSTEM, accountId: '' })).toEqual({
      role: 'kith_app',
      account: null,
    })
    expect((await first(engine, who)).role).not.toBe('kith_app')
    expect(await first(engine, who, { ...SYSTEM, accountId })).toEqual({
      role: 'kith_app',
      account: accountId,
    })
  })

  it('reports a transaction in which a statement failed as failed', async () => {
    const engine = await engineOf()
    const careless = engine
      .as(SYSTEM)
      .transaction()
      .execute(async tx => {
        await sql`create table kith.careless (id int)`.execute(tx)
        await sql`select 1 / 0`.execute(tx).catch(() => {})
      })
    await expect(careless).rejects.toThrow('a transaction continued after one of its statements had failed')
    expect(await first(engine, sql`select to_regclass('kith.careless') as found`)).toEqual({ found: null })
  })

  it('that is lost in a transaction reports it, and the next one works', async () => {
    const engine = await engineOf()
    const cut = engine
      .as(SYSTEM)
      .transaction()
      .execute(async tx => {
        // Nothing can end the embedded connection from outside, so this statement breaks it.
        if (kind === 'embedded') await sql`copy kith.accounts from stdin`.execute(tx)
        else {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
          await sql`select pg_terminate_backend(${rows[0]!.pid}::int)`.execute(engine.as(SYSTEM))
          await sql`select 1`.execute(tx)
        }
      })
    const error = await cut.catch((reason: Error) => reason)
    expect(isUnavailable(error)).toBe(true)
    expect(await first(engine, sql`select 1 as one`)).toEqual({ one: 1 })
  })

  it('returns equal rows when a statement is executed again, on every connection', async () => {
    const db = (await engineOf()).as(SYSTEM)
    const rowsOf = async (value: number) =>
      (
        await sql`select ${value}::int as number, '2026-01-31 09:30:00.5+00'::timestamptz as time, null as nothing,
          '{"a":[1]}'::jsonb as json, nullif(${value}::int, 1) as "?absent", ${value}::int as "#beside"`.execute(
          db,
        )
      ).rows
    const row = { time: '2026-01-31T09:30:00.500Z', nothing: null, json: { a: [1] } }
    for (let again = 0; again < 3; again++)
      expect(await Promise.all([rowsOf(1), rowsOf(2), rowsOf(3)])).toEqual([
        [{ number: 1, ...row, [besideKey('beside')]: 1 }],
        [{ number: 2, ...row, absent: 2, [besideKey('beside')]: 2 }],
        [{ number: 3, ...row, absent: 3, [besideKey('beside')]: 3 }],
      ])
    expect(Object.keys((await rowsOf(1))[0] ?? {})).toEqual(['number', 'time', 'nothing', 'json'])
  })

  it('never reads a row by the columns of an earlier description', async () => {
    const db = (await engineOf()).as(SYSTEM)
    await sql`create table kith.reshaped (a int)`.execute(db)
    onTestFinished(async () => {
      await sql`drop table kith.reshaped`.execute(db)
    })
    const all = () => sql`select * from kith.reshaped where a is distinct from ${1}`.execute(db)
    await sql`insert into kith.reshaped values (2)`.execute(db)
    for (let again = 0; again < 12; again++) expect((await all()).rows).toEqual([{ a: 2 }])
    await sql`alter table kith.reshaped add column b int`.execute(db)
    // a statement is prepared only while fewer than 500 others are, so the earlier tests decide which
    const after = await all().then(
      ({ rows }) => rows,
      error => error.message,
    )
    expect(['cached plan must not change result type', [{ a: 2, b: null }]]).toContainEqual(after)
  })

  // Each takes memory of the backend until the connection ends, which that of the embedded engine never does.
  it('prepares a bounded number of statements, and runs the others without', async () => {
    const engine = await engineOf()
    const prepared = await engine
      .as(SYSTEM)
      .transaction()
      .execute(async tx => {
        for (let i = 0; i < 520; i++) {
          const { rows } = await sql<{
            value: number
          }>`select ${i}::int as value, ${sql.raw(String(i))} as n`.execute(tx)
          expect(rows).toEqual([{ value: i, n: i }])
        }
        const found = await sql<{ n: number }>`select count(*)::int as n from pg_prepared_statements`.execute(
          tx,
        )
        return found.rows[0]?.n
      })
    expect(prepared).toBeLessThanOrEqual(501)
  })
})
