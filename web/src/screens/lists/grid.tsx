/** The table of a list: virtual rows, sticky names, keyboard, edit in place. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Field } from '#data/field-types.ts'
import { isEditable, isNumeric } from '#data/field-types.ts'
import { classes } from '#lib/classes.ts'
import type { Column } from './columns.ts'
import { GridHeader } from './grid-header.tsx'
import { GridRow } from './grid-row.tsx'
import type { Row } from './rows.ts'
import type { Selection } from './selection.ts'
import { type Position, useGridKeys } from './use-grid-keys.ts'

const ROW_HEIGHT = 36
const HEADER_HEIGHT = 32

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
  onCommit: (id: string, field: Field, value: unknown, shown: object, editAgain: () => void) => void
  onOpen: (id: string) => void
}

/**
 * The bars of a row that is not read yet, as one background. With an element for each cell, styles were two thirds of a
 * frame in which every row is new, and such a frame took eight times as long.
 */
function barsOf(columns: readonly Column[]): string {
  let left = 36
  const bars = columns.map(({ field, width }, index) => {
    const bar = Math.min(index === 0 ? 128 : 64, width - 20)
    const x = isNumeric(field) ? left + width - 10 - bar : left + 10
    left += width
    return `linear-gradient(var(--color-active) 0 0) ${x}px 50% / ${bar}px 12px no-repeat`
  })
  const edge = 36 + (columns[0]?.width ?? 0) - 1
  return [`linear-gradient(var(--color-line) 0 0) ${edge}px 0 / 1px 100% no-repeat`, ...bars].join(', ')
}

/** How far a row that is being edited is searched for when others appear above it. */
const NEARBY = 100

export function Grid(props: GridProps) {
  const { group, label, total, rowAt, onRange, columns, selection, isOutdated, isWriter } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<Position>({ row: 0, column: 0 })
  /** the id of the record: other rows may move while a person types */
  const [edited, setEdited] = useState<string>()
  // read by handlers that stay the same, so that a move of the active cell draws two rows and not all
  const current = useRef({ rowAt, active })
  current.current = { rowAt, active }
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    scrollPaddingStart: HEADER_HEIGHT,
  })
  const items = rows.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => onRange(first, last), [first, last, onRange])

  const edit = useCallback(
    (row: number, column: number) => {
      const field = columns[column]?.field
      setActive({ row, column })
      if (field && isWriter && isEditable(field)) setEdited(current.current.rowAt(row)?.id)
    },
    [columns, isWriter],
  )
  const focusCell = useCallback(
    ({ row, column }: Position) => {
      rows.scrollToIndex(row)
      requestAnimationFrame(() =>
        scroller.current
          ?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)
          ?.focus({ preventScroll: true }),
      )
    },
    [rows],
  )
  const activate = useCallback((row: number, column: number) => {
    setEdited(undefined)
    setActive({ row, column })
  }, [])
  const cancel = useCallback(() => {
    setEdited(undefined)
    focusCell(current.current.active)
  }, [focusCell])
  const { onCommit } = props
  const commit = useCallback(
    (id: string, field: Field, value: unknown, shown: object = {}) => {
      const { row, column } = current.current.active
      cancel()
      onCommit(id, field, value, shown, () => {
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
    onToggle: () => {
      const row = rowAt(active.row)
      if (row) selection.toggle(row.id, active.row)
    },
    onOpen: () => {
      const row = rowAt(active.row)
      if (row) props.onOpen(row.id)
    },
  })
  const selected = selection.ids.size === 0 ? 'none' : selection.ids.size >= total ? 'all' : 'some'
  const bars = useMemo(() => barsOf(columns), [columns])
  const template = `36px ${columns.map(({ width }) => `${width}px`).join(' ')} minmax(24px, 1fr)`

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className={classes('absolute inset-0 overflow-auto scroll-thin', isOutdated && 'opacity-60')}
      style={{ ['--columns' as string]: template, ['--bars' as string]: bars }}
    >
      <GridHeader
        columns={columns}
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
              active={active.row === index ? active.column : -1}
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
