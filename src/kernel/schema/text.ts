import { unstorable } from './storable.ts'
import {
  fail,
  failRule,
  type Issue,
  type JsonSchema,
  type Loc,
  type Meta,
  type Schema,
  schema,
} from './types.ts'

export interface TextOptions extends Meta {
  readonly min?: number
  readonly max?: number
  readonly pattern?: RegExp
  /** Refuses line breaks, for values used in headers, subjects and one-line inputs. */
  readonly singleLine?: boolean
  /** Removes white space around the text, for names by which people identify something. */
  readonly trim?: boolean
}

const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/

function countCodePoints(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--
      i++
    }
  }
  return count
}

/** A code point takes one or two UTF-16 units, so most texts are decided by `length` without counting. */
const shorterThan = (text: string, min: number): boolean =>
  text.length < min || (text.length < 2 * min && countCodePoints(text) < min)

const longerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || countCodePoints(text) > max)

const characters = (count: number): string => `${count} character${count === 1 ? '' : 's'}`

export function notText<T>(issues: Issue[], loc: Loc, input: unknown): T {
  return fail(issues, loc, input, 'string_type', 'Input should be a valid string')
}

export function text(options: TextOptions = {}): Schema<string> {
  const { min = 0, max = Number.POSITIVE_INFINITY, singleLine = false, trim = false } = options
  // A `g` or `y` pattern stores its last position, which would make every second result wrong.
  const pattern =
    options.pattern && new RegExp(options.pattern.source, options.pattern.flags.replace(/[gy]/g, ''))

  const json: Record<string, unknown> = { type: 'string' }
  if (options.min !== undefined) json.minLength = options.min
  if (options.max !== undefined) json.maxLength = options.max
  if (pattern) json.pattern = pattern.source

  return schema(json, options, (input, loc, issues) => {
    if (typeof input !== 'string') return notText(issues, loc, input)
    const value = trim ? input.trim() : input
    if (shorterThan(value, min)) {
      const msg = `String should have at least ${characters(min)}`
      return fail(issues, loc, input, 'string_too_short', msg, { min_length: min })
    }
    if (longerThan(value, max)) {
      const msg = `String should have at most ${characters(max)}`
      return fail(issues, loc, input, 'string_too_long', msg, { max_length: max })
    }
    const reason = unstorable(value)
    if (reason) return failRule(issues, loc, input, reason)
    if (pattern && !pattern.test(value)) {
      const msg = `String should match pattern '${pattern.source}'`
      return fail(issues, loc, input, 'string_pattern_mismatch', msg, { pattern: pattern.source })
    }
    if (singleLine && LINE_BREAK.test(value))
      return failRule(issues, loc, input, 'text must be a single line')
    return value
  })
}

/** Python's repr of a string, as far as the values of an enumeration need it. */
const quoted = (value: string): string => (value.includes("'") ? `"${value}"` : `'${value}'`)

function alternatives(values: readonly string[]): string {
  const names = values.map(quoted)
  const last = names.pop() ?? ''
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`
}

export interface OneOfOptions extends Meta {
  readonly kind?: 'enum' | 'literal'
}

export function oneOf<const V extends readonly string[]>(
  values: V,
  options: OneOfOptions = {},
): Schema<V[number]> {
  const type = options.kind === 'literal' ? 'literal_error' : 'enum'
  const expected = alternatives(values)
  const json: JsonSchema = { type: 'string', enum: [...values] }
  return schema<V[number]>(json, options, (input, loc, issues) => {
    const value = values.find(one => one === input)
    return value ?? fail(issues, loc, input, type, `Input should be ${expected}`, { expected })
  })
}
