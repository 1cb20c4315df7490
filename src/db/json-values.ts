/** Values as JSON text, written from the bytes that PostgreSQL sent. */
import { OID } from './types.ts'

const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
export const COMMA = ','.charCodeAt(0)
const SPACE = ' '.charCodeAt(0)
const POINT = '.'.charCodeAt(0)
export const OPEN = '{'.charCodeAt(0)
export const CLOSE = '}'.charCodeAt(0)
const OPEN_LIST = '['.charCodeAt(0)
const CLOSE_LIST = ']'.charCodeAt(0)
/** A number with at most this many digits is the same text as a JavaScript number. */
const EXACT_DIGITS = 15

/** Text that grows at its end. */
export class Output {
  bytes: Buffer
  length = 0

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size)
  }

  reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.length + size))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }

  /** Copying few bytes in a loop is faster than calling `copy`. */
  add(source: Buffer, from: number, to: number): void {
    this.reserve(to - from)
    const target = this.bytes
    let at = this.length
    for (let i = from; i < to; i++) target[at++] = source[i]!
    this.length = at
  }

  addText(text: string): void {
    this.reserve(3 * text.length)
    this.length += this.bytes.write(text, this.length)
  }
}

/** Writes the value in `bytes` from `from` to `to`; false if it is not in the form that it writes. */
export type Write = (out: Output, bytes: Buffer, from: number, to: number) => boolean

const escapes = Array.from({ length: 0x60 }, (_, code) => {
  const escaped = Buffer.from(JSON.stringify(String.fromCharCode(code)))
  return escaped.subarray(1, -1)
})

const writeText: Write = (out, bytes, from, to) => {
  // a control character becomes six bytes
  out.reserve(6 * (to - from) + 2)
  const target = out.bytes
  let at = out.length
  target[at++] = QUOTE
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    if (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) target[at++] = byte
    else for (const escaped of escapes[byte]!) target[at++] = escaped
  }
  target[at++] = QUOTE
  out.length = at
  return true
}

const writeInteger: Write = (out, bytes, from, to) => {
  if (to - from > EXACT_DIGITS) return false
  out.add(bytes, from, to)
  return true
}

/** A number with a decimal point may end in zeros, and `NaN` is not JSON. */
const writeNumeric: Write = (out, bytes, from, to) => {
  if (bytes.subarray(from, to).includes(POINT) || bytes[to - 1]! > 0x39) return false
  return writeInteger(out, bytes, from, to)
}

const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')

const writeBoolean: Write = (out, bytes, from) => {
  const word = bytes[from] === 't'.charCodeAt(0) ? TRUE : FALSE
  out.add(word, 0, word.length)
  return true
}

const ISO = Buffer.from('"2026-01-31T09:30:00.000Z"')

/** `2026-01-31 09:30:00.5+00` → `"2026-01-31T09:30:00.500Z"` */
const writeTimestamp: Write = (out, bytes, from, to) => {
  // 22 bytes without a fraction; one of one to three digits adds its point
  const fraction = to - from - 23
  const isUsual = (fraction === -1 || (fraction > 0 && fraction < 4)) && bytes[from + 10] === SPACE
  if (!isUsual) return false
  const at = out.length
  out.add(ISO, 0, ISO.length)
  for (let i = 0; i < 19; i++) if (i !== 10) out.bytes[at + 1 + i] = bytes[from + i]!
  for (let i = 0; i < fraction; i++) out.bytes[at + 21 + i] = bytes[from + 20 + i]!
  return true
}

/** Empty values and lists of plain texts, which are most of the JSON values of records. */
const writeJson: Write = (out, bytes, from, to) => {
  const first = bytes[from]
  if (to - from > 2 || first !== OPEN) return first === OPEN_LIST && writeTexts(out, bytes, from, to)
  out.add(bytes, from, to)
  return true
}

/** `["a", "b"]` → `["a","b"]` */
function writeTexts(out: Output, bytes: Buffer, from: number, to: number): boolean {
  out.reserve(to - from)
  const target = out.bytes
  let at = out.length
  let isInText = false
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    if (byte === QUOTE) isInText = !isInText
    else if (isInText ? byte === BACKSLASH || byte < SPACE : !isBetweenTexts(byte)) return false
    if (isInText || byte !== SPACE) target[at++] = byte
  }
  out.length = at
  return true
}

const isBetweenTexts = (byte: number): boolean =>
  byte === COMMA || byte === SPACE || byte === OPEN_LIST || byte === CLOSE_LIST

/** The writer of a value by the type of its column. */
export const writers: Readonly<Record<number, Write>> = {
  [OID.bool]: writeBoolean,
  [OID.int2]: writeInteger,
  [OID.int4]: writeInteger,
  [OID.int8]: writeInteger,
  [OID.numeric]: writeNumeric,
  [OID.text]: writeText,
  [OID.varchar]: writeText,
  [OID.uuid]: writeText,
  [OID.date]: writeText,
  [OID.timestamptz]: writeTimestamp,
  [OID.json]: writeJson,
  [OID.jsonb]: writeJson,
}
