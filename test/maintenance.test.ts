/** What is done without anybody asking, here every few milliseconds. */
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Engine, openEngine, SYSTEM } from '../src/db/engine.ts'
import { imagePath } from '../src/db/image-path.ts'
import { maintain } from '../src/db/maintenance.ts'
import { newId } from '../src/kernel/ids.ts'
import { tempFolder, waitFor } from './support/process.ts'
import { type Account, onBothEngines } from './support/service.ts'

function maintained(
  engine: Engine,
  options: { cleanEvery?: number; vacuumEvery?: number; trashDays?: number },
): void {
  const never = 1_000_000
  const troubles: object[] = []
  const log = { info: () => {}, warn: (detail: object) => void troubles.push(detail) }
  const running = maintain(engine, {
    trashDays: 30,
    idempotencyHours: 24,
    log,
    cleanEvery: never,
    vacuumEvery: never,
    quietMs: 20,
    ...options,
  })
  onTestFinished(async () => {
    await running.stop()
    expect(troubles).toEqual([])
  })
}

const engineOf = ({ service }: Account) => service.services.engine
const run = async <R>(account: Account, statement: ReturnType<typeof sql<R>>) =>
  (await statement.execute(engineOf(account).as(SYSTEM))).rows

/** Makes the trash of an account older than it is. */
const age = (account: Account, table: string, id: string, days: number) =>
  run(
    account,
    sql`update ${sql.table(table)} set deleted_at = now() - make_interval(days => ${days})
      where account_id = ${account.accountId} and id = ${id}`,
  )
const countOf = async (account: Account, table: string): Promise<number> =>
  (
    await run(
      account,
      sql<{
        n: number
      }>`select count(*) as n from ${sql.table(table)} where account_id = ${account.accountId}`,
    )
  )[0]!.n

onBothEngines('maintenance', account => {
  it('purges records that have been in the trash long enough, and what belongs to them', async () => {
    const a = await account()
    const keep = await a.create('/api/companies', { name: 'Kept' })
    const young = await a.create('/api/companies', { name: 'In the trash since yesterday' })
    const person = await a.create('/api/contacts', { first_name: 'Old', company_ids: [keep.id] })
    const old = await a.create('/api/companies', { name: 'Old and secret', team_ids: [person.id] })
    await a.put(`/api/companies/${old.id}`, { description: 'A secret of the past' })
    const chat = await a.create('/api/chats', { title: 'Old chat' })
    const message = await a.create(`/api/chats/${chat.id}/messages`, {
      content: 'An old secret',
      respond: false,
    })
    await a.put(`/api/chats/messages/${message.id}`, { content: 'Another old secret' })
    for (const path of [
      `companies/${young.id}`,
      `companies/${old.id}`,
      `contacts/${person.id}`,
      `chats/${chat.id}`,
    ]) {
      expect((await a.delete(`/api/${path}`)).status).toBe(200)
    }
    await age(a, 'companies', young.id, 29)
    await age(a, 'companies', old.id, 31)
    await age(a, 'contacts', person.id, 31)
    await age(a, 'chats', chat.id, 31)
    // A restore in the last moment counts.
    const back = await a.create('/api/companies', { name: 'Back again' })
    await a.delete(`/api/companies/${back.id}`)
    await age(a, 'companies', back.id, 31)
    await a.post(`/api/companies/${back.id}/restore`)

    maintained(engineOf(a), { cleanEvery: 10 })
    await waitFor(async () => (await countOf(a, 'chats')) === 0 && (await countOf(a, 'companies')) === 3)
    expect(await countOf(a, 'contacts')).toBe(0)
    expect(await countOf(a, 'chat_messages')).toBe(0)
    expect(await countOf(a, 'company_people')).toBe(0)
    expect((await a.get('/api/companies?deleted=true')).body).toMatchObject({
      total: 1,
      items: [{ id: young.id }],
    })
    expect((await a.get('/api/companies')).body.total).toBe(2)
    expect((await a.get('/api/contacts?deleted=true')).body.total).toBe(0)
    expect((await a.post(`/api/companies/${old.id}/restore`)).status).toBe(404)
    const journal = await run(
      a,
      sql<{
        action: string
        text: string
      }>`select action, coalesce(before::text, '') || coalesce(after::text, '') as text
        from changes where account_id = ${a.accountId} and entity_id = any(${[old.id, chat.id, message.id]}::uuid[])`,
    )
    expect(journal.filter(({ action }) => action === 'erased')).toHaveLength(3)
    expect(journal.filter(({ text }) => text !== '')).toEqual([])
  })

  it('keeps records that others still refer to, and purges the rest', async () => {
    const a = await account()
    const pipeline = (await a.get('/api/deals/pipelines')).body.items[0]
    const deal = await a.create('/api/deals', { name: 'In the first stage' })
    // As no request could: the stage goes to the trash although a deal is in it.
    await run(a, sql`update stages set deleted_at = now() where account_id = ${a.accountId}`)
    for (const stage of pipeline.stages) await age(a, 'stages', stage.id, 40)
    maintained(engineOf(a), { cleanEvery: 10 })
    await waitFor(async () => (await countOf(a, 'stages')) === 1)
    expect((await a.get(`/api/deals/${deal.id}`)).status).toBe(200)
  })

  it('analyses tables with indexes on names in any script', async () => {
    const a = await account()
    await a.create('/api/companies', { name: 'Łódź Straße 李', phone: '+49 170 5550199' })
    await a.create('/api/contacts', { first_name: 'Zoë', phone: '+49 170 5550199' })
    for (const table of ['companies', 'contacts']) await run(a, sql`analyze ${sql.table(table)}`)
  })

  it('forgets answers, tokens and keys that are out of date, and folds the counts', async () => {
    const a = await account()
    const token = (days: number) => ({ id: newId(), hash: Buffer.from(newId()), days })
    const [fresh, expired] = [token(1), token(-1)]
    for (const { id, hash, days } of [fresh, expired]) {
      await run(
        a,
        sql`insert into refresh_tokens (id, user_id, family_id, token_hash, expires_at)
          values (${id}, ${a.userId}, ${id}, ${hash}, now() + make_interval(days => ${days}))`,
      )
    }
    const keyed = (key: string) => a.post('/api/companies', { name: 'Once' }, { 'idempotency-key': key })
    for (const key of ['young', 'old']) await keyed(key)
    const aged = sql`update idempotency_keys set created_at = now() - interval '25 hours'
      where account_id = ${a.accountId} and scope like '% old'`
    await run(a, aged)
    for (let i = 0; i < 40; i++) await a.create('/api/notes', { content: `Note ${i}` })

    maintained(engineOf(a), { cleanEvery: 10 })
    await waitFor(async () => (await countOf(a, 'idempotency_keys')) === 1)
    const stale = sql`select from refresh_tokens where id = ${expired.id}`
    await waitFor(async () => (await run(a, stale)).length === 0)
    expect(await run(a, sql`select from refresh_tokens where id = ${fresh.id}`)).toHaveLength(1)
    expect((await keyed('young')).headers.get('idempotency-replayed')).toBe('true')
    await waitFor(async () => {
      const steps = sql`select from record_counts where account_id = ${a.accountId} and kind = 'notes'`
      return (await run(a, steps)).length <= 10
    })
    expect((await a.get('/api/notes')).body.total).toBe(40)
  })
})

