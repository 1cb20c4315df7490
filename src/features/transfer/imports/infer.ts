/** The type of a column, inferred from its first values. */

import { readNumber, type Separator, separatorEvidence } from '../../../lib/numbers/read.ts'
import { isDateLike, isDateShaped } from './dates.ts'
import { isNoDate, readBoolean } from './values.ts'

export const INFERRED = [
  'empty',
  'boolean',
  'integer',
  'number',
  'date',
  'datetime',
  'email',
  'url',
  'phone',
  'uuid',
  'json',
  'text',
] as const
export type InferredType = (typeof INFERRED)[number]

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => UUID.test(text)
export const isEmailLike = (text: string): boolean => /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(text)
const isUrl = (text: string): boolean => /^(https?:\/\/|www\.)\S+$/i.test(text)
const isPhone = (text: string): boolean =>
  /^'?\+?[\d\s().\-/]{6,}(?:(?:x|ext\.?|#)\s*\d+)?$/i.test(text) && text.replace(/\D/g, '').length >= 6
const isNumber = (text: string): boolean => 'value' in readNumber(text, { style: 'money', assumed: '.' })

/** The narrower type is tested first. Nearly all values must fit; a few are always wrong. */
const TESTS: [InferredType, (text: string) => boolean][] = [
  ['uuid', isUuid],
  ['email', isEmailLike],
  ['url', isUrl],
  // a birthday may lack its year
  ['date', text => (isDateShaped(text) && !/\d:\d/.test(text)) || isNoDate(text)],
  ['datetime', isDateLike],
  ['integer', text => /^[+-]?\d{1,15}$/.test(text)],
  ['number', isNumber],
  ['phone', isPhone],
  ['boolean', text => typeof readBoolean(text) === 'boolean'],
  ['json', text => /^[[{].*[\]}]$/s.test(text)],
]

export function inferType(values: readonly string[]): InferredType {
  if (values.length === 0) return 'empty'
  // A text with a plus or a leading zero is a phone number or a code, not a number.
  const isCode = values.some(value => /^'?(\+|00|0\d)\d*/.test(value))
  for (const [type, test] of TESTS) {
    if (isCode && (type === 'integer' || type === 'number')) continue
    if (values.filter(test).length >= values.length * 0.9) return type
  }
  return 'text'
}

/** The decimal separator of a column. null: it has no numbers, or some have a point and others a comma. */
export function decimalSeparator(values: readonly string[], fallback: Separator): Separator | null {
  const shapes = new Set(values.filter(isNumber).map(separatorEvidence))
  if (shapes.size === 0 || (shapes.has('.') && shapes.has(','))) return null
  return shapes.has('.') ? '.' : shapes.has(',') ? ',' : fallback
}
