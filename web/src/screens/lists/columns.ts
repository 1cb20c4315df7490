/** The columns of a list: which, in which order, how wide. */
import { useMemo, useState } from 'react'
import type { Field } from '#data/field-types.ts'
import { readStored, writeStored } from '#lib/use-stored.ts'
import { currentField } from './filters.ts'

const DEFAULT_WIDTH = 150
const MIN_WIDTH = 64
const MAX_WIDTH = 800

export interface Column {
  field: Field
  width: number
}

interface Stored {
  columns?: string[]
  widths?: Record<string, number>
}

function readColumns(group: string): Stored {
  try {
    return JSON.parse(readStored(`columns.${group}`) ?? '{}') as Stored
  } catch {
    return {}
  }
}

const defaults = (fields: readonly Field[]): string[] =>
  fields.filter(field => field.isDefault || field.key.startsWith('cf.')).map(({ key }) => key)

/** `chosen` are the keys in the address; widths are stored in the browser, not in links. */
export function useColumns(group: string, fields: readonly Field[], chosen: string[] | undefined) {
  const [widths, setWidths] = useState(() => readColumns(group).widths ?? {})
  const columns = useMemo(() => {
    const byKey = new Map(fields.map(field => [field.key, field]))
    const stored = chosen ?? readColumns(group).columns ?? defaults(fields)
    const keys = [...new Set(stored.map(currentField))]
    return keys.flatMap((key): Column[] => {
      const field = byKey.get(key)
      return field ? [{ field, width: widths[key] ?? field.width ?? DEFAULT_WIDTH }] : []
    })
  }, [group, fields, chosen, widths])

  const resize = (key: string, width: number) =>
    setWidths(current => {
      const next = { ...current, [key]: Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width))) }
      writeStored(`columns.${group}`, JSON.stringify({ ...readColumns(group), widths: next }))
      return next
    })
  return { columns, resize }
}

/** The checkboxes of the rows. */
export const CHECKBOX_WIDTH = 36

/** How far to scroll sideways so that the column is neither under the frozen first one nor outside. */
export function scrollLeftFor(
  columns: readonly { width: number }[],
  column: number,
  { scrollLeft, clientWidth }: { scrollLeft: number; clientWidth: number },
): number {
  const widths = columns.map(({ width }) => width)
  const [frozen = 0, own = 0] = [widths[0], widths[column]]
  if (column <= 0) return scrollLeft
  // what is left of it, without the frozen column
  const before = widths.slice(1, column).reduce((sum, width) => sum + width, 0)
  const visible = clientWidth - CHECKBOX_WIDTH - frozen
  return Math.min(before, Math.max(scrollLeft, before + own - visible))
}

/** For the next time that the list is opened without columns in its address. */
export const rememberColumns = (group: string, columns: string[]): void =>
  writeStored(`columns.${group}`, JSON.stringify({ ...readColumns(group), columns }))

/** The list with one item moved to the position of another. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const item = items[from]
  return item === undefined ? [...items] : items.toSpliced(from, 1).toSpliced(to, 0, item)
}
