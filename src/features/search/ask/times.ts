/** Times in a question, as people say them: "last quarter", "in March", "the next 30 days", "since 2026-01-15". */

/** Days, the end not included. */
export interface Span {
  from: string | null
  to: string | null
  said: string
}

export interface TimeFound {
  span: Span
  /** the question without it */
  rest: string
}

const DAY = 86_400_000
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)
const MONTH = MONTHS.map(name => `${name}|${name.slice(0, 3)}`).join('|')
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const NUMBER = `\\d{1,4}|${NUMBERS.join('|')}|a|an|few|couple of`
const DATE = `\\d{4}-\\d{2}-\\d{2}|(?:${MONTH})\\.? \\d{1,2}(?:st|nd|rd|th)?(?: \\d{4})?|\\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${MONTH})(?: \\d{4})?`
const POINT = `${DATE}|(?:${MONTH}) \\d{4}|(?:${MONTH})|(?:19|20)\\d{2}|today|yesterday|tomorrow`

const at = (year: number, month: number, day: number) => new Date(Date.UTC(year, month, day))
const iso = (date: Date) => date.toISOString().slice(0, 10)
const plus = (date: Date, days: number) => new Date(date.getTime() + days * DAY)

export const numberOf = (text: string): number =>
  /^\d/.test(text)
    ? Number(text)
    : /^(?:a|an)$/.test(text)
      ? 1
      : text === 'few'
        ? 3
        : text === 'couple of'
          ? 2
          : NUMBERS.indexOf(text)

const monthOf = (name: string) => MONTHS.findIndex(month => month.startsWith(name.slice(0, 3)))

