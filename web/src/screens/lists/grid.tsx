/** The table of a list: virtual rows, sticky names, keyboard, edit in place. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { FieldEdit } from '#data/field-edit.ts'
import { isEditable, isNumeric } from '#data/field-types.ts'
import { classes } from '#lib/classes.ts'
import { isFocusLost, returnPosition } from '#lib/focus.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { CHECKBOX_WIDTH, type Column, scrollLeftFor } from './columns.ts'
import { GridHeader } from './grid-header.tsx'
import { GridRow } from './grid-row.tsx'
import type { Row } from './rows.ts'
import type { Selection } from './selection.ts'
import { type Position, useGridKeys } from './use-grid-keys.ts'

const ROW_HEIGHT = 36
const HEADER_HEIGHT = 32
const OVERSCAN = 8

interface GridProps {
  group: string
  label: string
  total: number
  rowAt: (index: number) => Row | undefined
  onRange: (first: number, last: number) => void
  columns: readonly Column[]
  sortBy: string
  isDescending: boolean
  isOutdated: boolean
  /** without it no cell can be edited */
  isWriter: boolean
  selection: Selection
  onSort: (key: string) => void
  onResize: (key: string, width: number) => void
  onMove: (from: number, to: number) => void
  onSelectAll: () => void
  onCommit: (id: string, edit: FieldEdit, editAgain: () => void) => void
  onOpen: (id: string) => void
}

/**
 * The bars of a row that is not read yet, as one background. With an element for each cell, styles were two thirds of a
 * frame in which every row is new, and such a frame took eight times as long.
 */
function barsOf(columns: readonly Column[]): string {
  let left = CHECKBOX_WIDTH
  const bars = columns.map(({ field, width }, index) => {
    const bar = Math.min(index === 0 ? 128 : 64, width - 20)
    const x = isNumeric(field) ? left + width - 10 - bar : left + 10
    left += width
    return `linear-gradient(var(--color-active) 0 0) ${x}px 50% / ${bar}px 12px no-repeat`
  })
  const edge = CHECKBOX_WIDTH + (columns[0]?.width ?? 0) - 1
  return [`linear-gradient(var(--color-line) 0 0) ${edge}px 0 / 1px 100% no-repeat`, ...bars].join(', ')
}

/** `3:0` → row 3, column 0 */
function positionOf(cell: string | undefined): Position | undefined {
  const [, row, column] = /(-?\d+):(-?\d+)/.exec(cell ?? '') ?? []
  return row === undefined ? undefined : { row: Number(row), column: Number(column) }
}

/** How far a row that is being edited is searched for when others appear above it. */
const NEARBY = 100

