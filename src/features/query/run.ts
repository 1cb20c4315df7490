/** Runs a query: lists, counts, sums and groups, each with one statement for the figure. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, one, query as select } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { listRecords } from '../../kernel/list-query.ts'
import type { Item, RecordType } from '../../kernel/resource.ts'
import type { Loc } from '../../kernel/schema/index.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { living, rows } from '../../kernel/statements.ts'
import { compileCondition, operandOf, relationOf } from './compile.ts'
import type { Kind, Kinds, Operand } from './relations.ts'
import type { GroupKey, Measure, Query } from './spec.ts'

type Sql = RawBuilder<unknown>

export const MAX_LIMIT = 1000
const DEFAULT_LIMIT = 50

/** A figure. Money of several currencies is not added up: each currency has a figure of its own. */
export interface Figure {
  value: number | null
  currency: string | null
  count: number
}

export interface Group extends Figure {
  key: (string | number | boolean | null)[]
}

export interface Result {
  entity: string
  /** how many records fulfil the conditions */
  total: number
  items?: Item[]
  figures?: Figure[]
  groups?: Group[]
}

/** The kind of a record type, which the caller may read. */
export function readable(ctx: Ctx, kinds: Kinds, entity: string): Kind & { record: RecordType } {
  const kind = kinds.get(entity)
  const { record } = kind ?? {}
  if (!kind || !record) {
    const known = [...kinds.values()].filter(one => one.record?.entityType).map(one => one.entity)
    throw errors.invalidValue(
      ['body', 'entity'],
      `there is no ${entity}; take one of ${known.join(', ')}`,
      entity,
    )
  }
  if (kind.group !== undefined && !hasScope(ctx.caller.scopes, `${kind.group}:read`)) {
    throw errors.missingScope(`${kind.group}:read`)
  }
  return { ...kind, record }
}

/** A query as a client sends it: its conditions are checked when they are compiled. */
export type AskedQuery = Omit<Query, 'where' | 'measure'> & {
  where?: unknown
  measure?: { kind: Measure['kind']; field?: string }
}

export async function runQuery(ctx: Ctx, kinds: Kinds, asked: AskedQuery): Promise<Result> {
  const kind = readable(ctx, kinds, asked.entity)
  const where = asked.where === undefined ? sql`true` : await compileCondition(ctx, kind, asked.where)
  const visible = kind.record.visible ? sql`and ${kind.record.visible(ctx)}` : sql``
  const source = sql`${living(ctx, kind.record.table)} r where ${where} ${visible}`
  const measure = measureOf(asked.measure)
  if (asked.group_by && asked.group_by.length > 0) return grouped(ctx, kind, source, measure, asked)
  if (asked.having)
    throw errors.invalidValue(['body', 'having'], 'having compares groups: it needs group_by', asked.having)
  return measure.kind === 'list' ? listed(ctx, kind, source, asked) : figures(ctx, kind, source, measure)
}

function measureOf({ kind, field }: NonNullable<AskedQuery['measure']> = { kind: 'list' }): Measure {
  if (kind !== 'list' && kind !== 'count') {
    if (field !== undefined) return { kind, field }
    throw errors.invalid([
      { type: 'missing', loc: ['body', 'measure', 'field'], msg: 'Field required', input: { kind } },
    ])
  }
  if (field === undefined) return { kind }
  throw errors.invalidValue(['body', 'measure', 'field'], `${kind} takes no field`, field)
}

async function listed(
  ctx: Ctx,
  kind: Kind & { record: RecordType },
  source: Sql,
  { entity, order = [], limit = DEFAULT_LIMIT }: AskedQuery,
): Promise<Result> {
  const by = order.map(({ by: field, direction }, i) => {
    const { expression } = valueAt(ctx, kind, { field }, ['body', 'order', i, 'by'])
    return sql`${expression} ${sql.raw(direction === 'desc' ? 'desc' : 'asc')} nulls last`
  })
  const found = await select(
    ctx,
    sql<{ id: string; total: number }>`select r.id, count(*) over () as total from ${source}
      order by ${sql.join([...by, sql`r.created_at desc`, sql`r.id`])} limit ${limit}`,
  )
  const ids = found.map(({ id }) => id)
  const total =
    found[0]?.total ?? (limit === 0 ? (await figures(ctx, kind, source, { kind: 'count' })).total : 0)
  if (ids.length === 0) return { entity, total, items: [] }
  const page = await listRecords(ctx, kind.record, { page: 1, page_size: ids.length, ids })
  const byId = new Map(page.items.map(item => [item.id as string, item]))
  return { entity, total, items: ids.flatMap(id => byId.get(id) ?? []) }
}

async function figures(ctx: Ctx, kind: Kind, source: Sql, measure: Measure): Promise<Result> {
  const { value, currency } = aggregate(ctx, kind, measure)
  const found = await select(
    ctx,
    sql<Figure>`select ${value} as value, ${currency} as currency, count(*) as count
      from ${source} group by 2 order by 1 desc nulls last`,
  )
  const total = found.reduce((sum, { count }) => sum + Number(count), 0)
  const empty: Figure = {
    value: measure.kind === 'count' || measure.kind === 'sum' ? 0 : null,
    currency: null,
    count: 0,
  }
  const filled = found.filter(figure => figure.value !== null)
  return { entity: kind.entity, total, figures: filled.length > 0 ? filled : [empty] }
}

const MAX_KEYS = 3

