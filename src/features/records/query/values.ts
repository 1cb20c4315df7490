/** A field to measure, group or sort by: of the record itself or of related records. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import type { CustomColumns } from '../../../kernel/custom-column.ts'
import { STORED } from '../../../kernel/custom-values.ts'
import { errors } from '../../../kernel/errors.ts'
import type { Loc } from '../../../kernel/schema/index.ts'
import { rows } from '../../../kernel/statements.ts'
import { type At, compileAt, operandOf, step } from './compile.ts'
import { type Kind, kinds } from './kinds.ts'
import type { Bucket } from './spec.ts'

type Sql = RawBuilder<unknown>

export interface Value {
  expression: Sql
  /** the PostgreSQL type; for an array, that of one element */
  type: string
  /** the expression is an array: the field has several values, or the path leads to several records */
  isList: boolean
  /** the kind of record that has the field */
  kind: Kind
  field: string
}

/** The declared custom fields of a kind. */
export type CustomOf = (kind: Kind) => CustomColumns
const NONE: CustomColumns = new Map()

export async function customFields(ctx: Ctx): Promise<CustomOf> {
  const byEntity = new Map<string, CustomColumns>()
  for (const { entity, record } of kinds().values()) {
    const columns = await record?.custom?.(ctx)
    if (columns) byEntity.set(entity, columns)
  }
  return ({ entity }) => byEntity.get(entity) ?? NONE
}

/** `counted` limits the related records that a path such as `deals.count` counts. */
export function valueAt(
  ctx: Ctx,
  at: At,
  path: string,
  loc: Loc,
  customOf: CustomOf,
  counted?: { where: unknown; loc: Loc },
): Value {
  const [first = '', ...rest] = path.split('.')
  const { kind } = at
  if (counted && rest.at(-1) !== 'count')
    throw errors.invalidValue(counted.loc, 'only a number of related records takes conditions', counted.where)
  if (rest.length === 0 || first === 'cf') {
    const operand = first === 'cf' ? customValue(ctx, kind, rest.join('.'), customOf) : undefined
    const { expression, type } = operand ?? operandOf(ctx, kind, path, loc)
    if (type === 'text[]') return { expression, type: 'text', isList: true, kind, field: path }
    // an undeclared custom field may be a list
    if (type === 'jsonb') return { expression: elements(expression), type, isList: true, kind, field: path }
    return { expression, type, isList: false, kind, field: path }
  }
  const { at: inner, isSingle, from, where } = step(ctx, at, first, loc)
  if (rest.length === 1 && rest[0] === 'count') {
    const such = counted ? compileAt(ctx, inner, counted.where, counted.loc) : sql`true`
    const expression = sql`(select count(distinct r.id) from ${from} where ${where} and ${such})`
    return { expression, type: 'numeric', isList: false, kind, field: path }
  }
  const value = valueAt(ctx, inner, rest.join('.'), loc, customOf, counted)
  if (isSingle) return { ...value, expression: sql`(select ${value.expression} from ${from} where ${where})` }
  const each = value.isList
    ? sql`select distinct u from ${from} cross join lateral unnest(${value.expression}) u where ${where}`
    : sql`select distinct ${value.expression} from ${from} where ${where}`
  return { ...value, isList: true, expression: sql`array(${each})` }
}

/** A declared field has the type of its declaration, and may have several values. */
function customValue(ctx: Ctx, kind: Kind, key: string, customOf: CustomOf) {
  const column = customOf(kind).get(key)
  if (!column) return undefined
  const values = sql`select v.${sql.ref(STORED[column.kind].column)} from ${rows(ctx, 'custom_values')} v
    where v.entity_id = r.id and v.field_id = ${column.fieldId} order by v.item`
  if (column.kind === 'text') return { expression: sql`array(${values})`, type: 'text[]' }
  const type = column.kind === 'number' ? 'numeric' : 'timestamptz'
  return { expression: sql`(${values} limit 1)`, type }
}

const elements = (value: Sql): Sql => sql`(case jsonb_typeof(${value})
  when 'array' then array(select e from jsonb_array_elements(${value}) e)
  else array_remove(array[nullif(${value}, 'null'::jsonb)], null) end)`

/** The value as the API returns it. */
export function jsonOf({ expression, type, isList }: Value): Sql {
  if (type !== 'timestamptz') return sql`to_json(${expression})`
  const moment = (x: Sql): Sql => sql`to_char(${x} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const all = sql`array(select ${moment(sql`u`)} from unnest(${expression}) u)`
  return sql`to_json(${isList ? all : moment(expression)})`
}

/** A field with exactly one value per record. */
export function singleValueAt(...args: Parameters<typeof valueAt>): Value {
  const [, at, path, loc] = args
  const value = valueAt(...args)
  if (!value.isList) return value
  const isCustom = path === value.field && path.startsWith('cf.')
  if (isCustom) return { ...value, isList: false, expression: sql`(${value.expression})[1]` }
  throw errors.invalidValue(
    loc,
    `a ${at.kind.entity} may have several of ${path}: group by it instead, or query the other records`,
    path,
  )
}

/** The first day of the calendar unit that a date or time is in, in UTC. */
export function bucketOf(value: Value, bucket: Bucket, loc: Loc): Value {
  const { type, isList, expression, field } = value
  if (type !== 'date' && type !== 'timestamptz')
    throw errors.invalidValue(loc, `${field} is not a date, so it has no ${bucket}`, field)
  const first = (x: Sql): Sql => {
    const instant = type === 'date' ? sql`${x}::timestamp` : sql`(${x} at time zone 'UTC')`
    return sql`to_char(date_trunc(${sql.lit(bucket)}, ${instant}), 'YYYY-MM-DD')`
  }
  const all = sql`array(select distinct ${first(sql`u`)} from unnest(${expression}) u)`
  return { ...value, type: 'text', expression: isList ? all : first(expression) }
}
