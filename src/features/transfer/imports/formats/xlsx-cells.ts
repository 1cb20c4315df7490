/** The value of a cell of a sheet as text. Only the format distinguishes a date from a number. */
import { at } from '../../../../lib/values.ts'

export type NumberKind =
  | { as: 'number' }
  | { as: 'date' }
  | { as: 'time' }
  | { as: 'percent' }
  | { as: 'digits'; count: number }

const NUMBER: NumberKind = { as: 'number' }

/** Formats that have a number and no text in the file (ECMA-376, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)
const isBuiltInTime = (id: number): boolean =>
  (id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47)

export function numberKind(id: number, code: string | undefined): NumberKind {
  if (code === undefined) {
    if (isBuiltInDate(id)) return { as: 'date' }
    if (isBuiltInTime(id)) return { as: 'time' }
    return id === 9 || id === 10 ? { as: 'percent' } : NUMBER
  }
  // without quoted text, escaped signs, colours and locales; [h] and [mm] are hours and minutes
  const plain = code
    .replace(/"[^"]*"|[\\_*]./g, '')
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
    .toLowerCase()
  const [first = ''] = plain.split(';')
  if (/[dy]/.test(first) || (/m/.test(first) && !/[hs]/.test(first))) return { as: 'date' }
  if (/[hs]/.test(first) && !/general/.test(first)) return { as: 'time' }
  if (first.includes('%')) return { as: 'percent' }
  // 00000 of postal codes
  return /^0{2,20}$/.test(first) ? { as: 'digits', count: first.length } : NUMBER
}

const DAY_MS = 86_400_000
/** Day 0 of both calendars of Excel. The first takes 1900 for a leap year, so it is correct from March 1900 on. */
const DAY_ZERO = Date.UTC(1899, 11, 30)
const DAY_ZERO_1904 = Date.UTC(1904, 0, 1)
/** 9999-12-31 */
const LAST_DAY = 2_958_466

export function numberText(text: string, kind: NumberKind, is1904: boolean): string {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return text
  switch (kind.as) {
    case 'date':
      return value >= 0 && value < LAST_DAY ? dateText(value, is1904) : plainNumber(value)
    case 'time':
      return value >= 0 && value < LAST_DAY ? timeOrDate(value, is1904) : plainNumber(value)
    case 'percent':
      return `${plainNumber(value * 100)}%`
    case 'digits':
      return Number.isSafeInteger(value) && value >= 0
        ? String(value).padStart(kind.count, '0')
        : plainNumber(value)
    case 'number':
      return plainNumber(value)
  }
}

/** Excel computes with 15 digits: 0.1 + 0.2 is stored with 17, and shown as 0.3. */
const plainNumber = (value: number): string => String(Number(value.toPrecision(15)))

function dateText(days: number, is1904: boolean): string {
  // Days 1 to 59 of 1900 are a day later than counted from day 0.
  const early = !is1904 && days < 60 ? 1 : 0
  const seconds = Math.round((days + early) * 86_400)
  const iso = new Date((is1904 ? DAY_ZERO_1904 : DAY_ZERO) + seconds * 1000).toISOString()
  return (seconds * 1000) % DAY_MS === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
}

/** Times of a day have no date; larger numbers are dates with a format that shows the time only. */
function timeOrDate(days: number, is1904: boolean): string {
  const seconds = Math.round(days * 86_400)
  return seconds < 86_400 ? new Date(seconds * 1000).toISOString().slice(11, 19) : dateText(days, is1904)
}

/** `AB12` → 27 */
export function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** `_x000D_` is a character that XML cannot write; a written `_x005F_` keeps the underscore of such a text. */
export const unescapedText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

export const kindAt = (kinds: readonly NumberKind[], style: string | undefined): NumberKind => {
  const index = Number(style ?? 0)
  return Number.isInteger(index) && index >= 0 && index < kinds.length ? at(kinds, index) : NUMBER
}
