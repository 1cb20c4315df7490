/** How the rows of a statement become JSON. */
import { Template } from './json-output.ts'
import { type Write, writers } from './json-values.ts'
import type { RawRow } from './raw-rows.ts'
import { isAbsentIfNull, isBeside, type Shape } from './row-shapes.ts'

export const NULL = 'null'

export interface Column {
  index: number
  write: Write | undefined
  parse: (text: string) => unknown
}

/** A column whose null is in the template. */
interface AlwaysColumn extends Column {
  /** where its value is in the template */
  at: number
}

interface SometimesColumn extends Column {
  /** with a comma before it and a colon after it */
  key: Template
}

interface BesideColumn {
  index: number
  key: string | symbol
  parse: (text: string) => unknown
}

export interface JsonShape {
  /** the keys of a record with only nulls: between two values, the keys and nulls of a record are a part of it */
  template: Template
  always: readonly AlwaysColumn[]
  sometimes: readonly SometimesColumn[]
  beside: readonly BesideColumn[]
  /** the position of each value of the current row, and its length */
  starts: Int32Array
  lengths: Int32Array
  /** the bytes of the latest result */
  size: number
}

const jsonShapes = new WeakMap<Shape, JsonShape>()

export function jsonShapeOf(shape: Shape): JsonShape {
  const cached = jsonShapes.get(shape)
  if (cached) return cached
  const { fields, keys, parsers } = shape
  const all = fields.map(({ name, dataTypeID }, index) => ({
    ...{ name, index, key: keys[index]!, write: writers[dataTypeID], parse: parsers[index]! },
  }))
  const columns = all.filter(({ name }) => !isBeside(name))
  let text = ''
  const always = columns
    .filter(({ name }) => !isAbsentIfNull(name))
    .map(({ index, key, write, parse }): AlwaysColumn => {
      text += keyText(key)
      const at = Buffer.byteLength(text)
      text += NULL
      return { index, at, write, parse }
    })
  const created: JsonShape = {
    template: new Template(text),
    always,
    // A row as an object has the keys that can be absent at its end, too.
    sometimes: columns
      .filter(({ name }) => isAbsentIfNull(name))
      .map(({ index, key, write, parse }) => ({ index, key: new Template(keyText(key)), write, parse })),
    beside: all.filter(({ name }) => isBeside(name)).map(({ index, key, parse }) => ({ index, key, parse })),
    starts: new Int32Array(fields.length),
    lengths: new Int32Array(fields.length),
    size: 1024,
  }
  jsonShapes.set(shape, created)
  return created
}

const keyText = (key: string | symbol): string => `,${JSON.stringify(key)}:`

/** Finds the values of a row. */
export function locate({ starts, lengths }: JsonShape, { bytes, start }: RawRow): void {
  let at = start + 2
  for (let i = 0; i < starts.length; i++) {
    // readInt32BE checks its argument, which takes longer than reading
    const length = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
    at += 4
    starts[i] = at
    lengths[i] = length
    if (length > 0) at += length
  }
}

type Beside = Record<string | symbol, unknown>

/** The values of a row that are no part of the record. */
export function besideOf(shape: JsonShape, row: RawRow): Beside {
  locate(shape, row)
  const beside: Beside = {}
  for (const { index, key, parse } of shape.beside) {
    const [from, length] = [shape.starts[index]!, shape.lengths[index]!]
    if (length >= 0) beside[key] = parse(row.bytes.toString('utf8', from, from + length))
  }
  return beside
}
