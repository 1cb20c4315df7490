/**
 * Which records of a list can contain a term. Large accounts have an index of their texts (decision 34): it finds blocks
 * of records that may contain the term. Records that it does not cover yet are read, too. The text itself decides.
 */
import { type RawBuilder, sql } from 'kysely'
import { BLOCK_SIZE, BLOCKS, type IndexedTable, indexedTables, isIndexed } from '../db/text-index/tables.ts'
import { gramsOfTerm } from '../lib/grams.ts'
import { required } from '../lib/values.ts'
import { type Compiled, compiled } from './compiled.ts'
import { type Ctx, one } from './context.ts'
import { fold } from './fold.ts'
import type { RecordType } from './resource.ts'

type Sql = RawBuilder<unknown>

interface Term {
  text: string
  /** set where the term may be a part of a telephone number */
  digits?: string
}

/** The parameters of a statement with a search. */
export interface SearchValues extends Term {
  /** the rarest grams of the text, and the others; only `by index` */
  rare?: number[]
  rest?: number[]
  /** the same of the digits */
  rareDigits?: number[]
  restDigits?: number[]
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
  return term && contains(term)
}

/** The same for the parameters of a statement. */
export function contains({ text, digits }: Term): Sql {
  const inText = sql`strpos(r.search_text, ${text}) > 0`
  return digits === undefined ? inText : sql`(${inText} or strpos(r.phone_digits, ${digits}) > 0)`
}

/**
 * How a list finds the records that contain a term: by reading all of them; in the order of the list until there are
 * enough, where many may contain it; among those that the index names; or among those that the index names, in the order
 * of their creation, until there are enough.
 */
export type SearchPath = 'all' | 'in order' | 'by index' | 'by index until enough'

export interface Search {
  path: SearchPath
  /** the path for a page that `by index until enough` cannot guarantee */
  otherwise: SearchPath
  values: SearchValues
}

/** A list in the order of creation. */
export interface CreationOrder {
  descending: boolean
  /** the list has filters, too */
  isFiltered: boolean
}

export interface SearchLimits {
  /** up to this many candidates are read directly, which is faster than reading in the order of the list */
  fewRecords: number
  /** the total of a list that is read in its order is exact up to this number */
  exactTotal: number
}
export const SEARCH_LIMITS: SearchLimits = { fewRecords: 20_000, exactTotal: 10_000 }
/** The number of segments, spread over the account, from which the share of blocks with a term is estimated. */
const SAMPLE = 8
/** Grams for which all segments are read. Of consecutive numbers, three leave a block in one segment of five. */
const RARE = 3

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const LAST_SEQ = sql.raw(String(2n ** 63n - 1n))

interface Size {
  segments: number
  records: number
  /** the records with changes that the index lacks, at most `few` */
  changed: number
  /** blocks of the sample that can contain the text, and the digits */
  blocks: number
  grams: number[]
  /** the share of such blocks where a list by creation begins */
  firstShare: number
  digitBlocks?: number
  digitGrams?: number[]
  firstDigitShare?: number
}

/** Undefined for a term without characters. */
export async function searchOf(
  ctx: Ctx,
  record: RecordType,
  search: string,
  { fewRecords, exactTotal }: SearchLimits,
  order?: CreationOrder,
): Promise<Search | undefined> {
  const values = termOf(record, search)
  if (!values) return undefined
  const by = (path: SearchPath, otherwise = path): Search => ({ path, otherwise, values })
  if (!isIndexed(record.table)) return by('all')
  const { text, digits } = values
  const [ofOldest, ofNewest] = required(sizes, record.table)
  const size = one(
    await (order?.descending === false ? ofOldest : ofNewest)(ctx, {
      grams: gramsOfTerm(text),
      ...(digits === undefined ? {} : { digitGrams: gramsOfTerm(digits) }),
      few: fewRecords,
    }),
  )
  if (size.segments === 0) return by('all')
  Object.assign(values, gramsOf(size))
  const indexed = size.segments * BLOCKS * BLOCK_SIZE
  const blocks = size.blocks + (size.digitBlocks ?? 0)
  const share = blocks / (BLOCKS * Math.min(SAMPLE, size.segments))
  const matching = share * indexed
  const reads = matching + size.changed + Math.max(0, size.records - indexed)
  // Reading 1,000,000 changed records one after the other took 4 s, reading all texts takes less than one.
  const tooManyChanged = size.changed > 0 && size.changed >= fewRecords
  const isFew = reads <= Math.max(fewRecords, size.records / 3)
  if (tooManyChanged) return by(isFew || matching < exactTotal ? 'all' : 'in order')
  if (isFew && share <= 0.5) return order ? by('by index until enough', 'by index') : by('by index')
  if (isFew) return by('all')
  // The list may begin with 800,000 records without the term, which took 0.8 s to read. A filter can have an index.
  const isDense = share > 0.5 && size.firstShare + (size.firstDigitShare ?? 0) > 0.5
  return order && !order.isFiltered && !isDense ? by('by index until enough', 'in order') : by('in order')
}

const gramsOf = ({ grams, digitGrams }: Size) => ({
  rare: grams.slice(0, RARE),
  rest: grams.slice(RARE),
  ...(digitGrams ? { rareDigits: digitGrams.slice(0, RARE), restDigits: digitGrams.slice(RARE) } : {}),
})

