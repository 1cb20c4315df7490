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
