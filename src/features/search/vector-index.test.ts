import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPgvectorEngine } from '../../../test/support/pgvector-engine.ts'
import { contextOf, engines, newAccount, onBothEngines, serviceOn } from '../../../test/support/service.ts'
import { cosineOfBytes, fromBytes, toBytes, toSigns } from '../../ai/vectors.ts'
import { type Engine, SYSTEM } from '../../db/engine.ts'
import { vectorIndexing, vectorIndexName } from '../../db/vector-index.ts'
import { type Ctx, contextFor, query, type Services, transaction } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { at, present } from '../../lib/values.ts'
import { nearest } from './semantic.ts'

const DIMENSIONS = 48
const MODEL = 'model'
/** 1,000 vectors. */
const LEAST = 1000 * (8 + DIMENSIONS / 8)
const WITHIN = { types: ['note', 'deal'], limit: 300 }
const stop = new AbortController()

/** Around some topics, as the vectors of texts are; the same in every run. */
function vectors(count: number): Float32Array[] {
  let state = 7
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 - 0.5
  }
  const topics = Array.from({ length: 40 }, () => Float32Array.from({ length: DIMENSIONS }, random))
  return Array.from({ length: count }, (_, i) => at(topics, i % 40).map(value => value + random()))
}

async function insert(
  db: Engine,
  accountId: string,
  of: readonly Float32Array[],
  type = 'note',
  model = MODEL,
) {
  const { rows } = await sql<{ id: number }>`with p as (
      insert into search_passages (account_id, entity_type, entity_id, part, name, body, context, written, words, hash)
        select ${accountId}::uuid, ${type}, gen_random_uuid(), 0, 'Note', 'Text', '', true, '{}', ''::bytea
        from generate_series(1, ${of.length}::int) returning account_id, id), n as (
      select p.*, row_number() over (order by p.id) as no from p)
    insert into search_vectors (account_id, model, passage_id, entity_type, signs, bytes)
      select n.account_id, ${model}, n.id, ${type}, v.signs, v.bytes from n
      join unnest(${of.map(toSigns)}::varbit[], ${of.map(toBytes)}::bytea[]) with ordinality v (signs, bytes, no) using (no)
      returning passage_id as id`.execute(db.as(SYSTEM))
  return rows.map(row => row.id)
}

