/**
 * Brings records that have changed since they were indexed up to date. Grams that a text no longer has remain in the
 * masks: they only cause blocks to be read in vain. The journal has the changed records.
 */
import { sql } from 'kysely'
import { first } from '../../lib/values.ts'
import { alone, pause } from '../clean-up.ts'
import { type Db, type Engine, SYSTEM } from '../engine.ts'
import { settledSeq } from './horizon.ts'
import { Masks } from './masks.ts'
import { BLOCKS, type Target, textOf } from './tables.ts'

/**
 * Changes whose records are read together: those of a segment share most of their grams. With 50 at a time, which were
 * of 12 segments, a change took 1.4 ms of the service and as long of PostgreSQL.
 */
const BATCH = 2000
/** Masks in a statement: 2,000 take about 20 ms in the embedded engine if all of them change. */
const PART = 2000
/** Numbers of the journal that are looked through in a statement, most of which are passed over, at 1 µs each. */
const WINDOW = 50_000

/**
 * Covers what has changed in any segment. A search reads these records one after the other until then: after 30 s of 900
 * updates a second it took 96 ms instead of 11.
 */
export async function catchUpAll(engine: Engine, stop: AbortSignal): Promise<number> {
  const db = engine.as(SYSTEM)
  // Before the horizon is written: most services have no large account.
  const { rows: indexed } = await sql`select from search_text_segments limit 1`.execute(db)
  if (indexed.length === 0) return 0
  const settled = await settledSeq(db)
  const { rows: targets } = await sql<Target>`
    select s.account_id as account, s.kind from (select distinct account_id, kind from search_text_segments) s
    join search_text_progress p on p.account_id = s.account_id and p.kind = s.kind
    where exists (
      select from changes c where c.account_id = s.account_id and c.seq > p.covered and c.seq <= ${settled}
    )`.execute(db)
  let changed = 0
  for (const target of targets) changed += (await catchUp(engine, target, settled, stop)) ?? 0
  return changed
}

/**
 * Covers the changes up to `settled` and returns how many records were read again; undefined where another process works
 * on the same kind of the account.
 */
export async function catchUp(
  engine: Engine,
  target: Target,
  settled: number,
  stop: AbortSignal,
): Promise<number | undefined> {
  let changed = 0
  while (!stop.aborted) {
    const batch = await alone(engine, SYSTEM, tx => nextChanges(tx, target, settled))
    if (!batch) return undefined
    for (const { segment, ids } of batch.segments) {
      if (stop.aborted) return changed
      // A segment that another process replaces meanwhile is read after all of these changes.
      await engine
        .as(SYSTEM)
        .transaction()
        .execute(tx => coverSegment(tx, target, segment, ids))
      changed += ids.length
      await pause()
    }
    // Until here a search reads the changed records, whether the masks have them or not.
    await sql`update search_text_progress set covered = greatest(covered, ${batch.until})
      where account_id = ${target.account} and kind = ${target.kind}`.execute(engine.as(SYSTEM))
    if (batch.until >= settled) break
    await pause()
  }
  return changed
}

interface Batch {
  segments: { segment: number; ids: string[] }[]
  /** all changes up to this number are in `segments` or need not be read */
  until: number
}

async function nextChanges(tx: Db, { account, kind }: Target, settled: number): Promise<Batch | undefined> {
  if (await isBeingBuilt(tx, account, kind)) return undefined
  // Before the first segment is read: changes from here on are not in it.
  await sql`insert into search_text_progress (account_id, kind, covered) values (${account}, ${kind}, ${settled})
    on conflict do nothing`.execute(tx)
  const progress = await sql<{ covered: number }>`
    select greatest(p.covered, (
      select min(s.read_after) from search_text_segments s where s.account_id = p.account_id and s.kind = p.kind
    )) as covered
    from search_text_progress p where p.account_id = ${account} and p.kind = ${kind}`.execute(tx)
  const { covered } = first(progress.rows)
  const until = Math.min(settled, covered + WINDOW)
  const { rows } = await sql<{ segment: number; ids: string[]; count: number; last: number }>`
    select s.segment, array_agg(distinct c.id)::text[] as ids, count(*)::int as count, max(c.seq) as last
    from search_text_changes(${account}, ${kind}, ${covered}, ${until}, ${BATCH}) c
    cross join lateral (
      select s.segment from search_text_segments s
      where s.account_id = ${account} and s.kind = ${kind} and s.above < c.id order by s.above desc limit 1
    ) s
    group by s.segment`.execute(tx)
  const isAll = rows.reduce((sum, { count }) => sum + count, 0) < BATCH
  return { segments: rows, until: isAll ? until : Math.max(...rows.map(({ last }) => last)) }
}

