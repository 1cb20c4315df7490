import type { KeyboardEvent } from 'react'

/** Row -1 is the header, column -1 has the checkboxes. */
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
  onToggle: (isRange: boolean) => void
  onSelectAll: () => void
  onOpen: () => void
  /** by this many pixels */
  onResize: (change: number) => void
}

const PAGE = 20
const WIDTH_STEP = 16

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

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(max, value))

/** The keys of a spreadsheet while a cell has the focus. */
export function useGridKeys(keys: GridKeys): (event: KeyboardEvent) => void {
  const { active, isEditing, rowCount, columnCount, onMove } = keys
  const moveTo = (row: number, column: number, firstRow = -1) =>
    onMove({ row: clamp(row, firstRow, rowCount - 1), column: clamp(column, -1, columnCount - 1) })
  return event => {
    const isCell = event.target instanceof HTMLElement && event.target.dataset.cell !== undefined
    if (isEditing || !isCell || event.altKey) return
    const isModified = event.metaKey || event.ctrlKey
    const step = isModified ? undefined : STEPS[event.key]
    const isHeader = active.row < 0
    if (step && isHeader && event.shiftKey && step[1] !== 0) keys.onResize(step[1] * WIDTH_STEP)
    else if (step) moveTo(active.row + step[0], active.column + step[1], Math.abs(step[0]) === PAGE ? 0 : -1)
    else if (event.key === 'Home') moveTo(event.ctrlKey ? 0 : active.row, 0)
    else if (event.key === 'End') moveTo(event.ctrlKey ? rowCount - 1 : active.row, columnCount - 1)
    else if (isModified && event.key === 'a') keys.onSelectAll()
    // the buttons of the header have their own
    else if (isHeader) return
    else if (event.key === 'Enter' && (isModified || active.column <= 0)) keys.onOpen()
    else if (event.key === 'Enter' || event.key === 'F2') keys.onEdit()
    else if (event.key === 'x' || event.key === ' ') keys.onToggle(event.shiftKey)
    else return
    event.preventDefault()
  }
}