export function Grid(props: GridProps) {
  const { group, label, total, rowAt, onRange, columns, selection, isOutdated, isWriter } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [left] = useState(returnPosition)
  const [chosen, setActive] = useState<Position>(() => positionOf(left?.mark?.value) ?? { row: 0, column: 0 })
  const active = { row: Math.min(chosen.row, total - 1), column: Math.min(chosen.column, columns.length - 1) }
  /** the id of the record: other rows may move while a person types */
  const [edited, setEdited] = useState<string>()
  // read by handlers that stay the same, so that a move of the active cell draws two rows and not all
  const current = useRef({ rowAt, active })
  current.current = { rowAt, active }
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollPaddingStart: HEADER_HEIGHT,
    initialOffset: left?.top ?? 0,
    // with the active row, however far away: without it the table would have no tab stop, and would lose the focus
    rangeExtractor: range => {
      const indexes = defaultRangeExtractor(range)
      return active.row < 0 || indexes.includes(active.row) ? indexes : [active.row, ...indexes]
    },
  })
  const items = rows.getVirtualItems()
  const first = Math.max(0, (rows.range?.startIndex ?? 0) - OVERSCAN)
  const last = Math.max(0, Math.min(total - 1, (rows.range?.endIndex ?? 0) + OVERSCAN))
  useEffect(() => onRange(first, last), [first, last, onRange])

  const showColumn = useCallback(
    (column: number) => {
      const element = scroller.current
      if (element) element.scrollLeft = scrollLeftFor(columns, column, element)
    },
    [columns],
  )
  useEffect(() => {
    if (scroller.current && left) scroller.current.scrollLeft = left.left
  }, [left])
  const edit = useCallback(
    (row: number, column: number) => {
      const field = columns[column]?.field
      setActive({ row, column })
      if (!field || !isWriter || !isEditable(field)) return
      showColumn(column)
      setEdited(current.current.rowAt(row)?.id)
    },
    [columns, isWriter, showColumn],
  )
  const focusCell = useCallback(
    ({ row, column }: Position) => {
      if (row >= 0) rows.scrollToIndex(row)
      showColumn(column)
      const find = () => scroller.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)
      const cell = find()
      if (cell) cell.focus({ preventScroll: true })
      // a row far away is drawn first
      else requestAnimationFrame(() => find()?.focus({ preventScroll: true }))
    },
    [rows, showColumn],
  )
  const activate = useCallback((row: number, column: number) => {
    setEdited(undefined)
    setActive({ row, column })
  }, [])
  const cancel = useCallback(() => {
    setEdited(undefined)
    // once the editor is gone; a click elsewhere ends the edit, too, and has moved the focus there
    requestAnimationFrame(() => isFocusLost() && focusCell(current.current.active))
  }, [focusCell])
  const { onCommit } = props
  const commit = useCallback(
    (id: string, edited: FieldEdit) => {
      const { row, column } = current.current.active
      cancel()
      onCommit(id, edited, () => {
        if (current.current.rowAt(row)?.id !== id) return
        rows.scrollToIndex(row)
        edit(row, column)
      })
    },
    [cancel, edit, onCommit, rows],
  )
  const isEditing = edited !== undefined && rowAt(active.row)?.id === edited
  useEffect(() => {
    // rows have appeared or gone above the one that is edited: what is typed belongs to its record
    if (edited === undefined || isEditing) return
    for (let row = Math.max(0, active.row - NEARBY); row <= active.row + NEARBY; row++)
      if (rowAt(row)?.id === edited) return setActive({ row, column: active.column })
  })
  const onKeyDown = useGridKeys({
    active,
    isEditing,
    rowCount: total,
    columnCount: columns.length,
    onMove: position => {
      setActive(position)
      focusCell(position)
    },
    onEdit: () => edit(active.row, active.column),
    onToggle: isRange => {
      const row = rowAt(active.row)
      if (row) selection.toggle(row.id, active.row, isRange)
    },
    onSelectAll: props.onSelectAll,
    onResize: change => {
      const column = columns[active.column]
      if (column) props.onResize(column.field.key, column.width + change)
    },
    onOpen: () => {
      const row = rowAt(active.row)
      if (row) props.onOpen(row.id)
    },
  })
  const enter = () => focusCell(active)
  useShortcuts({ j: enter, arrowdown: enter })
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const position = positionOf(target.dataset.cell)
    if (position && (position.row !== active.row || position.column !== active.column)) setActive(position)
  }
  const selected = selection.ids.size === 0 ? 'none' : selection.ids.size >= total ? 'all' : 'some'
  const bars = useMemo(() => barsOf(columns), [columns])
  const template = `${CHECKBOX_WIDTH}px ${columns.map(({ width }) => `${width}px`).join(' ')} minmax(24px, 1fr)`

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      tabIndex={-1}
      data-scroller
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      className={classes('absolute inset-0 overflow-auto scroll-thin', isOutdated && 'opacity-60')}
      style={{ ['--columns' as string]: template, ['--bars' as string]: bars }}
    >
      <GridHeader
        columns={columns}
        active={active.row < 0 ? active.column : undefined}
        sortBy={props.sortBy}
        isDescending={props.isDescending}
        onSort={props.onSort}
        onResize={props.onResize}
        onMove={props.onMove}
        selected={selected}
        onSelectAll={props.onSelectAll}
      />
      <div role="rowgroup" className="relative min-w-fit" style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rowAt(index)
          return (
            <GridRow
              key={index}
              group={group}
              index={index}
              row={row}
              columns={columns}
              isSelected={row !== undefined && selection.ids.has(row.id)}
              active={active.row === index ? active.column : undefined}
              isEditing={isEditing && active.row === index}
              top={start}
              onToggle={selection.toggle}
              onActivate={activate}
              onEdit={edit}
              onCommit={commit}
              onCancel={cancel}
            />
          )
        })}
      </div>
    </div>
  )
}
