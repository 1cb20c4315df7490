/**
 * The columns of statements, and rows as objects. PostgreSQL describes the columns of a prepared statement with every
 * execution unless the client leaves the request out; describing and parsing 45 columns takes longer than reading a row
 * of them. They cannot change under a prepared statement: PostgreSQL refuses to execute it then.
 */
import type pg from 'pg'

/**
 * Prefixes in the names of columns. A row has no property for a null in a column `?name`, and a value of a column
 * `#name` is under a symbol, so that it is not part of the record. Removing properties from a row afterwards makes V8
 * store it as a hash table, which took a fifth of the time of a list.
 */
export const ABSENT_IF_NULL = '?'
const BESIDE = '#'

export const isAbsentIfNull = (column: string): boolean => column.startsWith(ABSENT_IF_NULL)
export const isBeside = (column: string): boolean => column.startsWith(BESIDE)

/** The key of a column `#name` in a row. */
export const besideKey = (name: string): symbol => Symbol.for(BESIDE + name)

type Parse = (text: string) => unknown
type Row = Record<string | symbol, unknown>

export interface Shape {
  fields: readonly pg.FieldDef[]
  keys: readonly (string | symbol)[]
  parsers: readonly Parse[]
  /** a row of nulls */
  empty: Row
}

export function shapeFrom(fields: readonly pg.FieldDef[], parsers: readonly Parse[]): Shape {
  const keys = fields.map(({ name }) => keyOf(name))
  const always = keys.filter((key, i) => key === fields[i]?.name)
  return { fields, keys, parsers, empty: Object.fromEntries(always.map(key => [key, null])) }
}

function keyOf(name: string): string | symbol {
  if (isBeside(name)) return Symbol.for(name)
  return isAbsentIfNull(name) ? name.slice(1) : name
}

export function rowOf({ keys, parsers, empty }: Shape, values: readonly (string | null)[]): Row {
  const row = { ...empty }
  for (let i = 0; i < keys.length; i++) {
    const value = values[i]
    if (value !== null && value !== undefined) row[keys[i]!] = parsers[i]!(value)
  }
  return row
}

interface Described {
  /** by the name of the statement */
  shapes: Map<string, Shape>
  /** the connection, without the message that asks for a description */
  undescribed: pg.Connection
}

const described = new WeakMap<pg.Connection, Described>()

/** The shape of a statement that this connection has described before, and the connection to execute it with. */
export function describedBefore(
  connection: pg.Connection,
  name: string,
): { shape: Shape; undescribed: pg.Connection } | undefined {
  const before = described.get(connection)
  const shape = before?.shapes.get(name)
  return before && shape && { shape, undescribed: before.undescribed }
}

/** Connections describe the same statement with the same columns, so they share a shape: 5 KB for 45 columns. */
const latest = new Map<string, Shape>()

/** Remembers the shape of a prepared statement, and returns the one to use. */
export function remember(connection: pg.Connection, name: string, shape: Shape): Shape {
  const before = described.get(connection) ?? {
    shapes: new Map<string, Shape>(),
    undescribed: Object.create(connection, { describe: { value: () => {} } }) as pg.Connection,
  }
  described.set(connection, before)
  const other = latest.get(name)
  const shared = other && isSame(other.fields, shape.fields) ? other : shape
  latest.set(name, shared)
  before.shapes.set(name, shared)
  return shared
}

const isSame = (some: readonly pg.FieldDef[], others: readonly pg.FieldDef[]): boolean =>
  some.length === others.length &&
  some.every(({ name, dataTypeID }, i) => others[i]?.name === name && others[i]?.dataTypeID === dataTypeID)
