/** The progress of the index, and requests to rebuild it. */
import { sql } from 'kysely'
import { embeddersOf } from '../../ai/embeddings.ts'
import { type Ctx, one, query, systemDb, transaction } from '../../kernel/context.ts'
import { insertRows, rows } from '../../kernel/statements.ts'
import { present } from '../../lib/values.ts'
import { FEED, inLane, LANES } from './feed.ts'
import { ENTITY_TYPES } from './sources/index.ts'

export async function status(ctx: Ctx) {
  // Unread changes are counted first: those that the indexer reads meanwhile are then counted as dirty, not missed.
  const unread = await unreadOf(ctx)
  const counted = await query(
    ctx,
    sql<
      Record<'passages' | 'records' | 'dirty' | 'reindexing' | 'unembedded' | 'embedded', number> & {
        oldest: string | null
      }
    >`
      select (select count(*) from ${rows(ctx, 'search_passages')} p) as passages,
        (select count(distinct p.entity_id) from ${rows(ctx, 'search_passages')} p) as records,
        (select count(*) from ${rows(ctx, 'search_dirty')} d) as dirty,
        (select min(d.since) from ${rows(ctx, 'search_dirty')} d) as oldest,
        (select count(*) from ${rows(ctx, 'search_reindex')} n) as reindexing,
        (select count(*) from ${rows(ctx, 'search_queue')} q) as unembedded,
        (select count(distinct v.passage_id) from ${rows(ctx, 'search_vectors')} v) as embedded`,
  )
  const counts = one(counted)
  const oldest = [counts.oldest, unread.oldest].filter(at => at !== null).sort()[0]
  const waiting = counts.dirty + unread.changes
  return {
    status: waiting === 0 && counts.reindexing === 0 ? 'ready' : 'indexing',
    records: counts.records,
    passages: counts.passages,
    pending_records: waiting,
    lag_seconds: oldest ? Math.max(0, (Date.now() - Date.parse(oldest)) / 1000) : 0,
    reindexing: counts.reindexing > 0,
    embeddings: embeddingsOf(ctx, counts.embedded, counts.unembedded),
    language_model: ctx.services.config.languageModel?.model ?? null,
  }
}

function embeddingsOf(ctx: Ctx, embedded: number, pending: number) {
  const [embedder] = embeddersOf(ctx.services)
  // passages are queued even while embeddings are off, but are not pending
  if (!embedder) return { status: 'off', model: null, embedded, pending: 0, error: null }
  const { status, error } = embedder.state()
  return { status, model: embedder.model, embedded, pending, error }
}

/** Changes of this account that the indexer has not read. Its position in the journal is one for all accounts. */
async function unreadOf(ctx: Ctx): Promise<{ changes: number; oldest: string | null }> {
  const positions = await query(
    { db: systemDb(ctx.services) },
    sql<{ lane: string; xid: string; seq: number }>`select f.lane, f.xid::text, f.seq from ${FEED} f`,
  )
  const unread = LANES.map(lane => {
    const position = present(
      positions.find(one => one.lane === lane),
      `the indexer’s position in lane ${lane}`,
    )
    return sql`(select c.at from ${rows(ctx, 'changes')} c
      where (c.xid, c.seq) > (${position.xid}::xid8, ${position.seq}) and ${inLane(lane)} limit 10000)`
  })
  const unreadCounts = await query(
    ctx,
    sql<{ changes: number; oldest: string | null }>`select count(*) as changes, min(c.at) as oldest
      from (${sql.join(unread, sql` union all `)}) c`,
  )
  return one(unreadCounts)
}

export async function reindex(ctx: Ctx): Promise<void> {
  await transaction(ctx, async tx => {
    await query(
      tx,
      sql`select pg_advisory_xact_lock(hashtextextended('search_reindex ' || ${ctx.account}, 0))`,
    )
    await insertRows(
      tx,
      'search_reindex',
      ENTITY_TYPES.map(entity_type => ({ entity_type, after_id: null })),
      { onConflict: sql`(account_id, entity_type) do update set after_id = null` },
    )
  })
}