async function grouped(
  ctx: Ctx,
  kind: Kind,
  source: Sql,
  measure: Measure,
  asked: AskedQuery,
): Promise<Result> {
  const { group_by = [], having, order = [], limit = DEFAULT_LIMIT } = asked
  if (group_by.length > MAX_KEYS) {
    throw errors.invalidValue(['body', 'group_by'], `a query groups by at most ${MAX_KEYS} fields`, null)
  }
  const keys = group_by.map((key, i) => valueAt(ctx, kind, key, ['body', 'group_by', i, 'field']).expression)
  const { value, currency } = aggregate(ctx, kind, measure.kind === 'list' ? { kind: 'count' } : measure)
  const columns = keys.map((key, i) => sql`${key} as ${sql.ref(`k${i}`)}`)
  const names = group_by.map(key => key.field)
  const by = order.map(({ by: field, direction }, i) => {
    const at = field === 'measure' ? sql`value` : sql.ref(`k${names.indexOf(field)}`)
    if (field !== 'measure' && !names.includes(field)) {
      throw errors.invalidValue(
        ['body', 'order', i, 'by'],
        `groups are sorted by measure or ${names.join(', ')}`,
        field,
      )
    }
    return sql`${at} ${sql.raw(direction === 'desc' ? 'desc' : 'asc')} nulls last`
  })
  const usual = group_by.some(({ bucket }) => bucket) ? sql`k0` : sql`value desc nulls last, k0`
  const compared = having ? sql`where value ${sql.raw(COMPARED[having.op])} ${having.value}` : sql``
  const found = await select(
    ctx,
    sql<Figure & Record<string, unknown>>`select * from (select ${sql.join(columns)}, ${value} as value,
        ${currency} as currency, count(*) as count
        from ${source} group by ${sql.join(keys.map((_, i) => sql.raw(String(i + 1))))}, ${sql.raw(String(keys.length + 2))}) g
      ${compared} order by ${by.length > 0 ? sql.join(by) : usual} limit ${limit}`,
  )
  const { total } = one(await select(ctx, sql<{ total: number }>`select count(*) as total from ${source}`))
  const groups = found.map(row => ({
    key: keys.map((_, i) => shownKey(row[`k${i}`])),
    value: row.value,
    currency: row.currency,
    count: row.count,
  }))
  return { entity: kind.entity, total, groups }
}

const COMPARED = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

const shownKey = (value: unknown): Group['key'][number] =>
  value === null || value === undefined
    ? null
    : typeof value === 'number' || typeof value === 'boolean'
      ? value
      : String(value)

/** The figure of a measure, and what it is counted apart by: amounts of deals are in a currency. */
function aggregate(ctx: Ctx, kind: Kind, measure: Measure): { value: Sql; currency: Sql } {
  const none = sql`null::text`
  if (!('field' in measure)) return { value: sql`count(*)::float8`, currency: none }
  const { expression, type } = valueAt(ctx, kind, measure, ['body', 'measure', 'field'])
  const number = type === 'jsonb' ? customNumber(expression) : expression
  if (type !== 'numeric' && type !== 'jsonb') {
    throw errors.invalidValue(['body', 'measure', 'field'], `${measure.field} is not a number`, measure.field)
  }
  const isAmount =
    kind.entity === 'deal' && (measure.field === 'amount' || measure.field === 'weighted_amount')
  const value =
    measure.kind === 'median'
      ? sql`percentile_cont(0.5) within group (order by (${number})::float8)`
      : sql`${sql.raw(measure.kind)}(${number})::float8`
  return { value, currency: isAmount ? sql`r.currency` : none }
}

const customNumber = (value: Sql): Sql =>
  sql`(case when jsonb_typeof(${value}) = 'number' then (${value})::numeric end)`

/** A field of the record, or of a single related record (`company.country`), or the calendar unit of a date. */
function valueAt(ctx: Ctx, kind: Kind, { field, bucket }: GroupKey, loc: Loc): Operand {
  const [step = '', ...rest] = field.split('.')
  const operand =
    rest.length > 0 && step !== 'cf'
      ? throughOne(ctx, kind, step, rest, loc)
      : operandOf(ctx, kind, field, loc)
  if (bucket === undefined) return operand
  if (operand.type !== 'timestamptz' && operand.type !== 'date') {
    throw errors.invalidValue(loc, `${field} is not a date, so it has no ${bucket}`, field)
  }
  const instant =
    operand.type === 'date'
      ? sql`${operand.expression}::timestamp`
      : sql`(${operand.expression} at time zone 'UTC')`
  return { type: 'text', expression: sql`to_char(date_trunc(${sql.lit(bucket)}, ${instant}), 'YYYY-MM-DD')` }
}

/** A scalar select. Fields are written in terms of `r`, so the related record is `r` inside and the outer one outside. */
function throughOne(ctx: Ctx, kind: Kind, step: string, rest: readonly string[], loc: Loc): Operand {
  const { relation, to } = relationOf(ctx, kind, step, loc, 0)
  if (!relation.isSingle || rest.length !== 1) {
    throw errors.invalidValue(
      loc,
      `a query groups and sorts by fields of single related records, not by ${step}.${rest.join('.')}`,
      step,
    )
  }
  const operand = operandOf(ctx, to, rest[0] ?? '', loc)
  return {
    type: operand.type,
    expression: sql`(select v.value from (select r.id as key, ${operand.expression} as value
      from ${source(ctx, to)} r) v where v.key = ${relation.own(ctx)})`,
  }
}

/** Of members only what colleagues may see. */
const source = (ctx: Ctx, kind: Kind): Sql =>
  kind.record
    ? living(ctx, kind.record.table)
    : sql`(select u.id, u.name, u.email from users u where u.id in (select m.user_id from ${rows(ctx, 'members')} m))`
