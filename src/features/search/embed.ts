/** Computes the vectors of queued passages in batches. No transaction is open while the model works. */
import { sql } from 'kysely'
import { embeddersOf, ModelUnavailable } from '../../ai/embeddings.ts'
import { toBytes, toSigns } from '../../ai/vectors.ts'
import { type Db, SYSTEM } from '../../db/engine.ts'
import { query, type Services } from '../../kernel/context.ts'
import { unscoped } from '../../kernel/statements.ts'

const BATCH = 16
const REFILL = 1000
const CLAIM_SECONDS = 60

const QUEUE = unscoped('search_queue')
const PASSAGES = unscoped('search_passages')
const VECTORS = unscoped('search_vectors')
const MODELS = unscoped('search_models')

interface Claimed {
  account_id: string
  id: number
  entity_type: string
  name: string
  body: string
}

/** The name comes first, unless the body begins with it. */
export const embeddedText = (passage: { name: string; body: string }): string =>
  passage.body.startsWith(passage.name.replace(/…$/, '')) ? passage.body : `${passage.name}. ${passage.body}`

/** `failed`: the model is unavailable at the moment. */
export type Embedded = 'worked' | 'nothing' | 'failed'

export async function embedSome(services: Services): Promise<Embedded> {
  const [embedder] = embeddersOf(services)
  if (!embedder) return 'nothing'
  const db = services.engine.as(SYSTEM)
  const claimed = await claim(db)
  if (claimed.length === 0) return (await refillOrCleanUp(db, embedder.model)) ? 'worked' : 'nothing'
  try {
    const vectors = await embedder.embed(claimed.map(embeddedText), false)
    await store(db, embedder.model, claimed, vectors)
    return 'worked'
  } catch (error) {
    await unclaim(db, claimed)
    if (error instanceof ModelUnavailable) return 'failed'
    throw error
  }
}

async function claim(db: Db): Promise<Claimed[]> {
  const [any] = await query({ db }, sql`select from ${QUEUE} limit 1`)
  if (!any) return []
  return query(
    { db },
    sql<Claimed>`with next as (
        select q.account_id, q.passage_id from ${QUEUE} q where q.claimed_until < now()
        order by q.priority, q.passage_id limit ${BATCH} for update of q skip locked
      ), taken as (
        update ${QUEUE} q set claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS}) from next
        where q.account_id = next.account_id and q.passage_id = next.passage_id returning q.account_id, q.passage_id
      )
      select p.account_id, p.id, p.entity_type, p.name, p.body from taken t
      join ${PASSAGES} p on p.account_id = t.account_id and p.id = t.passage_id`,
  )
}

const unclaim = (db: Db, claimed: readonly Claimed[]) =>
  query(
    { db },
    sql`update ${QUEUE} q set claimed_until = '-infinity' from unnest(${claimed.map(c => c.account_id)}::uuid[],
      ${claimed.map(c => c.id)}::bigint[]) c (account_id, id) where q.account_id = c.account_id and q.passage_id = c.id`,
  )

/** A passage that was deleted meanwhile gets no vector. */
async function store(
  db: Db,
  model: string,
  claimed: readonly Claimed[],
  vectors: Float32Array[],
): Promise<void> {
  await query(
    { db },
    sql`with done as (
        delete from ${QUEUE} q using unnest(${claimed.map(c => c.account_id)}::uuid[], ${claimed.map(c => c.id)}::bigint[],
          ${vectors.map(toSigns)}::varbit[], ${vectors.map(toBytes)}::bytea[]) c (account_id, id, signs, bytes)
        where q.account_id = c.account_id and q.passage_id = c.id
        returning q.account_id, q.passage_id, c.signs, c.bytes
      )
      insert into ${VECTORS} (account_id, model, passage_id, entity_type, signs, bytes)
        select d.account_id, ${model}, d.passage_id, p.entity_type, d.signs, d.bytes from done d
        join ${PASSAGES} p on p.account_id = d.account_id and p.id = d.passage_id for key share of p
        on conflict (account_id, model, passage_id) do update set
          signs = excluded.signs, bytes = excluded.bytes, seq = default`,
  )
}

/**
 * Called when the queue is empty: queues older passages for a new model or, once it is complete, deletes the vectors
 * of earlier models.
 */
async function refillOrCleanUp(db: Db, model: string): Promise<boolean> {
  const [stored] = await query(
    { db },
    sql<{
      queued_to: number
      complete: boolean
    }>`select m.queued_to, m.complete from ${MODELS} m where m.model = ${model}`,
  )
  if (!stored) {
    await query({ db }, sql`insert into ${MODELS} (model) values (${model}) on conflict do nothing`)
    return true
  }
  return stored.complete ? removeOlder(db, model) : refill(db, model)
}

async function refill(db: Db, model: string): Promise<boolean> {
  const [step] = await query(
    { db },
    sql<{ last: number | null }>`with next as (
        select p.account_id, p.id from ${PASSAGES} p
        where p.id > (select m.queued_to from ${MODELS} m where m.model = ${model}) order by p.id limit ${REFILL}
      ), queued as (
        insert into ${QUEUE} (account_id, passage_id, priority)
          select n.account_id, n.id, 1 from next n where not exists (
            select from ${VECTORS} v where v.account_id = n.account_id and v.model = ${model} and v.passage_id = n.id)
          on conflict do nothing
      ), moved as (
        update ${MODELS} set queued_to = n.last, complete = n.last is null from (select max(id) as last from next) n
        where model = ${model} and n.last is not null
      )
      select max(id) as last from next`,
  )
  if (step?.last == null)
    await query({ db }, sql`update ${MODELS} set complete = true where model = ${model}`)
  return true
}

async function removeOlder(db: Db, model: string): Promise<boolean> {
  const others = await query({ db }, sql`select from ${MODELS} m where m.model <> ${model}`)
  if (others.length === 0) return false
  const deleted = await query(
    { db },
    sql`delete from ${VECTORS} where ctid = any(array(
      select v.ctid from ${VECTORS} v where v.model <> ${model} limit ${REFILL})) returning 1`,
  )
  if (deleted.length === 0) await query({ db }, sql`delete from ${MODELS} where model <> ${model}`)
  return true
}
