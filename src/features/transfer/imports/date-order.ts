/** Which of day and month comes first in the dates of a column: the cells that can be only one of the two decide. */
import { restored } from '../exports/csv-text.ts'
import type { CsvRecord } from './csv-parser.ts'
import { type DateOrder, formatOf, isDottedDate, readDate } from './dates.ts'

/**
 * What decided the order. assumed: every date could be either. mixed: some dates are only the one, some only the other;
 * the order is that of most of them.
 */
export const ORDER_REASONS = ['values', 'assumed', 'mixed'] as const
export type OrderReason = (typeof ORDER_REASONS)[number]

export interface ColumnOrder {
  date_format: string | null
  date_format_from: OrderReason | null
  /** a date that would be another one in another order, where nothing rules that out */
  ambiguous_date: string | null
}

interface Evidence {
  dayFirst: number
  monthFirst: number
  yearFirst: number
  /** with dots, the day is first whatever the others are */
  dotted: number
  /** of these, with the year in four digits: they are not 85.04.03 */
  dottedInFull: number
  /** with the year in four digits, or the name of the month */
  plain: number
  ambiguous: string | undefined
}

const NONE: ColumnOrder = { date_format: null, date_format_from: null, ambiguous_date: null }

/** Texts longer than a date with its time are not looked at. */
const MAX_LENGTH = 40
const PARTS = /^(\d{1,4})[./\-\s](\d{1,2})[./\-\s]\d{1,4}/

/** Looks at every date of the file: one that decides may be its last. */
export function dateOrders() {
  const columns: (Evidence | undefined)[] = []
  return {
    add({ cells }: CsvRecord): void {
      for (const [i, cell] of cells.entries()) {
        if (cell.length > MAX_LENGTH || cell.length < 6) continue
        const text = restored(cell).trim()
        if (!PARTS.test(text)) continue
        columns[i] ??= {
          dayFirst: 0,
          monthFirst: 0,
          yearFirst: 0,
          dotted: 0,
          dottedInFull: 0,
          plain: 0,
          ambiguous: undefined,
        }
        note(columns[i], text)
      }
    },
    /** `fallback`: where nothing decides. */
    of(index: number, fallback: DateOrder): ColumnOrder {
      const evidence = columns[index]
      return evidence ? orderFrom(evidence, fallback) : NONE
    },
  }
}

/** A cell that is no date in any order decides nothing. */
function note(evidence: Evidence, text: string): void {
  const [a = '', b = ''] = PARTS.exec(text)?.slice(1, 3) ?? []
  const day = readDate(text, 'DMY')?.day
  const month = readDate(text, 'MDY')?.day
  if (a.length > 2) evidence.plain += day === undefined ? 0 : 1
  else if (Number(a) > 31) evidence.yearFirst += readDate(text, 'YMD') ? 1 : 0
  else if (isDottedDate(text)) {
    if (day === undefined) return
    evidence.dotted++
    if (/\d{4}(?:\D|$)/.test(text)) evidence.dottedInFull++
  } else if (day !== undefined && month === undefined) evidence.dayFirst++
  else if (month !== undefined && day === undefined) evidence.monthFirst++
  else if (day !== undefined && a !== b) evidence.ambiguous ??= text.slice(0, MAX_LENGTH)
}

function orderFrom(evidence: Evidence, fallback: DateOrder): ColumnOrder {
  const { dayFirst, monthFirst, yearFirst, dotted, dottedInFull, plain, ambiguous } = evidence
  const as = (order: DateOrder, date_format_from: OrderReason, doubtful?: string): ColumnOrder => ({
    ...{ date_format: formatOf[order], date_format_from, ambiguous_date: doubtful ?? null },
  })
  if (yearFirst > 0 && dayFirst + monthFirst + dottedInFull === 0) return as('YMD', 'values')
  if (dayFirst > 0 && monthFirst > 0) {
    const order = dayFirst === monthFirst ? fallback : dayFirst > monthFirst ? 'DMY' : 'MDY'
    return as(order, 'mixed', ambiguous)
  }
  if (dayFirst > 0) return as('DMY', 'values')
  if (monthFirst > 0) return as('MDY', 'values')
  if (ambiguous !== undefined) return as(dotted > 0 ? 'DMY' : fallback, 'assumed', ambiguous)
  if (dotted > 0) return as('DMY', 'values')
  return plain > 0 ? as('YMD', 'values') : NONE
}
