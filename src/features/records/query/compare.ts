/** Compiles one comparison of a field with a value. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import { fold } from '../../../kernel/fold.ts'
import { lookup } from '../../../kernel/lookup.ts'
import {
  boolean,
  date,
  datetime,
  type Issue,
  type Loc,
  list,
  number,
  type Schema,
  text,
  uuid,
} from '../../../kernel/schema/index.ts'
import { COMPARISONS } from './spec.ts'

type Sql = RawBuilder<unknown>

/** Longer texts are refused, because the text is compared with every record. */
const comparedText = text({ max: 1000 })

const VALUES = lookup<Schema<unknown>>({
  text: comparedText,
  uuid: uuid(),
  numeric: number(),
  boolean: boolean(),
  timestamptz: datetime(),
  date: date(),
  'text[]': comparedText,
})

const ORDER = lookup<string>({ gt: '>', gte: '>=', lt: '<', lte: '<=' })

export function compare(x: Sql, type: string, condition: Record<string, unknown>, loc: Loc): Sql {
  const { op: asked = 'eq' } = condition
  const op = typeof asked === 'string' ? asked : ''
  const value = checked(type, op, condition.value, [...loc, 'value'], condition.field !== undefined)
  if (op === 'is_null') return value === false ? sql`(${x}) is not null` : sql`(${x}) is null`
  const isAny = type === 'text[]' || type === 'jsonb'
  const compared = isAny ? compareAny(x, type, op, value) : compareOne(x, type, op, value)
  if (compared) return compared
  throw errors.invalidValue(
    [...loc, 'op'],
    `${String(asked)} does not fit this field; operators are ${COMPARISONS.join(', ')}`,
    asked,
  )
}

function compareOne(x: Sql, type: string, op: string, value: unknown): Sql | undefined {
  const stored = (v: unknown) => (type === 'jsonb' ? JSON.stringify(v) : v)
  const one = (v: unknown): Sql => sql`${stored(v)}::${sql.raw(type)}`
  // One parameter for any number of values: a statement can have 65,535 parameters.
  const all = (values: unknown[]): Sql => sql`${values.map(stored)}::${sql.raw(type)}[]`
  if (op === 'eq') return sql`${x} = ${one(value)}`
  if (op === 'ne') return sql`${x} is distinct from ${one(value)}`
  if (op === 'in') return sql`${x} = any(${all(listed(value))})`
  if (op === 'not_in') return sql`coalesce(${x} <> all(${all(listed(value))}), true)`
  const order = ORDER[op]
  if (order) return sql`${x} ${sql.raw(order)} ${one(value)}`
  if (op === 'between') {
    const [low, high] = listed(value)
    return sql`${x} between ${one(low)} and ${one(high)}`
  }
  return type === 'text' ? compareText(x, op, String(value)) : undefined
}

/** `in`, `not_in` and `between` take lists; `checked` has refused any other value. */
const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** Ignores case and accents. */
function compareText(x: Sql, op: string, value: string): Sql | undefined {
  const part = fold(value)
  if (op === 'contains') return sql`strpos(fold(${x}), ${part}) > 0`
  if (op === 'starts_with') return sql`starts_with(fold(${x}), ${part})`
  if (op === 'ends_with') return sql`right(fold(${x}), length(${part}::text)) = ${part}::text`
  return undefined
}

/** A list has none of the values if it does not have one of them. */
const OPPOSITES = lookup<string>({ ne: 'eq', not_in: 'in' })

/** A list, or a custom field with one value or several, of which at least one fulfils the comparison. */
function compareAny(x: Sql, type: string, op: string, value: unknown): Sql | undefined {
  const opposite = OPPOSITES[op]
  if (opposite !== undefined) return sql`(not ${compareAny(x, type, opposite, value)})`
  return type === 'jsonb' ? compareJson(x, op, value) : compareNames(x, op, value)
}

