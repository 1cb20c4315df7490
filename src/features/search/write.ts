/** Rewrites the passages and words of records that are out of date. */
import { sql } from 'kysely'
import type { Db } from '../../db/engine.ts'
import { type Ctx, query, type Services } from '../../kernel/context.ts'
import { deleteRows, living, rows, unscoped } from '../../kernel/statements.ts'
import { first } from '../../lib/values.ts'
import { addPassages } from './add-passages.ts'
import { accountCtx } from './feed.ts'
import { type Passage, passagesOf } from './passages.ts'
import { readRecords } from './read-records.ts'
import { type Source, sourceOf } from './sources/index.ts'

interface Dirty {
  account_id: string
  entity_type: string
  entity_id: string
  priority: number
}

interface StoredPassage {
  id: number
  entity_id: string
  part: number
  hash: Buffer
}

/** Brings the passages of the next few records up to date, and returns the number of records. */
export async function indexSome(services: Services, tx: Db, count: number): Promise<number> {
  const dirty = await query(
    { db: tx },
    sql<Dirty>`delete from ${unscoped('search_dirty')} d using (
        select n.account_id, n.entity_id from ${unscoped('search_dirty')} n order by n.priority, n.seq limit ${count}
      ) next where d.account_id = next.account_id and d.entity_id = next.entity_id
      returning d.account_id, d.entity_type, d.entity_id, d.priority`,
  )
  for (const some of Map.groupBy(dirty, row => `${row.account_id} ${row.entity_type}`).values()) {
    const { account_id, entity_type } = first(some)
    const source = sourceOf(entity_type)
    if (source) await indexRecords(accountCtx(services, tx, account_id), source, some)
  }
  return dirty.length
}

async function indexRecords(ctx: Ctx, source: Source, dirty: readonly Dirty[]): Promise<void> {
  const ids = dirty.map(row => row.entity_id)
  const current = new Map(
    (await readRecords(ctx, source, ids)).map(record => [record.id, passagesOf(record.text)]),
  )
  const stored = await query(
    ctx,
    sql<StoredPassage>`select p.id, p.entity_id, p.part, p.hash from ${rows(ctx, 'search_passages')} p
      where p.entity_id = any(${ids}::uuid[])`,
  )
  const reindexed = new Set(dirty.filter(row => row.priority === 2).map(row => row.entity_id))
  const same = (old: StoredPassage, passage: Passage | undefined) =>
    passage !== undefined && !reindexed.has(old.entity_id) && old.hash.equals(passage.hash)
  const unchanged = new Set<string>()
  const outdated: number[] = []
  for (const old of stored) {
    if (same(old, current.get(old.entity_id)?.[old.part])) unchanged.add(`${old.entity_id} ${old.part}`)
    else outdated.push(old.id)
  }
  if (outdated.length > 0)
    await query(ctx, sql`select search_take_out(${ctx.account}, ${outdated}::bigint[])`)
  const added = dirty.flatMap(({ entity_id, priority }) =>
    (current.get(entity_id) ?? [])
      .filter(passage => !unchanged.has(`${entity_id} ${passage.part}`))
      .map(passage => ({ ...passage, entityId: entity_id, priority: Math.min(priority, 1) })),
  )
  if (added.length > 0) await addPassages(ctx, source.entityType, added)
}

/** Queues the next records of an account that is to be indexed again. Returns whether there was one. */
export async function reindexSome(services: Services, tx: Db, count: number): Promise<boolean> {
  const [next] = await query(
    { db: tx },
    sql<{ account_id: string; entity_type: string; after_id: string | null }>`
      select q.account_id, q.entity_type, q.after_id from ${unscoped('search_reindex')} q limit 1`,
  )
  if (!next) return false
  const ctx = accountCtx(services, tx, next.account_id)
  const source = sourceOf(next.entity_type)
  const records = source
    ? await query(
        ctx,
        sql<{ id: string }>`select r.id from ${living(ctx, source.table)} r
          where ${next.after_id}::uuid is null or r.id > ${next.after_id}::uuid order by r.id limit ${count}`,
      )
    : []
  const ids = records.map(row => row.id)
  await query(
    ctx,
    sql`insert into ${unscoped('search_dirty')} (account_id, entity_type, entity_id, priority)
      select ${ctx.account}, ${next.entity_type}, n.id, 2 from unnest(${ids}::uuid[]) n (id)
      on conflict (account_id, entity_id) do update set priority = 2`,
  )
  if (ids.length < count) await deleteRows(ctx, 'search_reindex', sql`r.entity_type = ${next.entity_type}`)
  else {
    await query(
      ctx,
      sql`update ${unscoped('search_reindex')} set after_id = ${ids.at(-1)}
        where account_id = ${ctx.account} and entity_type = ${next.entity_type}`,
    )
  }
  return true
}