async function coverSegment(
  tx: Db,
  { account, kind }: Target,
  segment: number,
  ids: readonly string[],
): Promise<void> {
  // Locked, so that no other process replaces it before its masks are written.
  const found = await sql<{ ends: string[] }>`select ends::text[] as ends from search_text_segments
    where account_id = ${account} and segment = ${segment} for key share`.execute(tx)
  const ends = found.rows[0]?.ends
  if (!ends) return
  const { rows } = await sql<{ id: string; text: string; isOutside: boolean }>`
    select r.id, ${textOf(kind)} as text,
      -- it was created before or after those that were read with the segment
      r.created_at not between s.first_created and s.last_created as "isOutside"
    from ${sql.table(kind)} r join search_text_segments s on s.account_id = r.account_id and s.segment = ${segment}
    where r.account_id = ${account} and r.id = any(${ids}::uuid[])`.execute(tx)
  const masks = new Masks()
  for (const { id, text } of rows) await masks.add(text, blockOf(id, ends))
  await addMasks(tx, account, segment, masks)
  if (rows.some(({ isOutside }) => isOutside)) await addTimes(tx, account, kind, segment, ids)
}

/** The first block that ends at or after an id. */
function blockOf(id: string, ends: readonly string[]): number {
  let low = 0
  for (let high = ends.length; low < high; ) {
    const middle = (low + high) >>> 1
    if ((ends[middle] ?? id) < id) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The process that builds a segment may have read a record before it changed; the change must then stay uncovered until
 * the segment is complete.
 */
async function isBeingBuilt(tx: Db, account: string, kind: string): Promise<boolean> {
  const { rows } = await sql`select from search_text_segments
    where account_id = ${account} and kind = ${kind} and not is_complete`.execute(tx)
  return rows.length > 0
}

/**
 * Most masks have the blocks already. They are left out by a join: `on conflict` locks each of these rows and writes that
 * to PostgreSQL's log.
 */
async function addMasks(tx: Db, account: string, segment: number, masks: Masks): Promise<void> {
  for (const { grams, blocks } of masks.parts(PART)) {
    await sql`insert into search_text_masks as m (account_id, segment, gram, blocks)
      select ${account}, ${segment}, n.gram, n.blocks
      from (
        select n.gram, n.blocks::bit(${sql.raw(String(BLOCKS))}) as blocks
        from unnest(${grams}::int[], ${blocks}::text[]) n (gram, blocks) offset 0
      ) n
      left join search_text_masks o on o.account_id = ${account} and o.segment = ${segment} and o.gram = n.gram
      where o.blocks is null or o.blocks | n.blocks <> o.blocks
      on conflict (account_id, segment, gram) do update set blocks = m.blocks | excluded.blocks`.execute(tx)
  }
}

/** A restored or imported record can have an id between others, and any time of creation. */
async function addTimes(
  tx: Db,
  account: string,
  kind: Target['kind'],
  segment: number,
  ids: readonly string[],
): Promise<void> {
  await sql`update search_text_segments s set first_created = least(s.first_created, c.first_created),
      last_created = greatest(s.last_created, c.last_created)
    from (
      select min(r.created_at) as first_created, max(r.created_at) as last_created
      from ${sql.table(kind)} r join search_text_segments o on o.account_id = r.account_id and o.segment = ${segment}
      where r.account_id = ${account} and r.id = any(${ids}::uuid[]) and r.id > o.above
        and r.id <= o.ends[cardinality(o.ends)]
    ) c
    where s.account_id = ${account} and s.segment = ${segment}`.execute(tx)
}