describe('the embedded engine', () => {
  it('is vacuumed and analysed when due, at idle moments', async () => {
    const engine = await openEngine({
      databaseUrl: undefined,
      dataDir: tempFolder(),
      imagePath,
      poolSize: 1,
      statementTimeoutMs: 10_000,
      log: () => {},
    })
    onTestFinished(() => engine.close())
    const db = engine.as(SYSTEM)
    const statsOf = async (name: string) => {
      const { rows } = await sql<{ dead: number; vacuumed: boolean; analysed: boolean; rows: number }>`
        select s.n_dead_tup as dead, s.last_vacuum is not null as vacuumed, s.last_analyze is not null as analysed,
          c.reltuples as rows
        from pg_stat_user_tables s join pg_class c on c.oid = s.relid where s.relname = ${name}`.execute(db)
      return rows[0]!
    }
    await sql`create table public.worn (id int, body text)`.execute(db)
    await sql`create table public.calm (id int)`.execute(db)
    await sql`insert into public.worn select g, md5(g::text) from generate_series(1, 2000) g`.execute(db)
    await sql`insert into public.calm select generate_series(1, 20)`.execute(db)
    await sql`update public.worn set body = body || 'x'`.execute(db)
    // PostgreSQL counts with a delay.
    await waitFor(async () => (await statsOf('worn')).dead === 2000)
    expect(await statsOf('worn')).toMatchObject({ vacuumed: false })

    maintained(engine, { vacuumEvery: 10 })
    // While statements run all the time, it waits. With two loops one statement always waits for the other, however
    // long the machine pauses in between.
    const vacuumed = new Set<boolean>()
    const busy = async () => {
      for (let i = 0; i < 50; i++) vacuumed.add((await statsOf('worn')).vacuumed)
    }
    await Promise.all([busy(), busy()])
    expect([...vacuumed]).toEqual([false])
    await waitFor(async () => {
      await new Promise(resolve => setTimeout(resolve, 500))
      return (await statsOf('worn')).vacuumed
    })
    expect(await statsOf('worn')).toMatchObject({ dead: 0, analysed: true, rows: 2000 })
    expect(await statsOf('calm')).toMatchObject({ vacuumed: false, analysed: false })
  })
})
