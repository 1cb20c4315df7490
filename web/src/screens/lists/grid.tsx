/** The table of a list: virtual rows, sticky names, keyboard, edit in place. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Field } from '#data/field-types.ts'
import { isEditable } from '#data/field-types.ts'
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
  onCommit: (id: string, field: Field, value: unknown, shown?: object) => void
  onOpen: (id: string) => void
}

export function Grid(props: GridProps) {
  const { group, label, total, rowAt, onRange, columns, selection, isOutdated, isWriter } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<Position>({ row: 0, column: 0 })
  const [isEditing, setEditing] = useState(false)
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
      if (field && isWriter && isEditable(field)) setEditing(true)
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
    setEditing(false)
    setActive({ row, column })
  }, [])
  const cancel = useCallback(() => {
    setEditing(false)
    focusCell(active)
  }, [active, focusCell])
  const { onCommit } = props
  const commit = useCallback(
    (id: string, field: Field, value: unknown, shown?: object) => {
      cancel()
      onCommit(id, field, value, shown)
    },
    [cancel, onCommit],
  )
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
      style={{ ['--columns' as string]: template }}
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
