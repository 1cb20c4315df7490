/** Activities within a time range, in the order of time. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, one, query } from '../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { customFilters, pageOf } from '../../kernel/general-endpoints.ts'
import { listParameters, TRASH_PARAMETERS } from '../../kernel/list-parameters.ts'
import { conditionsOf } from '../../kernel/list-query.ts'
import { selectList } from '../../kernel/list-statement.ts'
import { asPage } from '../../kernel/page.ts'
import { checkPage } from '../../kernel/page-budget.ts'
import type { Item, ListQuery, Page, RecordType, Stored } from '../../kernel/resource.ts'
import { combined, datetime, object, without } from '../../kernel/schema/index.ts'
import { living } from '../../kernel/statements.ts'
import { until } from './filters.ts'

type Sql = RawBuilder<unknown>

const MAX_DAYS = 366
const DAY_MS = 86_400_000

/**
 * Each condition is a range of an index: activities that begin in the time range or on the day before it, those that are
 * longer than a day and overlap it, and those that are due in it. A day without a time counts as a whole day.
 */
function fallsInto(from: string, to: string): Sql {
  const endOfLastDay = `${to.slice(0, 10)}T23:59:59.999Z`
  return sql`(
    (r.begins_at between ${from}::timestamptz - interval '24 hours' and ${to}::timestamptz
      and (r.begins_at >= ${from}::timestamptz or r.end_at > ${from}::timestamptz))
    or (r.long_until > ${from}::timestamptz and r.start_at < ${from}::timestamptz)
    or (r.falls_due_at between ${from}::timestamptz and ${endOfLastDay}::timestamptz
      and (r.due_at is null or r.due_at <= ${to}::timestamptz)))`
}

/** The position in the calendar: the start, else the due date, else the end. */
const shownAt = sql`coalesce(r.start_at, r.due_at, r.due_date::timestamp at time zone 'UTC', r.end_at)`

function checkSpan(from: string, to: string): void {
  if (to < from) throw errors.invalidValue(['query', 'to'], 'to must not be before from', to)
  if (Date.parse(to) - Date.parse(from) > MAX_DAYS * DAY_MS)
    throw errors.invalidValue(['query', 'to'], `from and to are at most ${MAX_DAYS} days apart`, to)
}

async function calendar<Out extends Stored>(
  ctx: Ctx,
  record: RecordType<Item, Out>,
  params: ListQuery & { from: string; to: string },
): Promise<Page<Out>> {
  const { from, to, page, page_size } = params
  checkSpan(from, to)
  const where = sql.join([fallsInto(from, to), ...(await conditionsOf(ctx, record, params))], sql` and `)
  const counted = await query(
    ctx,
    sql<{ total: number }>`select count(*) as total from ${living(ctx, record.table)} r where ${where}`,
  )
  const { total } = one(counted)
  const shown = sql`from ${living(ctx, record.table)} r where ${where}
    order by ${shownAt}, r.id limit ${page_size} offset ${(page - 1) * page_size}`
  await checkPage(ctx, record, () => sql`select r.id as key ${shown}`)
  const items = await query(ctx, sql<Out>`select ${selectList(ctx, record)} ${shown}`)
  return asPage(items, total, page, page_size)
}

/** The calendar has its own order and shows only living records. */
const NOT_TAKEN = ['sort_by', 'sort_order', 'cursor', ...TRASH_PARAMETERS]

export function calendarEndpoint(record: RecordType): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/api/activities/calendar',
    tag: 'Activities',
    permission: 'activities:read',
    summary: 'List the activities in a period',
    description: `By start and end, due time or due day; from and to are both included and at most ${MAX_DAYS} days apart.`,
    query: combined(
      object({ from: datetime({ description: 'Included' }), to: until }),
      without(listParameters(record), NOT_TAKEN),
    ),
    customFilters: true,
    response: pageOf({ record }),
    run: (ctx, request) => calendar(ctx, record, { ...customFilters(request), ...request.query }),
  })
}
