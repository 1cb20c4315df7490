/** Figures for each day, week, month, quarter or year, or for the one that has the most. */
import { sql } from 'kysely'
import type { Field } from '../fields/index.ts'
import type { Plan } from '../plan.ts'
import { type Reading, says, stageType, take } from './reading.ts'

const UNIT = '(?:day|week|month|quarter|year)'
const MOST = '(?:most|highest|largest|biggest|best|greatest)'
const FORMATS: Record<string, string> = {
  day: 'YYYY-MM-DD',
  week: 'IYYY-"W"IW',
  month: 'YYYY-MM',
  quarter: 'YYYY-"Q"Q',
  year: 'YYYY',
}

/** "deals closing per month": what is open and has a date. */
function closingEach(reading: Reading): void {
  const said = take(
    reading,
    /(?:(?:is|are|that|we|do|expected|due|will|set|going|planned) )*(?:to )?(?:clos(?:e|es|ing|ings)|expected closings?)/,
  )
  if (said === undefined) return
  const where = sql`r.expected_close_date is not null`
  reading.conditions.push({ where, said: 'with an expected close' })
  if (!says(reading, /open|won|lost|closed/))
    reading.conditions.push({ where: stageType(reading, 'open'), said: 'open' })
}

/** "which month had the highest won amount". Where there was nothing is not told, so not which had the least. */
function bestUnit(reading: Reading, plan: Plan): string | undefined {
  if (!says(reading, MOST)) return undefined
  const unit = take(
    reading,
    `(?:which|what)(?: (?:is|was))?(?: the)? ${UNIT}(?! (?:is|was|do|did|are) (?:the|our|my) )`,
  )
  if (unit === undefined) return undefined
  take(reading, `(?:the )?${MOST}`)
  plan.top = 1
  return unit
}

const keyOf = (reading: Reading, plan: Plan, unit: string): string =>
  /clos/.test(unit)
    ? 'expected_close_date'
    : says(reading, /won|lost|closed/)
      ? 'closed_at'
      : says(reading, /clos(?:e|es|ing|ings)|expected|pipeline|forecast/) && plan.entity === 'deal'
        ? 'expected_close_date'
        : plan.entity === 'activity'
          ? 'when'
          : 'created_at'

/** Whether a time was asked by which it is to be told; `lead`: "by", "per" and the like. */
export function groupByTime(reading: Reading, plan: Plan, fields: readonly Field[], lead: string): boolean {
  const unit =
    take(reading, `${lead} (?:expected )?(?:clos(?:e|ing) )?(?:date )?${UNIT}s?`) ??
    take(reading, /daily|weekly|monthly|quarterly|yearly|annually/) ??
    bestUnit(reading, plan)
  if (unit === undefined) return false
  const field = fields.find(one => one.key === keyOf(reading, plan, unit))
  if (!field) {
    // "contacts lost per month": they have no such date, and the month stays for what it is
    reading.text = `${reading.text}${unit} `
    return true
  }
  const name = /day|dai|week|month|quarter|year|annu/
    .exec(unit)![0]
    .replace('dai', 'day')
    .replace('annu', 'year')
  if (field.key === 'expected_close_date') closingEach(reading)
  plan.groupBy = { label: name, value: sql`to_char(${field.value(reading.ctx)}, ${FORMATS[name]!})` }
  return true
}
