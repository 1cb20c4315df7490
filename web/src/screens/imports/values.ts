/** Which cells of a column a field does not know, and what they are read as. */
import type { Choice, ImportField } from './fields.ts'
import type { Import } from './kinds.ts'

export type Column = Import['columns'][number]

const plain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_')

const choiceFor = (cell: string, choices: readonly Choice[]): Choice | undefined =>
  choices.find(({ value, label }) => plain(value) === plain(cell) || plain(label) === plain(cell))

export interface Reading {
  cell: string
  /** what is read instead: null for nothing, undefined for the cell itself */
  instead: string | null | undefined
  isKnown: boolean
}

/** The cells with what each is read as; undefined where the field takes any value. */
export function readingsOf(
  column: Column,
  field: ImportField | undefined,
  valueMapping: Import['value_mapping'],
): Reading[] | undefined {
  const { choices } = field ?? {}
  if (!choices || !column.values || column.values.length === 0) return undefined
  const mapped = (valueMapping[column.header] ?? {}) as Record<string, string | null>
  const byCell = new Map(Object.entries(mapped).map(([cell, value]) => [cell.trim().toLowerCase(), value]))
  return column.values.map(cell => {
    const stored = byCell.get(cell.trim().toLowerCase())
    const instead = stored === cell ? undefined : stored
    return { cell, instead, isKnown: instead !== undefined || choiceFor(cell, choices) !== undefined }
  })
}