/** Ignores case. */
function compareNames(x: Sql, op: string, value: unknown): Sql | undefined {
  if (!['eq', 'contains', 'in'].includes(op)) return undefined
  const names = listed(value).map(one => fold(String(one)))
  return sql`exists (select from unnest(${x}) c where fold(c) = any(${names}::text[]))`
}

function compareJson(x: Sql, op: string, value: unknown): Sql | undefined {
  const compared = compareOne(sql`e`, 'jsonb', op, value) ?? compareText(sql`(e #>> '{}')`, op, String(value))
  // the order of jsonb values of different types is meaningless
  const isOrdered = ORDER[op] !== undefined || op === 'between'
  const ofType = isOrdered ? sql`jsonb_typeof(e) = ${typeof listed(value)[0]} and ` : sql``
  return (
    compared &&
    sql`exists (select from jsonb_array_elements(
    case jsonb_typeof(${x}) when 'array' then ${x} else jsonb_build_array(${x}) end) e where ${ofType}${compared})`
  )
}

function checked(type: string, op: string, value: unknown, loc: Loc, isField: boolean): unknown {
  if (op === 'is_null') return value ?? true
  if (isField && [value].flat().includes(null))
    throw errors.invalidValue(
      loc,
      'null is compared by is_null alone: {"op": "is_null"} is for fields without a value, and with "value": false for fields with one',
      value,
    )
  const issues: Issue[] = []
  const textual = op === 'contains' || op === 'starts_with' || op === 'ends_with'
  const one = textual ? comparedText : (VALUES[type] ?? jsonScalar)
  const schema =
    op === 'in' || op === 'not_in'
      ? list(one, { min: 1, max: 1000 })
      : op === 'between'
        ? list(one, { min: 2, max: 2 })
        : one
  const result = schema.check(value ?? null, loc, issues)
  if (issues.length > 0) throw errors.invalid(issues)
  return result
}

/** What a custom field may be compared with. */
const jsonScalar: Schema<unknown> = {
  json: {},
  optional: false,
  check(input, loc, issues) {
    if (typeof input === 'string') return comparedText.check(input, loc, issues)
    if (typeof input === 'number' || typeof input === 'boolean') return input
    issues.push({
      type: 'value_error',
      loc,
      msg: 'Value error, this must be a text, a number or true or false',
      input,
      ctx: { error: {} },
    })
    return undefined
  },
}

// ---- values that depend on the caller and the date, for saved queries: `me`, `today-30`, `month+1`

const UNIT = /^(today|week|month|quarter|year)(?:([+-])(\d{1,4}))?$/

/** Returns any other value unchanged, including dates outside the years 1 to 9999, which the field's schema refuses. */
export function resolveRelative(ctx: Ctx, type: string, value: unknown, now = new Date()): unknown {
  if (Array.isArray(value)) return value.map(one => resolveRelative(ctx, type, one, now))
  if (type === 'uuid' && value === 'me') return ctx.user
  const isDate = type === 'date' || type === 'timestamptz'
  const [, unit, sign, count] = (isDate && typeof value === 'string' ? UNIT.exec(value) : null) ?? []
  if (unit === undefined) return value
  const day = firstDay(now, unit, Number(count ?? 0) * (sign === '-' ? -1 : 1))
  return day < new Date('0001-01-01') || day > new Date('9999-12-31') ? value : day.toISOString().slice(0, 10)
}

/** The first day, in UTC, of the unit `steps` units from the current one. A week begins on Monday. */
function firstDay(now: Date, unit: string, steps: number): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const monday = day - ((now.getUTCDay() + 6) % 7)
  const parts: Record<string, [number, number, number]> = {
    today: [year, month, day + steps],
    week: [year, month, monday + 7 * steps],
    month: [year, month + steps, 1],
    quarter: [year, month - (month % 3) + 3 * steps, 1],
    year: [year + steps, 0, 1],
  }
  const first = new Date(0)
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  first.setUTCFullYear(...(parts[unit] ?? [year, month, day]))
  return first
}
