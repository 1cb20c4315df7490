/**
 * `cf.<key>` in lists. Values of declared keys are in `custom_values`, each in an indexed column of its
 * type; other keys are compared in the record's metadata.
 */
import { type RawBuilder, sql } from 'kysely'
import { required } from '../lib/values.ts'
import type { Ctx } from './context.ts'
import type { CustomColumn, CustomColumns } from './custom-column.ts'
import { errors } from './errors.ts'
import type { ListQuery, RecordType } from './resource.ts'
import { type Issue, type Schema, text } from './schema/index.ts'
import { rows } from './statements.ts'

type Sql = RawBuilder<unknown>

/** A metadata key that a list is filtered or sorted by. */
const CUSTOM = /^cf\.([A-Za-z0-9_-]{1,100})$/
const RANGE = /^(.+)__(gte|lte|gt|lt)$/
const OPERATORS = new Map([
  ['gte', '>='],
  ['lte', '<='],
  ['gt', '>'],
  ['lt', '<'],
])

const MAX_VALUES = 100

/** `custom_values` stores this many characters of a text. */
const STORED_TEXT = 500

/** For each kind of value: its column in custom_values, the column to sort by, and the type of both. */
export const STORED = {
  text: { column: 'text_value', order: 'sort_text', type: 'text' },
  number: { column: 'number_value', order: 'number_value', type: 'float8' },
  time: { column: 'time_value', order: 'time_value', type: 'timestamptz' },
} as const

export const isCustomName = (name: string): boolean => CUSTOM.test(name)

export const customKey = (record: RecordType, name: string): string | undefined =>
  'metadata' in record.output.fields ? CUSTOM.exec(name)?.[1] : undefined

/** The declared custom fields of the record's kind. They are loaded only when the list uses one. */
export async function customColumns(
  ctx: Ctx,
  record: RecordType,
  params: Partial<ListQuery>,
): Promise<CustomColumns> {
  const isUsed = [...Object.keys(params), params.sort_by ?? ''].some(name => name.startsWith('cf.'))
  return (isUsed && (await record.custom?.(ctx))) || new Map()
}

/** The SQL conditions of the parameters `cf.<key>`, `cf.<key>__gte` and so on. */
export function customConditions(
  ctx: Ctx,
  record: RecordType,
  params: Partial<ListQuery>,
  columns: CustomColumns,
): Sql[] {
  const conditions: Sql[] = []
  for (const [name, given] of Object.entries(params)) {
    const key = customKey(record, name)
    if (key === undefined) continue
    conditions.push(condition(ctx, columns, key, name, [given].flat().map(String)))
  }
  return conditions
}

function condition(ctx: Ctx, columns: CustomColumns, key: string, name: string, texts: string[]): Sql {
  if (texts.length === 0) return sql`false`
  if (texts.length > MAX_VALUES) {
    throw errors.invalidValue(['query', name], `at most ${MAX_VALUES} values can be asked for at once`, null)
  }
  const column = columns.get(key)
  if (column) return isOneOf(ctx, column, key, name, texts)
  const [, base = '', operator = ''] = RANGE.exec(key) ?? []
  const ranged = columns.get(base)
  if (ranged) {
    const [value] = valuesOf(ranged.schema, name, texts.slice(-1))
    return has(ctx, ranged, required(OPERATORS, operator), value)
  }
  const values = valuesOf(text(), name, texts)
  return sql`(${sql.join(
    values.map(value => plainMatch(key, value)),
    sql` or `,
  )})`
}

/** `null` matches records without a value. */
function isOneOf(ctx: Ctx, column: CustomColumn, key: string, name: string, texts: string[]): Sql {
  const parts: Sql[] = texts.includes('null') ? [sql`not exists (${valueRows(ctx, column)})`] : []
  const values = valuesOf(
    column.schema,
    name,
    texts.filter(text => text !== 'null'),
  )
  for (const value of values) {
    const long = column.kind === 'text' && [...String(value)].length >= STORED_TEXT
    const whole = long ? sql`and r.metadata ->> ${key} = ${value}` : sql``
    parts.push(sql`(${has(ctx, column, '=', value)} ${whole})`)
  }
  return sql`(${sql.join(parts, sql` or `)})`
}

function valuesOf<T>(schema: Schema<T>, name: string, texts: string[]): (T | string)[] {
  const issues: Issue[] = []
  const values = texts.map(text => schema.check(text, ['query', name], issues))
  if (issues.length > 0) throw errors.invalid(issues)
  return values.map(value => (typeof value === 'boolean' ? String(value) : value))
}

const has = (ctx: Ctx, { fieldId, kind }: CustomColumn, operator: string, value: unknown): Sql => {
  const { column, type } = STORED[kind]
  const operand = kind === 'text' ? [...String(value)].slice(0, STORED_TEXT).join('') : value
  return sql`r.id in (select v.entity_id from ${rows(ctx, 'custom_values')} v
    where v.field_id = ${fieldId} and v.${sql.ref(column)} ${sql.raw(operator)} ${operand}::${sql.raw(type)})`
}

/** A condition that an index can check, true for at least every record with this value; `true` where no index helps. */
export function narrowed(ctx: Ctx, column: CustomColumn | undefined, value: unknown): Sql {
  const kind = typeof value === 'string' ? 'text' : typeof value
  return column?.kind === kind ? has(ctx, column, '=', value) : sql`true`
}

/** A subquery for the value that the record `r` has in a custom field. */
export const valueRows = (ctx: Ctx, { fieldId }: CustomColumn): Sql =>
  sql`select from ${rows(ctx, 'custom_values')} v where v.entity_id = r.id and v.field_id = ${fieldId}`

const plainMatch = (key: string, value: string): Sql =>
  sql`(r.metadata ->> ${key} = ${value} or (jsonb_typeof(r.metadata -> ${key}) = 'array' and r.metadata -> ${key} @> to_jsonb(${value}::text)))`
