import { readNumber } from '../../lib/numbers/read.ts'
import type { NumberStyle } from '../../lib/numbers/units.ts'
import { fail, type Issue, type Loc, type Meta, type Schema, schema } from './types.ts'

export interface IntOptions extends Meta {
  readonly min?: number
  readonly max?: number
}

export interface NumberOptions extends IntOptions {
  readonly exclusiveMin?: number
  readonly exclusiveMax?: number
}

/** The range of an int4 column: the bounds of every integer that declares no narrower ones. */
const INT4_MIN = -2147483648
const INT4_MAX = 2147483647

/** Python refuses longer digit strings because converting them takes quadratic time; so does Pydantic. */
const MAX_INT_DIGITS = 4300

// Rust's White_Space, which differs from String.prototype.trim in U+0085 and U+FEFF.
const WHITE = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const INT_TEXT = new RegExp(`^${WHITE}*([+-]?\\d+(?:_\\d+)*)(?:\\.0+)?${WHITE}*$`)
const FLOAT_TEXT = new RegExp(`^${WHITE}*([+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?)${WHITE}*$`)
const INFINITE_TEXT = new RegExp(`^${WHITE}*[+-]?(?:nan|inf|infinity)${WHITE}*$`, 'i')

const TRUE_TEXTS = new Set(['true', 't', 'yes', 'y', 'on', '1'])
const FALSE_TEXTS = new Set(['false', 'f', 'no', 'n', 'off', '0'])

const notFinite = (issues: Issue[], loc: Loc, input: unknown): number =>
  fail(issues, loc, input, 'finite_number', 'Input should be a finite number')

/** JSON takes plain numbers only; `1.2M` and `1.234,50 €`, which imports read, are refused with the number to send. */
function plainNumber(input: string, style: NumberStyle, fits: (value: number) => boolean): string {
  if (input.length > 60 || FLOAT_TEXT.test(input)) return ''
  const read = readNumber(input, { style })
  return 'value' in read && fits(read.value) ? `; write it as ${read.value}` : ''
}

function parseInteger(input: unknown, loc: Loc, issues: Issue[]): number {
  if (typeof input === 'number') {
    if (Number.isInteger(input)) return input
    if (!Number.isFinite(input)) return notFinite(issues, loc, input)
    const msg = 'Input should be a valid integer, got a number with a fractional part'
    return fail(issues, loc, input, 'int_from_float', msg)
  }
  if (typeof input === 'string') {
    if (input.length > MAX_INT_DIGITS) {
      const msg = 'Unable to parse input string as an integer, exceeded maximum size'
      return fail(issues, loc, input, 'int_parsing_size', msg)
    }
    const digits = INT_TEXT.exec(input)?.[1]
    // Adding 0 turns the -0 of "-0" into 0, which is what an integer has.
    if (digits !== undefined) return Number(digits.replaceAll('_', '')) + 0
    const msg = 'Input should be a valid integer, unable to parse string as an integer'
    // From 1e21 on, JavaScript writes a number with an exponent, which is not accepted as an integer.
    const hint = plainNumber(input, 'count', Number.isSafeInteger)
    return fail(issues, loc, input, 'int_parsing', msg + hint)
  }
  if (typeof input === 'boolean') return input ? 1 : 0
  return fail(issues, loc, input, 'int_type', 'Input should be a valid integer')
}

function parseFloatLax(input: unknown, loc: Loc, issues: Issue[]): number {
  if (typeof input === 'number') return Number.isFinite(input) ? input : notFinite(issues, loc, input)
  if (typeof input === 'string') {
    const digits = FLOAT_TEXT.exec(withoutUnderscores(input))?.[1]
    const value = digits === undefined ? Number.NaN : Number(digits)
    if (Number.isFinite(value)) return value
    if (digits !== undefined || INFINITE_TEXT.test(input)) return notFinite(issues, loc, input)
    const msg = 'Input should be a valid number, unable to parse string as a number'
    return fail(issues, loc, input, 'float_parsing', msg + plainNumber(input, 'money', Number.isFinite))
  }
  if (typeof input === 'boolean') return input ? 1 : 0
  return fail(issues, loc, input, 'float_type', 'Input should be a valid number')
}

/** "1_000.5" is a number if every underscore is between digits and there is no surrounding white space. */
function withoutUnderscores(input: string): string {
  return /^[^_\s]+(?:_[^_\s]+)+$/.test(input) ? input.replaceAll('_', '') : input
}

/** Reports the first bound that `value` exceeds. */
function bounded(value: number, o: NumberOptions, input: unknown, loc: Loc, issues: Issue[]): number {
  if (o.max !== undefined && value > o.max) {
    const msg = `Input should be less than or equal to ${o.max}`
    return fail(issues, loc, input, 'less_than_equal', msg, { le: o.max })
  }
  if (o.exclusiveMax !== undefined && value >= o.exclusiveMax) {
    const msg = `Input should be less than ${o.exclusiveMax}`
    return fail(issues, loc, input, 'less_than', msg, { lt: o.exclusiveMax })
  }
  if (o.min !== undefined && value < o.min) {
    const msg = `Input should be greater than or equal to ${o.min}`
    return fail(issues, loc, input, 'greater_than_equal', msg, { ge: o.min })
  }
  if (o.exclusiveMin !== undefined && value <= o.exclusiveMin) {
    const msg = `Input should be greater than ${o.exclusiveMin}`
    return fail(issues, loc, input, 'greater_than', msg, { gt: o.exclusiveMin })
  }
  return value
}

function boundsJson(type: string, o: NumberOptions): Record<string, unknown> {
  const json: Record<string, unknown> = { type }
  if (o.min !== undefined) json.minimum = o.min
  if (o.max !== undefined) json.maximum = o.max
  if (o.exclusiveMin !== undefined) json.exclusiveMinimum = o.exclusiveMin
  if (o.exclusiveMax !== undefined) json.exclusiveMaximum = o.exclusiveMax
  return json
}

export function int(options: IntOptions = {}): Schema<number> {
  const bounds = { min: options.min ?? INT4_MIN, max: options.max ?? INT4_MAX }
  const json = boundsJson('integer', options)
  if (bounds.min >= INT4_MIN && bounds.max <= INT4_MAX) json.format = 'int32'
  return schema(json, options, (input, loc, issues) => {
    const before = issues.length
    const value = parseInteger(input, loc, issues)
    return issues.length === before ? bounded(value, bounds, input, loc, issues) : value
  })
}

export function number(options: NumberOptions = {}): Schema<number> {
  return schema(boundsJson('number', options), options, (input, loc, issues) => {
    const before = issues.length
    const value = parseFloatLax(input, loc, issues)
    return issues.length === before ? bounded(value, options, input, loc, issues) : value
  })
}

export function boolean(options?: Meta): Schema<boolean> {
  return schema({ type: 'boolean' }, options, (input, loc, issues) => {
    if (typeof input === 'boolean') return input
    const text = typeof input === 'string' ? input.toLowerCase() : typeof input === 'number' ? `${input}` : ''
    if (TRUE_TEXTS.has(text)) return true
    if (FALSE_TEXTS.has(text)) return false
    if (typeof input === 'string' || Number.isSafeInteger(input)) {
      const msg = 'Input should be a valid boolean, unable to interpret input'
      return fail(issues, loc, input, 'bool_parsing', msg)
    }
    return fail(issues, loc, input, 'bool_type', 'Input should be a valid boolean')
  })
}
