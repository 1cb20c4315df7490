import { isUtf8 } from 'node:buffer'
import { MAX_DEPTH, TOO_DEEP } from './storable.ts'
import { type Issue, ruleIssue } from './types.ts'

export type ParsedBody = { ok: true; value: unknown } | { ok: false; issue: Issue }

interface Mistake {
  readonly at: number
  readonly error: string
}

/** Parses a raw request body. Errors have the wording and position of Python's json module. */
export function parseJsonBody(raw: Buffer): ParsedBody {
  if (!isUtf8(raw)) return invalid(firstBadCharacter(raw), 'Invalid UTF-8')
  const decoded = raw.toString('utf8')
  const text = decoded.charCodeAt(0) === 0xfeff ? decoded.slice(1) : decoded
  if (isTooDeep(text)) {
    return { ok: false, issue: ruleIssue(['body'], {}, TOO_DEEP) }
  }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    const { at, error } = findMistake(text)
    return invalid(codePoints(text, at), error)
  }
}

function invalid(position: number, error: string): ParsedBody {
  const issue = {
    type: 'json_invalid',
    loc: ['body', position],
    msg: 'JSON decode error',
    input: {},
    ctx: { error },
  }
  return { ok: false, issue }
}

/** Positions are counted in characters, as people and Python count them, not in UTF-16 units. */
function codePoints(text: string, end: number): number {
  let count = 0
  for (let i = 0; i < end; i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1) count++
  return count
}

/** The position of the first U+FFFD that the decoder inserted for invalid bytes. */
function firstBadCharacter(raw: Buffer): number {
  let byte = 0
  let position = 0
  for (const character of raw.toString('utf8')) {
    const size = Buffer.byteLength(character)
    if (character === '\ufffd' && raw.toString('latin1', byte, byte + 3) !== '\xef\xbf\xbd') break
    byte += size
    position++
  }
  return position
}

function isTooDeep(text: string): boolean {
  // Nearly every body has too few brackets to be deep, and counting them this way is fast.
  if (count(text, '{') + count(text, '[') <= MAX_DEPTH) return false
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) i = skipString(text, i)
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/** How often `bracket` occurs, or any number above the limit when that is passed. */
function count(text: string, bracket: string): number {
  let occurrences = 0
  for (let i = text.indexOf(bracket); i >= 0 && occurrences <= MAX_DEPTH; i = text.indexOf(bracket, i + 1))
    occurrences++
  return occurrences
}

/** The index of the closing quote, or of the end. */
function skipString(text: string, open: number): number {
  for (let i = open + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) return i
    if (code === 0x5c) i++
  }
  return text.length
}

const SCALAR = /null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y

function endOfScalar(text: string, at: number): number {
  SCALAR.lastIndex = at
  return SCALAR.test(text) ? SCALAR.lastIndex : -1
}

function skipSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at++
  }
}

/** Finds the error in a text that JSON.parse refused; uses its own stack instead of recursion. */
function findMistake(text: string): Mistake {
  const open: ('}' | ']')[] = []
  let at = skipSpace(text, 0)
  for (;;) {
    const start = text[at]
    if (start === '{' || start === '[') {
      const close = start === '{' ? '}' : ']'
      at = skipSpace(text, at + 1)
      if (text[at] === close) {
        at++
      } else {
        open.push(close)
        if (close === ']') continue
        const value = afterName(text, at)
        if (typeof value !== 'number') return value
        at = value
        continue
      }
    } else {
      const end = start === '"' ? endOfString(text, at) : endOfScalar(text, at)
      if (typeof end !== 'number') return end
      if (end < 0) return { at, error: 'Expecting value' }
      at = end
    }
    const next = afterValue(text, at, open)
    if (typeof next !== 'number') return next
    at = next
  }
}

/** Closes the objects and lists that end here; returns where the next value must begin. */
function afterValue(text: string, from: number, open: ('}' | ']')[]): number | Mistake {
  let at = skipSpace(text, from)
  while (open.length > 0 && text[at] === open.at(-1)) {
    open.pop()
    at = skipSpace(text, at + 1)
  }
  if (open.length === 0) return { at, error: 'Extra data' }
  if (text[at] !== ',') return { at, error: "Expecting ',' delimiter" }
  at = skipSpace(text, at + 1)
  return open.at(-1) === '}' ? afterName(text, at) : at
}

/** From a property name over its colon to its value. */
function afterName(text: string, at: number): number | Mistake {
  if (text[at] !== '"') return { at, error: 'Expecting property name enclosed in double quotes' }
  const end = endOfString(text, at)
  if (typeof end !== 'number') return end
  const colon = skipSpace(text, end)
  if (text[colon] !== ':') return { at: colon, error: "Expecting ':' delimiter" }
  return skipSpace(text, colon + 1)
}

function endOfString(text: string, open: number): number | Mistake {
  const unterminated = { at: open, error: 'Unterminated string starting at' }
  for (let i = open + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) return i + 1
    if (code < 0x20) return { at: i, error: 'Invalid control character at' }
    if (code !== 0x5c) continue
    i++
    const escaped = text[i]
    if (escaped === undefined) return unterminated
    if (escaped === 'u') {
      // Python also requires a character after the four digits, because the closing quote must follow.
      const complete = i + 5 < text.length && /^[0-9a-fA-F]{4}$/.test(text.slice(i + 1, i + 5))
      if (!complete) return { at: i, error: 'Invalid \\uXXXX escape' }
      i += 4
    } else if (!'"\\/bfnrt'.includes(escaped)) {
      return { at: i - 1, error: 'Invalid \\escape' }
    }
  }
  return unterminated
}
