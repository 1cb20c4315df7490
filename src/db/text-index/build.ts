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
/** Segments between two looks at what has changed meanwhile: building them takes some seconds. */
const SEGMENTS_AT_ONCE = 10
const BELOW_ALL = '00000000-0000-0000-0000-000000000000'
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
  for (const target of large) {
    for (let added = -1; added !== 0 && !stop.aborted; ) {
      const changed = await catchUp(engine, target, await settledSeq(db), stop)
      if (changed === undefined) break
      written.changed += changed
      for (added = 0; added < SEGMENTS_AT_ONCE && !stop.aborted; added++)
        if (!(await addSegment(db, target, size, stop))) break
      written.segments += added
    }
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

/**
 * Indexes the next records by id; false when fewer are left than fill a quarter of a segment. The last segment is built
 * again with them until it is full: a search reads all records after the last segment, 8,000 in 5 ms.
 */
async function addSegment(db: Db, target: Target, size: SegmentSize, stop: AbortSignal): Promise<boolean> {
  const last = await lastSegment(db, target)
  if (last && !last.is_complete) return false
  const open = last && last.blocks < size.blocks ? last : undefined
  const above = open?.above ?? last?.end ?? BELOW_ALL
  const ends = await blockEnds(db, target, above, size)
  if (ends.length < Math.min(size.blocks, (open?.blocks ?? 0) + Math.ceil(size.blocks / 4))) return false
  // For each segment: others are created meanwhile, and one run can build a hundred.
  const readAfter = await settledSeq(db)
  const segment = await claim(db, target, readAfter, above, ends, open?.segment)
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

interface Segment {
  segment: number
  above: string
  end: string
  blocks: number
  /** false while another process writes it */
  is_complete: boolean
}

async function lastSegment(db: Db, { account, kind }: Target): Promise<Segment | undefined> {
  const { rows } = await sql<Segment>`
    select segment, above, ends[cardinality(ends)] as end, cardinality(ends) as blocks, is_complete
    from search_text_segments where account_id = ${account} and kind = ${kind} order by above desc limit 1`.execute(
    db,
  )
  return rows[0]
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

/** Inserts the row of a new segment, in place of `replaced`; undefined where another process was faster. */
async function claim(
  db: Db,
  { account, kind }: Target,
  readAfter: number,
  above: string,
  ends: string[],
  replaced: number | undefined,
): Promise<number | undefined> {
  return db.transaction().execute(async tx => {
    if (replaced !== undefined)
      await sql`delete from search_text_segments where account_id = ${account} and segment = ${replaced}`.execute(
        tx,
      )
    const { rows } = await sql<{ segment: number }>`
      insert into search_text_segments (account_id, kind, read_after, above, ends, first_created, last_created)
      select ${account}, ${kind}, ${readAfter}, ${above}, ${ends}::uuid[],
        coalesce(min(r.created_at), '-infinity'), coalesce(max(r.created_at), 'infinity')
      from ${sql.table(kind)} r where r.account_id = ${account} and r.id > ${above} and r.id <= ${ends.at(-1)}
      on conflict do nothing returning segment`.execute(tx)
    return rows[0]?.segment
  })
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
