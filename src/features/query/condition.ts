/** Nested filters of `POST /api/<group>/query`, compiled to SQL: and, or, not, comparisons, one step into related records. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { sortType } from '../../kernel/list-parameters.ts'
import type { RecordType } from '../../kernel/resource.ts'
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
import { living, rows } from '../../kernel/statements.ts'

type Sql = RawBuilder<unknown>

const MAX_CONDITIONS = 200

/** Which record type stands behind a table, for the step into related records. */
export type RecordOf = (table: string) => RecordType | undefined

interface Compiling {
  ctx: Ctx
  recordOf: RecordOf
  count: number
}

export function compileCondition(ctx: Ctx, record: RecordType, recordOf: RecordOf, where: unknown): Sql {
  return compile({ ctx, recordOf, count: 0 }, record, where, ['body', 'where'], 'r', true)
}

function compile(
  on: Compiling,
  record: RecordType,
  node: unknown,
  loc: Loc,
  alias: string,
  mayStep: boolean,
): Sql {
  if (++on.count > MAX_CONDITIONS) {
    throw errors.invalidValue(['body', 'where'], `a query takes at most ${MAX_CONDITIONS} conditions`, null)
  }
  if (typeof node !== 'object' || node === null || Array.isArray(node)) {
    throw errors.invalidValue(loc, 'a condition is an object with and, or, not, or field, op and value', node)
  }
  const condition = node as Record<string, unknown>
  for (const kind of ['and', 'or'] as const) {
    const parts = condition[kind]
    if (parts === undefined) continue
    if (!Array.isArray(parts))
      throw errors.invalidValue([...loc, kind], 'this takes a list of conditions', parts)
    if (parts.length === 0) return kind === 'and' ? sql`true` : sql`false`
    const compiled = parts.map((part, i) => compile(on, record, part, [...loc, kind, i], alias, mayStep))
    return sql`(${sql.join(compiled, kind === 'and' ? sql` and ` : sql` or `)})`
  }
  if (condition.not !== undefined) {
    return sql`(not coalesce(${compile(on, record, condition.not, [...loc, 'not'], alias, mayStep)}, false))`
  }
  return comparison(on, record, condition, loc, alias, mayStep)
}

function comparison(
  on: Compiling,
  record: RecordType,
  condition: Record<string, unknown>,
  loc: Loc,
  alias: string,
  mayStep: boolean,
): Sql {
  const field = condition.field
  if (typeof field !== 'string') {
    throw errors.invalid([
      { type: 'missing', loc: [...loc, 'field'], msg: 'Field required', input: condition },
    ])
  }
  const [step, ...rest] = field.split('.')
  if (rest.length > 0 && step !== 'cf' && mayStep) {
    return related(on, record, step!, { ...condition, field: rest.join('.') }, [...loc, 'field'])
  }
  const { expression, type } = operand(on.ctx, record, field, alias, loc)
  return compare(expression, type, condition, loc)
}

/** Into the records that a reference or link field points to: at least one of them fulfils the condition. */
function related(
  on: Compiling,
  record: RecordType,
  step: string,
  condition: Record<string, unknown>,
  loc: Loc,
): Sql {
  const { ctx } = on
  for (const [name, target] of Object.entries(record.references ?? {})) {
    const other = on.recordOf(target.table)
    if (relationName(name) !== step || !other) continue
    return sql`exists (select from ${living(ctx, target.table)} s where s.id = r.${sql.ref(name)}
      and ${compile(on, other, condition, loc, 's', false)})`
  }
  for (const [name, link] of Object.entries(record.links ?? {})) {
    const other = on.recordOf(link.target.table)
    if (relationName(name) !== step || !other) continue
    return sql`exists (select from ${rows(ctx, link.table)} l
      join ${living(ctx, link.target.table)} s on s.id = l.${sql.ref(link.other)}
      where l.${sql.ref(link.own)} = r.id and ${compile(on, other, condition, loc, 's', false)})`
  }
  throw errors.invalidValue(loc, `there is no related record called ${step}`, step)
}

