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
/**
 * Numbers of the journal that are looked through in a transaction. While 1,000,000 records are created, most are in a
 * segment that was read after them: such changes are passed over. Reading all of them again took a quarter of an hour, in
 * which a search for one record took 4 s.
 */
const WINDOW = 5000

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
  seq: number
  segment: number
  block: number
  text: string
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
  const progress = await sql<{ covered: number }>`select covered from search_text_progress
    where account_id = ${account} and kind = ${kind}`.execute(tx)
  const until = Math.min(settled, first(progress.rows).covered + WINDOW)
  // The last end is read once for each segment: `ends` has 16 KB, which are compressed.
  const { rows } = await sql<Changed>`
    with s as materialized (
      select s.segment, s.above, s.ends, s.ends[cardinality(s.ends)] as last, s.read_after from search_text_segments s
      where s.account_id = ${account} and s.kind = ${kind} and s.read_after < ${until}
    )
    select c.seq, s.segment, ${textOf(kind)} as text,
      (select count(*) from unnest(s.ends) e where e < c.entity_id) as block
    from search_text_progress p
    join changes c on c.account_id = p.account_id and c.seq > p.covered and c.seq <= ${until}
      and c.kind = p.kind and c.action in ('created', 'updated')
    join s on c.seq > s.read_after and c.entity_id > s.above and c.entity_id <= s.last
    join ${sql.table(kind)} r on r.account_id = p.account_id and r.id = c.entity_id
    where p.account_id = ${account} and p.kind = ${kind}
    order by c.seq limit ${BATCH}`.execute(tx)
  const bySegment = Map.groupBy(rows, ({ segment }) => segment)
  for (const [segment, records] of bySegment) {
    const masks = new Masks()
    for (const { text, block } of records) await masks.add(text, block)
    await addMasks(tx, account, segment, masks)
  }
  const isThrough = rows.length < BATCH
  const covered = isThrough ? until : (rows.at(-1)?.seq ?? until)
  await sql`update search_text_progress set covered = greatest(covered, ${covered})
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
