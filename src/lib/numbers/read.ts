/**
 * Numbers as people and other products write them: `1.234,50 €`, `$1.2M`, `(12)`, `3 Mio`, `75 %`. Every character of
 * the text must be accounted for; a text that is not exactly one number is refused with the reason.
 */
import { type Currency, currencyOf, type NumberStyle, type Scale, scaleOf } from './units.ts'

export type Separator = '.' | ','

export interface NumberFormat {
  style: NumberStyle
  /** the decimal separator of every cell, where the client has set it */
  decimal?: Separator | undefined
  /** decides whether `1.234` is 1234 or 1.234; if undefined, such a cell is refused */
  assumed?: Separator | undefined
}

export type NumberRead = { value: number; currency?: Currency } | { problem: string }

const DIGITS = /[.,]?\d(?:[\d.,'’_ ]*\d)?(?:[eE][+-]?\d+)?/
/** `1.` as programs write it; `5,-` and `5.–` as shops do */
const NO_DECIMALS = /^(?:\.|[.,][-–—]{1,2})(?=$|[\s\p{L}\p{Sc}])/u
const TOKEN = /\p{L}*\p{Sc}|\p{L}+\.?|[%()+-]/gu
const PERCENT = /^(?:%|percent|prozent)$/i

export function readNumber(text: string, format: NumberFormat): NumberRead {
  const whole = text
    .trim()
    .replace(/\s/g, ' ')
    .replaceAll('\u2212', '-')
    .replace(/^[–—](?=[\d\s])/, '-')
  const digits = DIGITS.exec(whole)
  if (!digits) return { problem: `“${shown(text)}” is not a number` }
  const before = whole.slice(0, digits.index)
  const after = whole.slice(digits.index + digits[0].length).replace(NO_DECIMALS, '')
  const read = readAround(before, after)
  if (!read) return { problem: refusalOf(whole, text) }
  const plain = plainDigits(digits[0], format)
  if ('problem' in plain) return { problem: `“${shown(text)}” ${plain.problem}` }
  if (read.isPercent && format.style !== 'percent') {
    return { problem: `“${shown(text)}” is a percentage, and this field takes a plain number` }
  }
  const scale = exponentOf(read, format.style, {
    comma: plain.separator === ',',
    apart: after.startsWith(' '),
  })
  if ('problem' in scale) return { problem: `“${shown(text)}”: ${scale.problem}; write the number in digits` }
  const value = Number(scaled(plain.digits, scale.exponent)) * (read.isNegative ? -1 : 1) + 0
  if (!Number.isFinite(value)) return { problem: `“${shown(text)}” is too large` }
  return read.currency ? { value, currency: read.currency } : { value }
}

const shown = (text: string): string => [...text.trim()].slice(0, 60).join('')

const APPROXIMATE =
  /^(?:[~≈<>≤≥]|(?:ca|circa|etwa|rund|about|around|approx|approximately|ungefähr|environ|over|under|über|unter|up to|bis|min|max)\b)|\+$/i
const RANGE = /^[^\d]*\d[\d.,']*\s*\p{L}{0,4}\s*(?:-|–|to|bis|…|\.\.+)\s*\d[\d.,']*[^\d]*$/u

function refusalOf(whole: string, text: string): string {
  if (APPROXIMATE.test(whole)) return `“${shown(text)}” is an approximate number: write the exact one`
  if (RANGE.test(whole)) return `“${shown(text)}” is a range: write one number`
  return `“${shown(text)}” is not a number`
}

interface Around {
  isNegative: boolean
  isPercent: boolean
  unit: string | undefined
  currency: Currency | undefined
}

/** The text before and after the digits; undefined where any of it is not understood. */
function readAround(before: string, after: string): Around | undefined {
  const [head, tail] = [tokensOf(before), tokensOf(after)]
  if (!head || !tail) return undefined
  const signs = [...head, ...tail].filter(token => /^[()+-]$/.test(token)).join('')
  if (!['', '-', '+', '()'].includes(signs) || tail.includes('+') || tail.includes('(')) return undefined
  const words = [...head, ...tail].filter(token => !/^[()+-]$/.test(token))
  const isPercent = tail.some(token => PERCENT.test(token))
  const rest = words.filter(token => !PERCENT.test(token))
  if (isPercent && (rest.length > 0 || words.length > 1)) return undefined
  const currencies = rest.filter(word => currencyOf(word))
  const units = rest.filter(word => !currencyOf(word))
  if (currencies.length > 1 || units.length > 1 || head.some(word => units.includes(word))) return undefined
  const [currency] = currencies
  return {
    isNegative: signs === '-' || signs === '()',
    isPercent,
    unit: units[0],
    currency: currency === undefined ? undefined : currencyOf(currency),
  }
}

/** `M€` and `TEUR` are two words. */
function tokensOf(text: string): string[] | undefined {
  if (text.replace(TOKEN, '').trim() !== '') return undefined
  return (text.match(TOKEN) ?? []).flatMap(token => {
    if (currencyOf(token)) return [token]
    const joined = /^(\p{L})(\p{Sc}|[A-Z]{3})$/u.exec(token) ?? /^(\p{L}{2,})(\p{Sc})$/u.exec(token)
    const [, unit, currency] = joined ?? []
    return unit !== undefined && currency !== undefined && currencyOf(currency) ? [unit, currency] : [token]
  })
}

function exponentOf(
  { unit, currency }: Around,
  style: NumberStyle,
  { apart, comma }: { apart: boolean; comma: boolean },
): Scale {
  if (unit === undefined) return { exponent: 0 }
  // T€ and TEUR, but not T alone: that is a trillion to some.
  if (unit === 'T' && currency && style === 'money') return { exponent: 3 }
  return scaleOf(unit, style, { apart: apart && !currency, comma })
}

type Plain = { digits: string; separator: Separator | 'none' } | { problem: string }

/** The digits with a decimal point and nothing else. */
function plainDigits(digits: string, { decimal, assumed }: NumberFormat): Plain {
  const [mantissa = '', exponent] = digits.split(/e/i)
  const compact = ungrouped(mantissa)
  const shape = compact === undefined ? undefined : decimalOf(compact, compact !== mantissa)
  if (compact === undefined || shape === undefined) return { problem: 'is not a number' }
  if (decimal !== undefined && shape !== 'either' && shape !== 'none' && shape !== decimal) {
    return { problem: `does not fit the decimal separator “${decimal}” of this import` }
  }
  const separator = shape === 'either' ? (decimal ?? assumed) : shape
  if (separator === undefined) {
    return { problem: 'may be a whole number or have decimals: set options.decimal_separator' }
  }
  const plain =
    separator === ',' ? compact.replaceAll('.', '').replace(',', '.') : compact.replaceAll(',', '')
  return { digits: exponent === undefined ? plain : `${plain}e${exponent}`, separator }
}

/** Without blanks, apostrophes and underscores between groups of digits. */
function ungrouped(mantissa: string): string | undefined {
  if (!/[ '’_]/.test(mantissa)) return mantissa
  if (/^\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?$/.test(mantissa)) return mantissa.replaceAll('_', '')
  return /^\d{1,3}([ '’])\d{3}(?:\1\d{3})*(?:[.,]\d+)?$/.test(mantissa)
    ? mantissa.replace(/[ '’]/g, '')
    : undefined
}

export type DecimalShape = Separator | 'either' | 'none'

/** Which sign must be the decimal separator of these digits; undefined if they are not a number. */
function decimalOf(digits: string, isGrouped: boolean): DecimalShape | undefined {
  const [dots, commas] = [digits.split('.').length - 1, digits.split(',').length - 1]
  if (dots + commas === 0) return 'none'
  if (isGrouped) return dots + commas === 1 ? (dots === 1 ? '.' : ',') : undefined
  if (dots > 0 && commas > 0) {
    const last: Separator = digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ','
    const [groups = '', ...more] = digits.split(last)
    return more.length === 1 && isThousands(groups) ? last : undefined
  }
  const [sign, other]: [Separator, Separator] = dots > 0 ? ['.', ','] : [',', '.']
  if (dots + commas > 1) return isThousands(digits) ? other : undefined
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) ? 'either' : sign
}

/** `1.234.567`, and `12,34,567` as in India. */
const isThousands = (digits: string): boolean =>
  /^\d{1,3}(?:\.\d{3})+$|^\d{1,3}(?:,\d{3})+$|^\d{1,2}(?:,\d{2})*,\d{3}$/.test(digits)

/** Moves the decimal point in the text, so that 1.2 million is not 1200000.0000000001. */
function scaled(plain: string, exponent: number): string {
  if (exponent === 0) return plain
  const [mantissa, own] = plain.split('e')
  return `${mantissa}e${Number(own ?? 0) + exponent}`
}

/** The evidence of a cell's digits for the decimal separator of its column. */
export function separatorEvidence(text: string): DecimalShape | undefined {
  const digits = DIGITS.exec(text.trim().replace(/\s/g, ' '))?.[0].split(/e/i)[0]
  const compact = digits === undefined ? undefined : ungrouped(digits)
  return compact === undefined ? undefined : decimalOf(compact, compact !== digits)
}
