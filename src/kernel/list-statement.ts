/** A page of a list and its total as one statement. */
import { type RawBuilder, sql } from 'kysely'
import { ABSENT_IF_NULL, besideKey } from '../db/row-shapes.ts'
import type { Ctx } from './context.ts'
import { keysByValue } from './custom-order.ts'
import { after, type Cursor, isNeverNull, type Sort } from './list-order.ts'
import type { Item, RecordType } from './resource.ts'
import type { Candidates } from './text-search.ts'

type Sql = RawBuilder<unknown>

/** The output fields as a select list; the record is `r`. A row lacks the fields of `sometimes` that are null. */
export function selectList(ctx: Ctx, record: Pick<RecordType, 'output' | 'computed'>): Sql {
  return sql.join(
    Object.keys(record.output.fields).map(name => {
      const expression = record.computed?.[name]?.(ctx)
      if (record.output.fields[name]?.json.sometimes)
        return sql`${expression ?? sql`r.${sql.ref(name)}`} as ${sql.ref(ABSENT_IF_NULL + name)}`
      return expression ? sql`${expression} as ${sql.ref(name)}` : sql`r.${sql.ref(name)}`
    }),
  )
}

/** A row of a page. */
export type ListedRow = Item & {
  id: string
  /** the sort value as text, for the cursor; absent if it is null */
  [SORT]?: string
  [TOTAL]: number
  /** only where `beside` selects it */
  [VERSION]?: string
}

// Values beside the record in a row of a page, for cursors and totals.
export const SORT: unique symbol = besideKey('sort') as never
export const TOTAL: unique symbol = besideKey('total') as never
export const VERSION: unique symbol = besideKey('version') as never

export interface ListRequest<Count = number | Sql> {
  sort: Sort
  conditions: readonly Sql[]
  /** the conditions are tested once, for the page and for the total */
  scans: boolean
  /** the only records for which the conditions can hold */
  candidates?: Candidates | undefined
  /** the limit up to which a total without an index is counted */
  countsTo?: number | undefined
  deleted: boolean
  cursor: Cursor | undefined
  limit: Count
  offset: Count
  /** further columns of each row */
  beside?: Sql
}

/** The source rows of a list and the expression for its total. */
export function sourceOf(ctx: Ctx, record: RecordType, request: ListRequest) {
  const { conditions, scans, deleted, candidates, countsTo, sort } = request
  const table = sql.table(record.table)
  const trash = deleted ? sql`r.deleted_at is not null` : sql`r.deleted_at is null`
  const visible = record.visible?.(ctx)
  const filtered = sql.join(
    [sql`r.account_id = ${ctx.account}`, trash, ...(visible ? [visible] : []), ...conditions],
    sql` and `,
  )
  const matching = scans
    ? sql`with matching as materialized (${
        candidates?.(sort.expression, filtered) ??
        sql`select r.id, ${sort.expression} as sort from ${table} r where ${filtered}`
      })`
    : sql``
  const where = scans ? sql`r.account_id = ${ctx.account} and r.id in (select id from matching)` : filtered
  const total = scans
    ? sql`(select count(*) from matching)`
    : conditions.length > 0 || visible
      ? sql`(select count(*) from (select from ${table} r where ${where} ${countsTo === undefined ? sql`` : sql`limit ${sql.raw(String(countsTo))}`}) c)`
      : sql`(select coalesce(sum(${sql.ref(deleted ? 'trashed' : 'living')}), 0)::bigint from record_counts
          where account_id = ${ctx.account} and kind = ${record.table})`
  return { table, matching, where, total }
}

const orderOf = (sort: Sort): Sql => {
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
  return sql`${matching} ${keysOf(ctx, record, request, where)}`
}

export function pageStatement(ctx: Ctx, record: RecordType, request: ListRequest): RawBuilder<ListedRow> {
  const { sort } = request
  const { table, matching, where, total } = sourceOf(ctx, record, request)
  return sql<ListedRow>`${matching} select ${selectList(ctx, record)} ${request.deleted ? sql`, r.deleted_at` : sql``}, (${sort.expression})::text as "#sort", ${total} as "#total" ${request.beside ?? sql``}
    from (${keysOf(ctx, record, request, where)}) k
    join ${table} r on r.account_id = ${ctx.account} and r.id = k.key
    order by ${orderOf(sort)}`
}
