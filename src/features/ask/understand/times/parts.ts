/** Ends and rests of weeks, months and years, days of the week, and what has been so far. */
import { at, back, POINT, period, plus, point, WEEKDAYS, weekday } from './calendar.ts'

export type Rule = [
  pattern: string,
  make: (match: string[], now: Date, past: boolean) => [Date | null, Date | null] | undefined,
]

export const UNIT = '(day|week|month|quarter|year)s?'
const UNITS: Record<string, string> = { w: 'week', m: 'month', q: 'quarter', y: 'year' }
const DAYS = WEEKDAYS.join('|')

export const PARTS: Rule[] = [
  [
    `(?:in |on )?(?:today|this ${UNIT}) (?:or|and) (?:tomorrow|next(?: ${UNIT})?)`,
    ([, unit = ''], now) => [period(unit || 'day', 0, now)[0], period(unit || 'day', 1, now)[1]],
  ],
  [
    `from ((?:19|20)\\d{2})(?! (?:to|until|through|till|on|onwards?) )`,
    ([, year = ''], now) => point(year, now, true),
  ],
  [
    `(?:by|before|until|till|through) (?:the )?end of (the |this |next )?${UNIT}`,
    ([, which = '', unit = ''], now) => [null, period(unit, which === 'next ' ? 1 : 0, now)[1]],
  ],
  [
    `(?:by|before|until|till) (?:the )?(year|month|quarter|week)[- ]?end|(?:by|before|until) eo(y|m|q|w)`,
    ([, long = '', short = ''], now) => [null, period(long || (UNITS[short] ?? ''), 0, now)[1]],
  ],
  [
    `(?:by|before|until) (?:the )?end of (${POINT})`,
    ([, a = ''], now, past) => {
      const p = point(a, now, past)
      return p && [null, p[1]]
    },
  ],
  // not a day: the last month of the year, the last week of the month
  [
    `(?:at|around|towards?|near) (?:the )?end of (the |this |next )?(month|quarter|year)`,
    ([, which = '', unit = ''], now) => {
      const end = period(unit, which === 'next ' ? 1 : 0, now)[1]
      return [unit === 'month' ? plus(end, -7) : back(end, 1, 'month'), end]
    },
  ],
  [
    `(?:for |in |during |over )?(?:the )?(?:rest|remainder) of (?:the |this )?${UNIT}|later this ${UNIT}`,
    ([, rest = '', later = ''], now) => [period('day', 0, now)[0], period(rest || later, 0, now)[1]],
  ],
  [
    `earlier this ${UNIT}`,
    ([, unit = ''], now) => [period(unit, 0, now)[0], plus(period('day', 0, now)[0], 1)],
  ],
  [
    `(week|month|quarter|year)[- ]to[- ]date|([wmqy = ''])td|this ${UNIT} so far|so far this ${UNIT}`,
    ([, long = '', short = '', a = '', b = ''], now) => [
      period(long || a || b || (UNITS[short] ?? ''), 0, now)[0],
      plus(period('day', 0, now)[0], 1),
    ],
  ],
  [
    `(?:on |over |at |for )?(?:(?:the|this|next) )?weekend`,
    ([said = ''], now) => {
      const [monday] = period('week', said.includes('next') ? 1 : 0, now)
      return [plus(monday, 5), plus(monday, 7)]
    },
  ],
  [`since last (${DAYS})`, ([, day = ''], now) => [weekday(day, -1, now)[0], null]],
  [`(?:on |for )?last (${DAYS})`, ([, day = ''], now) => weekday(day, -1, now)],
  [`(?:on |for )?next (${DAYS})`, ([, day = ''], now) => weekday(day, 1, now)],
  [
    `(?:on |for )?(?:this coming|the coming|this|coming) (${DAYS})`,
    ([, day = ''], now) => weekday(day, 0, now),
  ],
  [
    `(?:in |during |for )?(?:the )?(first|second|1st|2nd) half (?:of )?(?:the year|this year|((?:19|20)\\d{2}))|(?:in )?h([12 = ''])(?: ((?:19|20)\\d{2}))?`,
    ([, word = '', a = '', digit = '', b = ''], now) => {
      const year = Number(a || b || now.getUTCFullYear())
      const first = word === 'first' || word === '1st' || digit === '1' ? 0 : 6
      return [at(year, first, 1), at(year, first + 6, 1)]
    },
  ],
]
