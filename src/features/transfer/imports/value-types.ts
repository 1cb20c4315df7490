/** The type that all values of a column have: what a custom field that is made for it can be declared as. */

import { readNumber } from '../../../lib/numbers/read.ts'
import { restored } from '../exports/csv-text.ts'
import type { CsvRecord } from './csv-parser.ts'
import { isDateLike } from './dates.ts'
import { readBoolean } from './values.ts'

export const VALUE_TYPES = ['boolean', 'number', 'date', 'datetime', 'text', 'long_text'] as const
export type ValueType = (typeof VALUE_TYPES)[number]

const LONG = 255

type ShortType = Exclude<ValueType, 'long_text'>

/** The narrower type first. */
const FITS: Record<ShortType, (text: string) => boolean> = {
  // 1 and 0 are numbers as well, and more likely to be
  boolean: text => typeof readBoolean(text) === 'boolean' && !/^[01]$/.test(text),
  // a leading zero or plus is a code or a phone number
  number: text => !/^[+0]\d/.test(text) && 'value' in readNumber(text, { style: 'count', assumed: '.' }),
  date: text => isDateLike(text) && !/\d:\d/.test(text),
  datetime: isDateLike,
  text: text => text.length <= LONG && !/[\r\n]/.test(text),
}
const ORDER = Object.keys(FITS) as ShortType[]

/** Looks at every value: each rules out the types that it is not of, and most columns are texts after the first. */
export function valueTypes() {
  const columns: Set<ShortType>[] = []
  return {
    add({ cells }: CsvRecord): void {
      for (const [i, cell] of cells.entries()) {
        const text = restored(cell).trim()
        if (text === '') continue
        columns[i] ??= new Set(ORDER)
        for (const type of columns[i]) if (!FITS[type](text)) columns[i].delete(type)
      }
    },
    of(index: number): ValueType {
      const possible = columns[index]
      return possible ? (possible.values().next().value ?? 'long_text') : 'text'
    },
  }
}
