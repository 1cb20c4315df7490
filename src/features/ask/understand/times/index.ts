/**
 * Times in a question, as people say them: "last quarter", "in March", "the next 30 days", "since 2026-01-15". A pattern
 * is one of a whole phrase; the first that fits counts.
 */
import {
  back,
  DATE,
  dayOfMonth,
  ENDING,
  type Ends,
  ending,
  halfOf,
  iso,
  MONTH,
  months,
  monthsOf,
  NUMBER,
  numberOf,
  POINT,
  period,
  plus,
  point,
  QUARTERS,
  quarterOf,
  season,
  stepOf,
  WEEKDAYS,
  weekday,
} from './calendar.ts'

/** Days, the end not included. */
export interface Span {
  from: string | null
  to: string | null
}

type Make = (match: string[], now: Date, past: boolean) => Ends | undefined

const UNIT = '(day|week|month|quarter|year)s?'
const UNITS: Record<string, string> = { w: 'week', m: 'month', q: 'quarter', y: 'year' }
const DAYS = WEEKDAYS.join('|')
const DAY = '(?:the )?(\\d{1,2})(?:st|nd|rd|th)?'
const LAST = '(?:last|past|previous)'
const NEXT = '(?:next|coming|following)'
const TO = '(?:and|to|until|till|through)'
const YEAR = '(?:(?:of )?(the|this|next|last|current|coming|previous) year|(?:of |in )?((?:19|20)\\d{2}))'

const today = (now: Date): Date => period('day', 0, now)[0]
const tomorrow = (now: Date): Date => period('day', 0, now)[1]

/** What a time is to a day or period: "since March", "after March". */
const SIDES = {
  in: span => span,
  since: ([from]) => [from, null],
  after: ([, to]) => [to, null],
  before: ([from]) => [null, from],
  until: ([, to]) => [null, to],
} satisfies Record<string, (span: Ends) => Ends>

/** A named day, month or year. `isPast`: always one that has been. */
const named =
  (side: keyof typeof SIDES, isPast?: true): Make =>
  ([, text = ''], now, past) => {
    const span = point(text, now, isPast ?? past)
    return span && SIDES[side](span)
  }
const fromTo: Make = ([, first = '', last = ''], now, past) => {
  const [from, to] = [point(first, now, past), point(last, now, past)]
  return from && to && [from[0], to[1]]
}
/** Days of one month, which is named once. */
const daysOf = (first: string, last: string, month: string, now: Date, past: boolean) => {
  const span = fromTo(['', `${first} ${month}`, `${last} ${month}`], now, past)
  return span?.[0] && span[1] && span[0] < span[1] ? span : undefined
}
/** So many days, weeks or months from now. */
const ago: Make = ([, count = '', unit = ''], now) => [null, back(now, numberOf(count), unit)]
const lately: Make = ([, count = '', unit = ''], now) => [back(now, numberOf(count), unit), tomorrow(now)]
const soon: Make = ([, count = '', unit = ''], now) => [
  today(now),
  plus(back(now, -numberOf(count), unit), 1),
]
const quarterNumber = (word: string, digit: string): number =>
  word === '' ? Number(digit) : QUARTERS.indexOf(word) + 1

const DECADES = 'twenties thirties forties fifties sixties seventies eighties nineties'.split(' ')
/** Of two digits those of the last century, up to the twenties. */
const decade = (century: string, tens: number): Ends => {
  const first = Number(century || (tens > 2 ? 19 : 20)) * 100 + tens * 10
  return [new Date(Date.UTC(first, 0, 1)), new Date(Date.UTC(first + 10, 0, 1))]
}

const restOf: Make = ([, month = ''], now) => {
  const span = point(month, now, false)
  return span && [span[0] > now ? span[0] : today(now), span[1]]
}

