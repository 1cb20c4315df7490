/** Days, weeks, months, quarters and years as people name them. */

const DAY = 86_400_000
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)
export const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')
export const MONTH = MONTHS.map(name => `${name}|${name.slice(0, 3)}`).join('|')
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
export const NUMBER = `\\d{1,4}|${NUMBERS.join('|')}|a|an|(?:a )?few|(?:a )?couple(?: of)?`
export const DATE = `\\d{4}-\\d{2}-\\d{2}|(?:${MONTH})\\.? \\d{1,2}(?:st|nd|rd|th)?(?: \\d{4})?|\\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${MONTH})(?: \\d{4})?`
export const POINT = `${DATE}|(?:${MONTH}) \\d{4}|(?:${MONTH})|(?:19|20)\\d{2}|today|yesterday|tomorrow|${WEEKDAYS.join('|')}`

export const at = (year: number, month: number, day: number) => new Date(Date.UTC(year, month, day))
export const iso = (date: Date) => date.toISOString().slice(0, 10)
export const plus = (date: Date, days: number) => new Date(date.getTime() + days * DAY)

export const numberOf = (text: string): number =>
  /^\d/.test(text)
    ? Number(text)
    : /^(?:a|an)$/.test(text)
      ? 1
      : text.endsWith('few')
        ? 3
        : /couple/.test(text)
          ? 2
          : NUMBERS.indexOf(text)

const monthOf = (name: string) => MONTHS.findIndex(month => month.startsWith(name.slice(0, 3)))

/** Begin and end of the week, month, quarter or year that lies `step` from this one. Weeks begin on Monday. */
export function period(unit: string, step: number, now: Date): [Date, Date] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  if (unit === 'day')
    return [plus(at(year, month, now.getUTCDate()), step), plus(at(year, month, now.getUTCDate()), step + 1)]
  if (unit === 'week') {
    const monday = plus(at(year, month, now.getUTCDate()), -((now.getUTCDay() + 6) % 7) + 7 * step)
    return [monday, plus(monday, 7)]
  }
  if (unit === 'month') return [at(year, month + step, 1), at(year, month + step + 1, 1)]
  if (unit === 'quarter') {
    const first = Math.floor(month / 3) * 3 + 3 * step
    return [at(year, first, 1), at(year, first + 3, 1)]
  }
  return [at(year + step, 0, 1), at(year + step + 1, 0, 1)]
}

/** A day, month or year by its name. Without a year: the one in which it is nearest, the past for `past`. */
export function point(text: string, now: Date, past: boolean): [Date, Date] | undefined {
  if (text === 'today') return period('day', 0, now)
  if (text === 'yesterday') return period('day', -1, now)
  if (text === 'tomorrow') return period('day', 1, now)
  if (WEEKDAYS.includes(text)) return weekday(text, past ? -1 : 0, now)
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const day = new Date(`${text}T00:00:00Z`)
    return Number.isNaN(day.getTime()) ? undefined : [day, plus(day, 1)]
  }
  if (/^\d{4}$/.test(text)) return [at(Number(text), 0, 1), at(Number(text) + 1, 0, 1)]
  const name = new RegExp(`(?:${MONTH})`).exec(text)?.[0]
  if (name === undefined) return undefined
  const month = monthOf(name)
  const given = /\b((?:19|20)\d{2})\b/.exec(text)?.[1]
  const day = /\b(\d{1,2})(?:st|nd|rd|th)?\b(?!\d)/.exec(text.replace(/\b\d{4}\b/, ''))?.[1]
  const year = given === undefined ? nearestYear(month, now, past) : Number(given)
  if (day === undefined) return [at(year, month, 1), at(year, month + 1, 1)]
  return [at(year, month, Number(day)), at(year, month, Number(day) + 1)]
}

/** The next day of that name, today if it is one (0); the last one before today (-1); the one of next week (1). */
export function weekday(name: string, step: -1 | 0 | 1, now: Date): [Date, Date] {
  const [monday] = period('week', 0, now)
  const today = period('day', 0, now)[0]
  const own = plus(monday, WEEKDAYS.indexOf(name))
  const day =
    step === 1
      ? plus(own, 7)
      : step === 0
        ? own < today
          ? plus(own, 7)
          : own
        : own < today
          ? own
          : plus(own, -7)
  return [day, plus(day, 1)]
}

function nearestYear(month: number, now: Date, past: boolean): number {
  const year = now.getUTCFullYear()
  if (past && month > now.getUTCMonth()) return year - 1
  return !past && month < now.getUTCMonth() - 6 ? year + 1 : year
}

/** So many days, weeks, months back from today. */
export function back(now: Date, count: number, unit: string): Date {
  const today = period('day', 0, now)[0]
  if (unit === 'day' || unit === 'week') return plus(today, -count * (unit === 'week' ? 7 : 1))
  const months = count * ({ month: 1, quarter: 3, year: 12 }[unit] ?? 1)
  return at(today.getUTCFullYear(), today.getUTCMonth() - months, today.getUTCDate())
}
