/** The values of a row, and its errors. */
import type { Item } from '../../../kernel/resource.ts'

export interface RowError {
  column: string | null
  field: string | null
  value: string | null
  code: string
  message: string
}

const MAX_VALUE = 500

/** The value as reported: only as much of the cell as helps to find it. */
export const rowError = (
  code: string,
  message: string,
  value: string | null,
  column: string | null = null,
  field: string | null = null,
): RowError => ({
  column,
  field,
  value: value === null ? null : [...value.replaceAll('\0', '').toWellFormed()].slice(0, MAX_VALUE).join(''),
  code,
  message,
})

/** Lists grow with every column; of single values the first counts. */
export function put(into: Item, name: string, value: unknown, several: boolean): void {
  if (value === undefined) return
  const existing = Object.hasOwn(into, name) ? into[name] : undefined
  if (existing === undefined) into[name] = value
  else if (several && Array.isArray(existing) && Array.isArray(value)) into[name] = [...existing, ...value]
}
