import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { contextOf, onAnyEngine } from '../../../test/support/service.ts'
import { toBytes, toSigns } from '../../ai/vectors.ts'
import { one, systemDb } from '../../kernel/context.ts'
import { nearest } from './semantic.ts'

const DIMENSIONS = 384
const QUARTER = DIMENSIONS / 4
/** Four quarters of values, each larger than the next. */
const question = Float32Array.from({ length: DIMENSIONS }, (_, i) => 4 - Math.floor(i / QUARTER) + i / 10_000)

const withFlipped = (from: number, to: number) =>
  question.map((value, i) => (i >= from && i < to ? -value : value))

onAnyEngine('the nearest passages', account => {
  it('are found although more passages share more signs with the question', async () => {
    const owner = await account()
    const db = systemDb(owner.service.services)
    const insert = async (vector: Float32Array, count: number) => {
      const { rows } = await sql<{ id: number }>`with p as (
          insert into search_passages (account_id, entity_type, entity_id, part, name, body, context, written, words, hash)
            select ${owner.accountId}::uuid, 'note', gen_random_uuid(), 0, 'Note', 'Text', '', true, '{}', ''::bytea
            from generate_series(1, ${count}::int) returning account_id, id)
        insert into search_vectors (account_id, model, passage_id, entity_type, signs, bytes)
          select p.account_id, 'test', p.id, 'note', ${toSigns(vector)}::varbit, ${toBytes(vector)}::bytea from p
          returning passage_id as id`.execute(db)
      return rows.map(row => row.id)
    }
    // Half of the signs differ, those of the small values; of the others a quarter, those of the large values.
    const target = one(await insert(withFlipped(2 * QUARTER, DIMENSIONS), 1))
    const decoys = await insert(withFlipped(0, QUARTER), 1900)
    const meaning = { model: 'test', vector: question }
    const within = { types: ['note'], limit: 300 }

    const found = await nearest(contextOf(owner), meaning, within)
    expect([...found.keys()][0]).toBe(target)
    expect(found.size).toBe(300)
    // what the words have found is compared, too, however far away it is
    const withAlso = await nearest(contextOf(owner), meaning, within, decoys.slice(-5))
    expect(decoys.slice(-5).every(id => withAlso.has(id))).toBe(true)
  })
})
