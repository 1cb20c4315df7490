/** Lists: paging, cursors, sorting, searching and filtering. */
import { type RawBuilder, sql } from 'kysely'
import { isUnstorable } from '../db/sqlstate.ts'
import { type Compiled, compiled } from './compiled.ts'
import { type Ctx, one, query } from './context.ts'
import type { CustomColumns } from './custom-column.ts'
import { customColumns, customConditions } from './custom-values.ts'
import { deepPage } from './deep-pages.ts'
import { decodeCursor, encodeCursor, sortOf, wrongCursor } from './list-order.ts'
import { conditionFilters, listsTrash } from './list-parameters.ts'
import {
  AS_JSON,
  AS_OBJECTS,
  type ListedRow,
  type ListRequest,
  type PageRows,
  pageKeys,
  pageStatement,
  type Reading,
  SORT,
  sourceOf,
  TOTAL,
  USUAL_LIMITS,
} from './list-statement.ts'
import { checkPage } from './page-budget.ts'
import type { Item, ListQuery, Page, RecordType, Stored } from './resource.ts'
import { matches, SEARCH_LIMITS, type SearchLimits, searchPath } from './text-search.ts'

type Sql = RawBuilder<unknown>

/** The SQL conditions of the request's filters, except account and trash. */
export async function conditionsOf(ctx: Ctx, record: RecordType, params: Partial<ListQuery>): Promise<Sql[]> {
  return conditionsWith(ctx, record, params, await customColumns(ctx, record, params))
}

function conditionsWith(
  ctx: Ctx,
  record: RecordType,
  params: Partial<ListQuery>,
  columns: CustomColumns,
): Sql[] {
  const conditions = customConditions(ctx, record, params, columns)
  for (const [name, filter] of Object.entries(conditionFilters(record))) {
    if (params[name] !== undefined) conditions.push(filter.where(ctx, params[name]))
  }
  const search = params.search === undefined ? undefined : matches(record, params.search)
  if (search) conditions.push(search)
  return conditions
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
  return Buffer.concat([ITEMS, rows.text, Buffer.from(`],${JSON.stringify(page).slice(1)}`)])
}

const ITEMS = Buffer.from('{"items":[')

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
  const conditions = [...conditionsWith(ctx, record, params, columns), ...further]
  const path = params.search === undefined ? undefined : await searchPath(ctx, record, params.search, limits)
  const readsInOrder = path === 'in order' && further.length === 0
  const byCursor = params.cursor !== undefined
  const request: ListRequest<number> = {
    sort,
    conditions,
    // A search that reads every text of the account does so once, for the page and for the total.
    scans: further.length > 0 || (path !== undefined && !readsInOrder),
    candidates: typeof path === 'function' ? path : undefined,
    // one more shows that there are more
    countsTo: readsInOrder ? limits.exactTotal + 1 : undefined,
    deleted: listsTrash(params),
    cursor: params.cursor ? decodeCursor(sort, params.cursor) : undefined,
    // one more than requested shows whether there is a next page
    limit: byCursor ? params.page_size + 1 : params.page_size,
    offset: byCursor ? 0 : (params.page - 1) * params.page_size,
    skips: !byCursor && params.page > 1,
  }
  await checkPage(ctx, record, () => pageKeys(ctx, record, request))
  const isPlain = conditions.length === 0 && request.cursor === undefined && sort.custom === undefined
  const page = isPlain
    ? ((await deepPage(ctx, record, request, reading)) ?? (await plainPage(ctx, record, request, reading)))
    : await reading.once(ctx, pageStatement(ctx, record, withLiterals(request))).catch(error => {
        // The database can parse every cursor value that a list has issued, so the client invented this one.
        throw params.cursor && isUnstorable(error) ? wrongCursor(params.cursor) : error
      })

  const rows = page.slice(0, params.page_size)
  const last = rows.at(-1)
  const counted = last ? last[TOTAL] : await totalOf(ctx, record, request)
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

async function totalOf(ctx: Ctx, record: RecordType, request: ListRequest): Promise<number> {
  const { matching, total } = sourceOf(ctx, record, request)
  return one(await query(ctx, sql<{ total: number }>`${matching} select ${total} as total`)).total
}

type PageArguments = { limit?: number; offset?: number }
type PageReader = Compiled<PageArguments, ListedRow>
const plainPages = new WeakMap<RecordType, Map<string, PageReader>>()

/**
 * With a limit as a parameter, PostgreSQL's plan for all values expects a page of a tenth of the list, and joins the
 * whole table: under load a search took 300 to 400 ms from its sixth execution on, and 80 to 300 before.
 */
function withLiterals(request: ListRequest<number>): ListRequest {
  const { limit, offset } = request
  return {
    ...request,
    limit: USUAL_LIMITS.includes(limit) ? sql.raw(String(limit)) : limit,
    offset: offset === 0 ? sql.raw('0') : offset,
  }
}

/**
 * A list without filters, compiled once. For the first page in a usual size the limit is a literal, so PostgreSQL can
 * reuse the plan. With the limit as a parameter it plans each time, which takes half of the statement's time.
 */
function plainPage<Rows extends PageRows<Rows>>(
  ctx: Ctx,
  record: RecordType,
  request: ListRequest<number>,
  reading: Reading<Rows>,
): Promise<Rows> {
  const { sort, deleted, limit, offset } = request
  const isUsual = offset === 0 && USUAL_LIMITS.includes(limit)
  const shape = `${sort.key} ${sort.descending} ${deleted} ${isUsual ? limit : ''}`
  const pages = plainPages.get(record) ?? new Map<string, PageReader>()
  plainPages.set(record, pages)
  let page = pages.get(shape)
  if (!page) {
    page = compiled((slots: Ctx, args: PageArguments) =>
      pageStatement(slots, record, {
        ...request,
        sort: sortOf(
          slots,
          record,
          { sort_by: sort.key, sort_order: sort.descending ? 'desc' : 'asc', deleted },
          new Map(),
        ),
        limit: args.limit ?? sql.raw(String(limit)),
        offset: args.offset ?? sql.raw('0'),
        // One statement serves every offset.
        skips: args.offset !== undefined,
      }),
    )
    pages.set(shape, page)
  }
  return reading.compiled(page)(ctx, isUsual ? {} : { limit, offset })
}
