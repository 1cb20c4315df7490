/** A page of a list and its total as one statement. */
import { type RawBuilder, sql } from 'kysely'
import type { JsonRows } from '../db/json-rows.ts'
import { ABSENT_IF_NULL, besideKey } from '../db/row-shapes.ts'
import { type Compiled, jsonRows } from './compiled.ts'
import { type Ctx, query } from './context.ts'
import { keysByValue, type Position } from './custom-order.ts'
import { after, isNeverNull, type Sort } from './list-order.ts'
import type { Item, RecordType } from './resource.ts'

type Sql = RawBuilder<unknown>

/**
 * The output fields as a select list; the record is `r`. A row lacks the fields of `sometimes` that are null. Values that
 * are selected elsewhere come first.
 */
export function selectList(
  ctx: Ctx,
  record: Pick<RecordType, 'output' | 'computed'>,
  elsewhere: Readonly<Record<string, Sql>> = {},
): Sql {
  return sql.join(
    Object.keys(record.output.fields).map(name => {
      const expression = elsewhere[name] ?? record.computed?.[name]?.(ctx)
      if (record.output.fields[name]?.json.sometimes)
        return sql`${expression ?? sql`r.${sql.ref(name)}`} as ${sql.ref(ABSENT_IF_NULL + name)}`
      return expression ? sql`${expression} as ${sql.ref(name)}` : sql`r.${sql.ref(name)}`
    }),
  )
}

/** The values of `selectList` in a statement that reads one record. */
export const ofOne = (ctx: Ctx, record: Pick<RecordType, 'ofOne'>): Record<string, Sql> =>
  Object.fromEntries(Object.entries(record.ofOne ?? {}).map(([name, expression]) => [name, expression(ctx)]))

/** A row of a page. */
export type ListedRow = Item & {
  id: string
  /** the sort value as text, for the cursor; absent if it is null */
  [SORT]?: string
  [TOTAL]: number
  /** only where `beside` selects it */
  [VERSION]?: unknown
  /** a bounded search may have left out a record before this one */
  [UNSURE]?: boolean
}

/** What a list needs to know about a row, besides sending it. */
export type RowPosition = Pick<ListedRow, 'id' | typeof SORT | typeof TOTAL | typeof VERSION | typeof UNSURE>

/** The rows of a page: an array of records, or their JSON text. */
export interface PageRows<Rows> {
  readonly length: number
  at(index: number): RowPosition | undefined
  slice(from: number, to?: number): Rows
}

/** How the rows of a page are read. */
export interface Reading<Rows extends PageRows<Rows>> {
  compiled<A>(statement: Compiled<A, ListedRow>): (ctx: Ctx, args: A) => Promise<Rows>
  once(ctx: Ctx, statement: RawBuilder<ListedRow>): Promise<Rows>
}

export const AS_OBJECTS: Reading<ListedRow[]> = { compiled: statement => statement, once: query }
export const AS_JSON: Reading<JsonRows<ListedRow>> = {
  compiled: statement => statement.json,
  once: (ctx, statement) => jsonRows(ctx, statement.compile(ctx.db)),
}

// Values beside the record in a row of a page, for cursors and totals.
export const SORT: unique symbol = besideKey('sort') as never
export const TOTAL: unique symbol = besideKey('total') as never
export const VERSION: unique symbol = besideKey('version') as never
export const UNSURE: unique symbol = besideKey('unsure') as never

/** Page sizes that are written into the statement as literals. */
export const USUAL_LIMITS: readonly number[] = [10, 20, 25, 50, 51, 100, 101]

export interface ListRequest<Count = number | Sql> {
  sort: Sort
  conditions: readonly Sql[]
  /** the conditions are tested once, for the page and for the total */
  scans: boolean
  /** where every condition can also be tested on the rows `c` of record_counts: these conditions, for the total */
  counted?: readonly Sql[] | undefined
  /**
   * the only records for which the conditions can hold: selects `id` and `sort` of those that fulfil them. `after`: the
   * condition holds only from this time of creation on, in the order of the list
   */
  candidates?: ((sort: Sql, where: Sql, after?: Sql) => Sql) | undefined
  /** `candidates` ends when there are enough, and says with `edge` how far the matches are complete */
  isBounded?: boolean
  /** the limit up to which a total is counted */
  countsTo?: number | undefined
  deleted: boolean
  cursor: Position | undefined
  limit: Count
  offset: Count
  /** whether the offset is above 0 */
  skips: boolean
  /** each row has its sort value, for a cursor */
  sortValue: boolean
  /** further columns of each row */
  beside?: Sql
  /** named selects that the cursor and `beside` use */
  before?: readonly Sql[]
}

