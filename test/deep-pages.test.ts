import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { systemDb } from '../src/kernel/context.ts'
import { type Account, onAnyEngine } from './support/service.ts'

const MANY = 2100
const SIZE = 20

onAnyEngine('pages far down a list', account => {
  it('are correct when requested again, and after records were created and deleted', async () => {
    const me = await account()
    await sql`insert into companies (account_id, id, name, created_at)
      select ${me.accountId}, gen_random_uuid(), 'Company ' || i, now() - make_interval(secs => i / 3)
      from generate_series(1, ${MANY}) i`.execute(systemDb(me.service.services))

    await expectRight(me)
    const first = await me.create('/api/companies', { name: 'New' })
    await expectRight(me)
    const [deep] = await page(me, 105)
    await me.delete(`/api/companies/${deep}`)
    await expectRight(me)
    await me.post(`/api/companies/${deep}/restore`)
    await me.delete(`/api/companies/${first.id}`)
    await expectRight(me)
    expect(await page(me, 106)).toEqual([])
  })

  it('move with records that are created, also among older ones, beside deletions', async () => {
    const me = await account()
    const db = systemDb(me.service.services)
    const insert = (count: number, seconds: number) =>
      sql`insert into companies (account_id, id, name, created_at)
        select ${me.accountId}, gen_random_uuid(), 'Company ' || i, now() - make_interval(secs => ${seconds} + i)
        from generate_series(1, ${count}) i`.execute(db)
    await insert(MANY + 100, 1000)
    await expectRight(me)
    const { statements } = me.service.services.engine.stats()
    await page(me, 105)
    const usual = me.service.services.engine.stats().statements - statements
    const needed: number[] = []
    for (let i = 0; i < 6; i++) {
      await me.create('/api/companies', { name: `New ${i}` })
      await sql`select merge_counts(${me.accountId}, 'companies')`.execute(db)
      const before = me.service.services.engine.stats().statements
      await page(me, 105)
      needed.push(me.service.services.engine.stats().statements - before)
      await expectRight(me)
    }
    // the entries are not skipped again; other work of the service may count, too
    expect(needed).toContain(usual)
    const [deep, next, third] = await page(me, 105)
    const changes = [
      () => insert(1, 2000),
      () => me.delete(`/api/companies/${deep}`),
      () => me.create('/api/companies', { name: 'Newer' }),
      () => me.post(`/api/companies/${deep}/restore`),
      () => sql`delete from companies where account_id = ${me.accountId} and id = ${next}`.execute(db),
      () => insert(1, 5000),
      () => insert(30, 0),
      // Creating and deleting as many leaves the total as it was.
      async () => {
        await me.delete(`/api/companies/${deep}`)
        await me.create('/api/companies', { name: 'Instead' })
      },
      async () => {
        await me.post(`/api/companies/${deep}/restore`)
        await insert(1, 3000)
        await me.create('/api/companies', { name: 'Newest' })
      },
      () => me.delete(`/api/companies/${third}`),
      // One statement that deletes one record and restores another one.
      () =>
        sql`update companies set deleted_at = case when id = ${third} then null else now() end
          where account_id = ${me.accountId} and id = any(${[deep, third]}::uuid[])`.execute(db),
    ]
    for (const change of changes) {
      await change()
      await expectRight(me)
    }
  })

  it('contain only records of their account', async () => {
    const other = await account()
    expect(await page(other, 105)).toEqual([])
  })
})

const page = async (me: Account, number: number, order = 'desc'): Promise<string[]> => {
  const { body } = await me.get(`/api/companies?page=${number}&page_size=${SIZE}&sort_order=${order}`)
  return body.items.map(({ id }: { id: string }) => id)
}

/** Against all records at once; each page twice, because the second time it begins where the first began. */
async function expectRight(me: Account): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from companies
    where account_id = ${me.accountId} and deleted_at is null order by created_at desc, id desc`.execute(
    systemDb(me.service.services),
  )
  const all = rows.map(({ id }) => id)
  for (const number of [104, 105, 105, 104, 106, 106]) {
    expect(await page(me, number)).toEqual(all.slice((number - 1) * SIZE, number * SIZE))
  }
  const ascending = all.toReversed()
  for (const number of [105, 105]) {
    expect(await page(me, number, 'asc')).toEqual(ascending.slice((number - 1) * SIZE, number * SIZE))
  }
}
