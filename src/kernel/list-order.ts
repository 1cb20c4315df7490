/** The order of a list, and cursors as positions in it. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from './context.ts'
import type { CustomColumn, CustomColumns } from './custom-column.ts'
import { customOrder, type Position } from './custom-order.ts'
import { customKey } from './custom-values.ts'
import { errors, type HttpError } from './errors.ts'
import { listsTrash, sortableTypes } from './list-parameters.ts'
import type { ListQuery, RecordType } from './resource.ts'

type Sql = RawBuilder<unknown>

export interface Sort {
  key: string
  expression: Sql
  type: string
  descending: boolean
  /** a declared custom field */
  custom?: CustomColumn | undefined
}

export function sortOf(
  ctx: Ctx,
  record: RecordType,
  params: Partial<ListQuery>,
  columns: CustomColumns,
): Sort {
  const key = params.sort_by ?? record.defaultSort?.by ?? 'created_at'
  const order =
    params.sort_order ?? (params.sort_by === undefined ? record.defaultSort?.order : undefined) ?? 'desc'
  const custom = customKey(record, key)
  if (custom !== undefined) {
    const column = columns.get(custom)
    return { key, ...customOrder(ctx, custom, column), descending: order === 'desc', custom: column }
  }
  const types = listsTrash(params)
    ? new Map([...sortableTypes(record), ['deleted_at', 'timestamptz']])
    : sortableTypes(record)
  const type = types.get(key)
  if (type === undefined) throw wrongSort(types, key)
  const column = record.computed?.[key]?.(ctx) ?? sql`r.${sql.ref(key)}`
  // Byte order without case: the same on every server, and the expression of the name indexes.
  const expression = type === 'text' ? sql`lower(${column} collate "C")` : column
  return { key, expression, type, descending: order === 'desc' }
}

function wrongSort(types: ReadonlyMap<string, string>, key: string): HttpError {
  const names = [...types.keys()].map(name => `'${name}'`)
  const expected = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  return errors.invalid([
    {
      type: 'enum',
      loc: ['query', 'sort_by'],
      msg: `Input should be ${expected}`,
      input: key,
      ctx: { expected },
    },
  ])
}

export interface Cursor {
  value: string | null
  id: string
}

export const encodeCursor = (sort: Sort, cursor: Cursor): string =>
  Buffer.from(JSON.stringify([sort.key, sort.descending, cursor.value, cursor.id])).toString('base64url')

const NUMBER = /^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|-?Infinity|NaN)$/
/** How PostgreSQL writes a value of a type as text. */
const FORMS: Readonly<Record<string, RegExp>> = {
  timestamptz: /^(?:\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d(?::\d\d){0,2}(?: BC)?|-?infinity)$/,
  date: /^(?:\d{4,7}-\d\d-\d\d(?: BC)?|-?infinity)$/,
  numeric: NUMBER,
  float8: NUMBER,
  boolean: /^(?:true|false)$/,
}

/**
 * Checked here because the database does not always do it: with a generic plan it converts the value only when it
 * compares it with a row, so an invented cursor of an empty list was accepted.
 */
const hasForm = (type: string, value: string | null): boolean =>
  value === null || FORMS[type]?.test(value) !== false

export function decodeCursor(sort: Sort, token: string): Cursor {
  try {
    const [key, descending, value, id] = JSON.parse(Buffer.from(token, 'base64url').toString())
    const right =
      key === sort.key &&
      descending === sort.descending &&
      (value === null || typeof value === 'string') &&
      hasForm(sort.type, value) &&
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
    if (right) return { value, id }
  } catch {
    // not a cursor: refused below
  }
  throw wrongCursor(token)
}

export const wrongCursor = (token: unknown): HttpError =>
  errors.invalidValue(['query', 'cursor'], 'this cursor was not made by this list in this order', token)

/** A column that is never null makes a page a plain index range. Every record in the trash has a deleted_at. */
export const isNeverNull = (sort: Sort): boolean =>
  ['created_at', 'updated_at', 'deleted_at'].includes(sort.key)

/** The condition for records after the cursor; records without a value come last in either direction. */
export function after(sort: Sort, cursor: Position): Sql {
  const { expression: x, type, descending } = sort
  const beyond = sql.raw(descending ? '<' : '>')
  if (cursor.value === null) return sql`${x} is null and r.id ${beyond} ${cursor.id}::uuid`
  const value = sql`${cursor.value}::text::${sql.raw(type)}`
  if (isNeverNull(sort)) {
    return sql`(${x}, r.id) ${beyond} (${value}, ${cursor.id}::uuid)`
  }
  return sql`(${x} ${beyond} ${value} or (${x} = ${value} and r.id ${beyond} ${cursor.id}::uuid) or ${x} is null)`
}
