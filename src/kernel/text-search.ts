/**
 * Which records of a list can contain a term. Large accounts have an index of their texts (decision 34): it finds blocks
 * of records that may contain the term. Records that it does not cover yet are read, too. The text itself decides.
 */
import { type RawBuilder, sql } from 'kysely'
import { BLOCK_SIZE, BLOCKS, isIndexed } from '../db/text-index/tables.ts'
import { gramsOfTerm } from '../lib/grams.ts'
import { type Ctx, one, query } from './context.ts'
import { fold } from './fold.ts'
import type { RecordType } from './resource.ts'

type Sql = RawBuilder<unknown>

interface Term {
  text: string
  /** set where the term may be a part of a telephone number */
  digits?: string
}

function termOf(record: RecordType, search: string): Term | undefined {
  const trimmed = search.trim()
  if (trimmed === '' || !record.search) return undefined
  // A trunk or international prefix (0170…, 0049170…) is not part of +49170…
  const digits = trimmed.replace(/[^0-9]/g, '').replace(/^00?(?=[1-9])/, '')
  const isPhone =
    record.search === 'text and phone' && digits.length >= 3 && /^[0-9+().\-/\s]+$/.test(trimmed)
  return { text: fold(trimmed), ...(isPhone ? { digits } : {}) }
}

/** Part of a text, whatever its case and accents; `%`, `_` and `\` are plain characters. */
export function matches(record: RecordType, search: string): Sql | undefined {
  const term = termOf(record, search)
  if (!term) return undefined
  const inText = sql`strpos(r.search_text, ${term.text}) > 0`
  return term.digits ? sql`(${inText} or strpos(r.phone_digits, ${term.digits}) > 0)` : inText
}

/** Selects `id` and `sort` of the records `r` that may contain the term and for which `where` holds. */
export type Candidates = (sort: Sql, where: Sql) => Sql

/**
 * How a list finds the records that contain a term: by reading all of them; in the order of the list until there are
 * enough, where many may contain it; or among those that the index names.
 */
export type SearchPath = 'all' | 'in order' | Candidates

export interface SearchLimits {
  /** up to this many candidates are read directly, which is faster than reading in the order of the list */
  fewRecords: number
  /** the total of a list that is read in its order is exact up to this number */
  exactTotal: number
}
export const SEARCH_LIMITS: SearchLimits = { fewRecords: 20_000, exactTotal: 10_000 }
/** The number of segments, spread over the account, from which the share of blocks with a term is estimated. */
const SAMPLE = 8

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const LAST_SEQ = sql.raw(String(2n ** 63n - 1n))

export async function searchPath(
  ctx: Ctx,
  record: RecordType,
  search: string,
  { fewRecords }: SearchLimits,
): Promise<SearchPath> {
  const term = termOf(record, search)
  if (!term || !isIndexed(record.table)) return 'all'
  const { segments, changed } = indexOf(ctx, record.table)
  const sample = sql`${segments} order by hashint8(s.segment) limit ${SAMPLE}`
  const size = one(
    await query(
      ctx,
      sql<{ segments: number; blocks: number; records: number; changed: number }>`select
        (select count(*)::int from (${segments}) s) as segments,
        (select coalesce(sum(bit_count(b.blocks)), 0)::int from (${blocksWith(ctx, sample, term)}) b) as blocks,
        (select coalesce(sum(living + trashed), 0)::int from record_counts
          where account_id = ${ctx.account} and kind = ${record.table}) as records,
        (select count(*)::int from (${changed} limit ${fewRecords}) c) as changed`,
    ),
  )
  if (size.segments === 0) return 'all'
  const indexed = size.segments * BLOCKS * BLOCK_SIZE
  const share = size.blocks / (BLOCKS * Math.min(SAMPLE, size.segments))
  const reads = share * indexed + size.changed + Math.max(0, size.records - indexed)
  const isFew = reads <= Math.max(fewRecords, size.records / 4)
  return isFew ? (sort, where) => candidates(ctx, record.table, term, sort, where) : 'in order'
}

/**
 * The parts of a kind's index, and the records that it does not cover. Without an upper bound PostgreSQL would expect a
 * third of the table above the lower one, and read all of it: 130 ms for 100,000 records.
 */
function indexOf(ctx: Ctx, table: string) {
  const segments = sql`select s.* from search_text_segments s
    where s.account_id = ${ctx.account} and s.kind = ${table} and s.is_complete`
  const changed = sql`select c.entity_id as id from changes c
    where c.account_id = ${ctx.account} and c.kind = ${table} and c.action in ('created', 'updated')
      and c.seq <= ${LAST_SEQ} and c.seq > (
        select p.covered from search_text_progress p where p.account_id = ${ctx.account} and p.kind = ${table})`
  const tail = sql`r.account_id = ${ctx.account} and r.id > (
    select s.ends[cardinality(s.ends)] from (${segments}) s order by s.above desc limit 1) and r.id <= '${sql.raw(LAST_ID)}'`
  return { segments, changed, tail }
}

/** The segments that have blocks whose texts contain all grams of the term. */
function blocksWith(ctx: Ctx, segments: Sql, { text, digits }: Term): Sql {
  const selects = [text, ...(digits ? [digits] : [])].map(gramsOfTerm).map(
    grams => sql`select s.segment, s.above, s.ends, m.blocks from (${segments}) s cross join lateral (
      select bit_and(m.blocks) as blocks, count(*) as grams from search_text_masks m
      where m.account_id = ${ctx.account} and m.segment = s.segment and m.gram = any(${grams}::int[])
    ) m where m.grams = ${grams.length}`,
  )
  return sql.join(selects, sql` union all `)
}

function candidates(ctx: Ctx, table: string, term: Term, sort: Sql, where: Sql): Sql {
  const { segments, changed, tail } = indexOf(ctx, table)
  const records = sql.table(table)
  return sql`
    select r.id, ${sort} as sort from (${blocksWith(ctx, segments, term)}) b
      cross join lateral unnest(array_prepend(b.above, b.ends), b.ends) with ordinality u (above, last, no)
      join ${records} r on r.account_id = ${ctx.account} and r.id > u.above and r.id <= u.last
      where b.blocks <> b'0'::bit(${sql.raw(String(BLOCKS))}) and u.last is not null and get_bit(b.blocks, u.no::int - 1) = 1 and ${where}
    union select r.id, r.sort from (${changed}) c cross join lateral (
      -- with a limit it is looked up for each change; a join would read the whole table
      select r.id, ${sort} as sort from ${records} r where r.id = c.id and ${where} limit 1
    ) r
    union select r.id, ${sort} as sort from ${records} r where ${tail} and ${where}`
}
