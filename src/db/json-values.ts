/** Values as JSON text, written from the bytes that PostgreSQL sent. */
import type { Output } from './json-output.ts'
import { OID } from './types.ts'

const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
export const COMMA = ','.charCodeAt(0)
const SPACE = ' '.charCodeAt(0)
const POINT = '.'.charCodeAt(0)
const COLON = ':'.charCodeAt(0)
const MINUS = '-'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)
const NINE = '9'.charCodeAt(0)
export const OPEN = '{'.charCodeAt(0)
export const CLOSE = '}'.charCodeAt(0)
const OPEN_LIST = '['.charCodeAt(0)
const CLOSE_LIST = ']'.charCodeAt(0)
/** A number with at most this many digits is the same text as a JavaScript number. */
const EXACT_DIGITS = 15

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

/** Text without characters that JSON escapes. */
const writePlain: Write = (out, bytes, from, to) => {
  out.reserve(to - from + 2)
  const target = out.bytes
  let at = out.length
  target[at++] = QUOTE
  for (let i = from; i < to; i++) target[at++] = bytes[i]!
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
  const end = withoutZeros(bytes, from, to)
  if (!isExact(bytes, from, end)) return false
  out.add(bytes, from, end)
  return true
}

/** The end of a number without zeros at the end of its fraction. */
function withoutZeros(bytes: Buffer, from: number, to: number): number {
  let hasPoint = false
  for (let i = from; i < to; i++) hasPoint ||= bytes[i] === POINT
  if (!hasPoint) return to
  let end = to
  while (bytes[end - 1] === ZERO) end--
  return bytes[end - 1] === POINT ? end - 1 : end
}

/** Whether JavaScript writes this number with the same text. False for some of which it does, such as 0.01. */
function isExact(bytes: Buffer, from: number, to: number): boolean {
  if (to - from > EXACT_DIGITS) return false
  const first = bytes[from] === MINUS ? from + 1 : from
  let hasPoint = false
  for (let i = first; i < to; i++) {
    if (bytes[i] === POINT) hasPoint = true
    else if (!isDigit(bytes[i]!)) return false
  }
  if (hasPoint && bytes[to - 1] === ZERO) return false
  if (bytes[first] !== ZERO) return first < to
  return hasPoint ? bytes[first + 2] !== ZERO : first === from
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE

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

/** PostgreSQL's JSON without the spaces between values. */
const writeJson: Write = (out, bytes, from, to) => {
  out.reserve(to - from)
  const target = out.bytes
  let at = out.length
  for (let i = from; i < to; ) {
    const byte = bytes[i]!
    if (byte === QUOTE) {
      const end = endOfText(bytes, i, to)
      // JSON.stringify writes keys that are numbers first
      if (end < 0 || (isDigit(bytes[i + 1]!) && isKey(bytes, end, to))) return false
      while (i < end) target[at++] = bytes[i++]!
    } else if (byte === MINUS || isDigit(byte)) {
      const start = i
      while (i < to && isPartOfNumber(bytes[i]!)) target[at++] = bytes[i++]!
      if (!isExact(bytes, start, i)) return false
    } else {
      if (byte !== SPACE) target[at++] = byte
      i++
    }
  }
  out.length = at
  return true
}

/** The position after a quoted text; -1 if it has characters that JSON.stringify may write otherwise. */
function endOfText(bytes: Buffer, from: number, to: number): number {
  for (let i = from + 1; i < to; i++) {
    const byte = bytes[i]!
    if (byte === QUOTE) return i + 1
    if (byte === BACKSLASH || byte < SPACE) return -1
  }
  return -1
}

function isKey(bytes: Buffer, from: number, to: number): boolean {
  let i = from
  while (i < to && bytes[i] === SPACE) i++
  return bytes[i] === COLON
}

/** Whether a number goes on with this. */
const isPartOfNumber = (byte: number): boolean =>
  byte !== COMMA && byte !== CLOSE && byte !== CLOSE_LIST && byte > SPACE

const NULL = Buffer.from('NULL')

/** `{a,"b, c"}` → `["a","b, c"]` */
const writeTextArray: Write = (out, bytes, from, to) => {
  // an element of one character gets two quotes
  out.reserve(3 * (to - from))
  const target = out.bytes
  let at = out.length
  target[at++] = OPEN_LIST
  const last = to - 1
  for (let i = from + 1; i < last; ) {
    const byte = bytes[i]!
    if (byte === QUOTE) {
      const end = endOfText(bytes, i, last)
      if (end < 0) return false
      while (i < end) target[at++] = bytes[i++]!
    } else if (byte === COMMA) {
      target[at++] = byte
      i++
    } else {
      const start = i
      target[at++] = QUOTE
      for (; i < last && bytes[i] !== COMMA; i++) {
        if (bytes[i] === OPEN || bytes[i]! < SPACE) return false
        target[at++] = bytes[i]!
      }
      target[at++] = QUOTE
      if (i - start === NULL.length && bytes.compare(NULL, 0, NULL.length, start, i) === 0) return false
    }
  }
  target[at++] = CLOSE_LIST
  out.length = at
  return bytes[from] === OPEN
}

/** The writer of a value by the type of its column. */
export const writers: Readonly<Record<number, Write>> = {
  [OID.bool]: writeBoolean,
  [OID.int2]: writeInteger,
  [OID.int4]: writeInteger,
  [OID.int8]: writeInteger,
  [OID.numeric]: writeNumeric,
  [OID.text]: writeText,
  [OID.varchar]: writeText,
  [OID.uuid]: writePlain,
  [OID.date]: writePlain,
  [OID.timestamptz]: writeTimestamp,
  [OID.json]: writeJson,
  [OID.jsonb]: writeJson,
  [OID.textArray]: writeTextArray,
}
