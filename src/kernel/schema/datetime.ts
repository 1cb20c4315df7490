import { DAY_MS, dayOfText, type Moment, momentOfNumber, momentOfText } from './moment.ts'
import { fail, type Issue, type Loc, type Meta, type Schema, schema } from './types.ts'

const failDatetime = (issues: Issue[], loc: Loc, input: unknown, error: string): string =>
  fail(issues, loc, input, 'datetime_parsing', `Input should be a valid datetime, ${error}`, { error })

/** For a day as people write it, such as 31.01.2026 or 1/31/2026: names the accepted format, not the wrong character. */
const accepted = (input: unknown, example: string): string =>
  typeof input === 'string' &&
  /^\s*\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b/.test(input) &&
  !/^\d{4}-\d{2}-\d{2}/.test(input)
    ? `; write it as ${example}`
    : ''

/** Writes UTC; refuses years that Python's calendar and an ISO text of four digits do not have. */
function render(utc: number, input: unknown, loc: Loc, issues: Issue[]): string {
  const instant = new Date(utc)
  const year = instant.getUTCFullYear()
  if (year < 1 || year > 9999) return failDatetime(issues, loc, input, `year ${year} is out of range`)
  return instant.toISOString()
}

/** A point in time: without a zone it is UTC, a plain date is its midnight, a number counts from 1970. */
export function datetime(options?: Meta): Schema<string> {
  return schema({ type: 'string', format: 'date-time' }, options, (input, loc, issues) => {
    if (typeof input === 'string') {
      const moment = momentOfText(input)
      if (typeof moment !== 'string') return render(moment.wall - moment.offset, input, loc, issues)
      const day = dayOfText(input)
      if (typeof day !== 'string') return render(day, input, loc, issues)
      const hint = accepted(input, '2026-01-31T09:30:00Z or 2026-01-31')
      const msg = `Input should be a valid datetime or date, ${day}${hint}`
      return fail(issues, loc, input, 'datetime_from_date_parsing', msg, { error: day })
    }
    if (typeof input !== 'number') {
      return fail(issues, loc, input, 'datetime_type', 'Input should be a valid datetime')
    }
    const moment = momentOfNumber(input)
    if (typeof moment === 'string') return failDatetime(issues, loc, input, moment)
    return render(moment.wall, input, loc, issues)
  })
}

function renderDay(day: number, input: unknown, loc: Loc, issues: Issue[]): string {
  const text = new Date(day).toISOString().slice(0, 10)
  if (!text.startsWith('0000')) return text
  const error = 'year 0 is out of range'
  const msg = `Input should be a valid date in the format YYYY-MM-DD, ${error}`
  return fail(issues, loc, input, 'date_parsing', msg, { error })
}

/** A calendar day. The zone of a date-time is not applied: the day is taken as written. */
export function date(options?: Meta): Schema<string> {
  return schema({ type: 'string', format: 'date' }, options, (input, loc, issues) => {
    let moment: Moment | string
    if (typeof input === 'string') {
      const day = dayOfText(input)
      if (typeof day !== 'string') return renderDay(day, input, loc, issues)
      moment = momentOfText(input)
    } else if (typeof input === 'number') {
      moment = momentOfNumber(input)
    } else {
      return fail(issues, loc, input, 'date_type', 'Input should be a valid date')
    }
    if (typeof moment === 'string') {
      const hint = accepted(input, '2026-01-31')
      const msg = `Input should be a valid date or datetime, ${moment}${hint}`
      return fail(issues, loc, input, 'date_from_datetime_parsing', msg, { error: moment })
    }
    if (moment.inexact || moment.wall % DAY_MS !== 0) {
      const msg = 'Datetimes provided to dates should have zero time - e.g. be exact dates'
      return fail(issues, loc, input, 'date_from_datetime_inexact', msg)
    }
    return renderDay(moment.wall, input, loc, issues)
  })
}
