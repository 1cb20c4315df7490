/**
 * Rows as JSON text, written from the bytes that PostgreSQL sent: the text that JSON.stringify makes of the rows as
 * objects. Without strings of all values, objects of the rows and a text of these objects the service took 1,240 to
 * 1,710 µs for a list of 50 instead of 1,980 to 2,720, on a busy machine.
 */
import { CLOSE, COMMA, OPEN, Output, type Write, writers } from './json-values.ts'
import type { RawRow } from './raw-rows.ts'
import { isAbsentIfNull, isBeside, type Shape } from './row-shapes.ts'

/** A result is collected in a buffer of the size of the last one of this statement, up to this. */
const MAX_FIRST_SIZE = 256 * 1024

interface Column {
  index: number
  /** with a comma before it */
  key: Buffer
  /** the key with a null; undefined if the record then has no such key */
  keyWithNull: Buffer | undefined
  write: Write | undefined
  parse: (text: string) => unknown
}

/** How the rows of a statement become JSON. */
interface JsonShape {
  columns: readonly Column[]
  beside: readonly { index: number; key: string | symbol; parse: (text: string) => unknown }[]
  /** the bytes of the latest result */
  size: number
}

const jsonShapes = new WeakMap<Shape, JsonShape>()

function jsonShapeOf(shape: Shape): JsonShape {
  const cached = jsonShapes.get(shape)
  if (cached) return cached
  const { fields, keys, parsers } = shape
  const all = fields.map(({ name, dataTypeID }, index) => {
    const key = `,${JSON.stringify(keys[index])}:`
    return {
      ...{ name, index, key: Buffer.from(key), write: writers[dataTypeID], parse: parsers[index]! },
      keyWithNull: isAbsentIfNull(name) ? undefined : Buffer.from(`${key}null`),
    }
  })
  const columns = all.filter(({ name }) => !isBeside(name))
  const created: JsonShape = {
    // A row as an object has the keys that can be absent at its end, too.
    columns: [...columns.filter(one => one.keyWithNull), ...columns.filter(one => !one.keyWithNull)],
    beside: all
      .filter(({ name }) => isBeside(name))
      .map(({ index, parse }) => ({ index, parse, key: keys[index]! })),
    size: 1024,
  }
  jsonShapes.set(shape, created)
  return created
}

type Beside = Record<string | symbol, unknown>

/**
 * Rows as JSON text. `at` and `slice` are those of an array; of a record `at` has only the id, and the values beside it.
 */
export class JsonRows<Row = unknown> {
  readonly #bytes: Buffer
  readonly #ends: readonly number[]
  readonly #beside: readonly Beside[]

  constructor(bytes: Buffer, ends: readonly number[], beside: readonly Beside[]) {
    this.#bytes = bytes
    this.#ends = ends
    this.#beside = beside
  }

  get length(): number {
    return this.#ends.length
  }

  #text(from: number, to: number): Buffer {
    const start = from === 0 ? 0 : this.#ends[from - 1]! + 1
    return this.#bytes.subarray(start, from < to ? this.#ends[to - 1] : start)
  }

  /** The records, separated by commas. */
  get text(): Buffer {
    return this.#text(0, this.length)
  }

  at(index: number): Row | undefined {
    const i = index < 0 ? this.length + index : index
    const beside = this.#beside[i]
    if (!beside) return undefined
    const record = this.#text(i, i + 1)
    // only cursors need the id
    return Object.defineProperty({ ...beside }, 'id', { get: () => JSON.parse(record.toString()).id }) as Row
  }

  slice(from: number, to = this.length): JsonRows<Row> {
    const end = Math.min(to, this.length)
    const start = from === 0 ? 0 : this.#ends[from - 1]! + 1
    return new JsonRows(
      this.#text(from, end),
      this.#ends.slice(from, end).map(at => at - start),
      this.#beside.slice(from, end),
    )
  }
}

/** Collects the rows of one statement. */
export class JsonCollector {
  #out: Output | undefined
  #shape: JsonShape | undefined
  readonly #ends: number[] = []
  readonly #beside: Beside[] = []
  /** the position of each value of the current row, and its length */
  readonly #starts: number[] = []
  readonly #lengths: number[] = []

  add(shape: Shape, { bytes, start }: RawRow): void {
    this.#shape ??= jsonShapeOf(shape)
    this.#out ??= new Output(this.#shape.size)
    this.#locate(bytes, start)
    this.#addRecord(this.#shape, this.#out, bytes)
    const beside: Beside = {}
    for (const { index, key, parse } of this.#shape.beside) {
      const [from, length] = [this.#starts[index]!, this.#lengths[index]!]
      if (length >= 0) beside[key] = parse(bytes.toString('utf8', from, from + length))
    }
    this.#beside.push(beside)
  }

  #locate(bytes: Buffer, start: number): void {
    const count = bytes.readInt16BE(start)
    let at = start + 2
    for (let i = 0; i < count; i++) {
      const length = bytes.readInt32BE(at)
      this.#starts[i] = at + 4
      this.#lengths[i] = length
      at += length < 0 ? 4 : 4 + length
    }
  }

  #addRecord({ columns }: JsonShape, out: Output, bytes: Buffer): void {
    out.reserve(2)
    if (this.#ends.length > 0) out.bytes[out.length++] = COMMA
    const begin = out.length
    for (const { index, key, keyWithNull, write, parse } of columns) {
      const [from, length] = [this.#starts[index]!, this.#lengths[index]!]
      if (length < 0) {
        if (keyWithNull) out.add(keyWithNull, 0, keyWithNull.length)
        continue
      }
      out.add(key, 0, key.length)
      if (!write?.(out, bytes, from, from + length))
        out.addText(JSON.stringify(parse(bytes.toString('utf8', from, from + length))))
    }
    out.reserve(2)
    // the comma before the first key
    if (out.length > begin) out.bytes[begin] = OPEN
    else out.bytes[out.length++] = OPEN
    out.bytes[out.length++] = CLOSE
    this.#ends.push(out.length)
  }

  end(): JsonRows {
    const out = this.#out
    if (!out) return new JsonRows(Buffer.alloc(0), [], [])
    if (this.#shape) this.#shape.size = Math.min(out.length + 1024, MAX_FIRST_SIZE)
    return new JsonRows(out.bytes.subarray(0, out.length), this.#ends, this.#beside)
  }
}
