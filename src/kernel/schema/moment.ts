/**
 * Parses dates and times as speedate, the parser behind Pydantic, does: it accepts the same texts, with the
 * same reasons for the others. A failure is returned as its reason.
 */

/** A wall-clock time (as if it were UTC), whether digits below the millisecond were cut, and the zone's offset. */
export interface Moment {
  readonly wall: number
  readonly inexact: boolean
  readonly offset: number
}

export const DAY_MS = 86_400_000

/** Numbers up to here are seconds since 1970, larger ones milliseconds. */
const SECONDS_LIMIT = 2e10
const INT64 = 2 ** 63
const FIRST_SECOND = -62_167_219_200
const LAST_SECOND = 253_402_300_799

const WHOLE = /^[+-]?\d+$/
const DECIMAL = /^[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** One character per UTF-8 byte, since positions and lengths are those of bytes. */
function bytesOf(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text).toString('latin1')
}

/** Two digits at `at`, or NaN. */
function pair(bytes: string, at: number): number {
  const high = bytes.charCodeAt(at) - 48
  const low = bytes.charCodeAt(at + 1) - 48
  return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : Number.NaN
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** The first ten bytes as midnight of that day. */
function parseDay(bytes: string): number | string {
  if (bytes.length < 10) return 'input is too short'
  const year = pair(bytes, 0) * 100 + pair(bytes, 2)
  if (Number.isNaN(year)) return 'invalid character in year'
  if (bytes[4] !== '-') return 'invalid date separator, expected `-`'
  const month = pair(bytes, 5)
  if (Number.isNaN(month)) return 'invalid character in month'
  if (bytes[7] !== '-') return 'invalid date separator, expected `-`'
  const day = pair(bytes, 8)
  if (Number.isNaN(day)) return 'invalid character in day'
  if (month < 1 || month > 12) return 'month value is outside expected range of 1-12'
  if (day < 1 || day > daysIn(year, month)) return 'day value is outside expected range'
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  return new Date(0).setUTCFullYear(year, month - 1, day)
}

interface Clock {
  ms: number
  inexact: boolean
  end: number
}

function parseClock(bytes: string, at: number): Clock | string {
  if (bytes.length - at < 5) return 'input is too short'
  const hour = pair(bytes, at)
  if (Number.isNaN(hour)) return 'invalid character in hour'
  if (bytes[at + 2] !== ':') return 'invalid time separator, expected `:`'
  const minute = pair(bytes, at + 3)
  if (Number.isNaN(minute)) return 'invalid character in minute'
  if (hour > 23) return 'hour value is outside expected range of 0-23'
  if (minute > 59) return 'minute value is outside expected range of 0-59'
  const clock = { ms: (hour * 60 + minute) * 60_000, inexact: false, end: at + 5 }
  if (bytes[clock.end] !== ':') return clock
  const second = pair(bytes, clock.end + 1)
  if (Number.isNaN(second)) return 'invalid character in second'
  if (second > 59) return 'second value is outside expected range of 0-59'
  clock.ms += second * 1000
  clock.end += 3
  if (bytes[clock.end] !== '.' && bytes[clock.end] !== ',') return clock
  const [fraction] = /^\d*/.exec(bytes.slice(clock.end + 1)) ?? ['']
  if (fraction === '') return 'second fraction digits missing after `.`'
  clock.ms += Number(fraction.slice(0, 3).padEnd(3, '0'))
  clock.inexact = /[1-9]/.test(fraction.slice(3, 6))
  clock.end += 1 + fraction.length
  return clock
}

/** The zone in milliseconds from `at` to the end of the input; none means UTC. */
function parseZone(bytes: string, at: number): number | string {
  const extra = 'unexpected extra characters at the end of the input'
  if (at >= bytes.length) return 0
  if (bytes[at] === 'Z' || bytes[at] === 'z') return bytes.length > at + 1 ? extra : 0
  // The three bytes of U+2212, the minus sign that ISO 8601 prefers.
  const typographic = bytes.startsWith('\xe2\x88\x92', at)
  if (!typographic && bytes[at] !== '+' && bytes[at] !== '-') return 'invalid timezone sign'
  const hours = at + (typographic ? 3 : 1)
  const hour = pair(bytes, hours)
  if (Number.isNaN(hour)) return 'invalid timezone hour'
  const minutes = hours + (bytes[hours + 2] === ':' ? 3 : 2)
  const minute = pair(bytes, minutes)
  if (Number.isNaN(minute)) return 'invalid timezone minute'
  if (minute > 59) return 'timezone minute value is outside expected range of 0-59'
  if (hour > 23) return 'timezone offset must be less than 24 hours'
  if (bytes.length > minutes + 2) return extra
  return (bytes[at] === '+' ? 1 : -1) * (hour * 60 + minute) * 60_000
}

function parseRfc3339(bytes: string): Moment | string {
  const day = parseDay(bytes)
  if (typeof day === 'string') return day
  const separator = bytes[10]
  if (separator !== 'T' && separator !== 't' && separator !== ' ' && separator !== '_') {
    return 'invalid datetime separator, expected `T`, `t`, `_` or space'
  }
  const clock = parseClock(bytes, 11)
  if (typeof clock === 'string') return clock
  const offset = parseZone(bytes, clock.end)
  if (typeof offset === 'string') return offset
  return { wall: day + clock.ms, inexact: clock.inexact, offset }
}

export function momentOfNumber(value: number): Moment | string {
  if (Number.isNaN(value)) return 'NaN values not permitted'
  const ms = Math.abs(value) <= SECONDS_LIMIT ? value * 1000 : value
  if (ms < FIRST_SECOND * 1000) return 'dates before 0000 are not supported as unix timestamps'
  if (ms >= (LAST_SECOND + 1) * 1000) return 'dates after 9999 are not supported as unix timestamps'
  // Rounding at the microsecond first: 1.001 seconds are 1000.9999999999999 milliseconds.
  const micros = Math.round(ms * 1000)
  return { wall: Math.floor(micros / 1000), inexact: micros % 1000 !== 0, offset: 0 }
}

export function momentOfText(text: string): Moment | string {
  const bytes = bytesOf(text)
  const moment = parseRfc3339(bytes)
  if (typeof moment !== 'string') return moment
  const numeric = WHOLE.test(bytes) ? Math.abs(Number(bytes)) < INT64 : DECIMAL.test(bytes)
  return numeric ? momentOfNumber(Number(bytes)) : moment
}

/** Midnight of a plain date, or of a number that is exactly one. */
export function dayOfText(text: string): number | string {
  const bytes = bytesOf(text)
  const day = bytes.length > 10 ? afterDay(bytes) : parseDay(bytes)
  if (typeof day !== 'string' || !WHOLE.test(bytes) || Math.abs(Number(bytes)) >= INT64) return day
  const moment = momentOfNumber(Number(bytes))
  if (typeof moment === 'string') return moment
  return moment.wall % DAY_MS === 0 ? moment.wall : 'Timestamp is not an exact date'
}

function afterDay(bytes: string): string {
  const day = parseDay(bytes)
  return typeof day === 'string' ? day : 'unexpected extra characters at the end of the input'
}
