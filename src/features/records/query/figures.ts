/** Counts, sums, averages, minima and maxima of the matching records or of groups of them. */
import { type RawBuilder, sql } from 'kysely'
import { query as select } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import type { Loc } from '../../../kernel/schema/index.ts'
import { declarationOf, kindNames } from '../../../resources/kinds.ts'
import type { Figure, Group, Result, Running } from './result.ts'
import type { Measure } from './spec.ts'
import { bucketOf, singleValueAt, valueAt } from './values.ts'

type Sql = RawBuilder<unknown>
type Counted = Exclude<Measure, { kind: 'list' }>

/** The measured expression, and the currency if it is money. */
interface Column {
  value: Sql
  currency: Sql
  type: string
}

const NO_CURRENCY = sql`null::text`
const CURRENCIES: Readonly<Record<string, string>> = Object.fromEntries(
  kindNames.flatMap(name => (declarationOf(name).money ?? []).map(field => [`${name}.${field}`, 'currency'])),
)

function columnOf({ ctx, kind, loc, customOf }: Running, measure: Counted): Column {
  if (measure.kind === 'count') return { value: sql`1`, currency: NO_CURRENCY, type: 'numeric' }
  const at = { kind, depth: 0 }
  const { field } = measure
  const fieldLoc: Loc = [...loc, 'measure', 'field']
  const value = singleValueAt(ctx, at, field, fieldLoc, customOf)
  const number = value.type === 'jsonb' ? customNumber(value.expression) : value.expression
  const isEnd = measure.kind === 'min' || measure.kind === 'max'
  const fits = ['numeric', 'jsonb', ...(isEnd ? ['date', 'timestamptz'] : [])].includes(value.type)
  if (!fits)
    throw errors.invalidValue(fieldLoc, `${field} is not a number${isEnd ? ' or a date' : ''}`, field)
  const currency = CURRENCIES[`${value.kind.entity}.${value.field}`]
  const path = field.slice(0, field.length - value.field.length) + currency
  return {
    value: number,
    currency: currency ? singleValueAt(ctx, at, path, fieldLoc, customOf).expression : NO_CURRENCY,
    type: value.type,
  }
}

const customNumber = (value: Sql): Sql =>
  sql`(case when jsonb_typeof(${value}) = 'number' then (${value})::numeric end)`

function aggregate({ kind }: Counted, { type }: Column): Sql {
  if (kind === 'count') return sql`count(*)`
  if (kind === 'median') return sql`percentile_cont(0.5) within group (order by x::float8)`
  return type === 'numeric' || type === 'jsonb'
    ? sql`${sql.raw(kind)}(x)::float8`
    : sql`to_json(${sql.raw(kind)}(x)) #>> '{}'`
}

/** Records without a value are not part of the figure but are part of the total. */
export async function figures(running: Running, measure: Counted): Promise<Result> {
  const { ctx, kind, source } = running
  const column = columnOf(running, measure)
  const figureRows = await select(
    ctx,
    sql<
      Figure & { total: number }
    >`with m as (select ${column.value} as x, ${column.currency} as c from ${source})
      select ${aggregate(measure, column)} as value, c as currency, count(*) as count,
        (select count(*) from m) as total
      from m where x is not null group by c
      union all select null, null, 0, (select count(*) from m) where not exists (select from m where x is not null)
      order by 3 desc, 2`,
  )
  const total = figureRows[0]?.total ?? 0
  const empty = measure.kind === 'count' || measure.kind === 'sum' ? 0 : null
  const all = figureRows.map(({ total: _, ...figure }) =>
    figure.count === 0 ? { ...figure, value: empty } : figure,
  )
  return { entity: kind.entity, total, figures: all }
}

