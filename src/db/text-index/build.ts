/**
 * Keeps the index behind `search` in lists (decision 34) up to date, in steps of some milliseconds: the embedded engine
 * has one connection. Requests read records that are not in the index yet directly, so it may lag behind.
 */
import { sql } from 'kysely'
import { pause } from '../clean-up.ts'
import { type Db, type Engine, SYSTEM } from '../engine.ts'
import { catchUp } from './catch-up.ts'
import { settledSeq } from './horizon.ts'
import { Masks } from './masks.ts'
import { BLOCK_SIZE, BLOCKS, indexedTables, type Target, textOf } from './tables.ts'

/** Masks in a statement: 2,000 take about 20 ms in the embedded engine. */
const PART = 2000
/** Blocks whose texts a statement reads. */
const BLOCKS_AT_ONCE = 16
/** After this time a segment that is not complete belongs to a process that has died. */
const ABANDONED = sql`claimed_at < now() - interval '5 minutes'`

export interface Indexed {
  segments: number
  /** records that were changed after they had been indexed */
  changed: number
}

/** The size of a segment; only tests use smaller ones. */
export interface SegmentSize {
  blocks: number
  blockSize: number
}

export async function indexTexts(
  engine: Engine,
  stop: AbortSignal,
  size: SegmentSize = { blocks: BLOCKS, blockSize: BLOCK_SIZE },
): Promise<Indexed> {
  const db = engine.as(SYSTEM)
  const written: Indexed = { segments: 0, changed: 0 }
  const large = await targets(db, size.blockSize * size.blocks)
  if (large.length === 0) return written
  await sql`delete from search_text_segments where not is_complete and ${ABANDONED}`.execute(db)
  const settled = await settledSeq(db)
  for (const target of large) {
    const changed = await catchUp(engine, target, settled, stop)
    if (changed === undefined) continue
    written.changed += changed
    while (!stop.aborted && (await addSegment(db, target, size, stop))) written.segments++
  }
  return written
}

/** The kinds of which an account has at least a segment. */
async function targets(db: Db, segmentSize: number): Promise<Target[]> {
  const { rows } = await sql<Target>`select account_id as account, kind from record_counts
    where kind = any(${indexedTables}) group by account_id, kind
    having sum(living) + sum(trashed) >= ${segmentSize}`.execute(db)
  return rows
}

/** Indexes the next records by id; false when fewer are left than fill a segment. */
async function addSegment(db: Db, target: Target, size: SegmentSize, stop: AbortSignal): Promise<boolean> {
  const above = await lastId(db, target)
  if (above === undefined) return false
  const ends = await blockEnds(db, target, above, size)
  if (ends.length < size.blocks) return false
  // For each segment: others are created meanwhile, and one run can build a hundred.
  const readAfter = await settledSeq(db)
  const segment = await claim(db, target, readAfter, above, ends)
  if (segment === undefined) return false
  const masks = await readMasks(db, target, above, ends, stop)
  for (const { grams, blocks } of masks.parts(PART)) {
    if (stop.aborted) return false
    await sql`insert into search_text_masks (account_id, segment, gram, blocks)
      select ${target.account}, ${segment}, m.gram, m.blocks::bit(${sql.raw(String(BLOCKS))})
      from unnest(${grams}::int[], ${blocks}::text[]) m (gram, blocks)`.execute(db)
    await pause()
  }
  await sql`update search_text_segments set is_complete = true
    where account_id = ${target.account} and segment = ${segment}`.execute(db)
  return true
}

const BELOW_ALL = '00000000-0000-0000-0000-000000000000'

/** The id after which the next segment begins; undefined while another process writes that segment. */
async function lastId(db: Db, { account, kind }: Target): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; is_complete: boolean }>`
    select ends[cardinality(ends)] as id, is_complete from search_text_segments
    where account_id = ${account} and kind = ${kind} order by above desc limit 1`.execute(db)
  const [last] = rows
  if (!last) return BELOW_ALL
  return last.is_complete ? last.id : undefined
}

async function blockEnds(
  db: Db,
  { account, kind }: Target,
  above: string,
  { blocks, blockSize }: SegmentSize,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, row_number() over (order by id) as no from (
        select id from ${sql.table(kind)} where account_id = ${account} and id > ${above}
        order by id limit ${blockSize * blocks}
      ) next
    ) numbered where no % ${blockSize} = 0 order by id`.execute(db)
  return rows.map(({ id }) => id)
}

async function claim(
  db: Db,
  { account, kind }: Target,
  readAfter: number,
  above: string,
  ends: string[],
): Promise<number | undefined> {
  const { rows } = await sql<{ segment: number }>`
    insert into search_text_segments (account_id, kind, read_after, above, ends)
    values (${account}, ${kind}, ${readAfter}, ${above}, ${ends}::uuid[]) on conflict do nothing returning segment`.execute(
    db,
  )
  return rows[0]?.segment
}

async function readMasks(
  db: Db,
  { account, kind }: Target,
  above: string,
  ends: string[],
  stop: AbortSignal,
): Promise<Masks> {
  const masks = new Masks()
  let from = above
  for (let block = 0; block < ends.length && !stop.aborted; block += BLOCKS_AT_ONCE) {
    const last = ends[Math.min(block + BLOCKS_AT_ONCE, ends.length) - 1] ?? from
    const { rows } = await sql<{ id: string; text: string }>`
      select r.id, ${textOf(kind)} as text from ${sql.table(kind)} r
      where r.account_id = ${account} and r.id > ${from} and r.id <= ${last} order by r.id`.execute(db)
    let at = block
    for (const { id, text } of rows) {
      while (id > (ends[at] ?? last)) at++
      await masks.add(text, at)
    }
    from = last
  }
  return masks
}