describe('with pgvector', () => {
  let engine: Engine
  let services: Services
  const owners: Ctx[] = []
  const stored = vectors(1500)
  const questions = vectors(1530).slice(1500)

  async function newOwner(): Promise<Ctx> {
    const accountId = newId()
    await sql`insert into accounts (id, name, slug) values (${accountId}, 'Test', ${accountId})`.execute(
      engine.as(SYSTEM),
    )
    const caller = {
      kind: 'user',
      id: newId(),
      userId: newId(),
      accountId,
      role: 'owner',
      scopes: ['*'],
    } as const
    return contextFor(services, { ...caller, scopes: ['*'] })
  }

  beforeAll(async () => {
    engine = await openPgvectorEngine()
    const { service } = await serviceOn(present(engines.at(-1), 'an engine'))
    services = { ...service.services, engine, state: new Map() }
    for (const count of [1500, 1500, 300]) {
      const owner = await newOwner()
      owners.push(owner)
      await insert(engine, owner.account, stored.slice(0, count))
    }
    await sql`insert into search_models (model, complete) values (${MODEL}, true), ('next', false)`.execute(
      engine.as(SYSTEM),
    )
    await sql`analyze search_vectors`.execute(engine.as(SYSTEM))
  })
  afterAll(() => engine.close())

  const index = () => vectorIndexing(engine, stop.signal, LEAST)()
  const nameOf = (owner: Ctx) => vectorIndexName(owner.account, MODEL, DIMENSIONS)
  const forgetIndexes = () => services.state.clear()

  /** How often this session has scanned the account's index and the whole table since its statistics were reported. */
  async function scansOf(owner: Ctx) {
    const [scans] = await query(
      owner,
      sql<{ index: number; table: number }>`select
        coalesce(pg_stat_get_xact_numscans(to_regclass(${nameOf(owner)})), 0)::int as index,
        pg_stat_get_xact_numscans('search_vectors'::regclass)::int as table`,
    )
    return present(scans, 'the scans')
  }

  /** The nearest passages, and how often the statement scanned the account's index and the whole table. */
  async function find(
    owner: Ctx,
    vector: Float32Array,
    within: Parameters<typeof nearest>[2] = WITHIN,
    also: number[] = [],
  ) {
    return transaction(owner, async tx => {
      const before = await scansOf(tx)
      const found = await nearest(tx, { model: MODEL, vector }, within, also)
      const after = await scansOf(tx)
      const scans = { index: after.index - before.index, table: after.table - before.table }
      return { ids: [...found.keys()], scans }
    })
  }

  async function exactly(owner: Ctx, vector: Float32Array): Promise<number[]> {
    const all = await query(
      owner,
      sql<{ id: number; bytes: Buffer }>`select v.passage_id as id, v.bytes from search_vectors v
        where v.account_id = ${owner.account}`,
    )
    return all
      .map(({ id, bytes }) => ({ id, cosine: cosineOfBytes(vector, bytes) }))
      .sort((a, b) => b.cosine - a.cosine)
      .map(({ id }) => id)
  }

  it('the maintenance indexes large accounts, once', async () => {
    expect((await find(at(owners, 0), at(questions, 0))).scans.index).toBe(0)
    expect(await index()).toEqual({ created: 2, dropped: 0 })
    expect(await index()).toEqual({ created: 0, dropped: 0 })
    forgetIndexes()
  })

  it('the nearest passages are those of the index and of the account, as the exact order has them', async () => {
    for (const owner of owners.slice(0, 2)) {
      let hits = 0
      for (const question of questions) {
        const exact = await exactly(owner, question)
        const { ids, scans } = await find(owner, question)
        expect(scans).toEqual({ index: 1, table: 0 })
        expect(ids).toHaveLength(300)
        expect(ids.filter(id => !exact.includes(id))).toEqual([])
        hits += exact.slice(0, 10).filter(id => ids.slice(0, 10).includes(id)).length
      }
      expect(hits / questions.length / 10).toBeGreaterThan(0.97)
    }
  })

  it('what the words have found is compared, too, however far away it is', async () => {
    const owner = at(owners, 0)
    const far = (await exactly(owner, at(questions, 0))).slice(-5)
    const { ids } = await find(owner, at(questions, 0), WITHIN, far)
    expect(ids.slice(-5)).toEqual(far)
  })

  it('the index returns nothing of another account, even if its name and account are asked for', async () => {
    const [owner, other] = [at(owners, 0), at(owners, 1)]
    const ask = (of: Ctx) =>
      query(
        owner,
        sql`select from search_nearest(${of.account}, ${MODEL}, ${['note']}::text[], ${[...at(questions, 0)]}::real[],
          ${nameOf(of)}, 300)`,
      )
    expect(await ask(owner)).toHaveLength(300)
    expect(await ask(other)).toEqual([])
  })

  it('a small account has no index, and finds its passages by a scan', async () => {
    const owner = at(owners, 2)
    const { ids, scans } = await find(owner, at(questions, 0))
    expect(scans.index).toBe(0)
    expect(ids).toHaveLength(300)
  })

  it('a kind of which the index returns too few passages is scanned, then without trying the index', async () => {
    const owner = at(owners, 0)
    const deals = await insert(engine, owner.account, stored.slice(0, 20), 'deal')
    const within = { ...WITHIN, types: ['deal'] }
    const [first, second] = [
      await find(owner, at(questions, 0), within),
      await find(owner, at(questions, 1), within),
    ]
    expect(first.ids.toSorted((a, b) => a - b)).toEqual(deals)
    expect(second.ids.toSorted((a, b) => a - b)).toEqual(deals)
    expect([first.scans.index, second.scans.index]).toEqual([1, 0])
    expect((await find(owner, at(questions, 0))).scans.index).toBe(1)
  })

  it('a filter scans the passages that match it', async () => {
    const owner = at(owners, 0)
    const passages = sql`select p.id from search_passages p where p.account_id = ${owner.account} and p.id % 100 = 0`
    const { ids, scans } = await find(owner, at(questions, 0), { ...WITHIN, passages })
    expect(scans.index).toBe(0)
    expect(ids.length).toBeGreaterThan(5)
    expect(ids.filter(id => id % 100 !== 0)).toEqual([])
  })

  it('a new vector is found at once, and a deleted one is not', async () => {
    const owner = at(owners, 0)
    const [id] = await insert(engine, owner.account, [at(questions, 0)])
    expect((await find(owner, at(questions, 0))).ids[0]).toBe(id)
    await sql`delete from search_passages where account_id = ${owner.account} and id = ${id}`.execute(
      engine.as(SYSTEM),
    )
    const { ids, scans } = await find(owner, at(questions, 0))
    expect(ids).not.toContain(id)
    expect(scans.index).toBe(1)
  })

  it('a vector with other dimensions can be stored', async () => {
    const owner = at(owners, 0)
    const [id] = await insert(engine, owner.account, [Float32Array.of(1, -1, 1)])
    const { ids, scans } = await find(owner, at(questions, 0))
    await sql`delete from search_passages where account_id = ${owner.account} and id = ${id}`.execute(
      engine.as(SYSTEM),
    )
    expect(ids).not.toContain(id)
    expect(scans.index).toBe(1)
  })

  it('an index that was not completed is not used, and is created again', async () => {
    const owner = at(owners, 0)
    const valid = (value: boolean) =>
      sql`update pg_index set indisvalid = ${value} where indexrelid = ${nameOf(owner)}::regclass`.execute(
        engine.as(SYSTEM),
      )
    await valid(false)
    // the cache of the process does not know it yet
    expect(await find(owner, at(questions, 0))).toMatchObject({ scans: { index: 0 }, ids: { length: 300 } })
    expect(await index()).toEqual({ created: 1, dropped: 1 })
    forgetIndexes()
    expect((await find(owner, at(questions, 0))).scans.index).toBe(1)
  })

  it('indexes of accounts that are small now and of models that are not used any more are dropped', async () => {
    const [owner, other] = [at(owners, 0), at(owners, 1)]
    await sql`delete from search_passages p where p.account_id = ${other.account} and p.id % 10 <> 0`.execute(
      engine.as(SYSTEM),
    )
    expect(await index()).toEqual({ created: 0, dropped: 1 })
    const complete = (model: string) =>
      sql`update search_models set complete = model = ${model}`.execute(engine.as(SYSTEM))
    await insert(engine, owner.account, stored, 'note', 'next')
    await complete('next')
    expect(await index()).toEqual({ created: 1, dropped: 1 })
    await complete(MODEL)
    expect(await index()).toEqual({ created: 1, dropped: 1 })
  })

  it('the table is scanned after the extension was dropped', async () => {
    const owner = at(owners, 0)
    forgetIndexes()
    expect((await find(owner, at(questions, 0))).scans.index).toBe(1)
    await sql`drop extension vector cascade`.execute(engine.as(SYSTEM))
    expect(await find(owner, at(questions, 0))).toMatchObject({ scans: { index: 0 }, ids: { length: 300 } })
    // it is available, so it is created again
    expect(await index()).toEqual({ created: 1, dropped: 0 })
  })
})

onBothEngines('without pgvector', (_, kind) => {
  it('no index is created', async () => {
    const { service } = await serviceOn(kind)
    const { engine } = service.services
    const owner = await newAccount(kind)
    const { rows } = await sql`select from pg_available_extensions where name = 'vector'`.execute(
      engine.as(SYSTEM),
    )
    if (rows.length > 0) return
    await insert(engine, owner.accountId, vectors(10))
    await sql`insert into search_models (model, complete) values (${MODEL}, true) on conflict do nothing`.execute(
      engine.as(SYSTEM),
    )
    expect(await vectorIndexing(engine, stop.signal, 1)()).toEqual({ created: 0, dropped: 0 })
    const vector = fromBytes(toBytes(at(vectors(1), 0)))
    expect((await nearest(contextOf(owner), { model: MODEL, vector }, WITHIN)).size).toBe(10)
    await sql`delete from search_models where model = ${MODEL}`.execute(engine.as(SYSTEM))
  })
})