const MAX_KEYS = 3
const COMPARED = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** A record with several values is in several groups; a record without a value is in the group of the empty value. */
export async function grouped(running: Running, measure: Counted): Promise<Result> {
  const { ctx, kind, asked, customOf, source, loc } = running
  const { group_by = [], having, limit = 50, offset = 0 } = asked
  if (group_by.length > MAX_KEYS) {
    throw errors.invalidValue([...loc, 'group_by'], `a query groups by at most ${MAX_KEYS} fields`, null)
  }
  const keys = group_by.map(({ field, bucket }, i) => {
    const fieldLoc: Loc = [...loc, 'group_by', i, 'field']
    const value = valueAt(ctx, { kind, depth: 0 }, field, fieldLoc, customOf)
    return bucket ? bucketOf(value, bucket, fieldLoc) : value
  })
  const column = columnOf(running, measure)
  if (having && column.type !== 'numeric' && column.type !== 'jsonb')
    throw errors.invalidValue(
      [...loc, 'having'],
      'having compares numbers, and this measure is a date',
      having,
    )
  const name = (i: number) => sql.ref(`k${i}`)
  const own = keys.map(({ expression }, i) => sql`, ${expression} as ${name(i)}`)
  const spread = keys.map(({ isList }, i) =>
    isList ? sql` left join lateral unnest(m.${name(i)}) as ${sql.ref(`u${i}`)} (v) on true` : sql``,
  )
  const shown = keys.map(({ isList }, i) => (isList ? sql`${sql.ref(`u${i}`)}.v` : sql`m.${name(i)}`))
  const value = aggregate(measure, column)
  const groupRows = await select(
    ctx,
    sql<Figure & Record<string, unknown>>`with m as materialized (
        select ${column.value} as x, ${column.currency} as c ${sql.join(own, sql``)} from ${source}),
      g as (select ${sql.join(shown.map((key, i) => sql`${key} as ${name(i)}`))}, c as currency,
        ${value} as value, count(*) as count
        from m ${sql.join(spread, sql``)} where x is not null group by ${sql.join(shown)}, c)
      select g.*, t.total from (select count(*) as total from m) t
      left join (select * from g ${having ? sql`where value ${sql.raw(COMPARED[having.op])} ${having.value}` : sql``}
        order by ${ordering(
          running,
          keys.map(({ type }) => type),
        )} limit ${limit + 1} offset ${offset}) g on true`,
  )
  const total = Number(groupRows[0]?.total ?? 0)
  const groups = groupRows
    .filter(row => row.count !== null)
    .slice(0, limit)
    .map(
      (row): Group => ({
        key: keys.map((_, i) => shownKey(row[`k${i}`])),
        value: row.value,
        currency: row.currency,
        count: row.count,
      }),
    )
  return { entity: kind.entity, total, groups, has_more: groupRows.length > limit }
}

/**
 * The requested order. By default calendar units are sorted by time and other groups by their figure, largest first.
 */
function ordering({ asked, loc }: Running, types: readonly string[]): Sql {
  const { group_by = [], order = [] } = asked
  const names = group_by.map(key => key.field)
  // byte order is the same on every server
  const key = (i: number) => (types[i] === 'text' ? sql`${sql.ref(`k${i}`)} collate "C"` : sql.ref(`k${i}`))
  const by = order.map(({ by: field, direction = 'asc', where }, i) => {
    if (where !== undefined)
      throw errors.invalidValue([...loc, 'order', i, 'where'], 'groups are sorted without conditions', where)
    const at = names.indexOf(field)
    if (field !== 'measure' && at < 0) {
      throw errors.invalidValue(
        [...loc, 'order', i, 'by'],
        `groups are sorted by measure or ${names.join(', ')}`,
        field,
      )
    }
    return sql`${field === 'measure' ? sql`value` : key(at)} ${sql.raw(direction)} nulls last`
  })
  const keys = names.map((_, i) => sql`${key(i)} nulls last`)
  const isByTime = group_by.some(({ bucket }) => bucket)
  const usual = by.length === 0 && !isByTime ? [sql`value desc nulls last`] : []
  return sql.join([...by, ...usual, ...keys, sql`currency`])
}

const shownKey = (value: unknown): Group['key'][number] =>
  value === null || value === undefined
    ? null
    : typeof value === 'number' || typeof value === 'boolean'
      ? value
      : String(value)
