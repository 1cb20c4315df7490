/** Times in a question, as people say them: "last quarter", "in March", "the next 30 days", "since 2026-01-15". */
import { at, back, DATE, iso, NUMBER, numberOf, POINT, period, plus, point } from './calendar.ts'
import { QUARTERS, YEAR_TIMES } from './of-the-year.ts'
import { PARTS, type Rule, UNIT } from './parts.ts'

/** Days, the end not included. */
export interface Span {
  from: string | null
  to: string | null
}

const RULES: Rule[] = [
  ...YEAR_TIMES,
  [
    `between (${POINT}) and (${POINT})`,
    ([, a = '', b = ''], now, past) => {
      const [from, to] = [point(a, now, past), point(b, now, past)]
      return from && to && [from[0], to[1]]
    },
  ],
  [
    `from (${POINT}) (?:to|until|through|till) (${POINT})`,
    ([, a = '', b = ''], now, past) => {
      const [from, to] = [point(a, now, past), point(b, now, past)]
      return from && to && [from[0], to[1]]
    },
  ],
  [
    `(?:since|from|starting|on or after) (?:the )?(?:start|beginning) of (?:the |this )?${UNIT}`,
    ([, unit = ''], now) => [period(unit, 0, now)[0], null],
  ],
  ...PARTS,
  [
    `(after|before|until|by|starting) (?:the )?(this|current|last|previous|next|coming) ${UNIT}`,
    ([, sign = '', which = '', unit = ''], now) => {
      const [from, to] = period(
        unit,
        /this|current/.test(which) ? 0 : /last|previous/.test(which) ? -1 : 1,
        now,
      )
      if (sign === 'after') return [to, null]
      return sign === 'before' ? [null, from] : sign === 'starting' ? [from, null] : [null, to]
    },
  ],
  [`since last ${UNIT}`, ([, unit = ''], now) => [period(unit, -1, now)[0], null]],
  [
    `(?:after|later than) (?:the )?(${POINT})`,
    ([, a = ''], now, past) => {
      const p = point(a, now, past)
      return p && [p[1], null]
    },
  ],
  [
    `(?:since|starting|from|on or after) (?:the )?(${POINT})`,
    ([, a = ''], now) => {
      const p = point(a, now, true)
      return p && [p[0], null]
    },
  ],
  [
    `(?:before|earlier than|prior to) (?:the )?(${POINT})`,
    ([, a = ''], now, past) => {
      const p = point(a, now, past)
      return p && [null, p[0]]
    },
  ],
  [
    `(?:until|by|through|up to|no later than) (?:the )?(${POINT})`,
    ([, a = ''], now, past) => {
      const p = point(a, now, past)
      return p && [null, p[1]]
    },
  ],
  [
    `(?:in |within |over |during )?(?:the )?(?:last|past|previous) (${NUMBER}) ${UNIT}`,
    ([, n = '', unit = ''], now) => [back(now, numberOf(n), unit), plus(period('day', 0, now)[0], 1)],
  ],
  [
    `(?:in |within |over |during )?(?:the )?(?:next|coming|following) (${NUMBER}) ${UNIT}`,
    ([, n = '', unit = ''], now) => [period('day', 0, now)[0], plus(back(now, -numberOf(n), unit), 1)],
  ],
  [
    `(?:within|in|for) (?:over )?(${NUMBER}) ${UNIT}(?! ago)`,
    ([, n = '', unit = ''], now, past) =>
      past
        ? [back(now, numberOf(n), unit), plus(period('day', 0, now)[0], 1)]
        : [period('day', 0, now)[0], plus(back(now, -numberOf(n), unit), 1)],
  ],
  [`than (${NUMBER}) ${UNIT}`, ([, n = '', unit = ''], now) => [null, back(now, numberOf(n), unit)]],
  [
    `(?:more than |over |at least )(${NUMBER}) ${UNIT} ago`,
    ([, n = '', unit = ''], now) => [null, back(now, numberOf(n), unit)],
  ],
  [
    `(?:less than |within )(${NUMBER}) ${UNIT} ago`,
    ([, n = '', unit = ''], now) => [back(now, numberOf(n), unit), plus(period('day', 0, now)[0], 1)],
  ],
  [
    `(?:for )?(?:more than|over|at least) (${NUMBER}) ${UNIT}(?! old)`,
    ([, n = '', unit = ''], now) => [null, back(now, numberOf(n), unit)],
  ],
  [
    `(?:in |within |over |during )(?:the )?past ${UNIT}`,
    ([, unit = ''], now) => [back(now, 1, unit), plus(period('day', 0, now)[0], 1)],
  ],
  [
    `(?:in |on |during |for |within )?(?:the )?(this|current|last|previous|past|next|coming|following|upcoming) ${UNIT}`,
    ([, which = '', unit = ''], now) =>
      period(unit, /this|current/.test(which) ? 0 : /last|previous|past/.test(which) ? -1 : 1, now),
  ],
  [
    `(?:in |during |for )?(?:the )?(?:q([1-4])|(${QUARTERS.join('|')}) quarter)(?: (?:of )?((?:19|20)\\d{2}))?`,
    ([, digit = '', word = '', y = ''], now, past) => {
      const q = word === '' ? Number(digit) : QUARTERS.indexOf(word) + 1
      // what is still to come lies in no quarter that is over
      const over = !past && q * 3 <= now.getUTCMonth() ? 1 : 0
      const year = y === '' ? now.getUTCFullYear() + over : Number(y)
      return [at(year, (q - 1) * 3, 1), at(year, q * 3, 1)]
    },
  ],
  [`(?:on |for )?(?:the )?(${DATE})`, ([, a = ''], now, past) => point(a, now, past)],
  [`(?:in|on|during|for|of|this) (${POINT})`, ([, a = ''], now, past) => point(a, now, past)],
  [
    `(today|yesterday|tomorrow|tonight)`,
    ([, a = ''], now, past) => point(a === 'tonight' ? 'today' : a, now, past),
  ],
]

const WHOLE = RULES.map(([pattern, make]) => ({ pattern: new RegExp(`^(?:${pattern})$`), make }))

/** The phrase as a time, when all of it is one. `past`: it is said of what has been. */
export function timeOf(phrase: string, now: Date, past: boolean): Span | undefined {
  for (const { pattern, make } of WHOLE) {
    const match = pattern.exec(phrase)
    const span = match && make([...match], now, past)
    if (span) return { from: span[0] && iso(span[0]), to: span[1] && iso(span[1]) }
  }
  return undefined
}
