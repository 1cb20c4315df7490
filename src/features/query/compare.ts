/** One comparison of a nested filter, once the field is known. */

import { type RawBuilder, sql } from 'kysely'
import { errors } from '../../kernel/errors.ts'
import { fold } from '../../kernel/fold.ts'
import { lookup } from '../../kernel/lookup.ts'
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
} from '../../kernel/schema/index.ts'

type Sql = RawBuilder<unknown>

/** Nobody looks for a longer text, and each is compared with every record. */
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
const OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'not_in',
  'between',
  'contains',
  'starts_with',
  'ends_with',
  'is_null',
]

export function compare(x: Sql, type: string, condition: Record<string, unknown>, loc: Loc): Sql {
  const op = condition.op ?? 'eq'
  const value = checked(type, op, condition.value, [...loc, 'value'])
  const one = (v: unknown): Sql =>
    type === 'jsonb' ? sql`${JSON.stringify(v)}::jsonb` : sql`${v}::${sql.raw(type)}`

  // One parameter however many values: a statement takes 65,535.
  const all = (values: unknown[]): Sql =>
    type === 'jsonb'
      ? sql`${values.map(v => JSON.stringify(v))}::jsonb[]`
      : sql`${values}::${sql.raw(type)}[]`

  if (op === 'is_null') return value === false ? sql`(${x}) is not null` : sql`(${x}) is null`
  if (type === 'text[]') {
    const hasOne = (values: unknown[]) =>
      sql`exists (select from unnest(${x}) c where fold(c) = any(${values.map(v => fold(String(v)))}::text[]))`
    if (op === 'eq' || op === 'contains') return hasOne([value])
    if (op === 'ne') return sql`not ${hasOne([value])}`
    if (op === 'in') return hasOne(value as unknown[])
  } else {
    if (op === 'eq') return sql`${x} = ${one(value)}`
    if (op === 'ne') return sql`${x} is distinct from ${one(value)}`
    if (op === 'in') return sql`${x} = any(${all(value as unknown[])})`
    if (op === 'not_in') return sql`coalesce(${x} <> all(${all(value as unknown[])}), true)`
    const order = typeof op === 'string' ? ORDER[op] : undefined
    if (order) return sql`${x} ${sql.raw(order)} ${one(value)}`
    if (op === 'between') {
      const [low, high] = value as unknown[]
      return sql`${x} between ${one(low)} and ${one(high)}`
    }
  }
  const asText = type === 'jsonb' ? sql`(${x} #>> '{}')` : x
  if (type === 'text' || type === 'jsonb') {
    const part = fold(String(value))
    if (op === 'contains') return sql`strpos(fold(${asText}), ${part}) > 0`
    if (op === 'starts_with') return sql`starts_with(fold(${asText}), ${part})`
    if (op === 'ends_with') return sql`right(fold(${asText}), length(${part}::text)) = ${part}::text`
  }
  throw errors.invalidValue(
    [...loc, 'op'],
    `${String(op)} does not fit this field; operators are ${OPERATORS.join(', ')}`,
    op,
  )
}

function checked(type: string, op: unknown, value: unknown, loc: Loc): unknown {
  if (op === 'is_null') return value ?? true
  const issues: Issue[] = []
  const textual = op === 'contains' || op === 'starts_with' || op === 'ends_with'
  const one = textual ? VALUES.text! : (VALUES[type] ?? jsonScalar)
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
