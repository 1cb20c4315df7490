/** Numbers, money, dates and times in the format of the reader's locale. */
const locale = navigator.language

const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
const compactNumbers = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const dateTimes = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const times = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const days = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })

export const formatNumber = (value: number): string => numbers.format(value)
/** Of a number in per cent: 52 is 52%, or 52 % where the reader writes it so. */
export const formatPercent = (value: number): string => percents.format(value / 100)
export const formatCompact = (value: number): string => compactNumbers.format(value)

const moneyFormats = new Map<string, Intl.NumberFormat>()

/** Undefined for what is no currency code: Intl throws, and an amount must not take the place of its screen. */
function moneyFormat(currency: string, notation: 'standard' | 'compact'): Intl.NumberFormat | undefined {
  if (!/^[a-z]{3}$/i.test(currency)) return undefined
  const key = `${currency} ${notation}`
  const existing = moneyFormats.get(key)
  if (existing) return existing
  const digits = notation === 'compact' ? { maximumFractionDigits: 1 } : {}
  const created = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    notation,
    trailingZeroDisplay: 'stripIfInteger',
    ...digits,
  })
  moneyFormats.set(key, created)
  return created
}

const cents = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export const formatMoney = (value: number, currency: string): string =>
  moneyFormat(currency, 'standard')?.format(value) ?? `${cents.format(value)} ${currency}`
export const formatCompactMoney = (value: number, currency: string): string =>
  moneyFormat(currency, 'compact')?.format(value) ?? `${compactNumbers.format(value)} ${currency}`

/** `2026-01-31`: a day, the same in every time zone. */
export const formatDate = (day: string): string => dates.format(new Date(`${day.slice(0, 10)}T00:00:00Z`))
export const formatDateTime = (time: string | Date): string => dateTimes.format(new Date(time))
export const formatTime = (time: string | Date): string => times.format(new Date(time))
/** The weekday and day of a time. */
export const formatDay = (time: Date): string => days.format(time)

/** The reader's current day as `2026-01-31`. */
export function today(now = new Date()): string {
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
}

/** `lead_source` → Lead source */
export function humanize(key: string): string {
  const words = key.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** 800 B, 12.4 kB, 3 MB */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${tenths.format(bytes / 1e3)} kB` : `${tenths.format(bytes / 1e6)} MB`
}

/** 1 contact, 2,400 contacts */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`