/** The source rows of a list and the expression for its total. */
export function sourceOf(ctx: Ctx, record: RecordType, request: ListRequest) {
  const { conditions, scans, deleted, candidates, isBounded, countsTo, sort, cursor } = request
  const counted = request.counted ?? (conditions.length === 0 ? [] : undefined)
  const table = sql.table(record.table)
  const trash = deleted ? sql`r.deleted_at is not null` : sql`r.deleted_at is null`
  const visible = record.visible?.(ctx)
  const filtered = sql.join(
    [sql`r.account_id = ${ctx.account}`, trash, ...(visible ? [visible] : []), ...conditions],
    sql` and `,
  )
  const ofAll = () =>
    candidates?.(sort.expression, filtered) ??
    sql`select r.id, ${sort.expression} as sort from ${table} r where ${filtered}`
  const ofRest =
    isBounded && cursor
      ? candidates?.(
          sort.expression,
          sql`${filtered} and ${after(sort, cursor)}`,
          sql`${cursor.value}::text::timestamptz`,
        )
      : undefined
  const matching = scans ? [sql`matching as materialized (${ofRest ?? ofAll()})`] : []
  const where = scans ? sql`r.account_id = ${ctx.account} and r.id in (select id from matching)` : filtered
  const total = scans
    ? sql`(select count(*) from ${ofRest ? sql`(${ofAll()}) c` : sql`matching`})`
    : counted === undefined || visible
      ? sql`(select count(*) from (select from ${table} r where ${where} ${countsTo === undefined ? sql`` : sql`limit ${sql.raw(String(countsTo))}`}) c)`
      : sql`(select coalesce(sum(c.${sql.ref(deleted ? 'trashed' : 'living')}), 0)::bigint from record_counts c
          where ${sql.join([sql`c.account_id = ${ctx.account} and c.kind = ${record.table}`, ...counted], sql` and `)})`
  return { table, matching, where, total }
}

export const orderOf = (sort: Sort): Sql => {
  const direction = sql.raw(sort.descending ? 'desc' : 'asc')
  return sql`${sort.expression} ${direction} ${isNeverNull(sort) ? sql`` : sql`nulls last`}, r.id ${direction}`
}

/** Selects the ids of a page as `key`. */
function keysOf(ctx: Ctx, record: RecordType, request: ListRequest, where: Sql): Sql {
  const { cursor, limit, offset, scans } = request
  const { sort } = request
  if (sort.custom)
    return keysByValue(ctx, sort.custom, { ...sort, table: record.table, where, limit, offset, cursor })
  // A join with the table would be planned as a walk through the whole list in its order.
  const [source, holds, ordered] = scans
    ? [sql`matching r`, sql`true`, { ...sort, expression: sql`r.sort` }]
    : [sql`${sql.table(record.table)} r`, where, sort]
  return sql`select r.id as key from ${source}
    where ${holds} ${cursor ? sql`and ${after(ordered, cursor)}` : sql``}
    order by ${orderOf(ordered)} limit ${limit} offset ${offset}`
}

/** The same as a statement by itself. */
export function pageKeys(ctx: Ctx, record: RecordType, request: ListRequest): Sql {
  const { matching, where } = sourceOf(ctx, record, request)
  return sql`${withNamed(matching)} ${keysOf(ctx, record, request, where)}`
}

/** The named selects of a statement, in front of it. */
export const withNamed = (selects: readonly Sql[]): Sql =>
  selects.length > 0 ? sql`with ${sql.join(selects)}` : sql``

/**
 * The rows of a page as the source `r` of a select, and the named selects before it. The rows of an index range are
 * selected at once: storing them for a named select would cost a fifth of the statement, and fetching each row once more
 * by its key a quarter. Where rows are skipped, the keys of the page are selected first, from an index alone.
 */
function rowsOf(
  ctx: Ctx,
  record: RecordType,
  request: ListRequest,
  { table, where }: ReturnType<typeof sourceOf>,
): { named: readonly Sql[]; from: Sql } {
  const { sort, cursor, limit, skips, scans } = request
  if (!skips && !scans && !sort.custom) {
    const rows = sql`select r.* from ${table} r where ${where} ${cursor ? sql`and ${after(sort, cursor)}` : sql``}
      order by ${orderOf(sort)} limit ${limit}`
    return { named: [], from: sql`(${rows}) r` }
  }
  const rows = sql`select r.* from (${keysOf(ctx, record, request, where)}) k
    cross join lateral (select * from ${table} t where t.account_id = ${ctx.account} and t.id = k.key offset 0) r`
  return { named: [sql`page as materialized (${rows})`], from: sql`page r` }
}

export function pageStatement(ctx: Ctx, record: RecordType, request: ListRequest): RawBuilder<ListedRow> {
  const { sort, deleted, sortValue, isBounded, beside, before = [] } = request
  const source = sourceOf(ctx, record, request)
  const rows = rowsOf(ctx, record, request, source)
  const named = [...source.matching, ...before, ...rows.named]
  return sql<ListedRow>`${withNamed(named)}
    select ${selectList(ctx, record)} ${deleted ? sql`, r.deleted_at` : sql``}
      ${sortValue ? sql`, (${sort.expression})::text as "#sort"` : sql``}, ${source.total} as "#total"
      ${isBounded ? sql`, ${isUnsure(sort)} as "#unsure"` : sql``} ${beside ?? sql``}
    from ${rows.from}
    order by ${orderOf(sort)}`
}

/** Null where no segment was read in part. */
const isUnsure = ({ expression, descending }: Sort): Sql =>
  descending
    ? sql`${expression} <= (select min(m.edge) from matching m)`
    : sql`${expression} >= (select max(m.edge) from matching m)`

/** The key of the first row of a page, as a part of its statement. */
export const firstKey = (ctx: Ctx, record: RecordType, request: ListRequest): Sql =>
  request.skips
    ? sql`select r.id from page r order by ${orderOf(request.sort)} limit 1`
    : keysOf(ctx, record, { ...request, limit: sql.raw('1') }, sourceOf(ctx, record, request).where)