/** `company_id` → company, `associated_deal_ids` → deals, `team_ids` → team */
export const relationName = (field: string): string =>
  field
    .replace(/^associated_/, '')
    .replace(/_ids$/, field === 'team_ids' ? '' : 's')
    .replace(/_id$/, '')
    .replace(/ys$/, 'ies')

function operand(
  ctx: Ctx,
  record: RecordType,
  field: string,
  alias: string,
  loc: Loc,
): { expression: Sql; type: string } {
  const table = sql.ref(alias)
  const custom = /^cf\.([A-Za-z0-9_-]{1,100})$/.exec(field)
  if (custom && 'metadata' in record.output.fields) {
    return { expression: sql`(${table}.metadata -> ${custom[1]})`, type: 'jsonb' }
  }
  const schema = record.output.fields[field]
  const type = schema && !record.links?.[field] ? sortType(schema.json) : undefined
  if (schema && field === 'categories') return { expression: sql`${table}.categories`, type: 'text[]' }
  const computed = record.computed?.[field]
  // A computed field is written in terms of `r`; on a related record only columns can be compared.
  if (!type || (computed && alias !== 'r')) {
    throw errors.invalidValue([...loc, 'field'], `${field} cannot be compared`, field)
  }
  return { expression: computed ? sql`${computed(ctx)}` : sql`${table}.${sql.ref(field)}`, type }
}

const VALUES: Record<string, Schema<unknown>> = {
  text: text({ max: 10_000 }),
  uuid: uuid(),
  numeric: number(),
  boolean: boolean(),
  timestamptz: datetime(),
  date: date(),
  'text[]': text({ max: 10_000 }),
}

const ORDER: Record<string, string> = { gt: '>', gte: '>=', lt: '<', lte: '<=' }
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

function compare(x: Sql, type: string, condition: Record<string, unknown>, loc: Loc): Sql {
  const op = condition.op ?? 'eq'
  const value = checked(type, op, condition.value, [...loc, 'value'])
  const one = (v: unknown): Sql =>
    type === 'jsonb' ? sql`${JSON.stringify(v)}::jsonb` : sql`${v}::${sql.raw(type)}`

  if (op === 'is_null') return value === false ? sql`(${x}) is not null` : sql`(${x}) is null`
  if (type === 'text[]') {
    const has = (v: unknown) => sql`exists (select from unnest(${x}) c where fold(c) = fold(${v}))`
    if (op === 'eq' || op === 'contains') return has(value)
    if (op === 'ne') return sql`not ${has(value)}`
    if (op === 'in') return sql`(${sql.join([sql`false`, ...(value as unknown[]).map(has)], sql` or `)})`
  } else {
    if (op === 'eq') return sql`${x} = ${one(value)}`
    if (op === 'ne') return sql`${x} is distinct from ${one(value)}`
    if (op === 'in') return sql`${x} in (${sql.join([...(value as unknown[]).map(one), sql`null`])})`
    if (op === 'not_in') return sql`coalesce(${x} not in (${sql.join((value as unknown[]).map(one))}), true)`
    if (typeof op === 'string' && op in ORDER) return sql`${x} ${sql.raw(ORDER[op]!)} ${one(value)}`
    if (op === 'between') {
      const [low, high] = value as unknown[]
      return sql`${x} between ${one(low)} and ${one(high)}`
    }
  }
  const asText = type === 'jsonb' ? sql`(${x} #>> '{}')` : x
  if (type === 'text' || type === 'jsonb') {
    if (op === 'contains') return sql`strpos(fold(${asText}), fold(${value}::text)) > 0`
    if (op === 'starts_with') return sql`starts_with(fold(${asText}), fold(${value}::text))`
    if (op === 'ends_with')
      return sql`right(fold(${asText}), length(fold(${value}::text))) = fold(${value}::text)`
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
    if (['string', 'number', 'boolean'].includes(typeof input)) return input
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
