/**
 * Which records of a list can contain a term. Large accounts have an index of their texts (decision 34): it finds blocks
 * of records that may contain the term. Records that it does not cover yet are read, too. The text itself decides.
 */
import { type RawBuilder, sql } from 'kysely'
import { BLOCKS, isIndexed } from '../db/text-index/tables.ts'
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

/** Selects the ids of the records `r` that may contain the term and for which `where` holds. */
export type Candidates = (where: Sql) => Sql

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
/** Records in a block of the index. */
const BLOCK_SIZE = 64
/** The number of segments, spread over the account, from which the share of blocks with a term is estimated. */
const SAMPLE = 8

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
      sql<{ segments: number; share: number; records: number; changed: number }>`select
        (select count(*)::int from (${segments}) s) as segments,
        (select coalesce(avg(bit_count(b.blocks) / length(b.blocks)::float8), 0)
          from (${sample}) s left join (${blocksWith(ctx, sample, term)}) b using (segment)) as share,
        (select coalesce(sum(living + trashed), 0)::int from record_counts
          where account_id = ${ctx.account} and kind = ${record.table}) as records,
        (select count(*)::int from (${changed} limit ${fewRecords}) c) as changed`,
    ),
  )
  if (size.segments === 0) return 'all'
  const indexed = size.segments * BLOCKS * BLOCK_SIZE
  const reads = size.share * indexed + size.changed + Math.max(0, size.records - indexed)
  const isFew = reads <= Math.max(fewRecords, size.records / 4)
  return isFew ? where => candidates(ctx, record.table, term, where) : 'in order'
}

/** The parts of a kind's index, and the records that it does not cover. */
function indexOf(ctx: Ctx, table: string) {
  const segments = sql`select s.* from search_text_segments s
    where s.account_id = ${ctx.account} and s.kind = ${table} and s.is_complete`
  const changed = sql`select c.entity_id as id from search_text_progress p
    join changes c on c.account_id = ${ctx.account} and c.seq > p.covered and c.kind = p.kind
      and c.action in ('created', 'updated')
    where p.account_id = ${ctx.account} and p.kind = ${table}`
  const tail = sql`select r.id from ${sql.table(table)} r where r.account_id = ${ctx.account} and r.id > (
    select s.ends[cardinality(s.ends)] from (${segments}) s order by s.above desc limit 1)`
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

function candidates(ctx: Ctx, table: string, term: Term, where: Sql): Sql {
  const { segments, changed, tail } = indexOf(ctx, table)
  const records = sql`${sql.table(table)} r on r.account_id = ${ctx.account}`
  return sql`
    select r.id from (${blocksWith(ctx, segments, term)}) b
      cross join lateral unnest(array_prepend(b.above, b.ends), b.ends) with ordinality u (above, last, no)
      join ${records} and r.id > u.above and r.id <= u.last
      where b.blocks <> b'0'::bit(128) and u.last is not null and get_bit(b.blocks, u.no::int - 1) = 1 and ${where}
    union select r.id from (${changed}) c join ${records} and r.id = c.id where ${where}
    union ${tail} and ${where}`
}
