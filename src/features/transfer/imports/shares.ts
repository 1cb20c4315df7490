/** Probabilities that a product writes as shares of 1: 0.2 is 20 %. */
import { type NumberFormat, readNumber } from '../../../lib/numbers/read.ts'
import type { NumberStyle } from '../../../lib/numbers/units.ts'
import { restored } from '../exports/csv-text.ts'
import type { CsvRecord } from './csv-parser.ts'
import { CellError } from './values.ts'

/** sure: a value is between 0 and 1; possible: all are 0 or 1, which may be percentages as well. */
export const SHARES = ['sure', 'possible'] as const
export type Shares = (typeof SHARES)[number]

const SHARE = /^(?:[01](?:[.,]0*)?|0?[.,]\d+)$/

/** Looks at every value: one above 1 rules shares out. */
export function shareColumns() {
  const columns: (Shares | null)[] = []
  return {
    add({ cells }: CsvRecord): void {
      for (const [i, cell] of cells.entries()) {
        if (columns[i] === null || cell === '') continue
        const text = restored(cell).trim()
        if (text === '') continue
        if (!SHARE.test(text)) columns[i] = null
        else if (/^0?[.,]0*[1-9]/.test(text)) columns[i] = 'sure'
        else columns[i] ??= 'possible'
      }
    },
    of: (index: number): Shares | null => columns[index] ?? null,
  }
}

interface Read {
  column: { header: string; shares: Shares | null }
  field: { style?: NumberStyle }
}

/** HubSpot writes shares; in other files a value between 0 and 1 says so. A heading with % has percentages. */
export const areShares = ({ column, field }: Read, profile: string | null | undefined): boolean =>
  field.style === 'percent' &&
  !column.header.includes('%') &&
  (column.shares === 'sure' || (column.shares === 'possible' && profile === 'hubspot'))

/** Whether 1 may be 1 % or 100 %. */
export const mayBeShares = ({ column, field }: Read, profile: string | null | undefined): boolean =>
  field.style === 'percent' &&
  !column.header.includes('%') &&
  column.shares === 'possible' &&
  profile !== 'hubspot'

export function percentReader(isShare: boolean, format: NumberFormat): (text: string) => number {
  return text => {
    const read = readNumber(text, isShare ? { ...format, decimal: undefined } : format)
    if ('problem' in read) throw new CellError(read.problem)
    // 0.07 × 100 is 7.000000000000001
    const percent = isShare ? Number((read.value * 100).toFixed(9)) : read.value
    if (Number.isInteger(percent)) return percent
    const sum = isShare ? ` is ${percent} %` : ''
    throw new CellError(
      `“${text.trim()}”${sum}: write a probability as a whole number of percent, such as 20 %`,
    )
  }
}