/** Begin and end of the week, month, quarter or year that lies `step` from this one. Weeks begin on Monday. */
function period(unit: string, step: number, now: Date): [Date, Date] {
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
function point(text: string, now: Date, past: boolean): [Date, Date] | undefined {
  if (text === 'today') return period('day', 0, now)
  if (text === 'yesterday') return period('day', -1, now)
  if (text === 'tomorrow') return period('day', 1, now)
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

function nearestYear(month: number, now: Date, past: boolean): number {
  const year = now.getUTCFullYear()
  if (past && month > now.getUTCMonth()) return year - 1
  return !past && month < now.getUTCMonth() - 6 ? year + 1 : year
}

type Rule = [
  pattern: string,
  make: (match: string[], now: Date, past: boolean) => [Date | null, Date | null] | undefined,
]

const UNIT = '(day|week|month|quarter|year)s?'
const RULES: Rule[] = [
  [
    `between (${POINT}) and (${POINT})`,
    ([, a, b], now, past) => {
      const [from, to] = [point(a!, now, past), point(b!, now, past)]
      return from && to && [from[0], to[1]]
    },
  ],
  [
    `from (${POINT}) (?:to|until|through|till) (${POINT})`,
    ([, a, b], now, past) => {
      const [from, to] = [point(a!, now, past), point(b!, now, past)]
      return from && to && [from[0], to[1]]
    },
  ],
  [
    `(?:since|from|starting|on or after) (?:the )?(?:start|beginning) of (?:the |this )?${UNIT}`,
    ([, unit], now) => [period(unit!, 0, now)[0], null],
  ],
  [
    `(?:by|before|until) (?:the )?end of (?:the |this )?${UNIT}`,
    ([, unit], now) => [null, period(unit!, 0, now)[1]],
  ],
  [`since last ${UNIT}`, ([, unit], now) => [period(unit!, -1, now)[0], null]],
  [
    `(?:after|later than) (${POINT})`,
    ([, a], now, past) => {
      const p = point(a!, now, past)
      return p && [p[1], null]
    },
  ],
  [
    `(?:since|starting|from|on or after) (${POINT})`,
    ([, a], now) => {
      const p = point(a!, now, true)
      return p && [p[0], null]
    },
  ],
  [
    `(?:before|earlier than|prior to) (${POINT})`,
    ([, a], now, past) => {
      const p = point(a!, now, past)
      return p && [null, p[0]]
    },
  ],
  [
    `(?:until|by|through|up to|no later than) (${POINT})`,
    ([, a], now, past) => {
      const p = point(a!, now, past)
      return p && [null, p[1]]
    },
  ],
  [
    `(?:in |within |over |during )?(?:the )?(?:last|past|previous) (${NUMBER}) ${UNIT}`,
    ([, n, unit], now) => [back(now, numberOf(n!), unit!), plus(period('day', 0, now)[0], 1)],
  ],
  [
    `(?:in |within |over |during )?(?:the )?(?:next|coming|following) (${NUMBER}) ${UNIT}`,
    ([, n, unit], now) => [period('day', 0, now)[0], plus(back(now, -numberOf(n!), unit!), 1)],
  ],
  [
    `(?:within|in) (${NUMBER}) ${UNIT}`,
    ([, n, unit], now, past) =>
      past
        ? [back(now, numberOf(n!), unit!), plus(period('day', 0, now)[0], 1)]
        : [period('day', 0, now)[0], plus(back(now, -numberOf(n!), unit!), 1)],
  ],
  [
    `(?:more than |over |at least )(${NUMBER}) ${UNIT} ago`,
    ([, n, unit], now) => [null, back(now, numberOf(n!), unit!)],
  ],
  [
    `(?:less than |within )(${NUMBER}) ${UNIT} ago`,
    ([, n, unit], now) => [back(now, numberOf(n!), unit!), plus(period('day', 0, now)[0], 1)],
  ],
  [
    `(?:for )?(?:more than|over|at least) (${NUMBER}) ${UNIT}(?! old)`,
    ([, n, unit], now) => [null, back(now, numberOf(n!), unit!)],
  ],
  [
    `(?:the )?(?:year to date|ytd|so far this year)`,
    (_, now) => [period('year', 0, now)[0], plus(period('day', 0, now)[0], 1)],
  ],
  [
    `(?:in |on |during |for |within )?(?:the )?(this|current|last|previous|past|next|coming|following|upcoming) ${UNIT}`,
    ([, which, unit], now) =>
      period(unit!, /this|current/.test(which!) ? 0 : /last|previous|past/.test(which!) ? -1 : 1, now),
  ],
  [
    `(?:in |during |for )?q([1-4])(?: (?:of )?((?:19|20)\\d{2}))?`,
    ([, q, y], now) => {
      const year = y === undefined ? now.getUTCFullYear() : Number(y)
      return [at(year, (Number(q) - 1) * 3, 1), at(year, Number(q) * 3, 1)]
    },
  ],
  [`(?:in|on|during|for|of|this) (${POINT})`, ([, a], now, past) => point(a!, now, past)],
  [
    `(today|yesterday|tomorrow|tonight)`,
    ([, a], now, past) => point(a === 'tonight' ? 'today' : a!, now, past),
  ],
  [`(${DATE})`, ([, a], now, past) => point(a!, now, past)],
]

/** So many days, weeks, months back from today. */
function back(now: Date, count: number, unit: string): Date {
  const today = period('day', 0, now)[0]
  if (unit === 'day' || unit === 'week') return plus(today, -count * (unit === 'week' ? 7 : 1))
  const months = count * ({ month: 1, quarter: 3, year: 12 }[unit] ?? 1)
  return at(today.getUTCFullYear(), today.getUTCMonth() - months, today.getUTCDate())
}

/** The first time that the question names. `past`: it asks about what has been. */
export function timeIn(question: string, now: Date, past: boolean): TimeFound | undefined {
  for (const [pattern, make] of RULES) {
    const match = new RegExp(`(?<= )${pattern}(?= )`).exec(question)
    const span = match && make([...match], now, past)
    if (!span) continue
    const rest = question.replace(match[0], '¤')
    return {
      span: { from: span[0] && iso(span[0]), to: span[1] && iso(span[1]), said: match[0].trim() },
      rest,
    }
  }
  return undefined
}
