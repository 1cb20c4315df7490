/**
 * Pages of lists with compiled statements. What a list has in common with others of its shape (order, filters, way of
 * searching) makes the statement; the values of the filters, the term and the cursor are its parameters.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Compiled, compiled } from './compiled.ts'
import type { Ctx } from './context.ts'
import type { Position } from './custom-order.ts'
import { type Sort, sortOf } from './list-order.ts'
import { conditionFilters } from './list-parameters.ts'
import { type ListedRow, type ListRequest, pageStatement, USUAL_LIMITS } from './list-statement.ts'
import type { Filter, RecordType } from './resource.ts'
import { candidates, contains, type SearchPath, type SearchValues } from './text-search.ts'

type Sql = RawBuilder<unknown>

export interface ListShape {
  sort: Sort
  /** the filters that the list uses, by their names */
  filters: readonly (readonly [string, Filter])[]
  deleted: boolean
  path: SearchPath | undefined
  /** how far a total is counted that is searched in the order of the list */
  exactTotal: number
  /** conditions that are compiled for each request */
  further: readonly Sql[]
  /** they are tested once, for the page and for the total */
  scans: boolean
  /** each row has its sort value, for a cursor */
  sortValue: boolean
}

interface ListValues<Count> {
  filters: Readonly<Record<string, unknown>>
  search: SearchValues | undefined
  cursor: Position | undefined
  limit: Count
  offset: Count
  /** whether the offset is above 0 */
  skips: boolean
}

export function requestOf<Count extends number | Sql>(
  ctx: Ctx,
  record: RecordType,
  shape: ListShape,
  { filters, search, cursor, limit, offset, skips }: ListValues<Count>,
): ListRequest<Count> {
  const { path, further } = shape
  const readsInOrder = path === 'in order' && !shape.scans
  const untilEnough = path === 'by index until enough'
  // one more shows that there are more
  const countsTo = readsInOrder || untilEnough ? shape.exactTotal + 1 : undefined
  const { descending } = shape.sort
  const counted = shape.filters.flatMap(([name, filter]) => filter.counted?.(ctx, filters[name]) ?? [])
  const areCounted = counted.length === shape.filters.length && !search && further.length === 0
  return {
    sort: shape.sort,
    conditions: [
      ...further,
      ...shape.filters.map(([name, filter]) => filter.where(ctx, filters[name])),
      ...(search ? [contains(search)] : []),
    ],
    counted: areCounted ? counted : undefined,
    // A search that reads every text of the account does so once, for the page and for the total.
    scans: shape.scans || (path !== undefined && !readsInOrder),
    candidates:
      search && (untilEnough || path === 'by index')
        ? (sort, where, after) =>
            candidates(
              ctx,
              record.table,
              search,
              sort,
              where,
              untilEnough ? { descending, matches: shape.exactTotal + 1, after } : undefined,
            )
        : undefined,
    isBounded: untilEnough,
    countsTo,
    deleted: shape.deleted,
    cursor,
    limit,
    offset,
    skips,
    sortValue: shape.sortValue,
  }
}

/**
 * With a limit as a parameter, PostgreSQL's plan for all values expects a page of a tenth of the list, and joins the
 * whole table: under load a search took 300 to 400 ms from its sixth execution on, and 80 to 300 before.
 */
export function withLiterals(request: ListRequest<number>): ListRequest {
  const { limit, offset } = request
  return {
    ...request,
    limit: USUAL_LIMITS.includes(limit) ? sql.raw(String(limit)) : limit,
    offset: offset === 0 ? sql.raw('0') : offset,
  }
}

/** The parameters of a compiled page. */
interface Arguments extends Partial<SearchValues> {
  limit?: number
  offset?: number
  /** absent where records without a sort value follow */
  after?: string
  afterId?: string
  /** the values of filters */
  [filter: `filter ${string}`]: unknown
}
type PageReader = Compiled<Arguments, ListedRow>

const readers = new WeakMap<RecordType, Map<string, PageReader>>()

/**
 * The compiled statement of a page with its parameters; undefined where the statement depends on more than its shape.
 * For a usual limit and the first page these are literals, so PostgreSQL can reuse the plan. With the limit as a
 * parameter it plans each time, which takes half of the statement's time.
 */
export function pageReader(
  record: RecordType,
  shape: ListShape,
  values: ListValues<number>,
): { statement: PageReader; values: Arguments } | undefined {
  const { sort, filters, deleted, path, exactTotal, further, sortValue } = shape
  if (further.length > 0 || sort.custom || filters.some(([, filter]) => !filter.bindsValue)) return undefined
  const ofRecord = readers.get(record) ?? new Map<string, PageReader>()
  readers.set(record, ofRecord)
  const args = argumentsOf(values)
  const literal = args.limit === undefined ? values.limit : ''
  const key = [
    sort.key,
    sort.descending,
    deleted,
    sortValue,
    literal,
    path ?? '',
    path ? exactTotal : '',
  ].join(' ')
  const statement =
    ofRecord.get(key) ??
    compiled((slots: Ctx, named: Arguments) => {
      const order = { sort_by: sort.key, sort_order: sort.descending ? 'desc' : 'asc', deleted } as const
      const own: ListShape = {
        ...shape,
        sort: sortOf(slots, record, order, new Map()),
        filters: conditionFilters(record).filter(([name]) => `filter ${name}` in named),
      }
      return pageStatement(slots, record, requestOf(slots, record, own, valuesIn(named, own, values.limit)))
    })
  ofRecord.set(key, statement)
  return { statement, values: args }
}

const argumentsOf = ({ filters, search, cursor, limit, offset }: ListValues<number>): Arguments => ({
  ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [`filter ${name}`, value])),
  ...search,
  ...(cursor ? { afterId: String(cursor.id) } : {}),
  ...(cursor && cursor.value !== null ? { after: String(cursor.value) } : {}),
  ...(USUAL_LIMITS.includes(limit) ? {} : { limit }),
  ...(offset === 0 ? {} : { offset }),
})

/** The values as the placeholders of a statement. */
const valuesIn = (
  { limit, offset, after, afterId, ...args }: Arguments,
  { filters, path }: ListShape,
  literal: number,
): ListValues<number | Sql> => ({
  filters: Object.fromEntries(filters.map(([name]) => [name, args[`filter ${name}`]])),
  search: path && args.text !== undefined ? { ...args, text: args.text } : undefined,
  cursor: afterId === undefined ? undefined : { value: after ?? null, id: afterId },
  limit: limit ?? sql.raw(String(literal)),
  offset: offset ?? sql.raw('0'),
  skips: offset !== undefined,
})
