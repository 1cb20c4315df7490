/**
 * Brings records that have changed since they were indexed up to date. Grams that a text no longer has remain in the
 * masks: they only cause blocks to be read in vain. The journal has the changed records.
 */
import { sql } from 'kysely'
import { first } from '../../lib/values.ts'
import { alone, pause } from '../clean-up.ts'
import { type Db, type Engine, SYSTEM } from '../engine.ts'
import { Masks } from './masks.ts'
import { BLOCKS, type Target, textOf } from './tables.ts'

/** Changes in a transaction: a changed record has about 150 grams. */
const BATCH = 50
/** Numbers of the journal that are looked through in a transaction, most of which are passed over, at 1 µs each. */
const WINDOW = 50_000

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
    const batch = await alone(engine, SYSTEM, tx => coverSome(tx, target, settled))
    if (!batch) return undefined
    changed += batch.records
    if (batch.isLast) break
    await pause()
  }
  return changed
}

interface Changed {
  segment: number
  block: number
  text: string
  /** it was created before or after those that were read with the segment */
  isOutside: boolean
}

async function coverSome(
  tx: Db,
  { account, kind }: Target,
  settled: number,
): Promise<{ records: number; isLast: boolean } | undefined> {
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
  const { rows: changes } = await sql<{ seq: number; id: string }>`
    select seq, id from search_text_changes(${account}, ${kind}, ${covered}, ${until}, ${BATCH})`.execute(tx)
  const ids = changes.map(({ id }) => id)
  const { rows } = await sql<Changed>`
    select s.segment, ${textOf(kind)} as text, (select count(*) from unnest(s.ends) e where e < r.id) as block,
      r.created_at not between s.first_created and s.last_created as "isOutside"
    from ${sql.table(kind)} r
    cross join lateral (
      select s.segment, s.ends, s.first_created, s.last_created from search_text_segments s
      where s.account_id = r.account_id and s.kind = ${kind} and s.above < r.id order by s.above desc limit 1
    ) s
    where r.account_id = ${account} and r.id = any(${ids}::uuid[])`.execute(tx)
  for (const [segment, records] of Map.groupBy(rows, row => row.segment)) {
    const masks = new Masks()
    for (const { text, block } of records) await masks.add(text, block)
    await addMasks(tx, account, segment, masks)
    if (records.some(({ isOutside }) => isOutside)) await addTimes(tx, account, kind, segment, ids)
  }
  const isThrough = changes.length < BATCH
  await sql`update search_text_progress set covered = greatest(covered, ${isThrough ? until : changes.at(-1)?.seq})
    where account_id = ${account} and kind = ${kind}`.execute(tx)
  return { records: rows.length, isLast: isThrough && until >= settled }
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

async function addMasks(tx: Db, account: string, segment: number, masks: Masks): Promise<void> {
  for (const { grams, blocks } of masks.parts(Number.POSITIVE_INFINITY)) {
    await sql`insert into search_text_masks as m (account_id, segment, gram, blocks)
      select ${account}, ${segment}, n.gram, n.blocks::bit(${sql.raw(String(BLOCKS))})
      from unnest(${grams}::int[], ${blocks}::text[]) n (gram, blocks)
      on conflict (account_id, segment, gram) do update set blocks = m.blocks | excluded.blocks
        where m.blocks | excluded.blocks <> m.blocks`.execute(tx)
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
