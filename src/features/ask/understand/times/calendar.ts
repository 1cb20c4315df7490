/** Days, weeks, months, quarters, years, seasons and feasts as people name them. */

/** Begin and end; null where there is none. */
export type Ends = [Date | null, Date | null]

const DAY = 86_400_000
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)
export const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')
export const MONTH = MONTHS.map(name => `${name}|${name.slice(0, 3)}`).join('|')
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen'.split(
  ' ',
)
const TENS = new Map(
  Object.entries({ twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90, hundred: 100 }),
)
export const NUMBER = `\\d{1,4}|${[...NUMBERS, ...TENS.keys()].join('|')}|a|an|(?:a )?few|(?:a )?couple(?: of)?`
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
          : (TENS.get(text) ?? NUMBERS.indexOf(text))

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

/** The step of "last", "this" or "next". */
export const stepOf = (which: string): -1 | 0 | 1 =>
  /next|coming|following/.test(which) ? 1 : /last|previous|past/.test(which) ? -1 : 0

/** So many days, weeks, months back from today. */
export function back(now: Date, count: number, unit: string): Date {
  const today = period('day', 0, now)[0]
  if (unit === 'day' || unit === 'week') return plus(today, -count * (unit === 'week' ? 7 : 1))
  const months = count * ({ month: 1, quarter: 3, year: 12 }[unit] ?? 1)
  return at(today.getUTCFullYear(), today.getUTCMonth() - months, today.getUTCDate())
}

const NEW_YEAR = '(?:the )?new years?(?: (?:day|eve))?'
const YEAR_END = '(?:the )?(?:year[- ]?end|end of (?:the |this )?year)'
/** What a year ends with, as a day that other times are counted to. */
export const ENDING = `(?:${NEW_YEAR}|christmas|xmas|${YEAR_END})(?: (?:19|20)\\d{2})?`

/** The day on which it is over: Christmas on the 25th, the year on the first of January. */
export function ending(said: string, now: Date, past: boolean): Date {
  const year = now.getUTCFullYear()
  const of = (one: number) => (/christmas|xmas/.test(said) ? at(one, 11, 25) : at(one + 1, 0, 1))
  const given = /\d{4}/.exec(said)?.[0]
  if (given !== undefined) return of(Number(given))
  if (past) return of(year) <= now ? of(year) : of(year - 1)
  return of(year) > now ? of(year) : of(year + 1)
}

const SEASONS: Record<string, number> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 }

/** Three months; the ones that are on or the nearest, before or after now. */
export function season(name: string, which: string, now: Date, past: boolean): [Date, Date] {
  const first = SEASONS[name] ?? 0
  const of = (year: number): [Date, Date] => [at(year, first, 1), at(year, first + 3, 1)]
  const year = now.getUTCFullYear()
  const years = [year - 2, year - 1, year, year + 1].map(of)
  const over = years.filter(([, to]) => to <= now).at(-1) ?? of(year - 2)
  const next = years.find(([from]) => from > now) ?? of(year + 2)
  const on = years.find(([from, to]) => from <= now && now < to)
  if (/last|past/.test(which)) return over
  if (/next|coming/.test(which)) return next
  if (which === 'this') return on ?? of(year)
  return on ?? (past ? over : next)
}

/** The day of this month that has the number, or of the one before or after. */
export function dayOfMonth(day: number, now: Date, past: boolean): [Date, Date] | undefined {
  const today = now.getUTCDate()
  const step = past ? (day > today ? -1 : 0) : day < today ? 1 : 0
  const date = at(now.getUTCFullYear(), now.getUTCMonth() + step, day)
  return date.getUTCDate() === day && day > 0 ? [date, plus(date, 1)] : undefined
}

export const QUARTERS = ['first', 'second', 'third', 'fourth']

export const halfOf = (year: number, isFirst: boolean): Ends => [
  at(year, isFirst ? 0 : 6, 1),
  at(year, isFirst ? 6 : 12, 1),
]
export const quarterOf = (year: number, quarter: number): Ends => [
  at(year, quarter * 3 - 3, 1),
  at(year, quarter * 3, 1),
]

/** Several months, the last of which names the year. */
export function months(
  first: string,
  last: string,
  year: string,
  now: Date,
  past: boolean,
): Ends | undefined {
  const end = point(`${last} ${year}`.trim(), now, past)
  const ended = end?.[0].getUTCFullYear()
  const begin = ended === undefined ? undefined : point(`${first} ${ended}`, now, past)
  if (!begin || !end) return undefined
  return begin[0] <= end[0]
    ? [begin[0], end[1]]
    : [at(begin[0].getUTCFullYear() - 1, begin[0].getUTCMonth(), 1), end[1]]
}

/** The first or the last months of a year. */
export function monthsOf(which: string, count: number, of: string, now: Date): Ends {
  const year = /^\d/.test(of) ? Number(of) : now.getUTCFullYear() + stepOf(of)
  return which === 'first'
    ? [at(year, 0, 1), at(year, count, 1)]
    : [at(year, 12 - count, 1), at(year + 1, 0, 1)]
}
