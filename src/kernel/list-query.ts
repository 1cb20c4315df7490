/** Lists: paging, cursors, sorting, searching and filtering. */
import { type RawBuilder, sql } from 'kysely'
import { isUnstorable } from '../db/sqlstate.ts'
import { type Ctx, one, query } from './context.ts'
import { customColumns, customConditions } from './custom-values.ts'
import { deepPage } from './deep-pages.ts'
import { type ListShape, pageReader, requestOf, withLiterals } from './list-compiled.ts'
import { decodeCursor, encodeCursor, sortOf, wrongCursor } from './list-order.ts'
import { conditionFilters, listsTrash } from './list-parameters.ts'
import {
  AS_JSON,
  AS_OBJECTS,
  type ListRequest,
  type PageRows,
  pageKeys,
  pageStatement,
  type Reading,
  SORT,
  sourceOf,
  TOTAL,
  UNSURE,
  withNamed,
} from './list-statement.ts'
import { checkPage } from './page-budget.ts'
import type { Filter, Item, ListQuery, Page, RecordType, Stored } from './resource.ts'
import { matches, SEARCH_LIMITS, type SearchLimits, type SearchPath, searchOf } from './text-search.ts'

type Sql = RawBuilder<unknown>

/** The filters that the request uses. */
const filtersIn = (record: RecordType, params: Partial<ListQuery>): readonly (readonly [string, Filter])[] =>
  conditionFilters(record).filter(([name]) => params[name] !== undefined)

/** The SQL conditions of the request's filters, except account and trash. */
export async function conditionsOf(ctx: Ctx, record: RecordType, params: Partial<ListQuery>): Promise<Sql[]> {
  const search = params.search === undefined ? undefined : matches(record, params.search)
  return [
    ...customConditions(ctx, record, params, await customColumns(ctx, record, params)),
    ...filtersIn(record, params).map(([name, filter]) => filter.where(ctx, params[name])),
    ...(search ? [search] : []),
  ]
}

/**
 * One statement per page. The inner select reads only the page's keys from an index, so a high page number does not
 * fetch the rows that it skips. The total of a list without filters is read from `record_counts` instead of being
 * counted.
 */
export async function listRecords<Out extends Stored>(
  ctx: Ctx,
  record: RecordType<Item, Out>,
  params: ListQuery,
  further: readonly Sql[] = [],
  limits: SearchLimits = SEARCH_LIMITS,
): Promise<Page<Out>> {
  const { rows, ...page } = await readPage(ctx, record, params, AS_OBJECTS, further, limits)
  // The statement selects the fields of the output schema, so a row is the record.
  return { items: rows as Item[] as Out[], ...page }
}

/** The JSON text of the same page. */
export async function listJson(ctx: Ctx, record: RecordType, params: ListQuery): Promise<Buffer> {
  const { rows, ...page } = await readPage(ctx, record, params, AS_JSON)
  return rows.enclosed('{"items":[', `],${JSON.stringify(page).slice(1)}`)
}

async function readPage<Rows extends PageRows<Rows>>(
  ctx: Ctx,
  record: RecordType,
  params: ListQuery,
  reading: Reading<Rows>,
  further: readonly Sql[] = [],
  limits: SearchLimits = SEARCH_LIMITS,
): Promise<Omit<Page<never>, 'items'> & { rows: Rows }> {
  const columns = await customColumns(ctx, record, params)
  const sort = sortOf(ctx, record, params, columns)
  const filters = filtersIn(record, params)
  const byCursor = params.cursor !== undefined
  const values = {
    filters: Object.fromEntries(filters.map(([name]) => [name, params[name]])),
    cursor: params.cursor ? decodeCursor(sort, params.cursor) : undefined,
    // one more than requested shows whether there is a next page
    limit: byCursor ? params.page_size + 1 : params.page_size,
    offset: byCursor ? 0 : (params.page - 1) * params.page_size,
    skips: !byCursor && params.page > 1,
  }
  const conditions = [...customConditions(ctx, record, params, columns), ...further]
  // Pages behind most of what is counted are read in another way.
  const isCreation =
    sort.key === 'created_at' &&
    !listsTrash(params) &&
    conditions.length === 0 &&
    values.offset + values.limit <= limits.exactTotal / 2
  const order = isCreation ? { descending: sort.descending, isFiltered: filters.length > 0 } : undefined
  const search =
    params.search === undefined ? undefined : await searchOf(ctx, record, params.search, limits, order)

  const readBy = async (path: SearchPath | undefined) => {
    const shape: ListShape = {
      sort,
      filters,
      deleted: listsTrash(params),
      path,
      exactTotal: limits.exactTotal,
      further: conditions,
      scans: further.length > 0,
      sortValue: byCursor,
    }
    const shaped = { ...values, search: search?.values }
    const request: ListRequest<number> = requestOf(ctx, record, shape, shaped)
    await checkPage(ctx, record, () => pageKeys(ctx, record, request))
    const isPlain = request.conditions.length === 0 && request.cursor === undefined
    const read = pageReader(record, shape, shaped)
    const page =
      (isPlain && !sort.custom ? await deepPage(ctx, record, request, reading) : undefined) ??
      (await (read
        ? reading.compiled(read.statement)(ctx, read.values)
        : reading.once(ctx, pageStatement(ctx, record, withLiterals(request)))
      ).catch(error => {
        // The database can parse every cursor value that a list has issued, so the client invented this one.
        throw params.cursor && isUnstorable(error) ? wrongCursor(params.cursor) : error
      }))
    return { request, page }
  }
  const first = await readBy(search?.path)
  const { request, page } = search && isUnsure(first) ? await readBy(search.otherwise) : first

  const rows = page.slice(0, params.page_size)
  const last = rows.at(-1)
  const isEmpty = !last && request.offset === 0 && request.cursor === undefined
  const counted = last ? last[TOTAL] : isEmpty ? 0 : await totalOf(ctx, record, request)
  const isExact = request.countsTo === undefined || counted < request.countsTo
  const count = isExact ? counted : limits.exactTotal
  const next =
    last && page.length > params.page_size
      ? encodeCursor(sort, { value: last[SORT] ?? null, id: last.id })
      : null
  return {
    rows,
    total: count,
    page: params.page,
    page_size: params.page_size,
    total_pages: Math.ceil(count / params.page_size),
    ...(isExact ? {} : { total_is_exact: false as const }),
    ...(byCursor ? { next_cursor: next } : {}),
  }
}

/**
 * Whether a bounded search may have left out records of the page: it ended in a segment that may have records before the
 * last of them, such as records that were imported with the times of another system.
 */
function isUnsure<Rows extends PageRows<Rows>>({
  request,
  page,
}: {
  request: ListRequest<number>
  page: Rows
}): boolean {
  const last = page.at(-1)
  if (!last || !request.isBounded || request.countsTo === undefined) return false
  return page.length === request.limit && last[TOTAL] >= request.countsTo && last[UNSURE] === true
}

async function totalOf(ctx: Ctx, record: RecordType, request: ListRequest): Promise<number> {
  const { matching, total } = sourceOf(ctx, record, request)
  return one(await query(ctx, sql<{ total: number }>`${withNamed(matching)} select ${total} as total`)).total
}
