/** Feasts, seasons, quarters of other years, days of a month, and the weeks around a date. */
import { at, back, DATE, MONTH, NUMBER, numberOf, POINT, period, plus, point } from './calendar.ts'
import { type Rule, UNIT } from './parts.ts'

const DAY = '(?:the )?(\\d{1,2})(?:st|nd|rd|th)?'
const NEW_YEAR = '(?:the )?new years?(?: (?:day|eve))?'
const YEAR_END = '(?:the )?(?:year[- ]?end|end of (?:the |this )?year)'
/** What a year ends with, as a day that other times are counted to. */
const ENDING = `(?:${NEW_YEAR}|christmas|xmas|${YEAR_END})(?: (?:19|20)\\d{2})?`

/** The day on which it is over: Christmas on the 25th, the year on the first of January. */
function ending(said: string, now: Date, past: boolean): Date {
  const year = now.getUTCFullYear()
  const of = (one: number) => (/christmas|xmas/.test(said) ? at(one, 11, 25) : at(one + 1, 0, 1))
  const given = /\d{4}/.exec(said)?.[0]
  if (given !== undefined) return of(Number(given))
  if (past) return of(year) <= now ? of(year) : of(year - 1)
  return of(year) > now ? of(year) : of(year + 1)
}

const SEASONS: Record<string, number> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 }

/** Three months; the ones that are on or the nearest, before or after now. */
function season(name: string, which: string, now: Date, past: boolean): [Date, Date] {
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
function dayOfMonth(day: number, now: Date, past: boolean): [Date, Date] | undefined {
  const today = now.getUTCDate()
  const step = past ? (day > today ? -1 : 0) : day < today ? 1 : 0
  const date = at(now.getUTCFullYear(), now.getUTCMonth() + step, day)
  return date.getUTCDate() === day && day > 0 ? [date, plus(date, 1)] : undefined
}

/** Days of one month, which is named once. */
function daysOf(first: string, last: string, month: string, now: Date, past: boolean) {
  const [from, to] = [point(`${first} ${month}`, now, past), point(`${last} ${month}`, now, past)]
  return from && to && from[0] <= to[0] ? ([from[0], to[1]] as [Date, Date]) : undefined
}

const yearOf = (which: string, now: Date): number =>
  which === '' || /this|^the$|current/.test(which)
    ? now.getUTCFullYear()
    : /next|coming/.test(which)
      ? now.getUTCFullYear() + 1
      : /last|previous/.test(which)
        ? now.getUTCFullYear() - 1
        : Number(which)
const YEAR = '(?:(?:of )?(the|this|next|last|current|coming|previous) year|(?:of |in )?((?:19|20)\\d{2}))'
export const QUARTERS = ['first', 'second', 'third', 'fourth']

export const YEAR_TIMES: Rule[] = [
  [
    `(?:between|from) (?:now|today) (?:and|to|until|till|through) (${ENDING})`,
    ([, end = ''], now) => [period('day', 0, now)[0], ending(end, now, false)],
  ],
  [
    `(?:between|from) now (?:and|to|until|till|through) (${POINT})`,
    ([, end = ''], now) => {
      const last = point(end, now, false)
      return last && [period('day', 0, now)[0], last[1]]
    },
  ],
  [
    `(?:by|before|until|till|up to|ahead of) (?:the )?(${ENDING})`,
    ([, end = ''], now) => [null, ending(end, now, false)],
  ],
  [
    `(?:after|past|beyond|later than) (?:the )?(${ENDING})`,
    ([, end = ''], now, past) => [plus(ending(end, now, past), /mas$/.test(end) ? 1 : 0), null],
  ],
  [`since (christmas|xmas|${NEW_YEAR})`, ([, end = ''], now) => [ending(end, now, true), null]],
  [
    `(?:in |during )?(?:the )?week (?:of|from|beginning|starting|commencing) (?:on )?(?:the )?(${DATE})`,
    ([, day = ''], now, past) => {
      const found = point(day, now, past)
      return found && period('week', 0, found[0])
    },
  ],
  [
    `(?:between|from) ${DAY} (?:and|to|until|till|through) ${DAY}(?: of)? ((?:${MONTH})(?: (?:19|20)\\d{2})?)`,
    ([, first = '', last = '', month = ''], now, past) => daysOf(first, last, month, now, past),
  ],
  [
    `(?:between|from) (${MONTH}) ${DAY} (?:and|to|until|till|through) ${DAY}(?! (?:${MONTH}))`,
    ([, month = '', first = '', last = ''], now, past) => daysOf(first, last, month, now, past),
  ],
  [
    `(?:in |into |from )?(${POINT}) or (later|afterwards|beyond|earlier)`,
    ([, when = '', side = ''], now, past) => {
      const found = point(when, now, past)
      return found && (side === 'earlier' ? [null, found[1]] : [found[0], null])
    },
  ],
  [
    `(?:in |during |for )?(?:(?:the )?(first|second|third|fourth) quarter|(?:the )?q([1-4])) ${YEAR}`,
    ([, word = '', digit = '', which = '', year = ''], now) => {
      const quarter = word === '' ? Number(digit) - 1 : QUARTERS.indexOf(word)
      const of = yearOf(which || year, now)
      return [at(of, quarter * 3, 1), at(of, quarter * 3 + 3, 1)]
    },
  ],
  [
    `(?:in |during |for )?(?:the )?(first|second) half of (next|last) year`,
    ([, half = '', which = ''], now) => {
      const first = half === 'first' ? 0 : 6
      return [at(yearOf(which, now), first, 1), at(yearOf(which, now), first + 6, 1)]
    },
  ],
  [
    `(?:in|during|over|for)(?: the)? (?:(this|last|next|past|coming) )?(spring|summer|autumn|fall|winter)(?: (?:june to august|june through august|jun to aug))?(?! (?:19|20)\\d{2})|(this|last|next) (spring|summer|autumn|winter)`,
    ([, which = '', name = '', also = '', other = ''], now, past) =>
      season(name || other, which || also, now, past),
  ],
  [
    `(on|for|by|until|before|since|after) the (\\d{1,2})(?:st|nd|rd|th)(?! (?:of )?(?:${MONTH}|quarter|place))`,
    ([, side = '', number = ''], now, past) => {
      const day = dayOfMonth(Number(number), now, past || side === 'since')
      if (!day) return undefined
      if (side === 'on' || side === 'for') return day
      if (side === 'since') return [day[0], null]
      return side === 'after' ? [day[1], null] : [null, side === 'before' ? day[0] : day[1]]
    },
  ],
  [`in the new year`, (_, now) => period('year', 1, now)],
  [
    `(?:for|in|within) (${NUMBER}) ${UNIT} or (?:more|longer)`,
    ([, n = '', unit = ''], now) => [null, back(now, numberOf(n), unit)],
  ],
  // the last thirty days, not October
  [
    `(?:in|within|over|during) the last (week|month|year)`,
    ([, unit = ''], now) => [back(now, 1, unit), plus(period('day', 0, now)[0], 1)],
  ],
]
