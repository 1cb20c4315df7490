import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo, type PointerEvent, useEffect, useRef, useState } from 'react'
import { Checkbox } from '#components/checkbox.tsx'
import { isNumeric, isSortable } from '#data/field-types.ts'
import { classes } from '#lib/classes.ts'
import type { Column } from './columns.ts'

interface GridHeaderProps {
  columns: readonly Column[]
  /** the active column, if the header has the active cell */
  active: number | undefined
  sortBy: string
  isDescending: boolean
  onSort: (key: string) => void
  onResize: (key: string, width: number) => void
  onMove: (from: number, to: number) => void
  selected: 'none' | 'some' | 'all'
  onSelectAll: () => void
}

export const GridHeader = memo(function GridHeader(props: GridHeaderProps) {
  const { columns, active, selected, onSelectAll, ...cells } = props
  return (
    <div
      role="row"
      aria-rowindex={1}
      tabIndex={-1}
      className="sticky top-0 z-2 grid h-8 w-full min-w-fit grid-cols-(--columns) border-b border-line bg-surface text-xs text-ink-2"
    >
      <div
        role="columnheader"
        tabIndex={-1}
        className="sticky left-0 z-1 flex items-center justify-center bg-surface"
      >
        <Checkbox
          label="Select all"
          isChecked={selected === 'all'}
          isMixed={selected === 'some'}
          onChange={onSelectAll}
          tabIndex={active === -1 ? 0 : -1}
          data-cell="-1:-1"
        />
      </div>
      {columns.map((column, index) => (
        <HeaderCell
          key={column.field.key}
          column={column}
          index={index}
          isActive={active === index}
          {...cells}
        />
      ))}
    </div>
  )
})

interface HeaderCellProps extends Omit<GridHeaderProps, 'columns' | 'active' | 'selected' | 'onSelectAll'> {
  column: Column
  index: number
  isActive: boolean
}

function HeaderCell(props: HeaderCellProps) {
  const { column, index, isActive, sortBy, isDescending, onSort, onResize, onMove } = props
  const { field, width } = column
  const ref = useRef<HTMLDivElement>(null)
  const isOver = useReordering(ref, index, onMove)
  const isSorted = sortBy === field.key
  const Arrow = isDescending ? ArrowDown : ArrowUp
  const label = (
    <>
      <span className="truncate">{field.label}</span>
      {isSorted && <Arrow size={12} className="shrink-0 text-ink" aria-hidden="true" />}
    </>
  )
  const cell = {
    tabIndex: isActive ? 0 : -1,
    'data-cell': `-1:${index}`,
    'aria-keyshortcuts': 'Shift+ArrowLeft Shift+ArrowRight',
  }
  return (
    <div
      ref={ref}
      role="columnheader"
      tabIndex={-1}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
      className={classes(
        'relative flex min-w-0 items-center',
        index === 0 && 'sticky left-9 z-1 border-r border-line bg-surface',
        isOver && 'shadow-[inset_2px_0_0_var(--color-accent)]',
      )}
    >
      {isSortable(field) ? (
        <button
          type="button"
          {...cell}
          onClick={() => onSort(field.key)}
          className={classes(
            'flex h-full min-w-0 flex-1 items-center gap-1 px-2.5 font-medium outline-offset-[-2px] hover:text-ink',
            isNumeric(field) && 'justify-end',
          )}
        >
          {label}
        </button>
      ) : (
        <span
          {...cell}
          className="flex h-full min-w-0 flex-1 items-center px-2.5 font-medium outline-offset-[-2px]"
        >
          {label}
        </span>
      )}
      <ResizeHandle width={width} onResize={next => onResize(field.key, next)} />
    </div>
  )
}

/** The first column stays first: it names the record. */
function useReordering(
  ref: React.RefObject<HTMLDivElement | null>,
  index: number,
  onMove: (from: number, to: number) => void,
): boolean {
  const [isOver, setOver] = useState(false)
  const move = useRef(onMove)
  move.current = onMove
  useEffect(() => {
    const element = ref.current
    if (!element || index === 0) return
    let stop: (() => void) | undefined
    const hover = new AbortController()
    const start = async () => {
      const { enableReordering } = await import('./reordering.ts')
      if (hover.signal.aborted) return
      stop = enableReordering(element, index, setOver, (from, to) => move.current(from, to))
    }
    // loaded when the pointer enters, because dragging needs a pointer
    element.addEventListener('pointerenter', () => void start(), { once: true, signal: hover.signal })
    return () => {
      hover.abort()
      stop?.()
    }
  }, [ref, index])
  return isOver
}

/** For the pointer; by keyboard the header cell itself is resized, with Shift and the arrows. */
function ResizeHandle({ width, onResize }: { width: number; onResize: (width: number) => void }) {
  const start = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const target = event.currentTarget
    const from = event.clientX
    target.setPointerCapture(event.pointerId)
    target.onpointermove = move => onResize(width + move.clientX - from)
    target.onpointerup = () => {
      target.onpointermove = null
      target.onpointerup = null
    }
  }
  return (
    <div
      aria-hidden="true"
      draggable={false}
      onPointerDown={start}
      className="absolute inset-y-1 -right-1 z-1 w-2 cursor-col-resize rounded-sm hover:bg-line-strong"
    />
  )
}
