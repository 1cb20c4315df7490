/** Dates as people and other products write them. */
import { at } from '../../../lib/values.ts'

export type DateOrder = 'DMY' | 'MDY' | 'YMD'

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
/** Nobody writes the month first in a date with dots. */
const DOTTED = /^\d{1,2}\.\s?\d{1,2}\./
const TIME = '(?:[T,]?\\s*(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?:\\.\\d+)?\\s*([AaPp])?\\.?[Mm]?\\.?)?'
const NUMERIC = new RegExp(`^(\\d{1,4})[./\\-\\s](\\d{1,2})[./\\-\\s](\\d{1,4})${TIME}$`)
const MONTH_FIRST = new RegExp(`^([A-Za-z]{3,9})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})${TIME}$`)
const DAY_FIRST = new RegExp(
  `^(\\d{1,2})(?:st|nd|rd|th)?[.\\s-]\\s*([A-Za-z]{3,9})\\.?,?[\\s-]\\s*(\\d{2,4})${TIME}$`,
)
/** Dates that the API itself accepts: with a zone, or in ISO 8601. */
const ISO = /^\d{4}-\d{2}-\d{2}(?:$|[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$)/

export interface ReadDate {
  /** YYYY-MM-DD */
  day: string
  /** HH:MM:SS, when there was a time */
  time: string | undefined
}

/** `century`: the years that two digits stand for; a birthday is in the past. */
export function readDate(
  text: string,
  order: DateOrder,
  century: 'near' | 'past' = 'near',
): ReadDate | undefined {
  const parts = dateParts(text, order)
  if (!parts) return undefined
  const { year, month, day, hour, minute, second, half } = parts
  const isPast = century === 'past' && year < 100 && Date.UTC(2000 + year, month - 1, day) > Date.now()
  const full = isPast ? 1900 + year : year < 70 ? 2000 + year : year < 100 ? 1900 + year : year
  const instant = new Date(Date.UTC(full, month - 1, day))
  if (instant.getUTCMonth() !== month - 1 || instant.getUTCDate() !== day || full > 9999) return undefined
  const iso = instant.toISOString().slice(0, 10)
  if (hour === undefined) return { day: iso, time: undefined }
  const hours = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0)
  if (hours > 23 || minute > 59 || second > 59) return undefined
  return { day: iso, time: [hours, minute, second].map(part => String(part).padStart(2, '0')).join(':') }
}

interface Parts {
  year: number
  month: number
  day: number
  hour: number | undefined
  minute: number
  second: number
  half: string | undefined
}

function dateParts(text: string, order: DateOrder): Parts | undefined {
  const numeric = NUMERIC.exec(text)
  if (numeric) {
    const [, a = '', b = '', c = ''] = numeric
    const isYearFirst = a.length > 2 || order === 'YMD'
    const isDayFirst = order === 'DMY'
    const [year, month, day] = isYearFirst ? [a, b, c] : isDayFirst ? [c, b, a] : [c, a, b]
    return { ...timeParts(numeric, 4), year: Number(year), month: Number(month), day: Number(day) }
  }
  const first = MONTH_FIRST.exec(text)
  if (first) return named(first, at(first, 1), at(first, 2), at(first, 3))
  const second = DAY_FIRST.exec(text)
  return second ? named(second, at(second, 2), at(second, 1), at(second, 3)) : undefined
}

function named(match: RegExpExecArray, name: string, day: string, year: string): Parts | undefined {
  const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
  return month === 0 ? undefined : { ...timeParts(match, 4), year: Number(year), month, day: Number(day) }
}

function timeParts(match: RegExpExecArray, from: number) {
  const [hour, minute, second, half] = match.slice(from, from + 4)
  return {
    hour: hour === undefined ? undefined : Number(hour),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    half: half?.toLowerCase(),
  }
}

export const isIsoDate = (text: string): boolean => ISO.test(text)

export const isDateLike = (text: string): boolean =>
  isIsoDate(text) || readDate(text, 'DMY') !== undefined || readDate(text, 'MDY') !== undefined

export const isDottedDate = (text: string): boolean => DOTTED.test(text)

/** Whether the text is written as a date, also one that no calendar has, such as 30.02.2026. */
export const isDateShaped = (text: string): boolean =>
  isDateLike(text) ||
  /^\d{1,2}([./-])\d{1,2}\1(?:\d{2}|\d{4})$/.test(text) ||
  /^\d{4}-\d{2}-\d{2}(?:$|[T ]\d)/.test(text)

/** `DD.MM.YYYY` → DMY: what counts is the order of the letters. */
export function orderOf(format: string): DateOrder | undefined {
  const letters = [...new Set(format.toUpperCase().replace(/[^DMY]/g, ''))].join('')
  return letters === 'DMY' || letters === 'MDY' || letters === 'YMD' ? letters : undefined
}

/** How the order is shown to people. */
export const formatOf: Record<DateOrder, string> = { DMY: 'DD/MM/YYYY', MDY: 'MM/DD/YYYY', YMD: 'YYYY-MM-DD' }
