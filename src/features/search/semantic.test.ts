import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { blocked } from '../../../test/support/blocked.ts'
import { type Account, contextOf, onBothEngines } from '../../../test/support/service.ts'
import { toBytes, toSigns } from '../../ai/vectors.ts'
import type { Db } from '../../db/engine.ts'
import { one, systemDb, transaction } from '../../kernel/context.ts'
import { nearest } from './semantic.ts'

const DIMENSIONS = 384
const QUARTER = DIMENSIONS / 4
/** Four quarters of values, each larger than the next. */
const question = Float32Array.from({ length: DIMENSIONS }, (_, i) => 4 - Math.floor(i / QUARTER) + i / 10_000)
const meaning = { model: 'test', vector: question }
const within = { types: ['note'], limit: 300 }

const withFlipped = (from: number, to: number) =>
  question.map((value, i) => (i >= from && i < to ? -value : value))

async function insert(owner: Account, vector: Float32Array, count: number, type = 'note', db = dbOf(owner)) {
  const { rows } = await sql<{ id: number }>`with p as (
      insert into search_passages (account_id, entity_type, entity_id, part, name, body, context, written, words, hash)
        select ${owner.accountId}::uuid, ${type}, gen_random_uuid(), 0, 'Note', 'Text', '', true, '{}', ''::bytea
        from generate_series(1, ${count}::int) returning account_id, id)
    insert into search_vectors (account_id, model, passage_id, entity_type, signs, bytes)
      select p.account_id, 'test', p.id, ${type}, ${toSigns(vector)}::varbit, ${toBytes(vector)}::bytea from p
      returning passage_id as id`.execute(db)
  return rows.map(row => row.id)
}

const byNumber = (a: number, b: number) => a - b
const dbOf = (owner: Account): Db => systemDb(owner.service.services)

onBothEngines('the nearest passages', (account, kind, onOne) => {
  const cases = [
    { by: 'in memory', find: nearest },
    {
      by: 'in the table',
      find: (...[ctx, ...rest]: Parameters<typeof nearest>) => transaction(ctx, tx => nearest(tx, ...rest)),
    },
  ]
  onOne.each(cases)(
    'are found $by although more passages share more signs with the question',
    async ({ find }) => {
      const owner = await account()
      // Half of the signs differ, those of the small values; of the others a quarter, those of the large values.
      const target = one(await insert(owner, withFlipped(2 * QUARTER, DIMENSIONS), 1))
      const decoys = await insert(owner, withFlipped(0, QUARTER), 1900)

      const found = await find(contextOf(owner), meaning, within)
      expect([...found.keys()][0]).toBe(target)
      expect(found.size).toBe(300)
      // what the words have found is compared, too, however far away it is
      const withAlso = await find(contextOf(owner), meaning, within, decoys.slice(-5))
      expect(decoys.slice(-5).every(id => withAlso.has(id))).toBe(true)
    },
  )

  it('change with the index, and are those of the account and of the kinds', async () => {
    const [owner, other] = [await account(), await account()]
    const found = async (of: Account, types = ['note']) => [
      ...(await nearest(contextOf(of), meaning, { types, limit: 300 })).keys(),
    ]
    expect(await found(owner)).toEqual([])
    const first = await insert(owner, withFlipped(0, QUARTER), 3)
    expect((await found(owner)).sort(byNumber)).toEqual(first)
    const second = await insert(owner, question, 2, 'deal')
    expect((await found(owner)).sort(byNumber)).toEqual(first)
    expect((await found(owner, ['note', 'deal'])).slice(0, 2).sort(byNumber)).toEqual(second)
    expect(await found(other, ['note', 'deal'])).toEqual([])
    await sql`delete from search_passages where account_id = ${owner.accountId} and id = ${second[0]}`.execute(
      dbOf(owner),
    )
    expect((await found(owner, ['note', 'deal']))[0]).toBe(second[1])
  })

  it('are all found after most of those that were nearer have been deleted', async () => {
    const owner = await account()
    const far = await insert(owner, withFlipped(0, QUARTER), 10)
    const near = await insert(owner, question, 700)
    await nearest(contextOf(owner), meaning, within)
    await sql`delete from search_passages where account_id = ${owner.accountId} and id = any(${near}::bigint[])`.execute(
      dbOf(owner),
    )
    const found = await nearest(contextOf(owner), meaning, within)
    expect([...found.keys()].sort(byNumber)).toEqual(far)
  })

  // the embedded engine has one connection
  it.runIf(kind === 'server')('include a vector that was committed after a later one was ready', async () => {
    const owner = await account()
    const db = dbOf(owner)
    let later: Promise<number[]> | undefined
    const earlier = await db.transaction().execute(async tx => {
      const ids = await insert(owner, question, 1, 'note', tx)
      later = insert(owner, question, 1)
      await blocked(db, 'insert into search_vectors')
      expect((await nearest(contextOf(owner), meaning, within)).size).toBe(0)
      return ids
    })
    const ids = [...earlier, ...((await later) ?? [])]
    expect([...(await nearest(contextOf(owner), meaning, within)).keys()].sort(byNumber)).toEqual(
      ids.sort(byNumber),
    )
  })
})
