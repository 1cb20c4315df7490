/**
 * Rows as JSON text, written from the bytes that PostgreSQL sent: the text that JSON.stringify makes of the rows as
 * objects. Without strings of all values, objects of the rows and a text of these objects the service took 1,240 to
 * 1,710 µs for a list of 50 instead of 1,980 to 2,720, on a busy machine. Copying keys and nulls from a template instead
 * of key by key saved another 130 of 940.
 */
import { Output } from './json-output.ts'
import { besideOf, type Column, type JsonShape, jsonShapeOf, locate, NULL } from './json-shapes.ts'
import { CLOSE, COMMA, OPEN } from './json-values.ts'
import type { RawRow } from './raw-rows.ts'
import type { Shape } from './row-shapes.ts'

/** A result is collected in a buffer of the size of the last one of this statement, up to this. */
const MAX_FIRST_SIZE = 256 * 1024
/** Free bytes before the records, for what `enclosed` puts there. */
const HEAD_ROOM = 16
const COMMA_LENGTH = 1

/** Where the text of each record ends, and its row. */
interface Records {
  ends: readonly number[]
  rows: readonly RawRow[]
}

/**
 * Rows as JSON text. `at` and `slice` are those of an array; of a record `at` has only the id, and the values beside it.
 */
export class JsonRows<Row = unknown> {
  readonly #bytes: Buffer
  readonly #start: number
  readonly #records: Records
  readonly #shape: JsonShape | undefined

  constructor(bytes: Buffer, start: number, records: Records, shape: JsonShape | undefined) {
    this.#bytes = bytes
    this.#start = start
    this.#records = records
    this.#shape = shape
  }

  get length(): number {
    return this.#records.ends.length
  }

  /** The records, separated by commas. */
  get text(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end)
  }

  get #end(): number {
    return this.#records.ends.at(-1) ?? this.#start
  }

  /** The records between two texts, which are written into the same buffer: records around them can be lost. */
  enclosed(before: string, after: string): Buffer {
    const [from, to] = [this.#start - before.length, this.#end + after.length]
    const isAscii = Buffer.byteLength(before) + Buffer.byteLength(after) === before.length + after.length
    if (from < 0 || to > this.#bytes.length || !isAscii)
      return Buffer.concat([Buffer.from(before), this.text, Buffer.from(after)])
    this.#bytes.write(before, from, 'latin1')
    this.#bytes.write(after, this.#end, 'latin1')
    return this.#bytes.subarray(from, to)
  }

  at(index: number): Row | undefined {
    const i = index < 0 ? this.length + index : index
    const row = this.#records.rows[i]
    if (!row || !this.#shape) return undefined
    return Object.assign(new Beside(this.slice(i, i + 1).text), besideOf(this.#shape, row)) as Row
  }

  slice(from: number, to = this.length): JsonRows<Row> {
    const { ends, rows } = this.#records
    if (from === 0 && to >= this.length) return this
    const before = ends[Math.min(from, this.length) - 1]
    const records = { ends: ends.slice(from, to), rows: rows.slice(from, to) }
    return new JsonRows(
      this.#bytes,
      before === undefined ? this.#start : before + COMMA_LENGTH,
      records,
      this.#shape,
    )
  }
}

/**
 * The values beside a record. Only cursors need its id. `id` is a getter of a class: that of a single object is a part of
 * its hidden class, which V8 keeps in the old space until a full collection, and with it the bytes of the whole page.
 */
class Beside {
  readonly #record: Buffer

  constructor(record: Buffer) {
    this.#record = record
  }

  get id(): unknown {
    return JSON.parse(this.#record.toString()).id
  }
}

/** Collects the rows of one statement. */
export class JsonCollector {
  #out: Output | undefined
  #shape: JsonShape | undefined
  readonly #ends: number[] = []
  readonly #rows: RawRow[] = []

  add(shape: Shape, row: RawRow): void {
    this.#shape ??= jsonShapeOf(shape)
    this.#out ??= new Output(this.#shape.size, HEAD_ROOM)
    locate(this.#shape, row)
    this.#addRecord(this.#shape, this.#out, row.bytes)
    this.#rows.push(row)
  }

  #addRecord({ template, always, sometimes, starts, lengths }: JsonShape, out: Output, bytes: Buffer): void {
    out.reserve(2)
    if (this.#ends.length > 0) out.bytes[out.length++] = COMMA
    const begin = out.length
    let copied = 0
    for (const column of always) {
      const { index, at } = column
      const length = lengths[index]!
      if (length < 0) continue
      out.addTemplate(template, copied, at)
      copied = at + NULL.length
      addValue(out, column, bytes, starts[index]!, length)
    }
    out.addTemplate(template, copied, template.bytes.length)
    for (const column of sometimes) {
      const { index, key } = column
      const length = lengths[index]!
      if (length < 0) continue
      out.addTemplate(key, 0, key.bytes.length)
      addValue(out, column, bytes, starts[index]!, length)
    }
    out.reserve(2)
    // the comma before the first key
    if (out.length > begin) out.bytes[begin] = OPEN
    else out.bytes[out.length++] = OPEN
    out.bytes[out.length++] = CLOSE
    this.#ends.push(out.length)
  }

  end(): JsonRows {
    const records = { ends: this.#ends, rows: this.#rows }
    if (!this.#out || !this.#shape) return new JsonRows(Buffer.alloc(0), 0, records, undefined)
    const { bytes, length } = this.#out
    this.#shape.size = Math.min(length + 1024, MAX_FIRST_SIZE)
    return new JsonRows(bytes, HEAD_ROOM, records, this.#shape)
  }
}

function addValue(out: Output, { write, parse }: Column, bytes: Buffer, from: number, length: number): void {
  if (!write?.(out, bytes, from, from + length))
    out.addText(JSON.stringify(parse(bytes.toString('utf8', from, from + length))))
}
