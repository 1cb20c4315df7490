/** Months as the service names them (`2026-01`), in the reader's calendar. */
import { today } from '#lib/format.ts'

const names = new Intl.DateTimeFormat(navigator.language, { month: 'short', timeZone: 'UTC' })
const longNames = new Intl.DateTimeFormat(navigator.language, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

const dayOf = (month: string): Date => new Date(`${month}-01T00:00:00Z`)
const isoDay = (date: Date): string => date.toISOString().slice(0, 10)

export const thisMonth = (): string => today().slice(0, 7)

export function addMonths(month: string, count: number): string {
  const date = dayOf(month)
  date.setUTCMonth(date.getUTCMonth() + count)
  return isoDay(date).slice(0, 7)
}

export const firstDay = (month: string): string => `${month}-01`

export function lastDay(month: string): string {
  const date = dayOf(addMonths(month, 1))
  date.setUTCDate(0)
  return isoDay(date)
}

/** `count` months from `first` on. */
export const monthsFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => addMonths(first, index))

export const shortName = (month: string): string => names.format(dayOf(month))
export const longName = (month: string): string => longNames.format(dayOf(month))

/** The reader's day so many days ago, as `2026-01-31`. */
export function daysAgo(count: number): string {
  const date = new Date()
  date.setDate(date.getDate() - count)
  return today(date)
}
