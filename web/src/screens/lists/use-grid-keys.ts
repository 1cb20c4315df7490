import type { KeyboardEvent } from 'react'

export interface Position {
  row: number
  column: number
}

interface GridKeys {
  active: Position
  isEditing: boolean
  rowCount: number
  columnCount: number
  onMove: (position: Position) => void
  onEdit: () => void
  onToggle: () => void
  onOpen: () => void
}

const PAGE = 20

/** The step of a key: rows and columns. */
const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  k: [-1, 0],
  j: [1, 0],
  PageUp: [-PAGE, 0],
  PageDown: [PAGE, 0],
}

const clamp = (value: number, max: number): number => Math.max(0, Math.min(max, value))

/** The keys of a spreadsheet while a cell has the focus. */
export function useGridKeys(keys: GridKeys): (event: KeyboardEvent) => void {
  const { active, isEditing, rowCount, columnCount, onMove, onEdit, onToggle, onOpen } = keys
  return event => {
    const isCell = event.target instanceof HTMLElement && event.target.dataset.cell !== undefined
    if (isEditing || !isCell || event.altKey) return
    const step = event.metaKey || event.ctrlKey ? undefined : STEPS[event.key]
    const moveTo = (row: number, column: number) =>
      onMove({ row: clamp(row, rowCount - 1), column: clamp(column, columnCount - 1) })
    if (step) moveTo(active.row + step[0], active.column + step[1])
    else if (event.key === 'Home') moveTo(event.ctrlKey ? 0 : active.row, 0)
    else if (event.key === 'End') moveTo(event.ctrlKey ? rowCount - 1 : active.row, columnCount - 1)
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onOpen()
    else if (event.key === 'Enter' || event.key === 'F2') onEdit()
    else if (event.key === 'x' || event.key === ' ') onToggle()
    else return
    event.preventDefault()
  }
}