const PATTERNS: [pattern: string, make: Make][] = [
  [
    `(?:between|from) (?:now|today) ${TO} (${ENDING})`,
    ([, end = ''], now) => [today(now), ending(end, now, false)],
  ],
  [
    `(?:between|from) now ${TO} (${POINT})`,
    ([, end = ''], now) => {
      const last = point(end, now, false)
      return last && [today(now), last[1]]
    },
  ],
  [
    `(?:by|before|until|till|up to|ahead of|prior to|earlier than) (?:the )?(${ENDING})`,
    ([, end = ''], now) => [null, ending(end, now, false)],
  ],
  [
    `(?:after|past|beyond|later than) (?:the )?(${ENDING})`,
    ([, end = ''], now, past) => [plus(ending(end, now, past), /mas$/.test(end) ? 1 : 0), null],
  ],
  [
    `since (christmas|xmas|(?:the )?new years?(?: (?:day|eve))?)`,
    ([, end = ''], now) => [ending(end, now, true), null],
  ],
  [
    `(?:in |during )?(?:the )?week (?:of|from|beginning|starting|commencing) (?:on )?(?:the )?(${DATE})`,
    ([, text = ''], now, past) => {
      const day = point(text, now, past)
      return day && period('week', 0, day[0])
    },
  ],
  [
    `(?:between|from) ${DAY} ${TO} ${DAY}(?: of)? ((?:${MONTH})(?: (?:19|20)\\d{2})?)`,
    ([, first = '', last = '', month = ''], now, past) => daysOf(first, last, month, now, past),
  ],
  [
    `(?:between|from) (${MONTH}) ${DAY} ${TO} ${DAY}(?! (?:${MONTH}))`,
    ([, month = '', first = '', last = ''], now, past) => daysOf(first, last, month, now, past),
  ],
  [`(?:in |into |from )?(${POINT}) or (?:later|afterwards|beyond)`, named('since')],
  [`(?:in |into |from )?(${POINT}) or earlier`, named('until')],
  [
    `(?:in |during |for )?(?:(?:the )?(first|second|third|fourth) quarter|(?:the )?q([1-4])) ${YEAR}`,
    ([, word = '', digit = '', which = '', year = ''], now) =>
      quarterOf(
        year === '' ? now.getUTCFullYear() + stepOf(which) : Number(year),
        quarterNumber(word, digit),
      ),
  ],
  [
    `(?:in |during |for )?(?:the )?(first|second) half of (next|last) year`,
    ([, half = '', which = ''], now) => halfOf(now.getUTCFullYear() + stepOf(which), half === 'first'),
  ],
  [
    `(?:in|during|over|for)(?: the)? (?:(this|last|next|past|coming) )?(spring|summer|autumn|fall|winter)(?: (?:june to august|june through august|jun to aug))?(?! (?:19|20)\\d{2})|(this|last|next) (spring|summer|autumn|winter)`,
    ([, which = '', name = '', also = '', other = ''], now, past) =>
      season(name || other, which || also, now, past),
  ],
  [
    `before (?:the )?(?:(this|next|coming) )?(spring|summer|autumn|fall|winter)`,
    ([, which = '', name = ''], now) => {
      const span = season(name, which, now, false)
      return span && [null, span[0]]
    },
  ],
  [
    `(on|for|by|until|before|since|after) the (\\d{1,2})(?:st|nd|rd|th)(?: of (?:the|this) month)?(?! (?:of )?(?:${MONTH}|quarter|place))`,
    ([, word = '', number = ''], now, past) => {
      const day = dayOfMonth(Number(number), now, past || word === 'since')
      const side = word === 'on' || word === 'for' ? 'in' : word === 'by' ? 'until' : word
      return day && SIDES[side as keyof typeof SIDES](day)
    },
  ],
  [
    `(?:in |over |during |between |from )?(?:the )?(?:months? of )?(${MONTH})(?: and | to | until | through | till |-| )(?:(?:the )?end of )?(${MONTH})(?: ((?:19|20)\\d{2}))?`,
    ([, first = '', last = '', year = ''], now, past) => months(first, last, year, now, past),
  ],
  [
    `(?:in |during |over |within )?(?:the )?(first|last) (${NUMBER}) months of (?:the year )?((?:19|20)\\d{2}|(?:this|the|next|last) year)`,
    ([, which = '', count = '', year = ''], now) => monthsOf(which, numberOf(count), year, now),
  ],
  [`(?:in |during |over |for )?(?:the )?(?:whole )?(?:month of|year) (${POINT})`, named('in')],
  [`(?:(?:in|during|for) )?(?:the )?rest of (${MONTH})`, restOf],
  [
    `(?:between |from )?monday (?:and|to|through|until|till) sunday(?: (?:of )?(?:the )?(this|current|next|coming|last) week)?|(?:the )?(this|current|next|coming|last) week monday (?:and|to|through|until|till) sunday`,
    ([, a = '', b = ''], now) => period('week', stepOf(a || b), now),
  ],
  [
    `(?:before|until|by) (?:the|this) ${UNIT} (?:is )?(?:out|over|ends)`,
    ([, unit = ''], now) => [null, period(unit, 0, now)[1]],
  ],
  [
    `(?:in |within |over )?(?:the )?(${NUMBER}) ${UNIT} ahead|(?:in |within )?(?:no more than |at most |up to )?(${NUMBER}) ${UNIT} from (?:now|today)`,
    (match, now, past) => soon(match[1] ? match : ['', match[3] ?? '', match[4] ?? ''], now, past),
  ],
  [`in the new year`, (_, now) => period('year', 1, now)],
  [`(?:for|in|within) (${NUMBER}) ${UNIT} or (?:more|longer)`, ago],
  // the last thirty days, not October
  [
    `(?:in|within|over|during) the last (week|month|year)`,
    ([, unit = ''], now) => [back(now, 1, unit), tomorrow(now)],
  ],
  [`between (${POINT}) and (${POINT})`, fromTo],
  [`from (${POINT}) (?:to|until|through|till) (${POINT})`, fromTo],
  [
    `(?:since|from|starting|on or after) (?:the )?(?:start|beginning) of (?:the |this )?${UNIT}`,
    ([, unit = ''], now) => [period(unit, 0, now)[0], null],
  ],
  [
    `(?:in |on )?(?:today|this ${UNIT}) (?:or|and) (?:tomorrow|next(?: ${UNIT})?)`,
    ([, unit = ''], now) => [period(unit || 'day', 0, now)[0], period(unit || 'day', 1, now)[1]],
  ],
  [`from ((?:19|20)\\d{2})(?! (?:to|until|through|till|on|onwards?) )`, named('in', true)],
  [
    `(?:by|before|until|till|through) (?:the )?end of (the |this |next )?${UNIT}`,
    ([, which = '', unit = ''], now) => [null, period(unit, stepOf(which), now)[1]],
  ],
  [
    `(?:by|before|until|till) (?:the )?(year|month|quarter|week)[- ]?end|(?:by|before|until) eo(y|m|q|w)`,
    ([, long = '', short = ''], now) => [null, period(long || (UNITS[short] ?? ''), 0, now)[1]],
  ],
  [`(?:by|before|until|till|up to|through|no later than) (?:the )?end (?:of )?(${POINT})`, named('until')],
  // not a day: the last month of the year, the last week of the month
  [
    `(?:at|around|towards?|near) (?:the )?end of (the |this |next )?(month|quarter|year)`,
    ([, which = '', unit = ''], now) => {
      const end = period(unit, stepOf(which), now)[1]
      return [unit === 'month' ? plus(end, -7) : back(end, 1, 'month'), end]
    },
  ],
  [
    `(?:for |in |during |over )?(?:the )?(?:rest|remainder) of (?:the |this )?${UNIT}|later this ${UNIT}`,
    ([, rest = '', later = ''], now) => [today(now), period(rest || later, 0, now)[1]],
  ],
  [
    `(week|month|quarter|year)[- ]to[- ]date|([wmqy])td|(?:earlier this|so far this) ${UNIT}|this ${UNIT} so far`,
    ([, long = '', short = '', a = '', b = ''], now) => [
      period(long || a || b || (UNITS[short] ?? ''), 0, now)[0],
      tomorrow(now),
    ],
  ],
  [
    `(?:on |over |at |for )?(?:(?:the|this|next) )?weekend`,
    ([said = ''], now) => {
      const [monday] = period('week', stepOf(said), now)
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
    `(?:in |during |for )?(?:the )?(first|second|1st|2nd) half (?:of )?(?:(?:the |this )?year|((?:19|20)\\d{2}))|(?:in )?h([12])(?: ((?:19|20)\\d{2}))?`,
    ([, word = '', a = '', digit = '', b = ''], now) =>
      halfOf(Number(a || b || now.getUTCFullYear()), word === 'first' || word === '1st' || digit === '1'),
  ],
  [
    `(after|before|until|by|starting) (?:the )?(this|current|last|previous|next|coming) ${UNIT}`,
    ([, word = '', which = '', unit = ''], now) => {
      const side = word === 'starting' ? 'since' : word === 'by' ? 'until' : word
      return SIDES[side as keyof typeof SIDES](period(unit, stepOf(which), now))
    },
  ],
  [`since (?:the|this) ${UNIT} (?:started|began)`, ([, unit = ''], now) => [period(unit, 0, now)[0], null]],
  [`(today|tomorrow|${DAYS}) (?:until|through|till) (${POINT})`, fromTo],
  [`((?:${MONTH}) (?:19|20)\\d{2})`, named('in')],
  [`since last ${UNIT}`, ([, unit = ''], now) => [period(unit, -1, now)[0], null]],
  [`(?:after|later than) (?:the )?(${POINT})`, named('after')],
  [
    `(?:since|starting|from|on or after) (?:the )?(?:(?:start|beginning) of )?(${POINT})(?: onwards?)?`,
    named('since', true),
  ],
  [`(?:before|earlier than|prior to) (?:the )?(${POINT})`, named('before')],
  [`(?:until|by|through|up to|no later than) (?:the )?(${POINT})`, named('until')],
  [`(?:in |within |over |during )?(?:the )?${LAST} (${NUMBER}) ${UNIT}`, lately],
  [`(?:in |within |over |during )?(?:the )?${NEXT} (${NUMBER}) ${UNIT}`, soon],
  [
    `(?:within|in|for) (?:over )?(${NUMBER}) ${UNIT}(?! ago)`,
    (match, now, past) => (past ? lately : soon)(match, now, past),
  ],
  [`than (${NUMBER}) ${UNIT}`, ago],
  [`(?:more than |over |at least )(${NUMBER}) ${UNIT} ago`, ago],
  [`(?:less than |within )(${NUMBER}) ${UNIT} ago`, lately],
  [`(?:for )?(?:more than|over|at least) (${NUMBER}) ${UNIT}(?! old)`, ago],
  [
    `(?:in |within |over |during )(?:the )?past ${UNIT}`,
    ([, unit = ''], now) => [back(now, 1, unit), tomorrow(now)],
  ],
  [
    `(?:in |on |during |for |within )?(?:the )?(this|current|last|previous|past|next|coming|following|upcoming) ${UNIT}`,
    ([, which = '', unit = ''], now) => period(unit, stepOf(which), now),
  ],
  [
    `(?:in |during |for )?(?:the )?(?:q([1-4])|(${QUARTERS.join('|')}) quarter)(?: (?:of )?((?:19|20)\\d{2}))?`,
    ([, digit = '', word = '', year = ''], now, past) => {
      const quarter = quarterNumber(word, digit)
      // what is still to come lies in no quarter that is over
      const over = !past && quarter * 3 <= now.getUTCMonth() ? 1 : 0
      return quarterOf(year === '' ? now.getUTCFullYear() + over : Number(year), quarter)
    },
  ],
  [`(?:on |for )?(?:the )?(?:(?:${DAYS}) (?:the )?)?(${DATE})`, named('in')],
  [
    `(?:on |for )?(?:${DAYS}) (?:the )?(\\d{1,2})(?:st|nd|rd|th)`,
    ([, number = ''], now, past) => dayOfMonth(Number(number), now, past),
  ],
  [
    `(?:in |during |from )?(?:the )?(?:(19|20)?(\\d)0s|(${DECADES.join('|')}))`,
    ([, century = '', digit = '', name = '']) =>
      decade(century, digit === '' ? DECADES.indexOf(name) + 2 : Number(digit)),
  ],
  [`(?:in|on|during|for|of|this) (${POINT})`, named('in')],
  [`(today|yesterday|tomorrow)`, named('in')],
  [`tonight`, (_, now) => period('day', 0, now)],
  [
    `(?:between|from) (.+?) ${TO} (.+)`,
    ([, first = '', last = ''], now) => {
      const from = timeOf(`since ${first === 'now' ? 'today' : first}`, now, true)?.from
      const to = timeOf(`until ${last}`, now, from !== undefined && from !== null && from < iso(now))?.to
      return from && to && from < to ? [new Date(from), new Date(to)] : undefined
    },
  ],
]

const WHOLE = PATTERNS.map(([pattern, make]) => ({ pattern: new RegExp(`^(?:${pattern})$`), make }))

/** The phrase as a time, when all of it is one. `past`: it is said of what has been. */
export function timeOf(phrase: string, now: Date, past: boolean): Span | undefined {
  for (const { pattern, make } of WHOLE) {
    const match = pattern.exec(phrase)
    const span = match && make([...match], now, past)
    if (span) return { from: span[0] && iso(span[0]), to: span[1] && iso(span[1]) }
  }
  return undefined
}
