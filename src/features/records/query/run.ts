/** Runs a query: lists, counts, sums and groups. */
import { sql } from 'kysely'
import { besideKey } from '../../../db/row-shapes.ts'
import { type Ctx, one, query as select } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import { selectList } from '../../../kernel/list-statement.ts'
import { checkPage } from '../../../kernel/page-budget.ts'
import type { RecordType, Stored } from '../../../kernel/resource.ts'
import type { Loc } from '../../../kernel/schema/index.ts'
import { hasScope } from '../../../kernel/scopes.ts'
import { compileCondition, sourceOf } from './compile.ts'
import { figures, grouped } from './figures.ts'
import { type Kind, kinds } from './kinds.ts'
import type { AskedQuery, Result, Running } from './result.ts'
import type { Measure, Order } from './spec.ts'
import { customFields, jsonOf, singleValueAt, type Value, valueAt } from './values.ts'

// Values beside the record in a row.
const FOUND: unique symbol = besideKey('found') as never
const CELLS: unique symbol = besideKey('cells') as never

export type { AskedQuery, Figure, Group, Result } from './result.ts'

export const MAX_LIMIT = 1000
export const DEFAULT_LIMIT = 50

export interface Paging {
  page: number
  page_size: number
}

/** The kind; throws if the caller may not read it. */
export function readableKind(ctx: Ctx, entity: string): Kind {
  const kind = kinds().get(entity)
  if (!kind) {
    throw errors.invalidValue(
      ['body', 'entity'],
      `there is no ${entity}; take one of ${[...kinds().keys()].join(', ')}`,
      entity,
    )
  }
  if (kind.group !== undefined && !hasScope(ctx.caller.scopes, `${kind.group}:read`)) {
    throw errors.missingScope(`${kind.group}:read`)
  }
  return kind
}

/** The same for the kind of a record type. */
export function readable(ctx: Ctx, entity: string): Kind & { record: RecordType } {
  const kind = readableKind(ctx, entity)
  const { record } = kind
  if (!record) throw errors.invalidValue(['body', 'entity'], `${entity} cannot be selected`, entity)
  return { ...kind, record }
}

export interface RunOptions {
  paging?: Paging
  /** fields of the records and of related ones, to show beside the items of a list */
  columns?: readonly string[]
  /** the path of the query and columns in the request, for errors */
  loc?: Loc
  columnsLoc?: Loc
}

export async function runQuery(
  ctx: Ctx,
  asked: AskedQuery,
  { paging, columns = [], loc = ['body'], columnsLoc = ['body', 'columns'] }: RunOptions = {},
): Promise<Result> {
  const kind = readableKind(ctx, asked.entity)
  const where =
    asked.where === undefined ? sql`true` : await compileCondition(ctx, kind, asked.where, [...loc, 'where'])
  const running: Running = {
    ctx,
    kind,
    asked,
    customOf: await customFields(ctx),
    source: sql`${sourceOf(ctx, { kind, depth: 0 }, kind.living(ctx))} where ${where}`,
    loc,
  }
  const measure = measureOf(asked.measure, loc)
  if (asked.group_by && asked.group_by.length > 0)
    return grouped(running, measure.kind === 'list' ? { kind: 'count' } : measure)
  if (asked.having)
    throw errors.invalidValue([...loc, 'having'], 'having compares groups: it needs group_by', asked.having)
  if (measure.kind !== 'list') return figures(running, measure)
  const shown = columns.map((column, i) => {
    const counted = countedBy(running, order => order.by === column)
    return valueAt(ctx, { kind, depth: 0 }, column, [...columnsLoc, i], running.customOf, counted)
  })
  return listed(running, columns, shown, paging)
}

function measureOf(
  { kind, field }: NonNullable<AskedQuery['measure']> = { kind: 'list' },
  loc: Loc,
): Measure {
  if (kind !== 'list' && kind !== 'count') {
    if (field !== undefined) return { kind, field }
    throw errors.invalid([
      { type: 'missing', loc: [...loc, 'measure', 'field'], msg: 'Field required', input: { kind } },
    ])
  }
  if (field === undefined) return { kind }
  throw errors.invalidValue([...loc, 'measure', 'field'], `${kind} takes no field`, field)
}

const NEWEST: readonly Order[] = [{ by: 'created_at', direction: 'desc' }]

/** The keys of the page in order, with their number, then the records: one statement. */
async function listed(
  running: Running,
  columns: readonly string[],
  shown: readonly Value[],
  paging: Paging | undefined,
): Promise<Result> {
  const { ctx, kind, asked, source } = running
  const { entity, limit = paging ? Number.MAX_SAFE_INTEGER : DEFAULT_LIMIT } = asked
  const { page, page_size } = paging ?? { page: 1, page_size: limit }
  const offset = (asked.offset ?? 0) + (page - 1) * page_size
  const end = (asked.offset ?? 0) + limit
  const keys = orderKeys(running)
  const ordering = sql.join([
    ...keys.map(({ direction }, i) => sql`${sql.ref(`k${i}`)} ${sql.raw(direction)} nulls last`),
    sql`id ${sql.raw(keys.at(-1)?.direction ?? 'desc')}`,
  ])
  const cells = shown.length === 0 ? sql`null::json` : sql`json_build_array(${sql.join(shown.map(jsonOf))})`
  const pageKeys = sql`select r.id, ${sql.join(keys.map(({ value }, i) => sql`${value} as ${sql.ref(`k${i}`)}`))},
      ${cells} as cells, count(*) over () as found
    from ${source} order by ${ordering}
    limit ${Math.max(0, Math.min(page_size, end - offset))} offset ${offset}`
  if (kind.record) await checkPage(ctx, kind.record, () => sql`select x.id as key from (${pageKeys}) x`)
  const items = await select(
    ctx,
    sql<Stored & { [FOUND]: number; [CELLS]?: unknown[] }>`with k as (${pageKeys}),
      n as (select row_number() over (order by ${ordering}) as place, id, cells, found from k)
      select ${selectList(ctx, kind.shown)}, n.found as "#found", n.cells as "#cells"
      from n join ${kind.living(ctx)} r on r.id = n.id order by n.place`,
  )
  const total = items[0]?.[FOUND] ?? (await countOf(running))
  if (columns.length === 0) return { entity, total, items }
  const rows = items.map(({ [CELLS]: values }) =>
    Object.fromEntries(columns.map((name, i) => [name, values?.[i]])),
  )
  return { entity, total, items, cells: rows }
}

async function countOf({ ctx, source }: Running): Promise<number> {
  return one(await select(ctx, sql<{ count: number }>`select count(*) as count from ${source}`)).count
}

/** The conditions on the records that an order counts. */
function countedBy(
  { asked: { order = [] }, loc }: Running,
  isIt: (order: { by: string }, i: number) => boolean,
) {
  const at = order.findIndex(isIt)
  const where = order[at]?.where
  return where === undefined ? undefined : { where, loc: [...loc, 'order', at, 'where'] }
}

function orderKeys(running: Running) {
  const { ctx, kind, asked, customOf, loc } = running
  const order = asked.order && asked.order.length > 0 ? asked.order : NEWEST
  return order.map(({ by, direction = 'asc' }, i) => {
    const at = { kind, depth: 0 }
    const counted = countedBy(running, (_, own) => own === i)
    const { expression, type } = singleValueAt(ctx, at, by, [...loc, 'order', i, 'by'], customOf, counted)
    // the same order as lists: byte order without case
    return { value: type === 'text' ? sql`lower((${expression}) collate "C")` : expression, direction }
  })
}