type SizeArguments = { grams: number[]; digitGrams?: number[]; few: number }

const sizeOf = (table: IndexedTable, first: 'oldest' | 'newest'): Compiled<SizeArguments, Size> =>
  compiled((slots, { grams, digitGrams, few }) => {
    const sample = (term: number[]) => sql`search_text_sample(${slots.account}, ${sql.lit(table)}, ${term})`
    const share = sql.ref(`${first}_share`)
    return sql<Size>`select t.segments, t.blocks, t.grams, t.${share} as "firstShare",
      ${digitGrams ? sql`d.blocks as "digitBlocks", d.grams as "digitGrams", d.${share} as "firstDigitShare",` : sql``}
      (select coalesce(sum(c.living + c.trashed), 0)::int from record_counts c
        where c.account_id = ${slots.account} and c.kind = ${sql.lit(table)}) as records,
      (select count(*)::int from ${changesOf(slots, table, few)} c) as changed
      from ${sample(grams)} t ${digitGrams ? sql`cross join ${sample(digitGrams)} d` : sql``}`
  })

const sizes = new Map(
  indexedTables.map(table => [table, [sizeOf(table, 'oldest'), sizeOf(table, 'newest')] as const]),
)

/** The records of segments with changes that the index lacks. */
const changesOf = (ctx: Ctx, table: string, most: number | null): Sql =>
  sql`search_text_changes(${ctx.account}, ${sql.lit(table)}, (
    select p.covered from search_text_progress p where p.account_id = ${ctx.account} and p.kind = ${sql.lit(table)}),
    ${LAST_SEQ}, ${most})`

/** What a search reads until it has enough, in the order of creation. */
export interface Enough {
  descending: boolean
  matches: number
  /** the list begins after this time of creation */
  after?: Sql | undefined
}

/**
 * Selects `id` and `sort` of the records `r` that may contain a term and for which `where` holds. Without an upper bound
 * of the ids after the last segment PostgreSQL would expect a third of the table there, and read all of it.
 *
 * With `enough` it ends after so many matches of the segments, which are read in the order of the times when their records
 * were created. `edge` is then the time up to which the rest of a segment can reach: the matches before it are complete.
 */
export function candidates(
  ctx: Ctx,
  table: string,
  values: SearchValues,
  sort: Sql,
  where: Sql,
  enough?: Enough,
): Sql {
  const records = sql.table(table)
  const [edge, noEdge] = enough ? [sql`, s.edge`, sql`, null::timestamptz as edge`] : [sql``, sql``]
  return sql`
    with changed as materialized (select distinct c.id from ${changesOf(ctx, table, null)} c),
    segments as materialized (${segmentsOf(ctx, table, values, enough)}),
    indexed as (
      select r.id, r.sort ${edge} from segments s
      cross join lateral search_text_ranges(s.above, s.ends, s.blocks) b
      cross join lateral (
        -- with an offset the ranges are read one after the other; a join with a limit would read the whole table
        select r.id, ${sort} as sort from ${records} r
        where r.account_id = ${ctx.account} and r.id > b.above and r.id <= b.last
          and ${where} and r.id not in (select c.id from changed c) offset 0
      ) r
      ${enough ? sql`limit ${sql.raw(String(enough.matches))}` : sql``}
    )
    select * from indexed
    union all select r.* from changed c cross join lateral (
      -- with a limit it is looked up for each change; a join would read the whole table
      select r.id, ${sort} as sort ${noEdge} from ${records} r where r.id = c.id and ${where} limit 1
    ) r
    union all select r.id, ${sort} as sort ${noEdge} from ${records} r
      where r.account_id = ${ctx.account} and r.id > (
        select s.ends[cardinality(s.ends)] from search_text_segments s
        where s.account_id = ${ctx.account} and s.kind = ${sql.lit(table)} and s.is_complete
        order by s.above desc limit 1
      ) and r.id <= '${sql.raw(LAST_ID)}' and ${where}`
}

/** The segments with blocks that may contain a term, in the order in which they are read. */
function segmentsOf(ctx: Ctx, table: string, values: SearchValues, enough: Enough | undefined): Sql {
  const { rare, rest, rareDigits, restDigits } = values
  const blocks = (some?: number[], others?: number[]) =>
    sql`select * from search_text_blocks(${ctx.account}, ${sql.lit(table)}, ${some}, ${others})`
  const either = rareDigits
    ? sql`select m.segment, bit_or(m.blocks) as blocks from (
        ${blocks(rare, rest)} union all ${blocks(rareDigits, restDigits)}) m group by m.segment`
    : blocks(rare, rest)
  const [edge, other, direction, from] = enough?.descending
    ? [sql`s.last_created`, sql`s.first_created`, sql`desc`, sql`<=`]
    : [sql`s.first_created`, sql`s.last_created`, sql`asc`, sql`>=`]
  return sql`select s.above, s.ends, m.blocks ${enough ? sql`, ${edge} as edge` : sql``}
    from (${either}) m join search_text_segments s on s.account_id = ${ctx.account} and s.segment = m.segment
    ${enough?.after ? sql`where ${other} ${from} ${enough.after}` : sql``}
    ${enough ? sql`order by ${edge} ${direction}` : sql``}`
}
