/** Times relative to now: "3 hours ago", "in 2 days". In the language of the client, because they are parts of sentences. */
const formats = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Each unit is used up to the limit beside it, in seconds. */
const UNITS: readonly [limit: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [HOUR, 'minute', MINUTE],
  [DAY, 'hour', HOUR],
  [14 * DAY, 'day', DAY],
  [60 * DAY, 'week', 7 * DAY],
  [365 * DAY, 'month', 30.44 * DAY],
  [Number.POSITIVE_INFINITY, 'year', 365.25 * DAY],
]

export function relativeTime(time: string | Date, now = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000
  const size = Math.abs(seconds)
  if (size < 45) return formats.format(0, 'second')
  for (const [limit, unit, length] of UNITS) {
    if (size < limit) return formats.format(Math.round(seconds / length) || Math.sign(seconds), unit)
  }
  return ''
}
