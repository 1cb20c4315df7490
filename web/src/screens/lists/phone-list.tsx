/** The rows on a narrow screen: name, two facts, and the way to the record. */
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useRef, useState } from 'react'
import { hasScreen } from '#app/screens.ts'
import { Avatar } from '#components/avatar.tsx'
import { Checkbox } from '#components/checkbox.tsx'
import { FieldValue } from '#components/fields/field-value.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { readField } from '#data/field-types.ts'
import { nameOf } from '#data/names.ts'
import { classes } from '#lib/classes.ts'
import { returnPosition } from '#lib/focus.ts'
import type { Column } from './columns.ts'
import type { Row } from './rows.ts'
import type { Selection } from './selection.ts'

const ROW_HEIGHT = 60

interface PhoneListProps {
  group: string
  label: string
  total: number
  rowAt: (index: number) => Row | undefined
  onRange: (first: number, last: number) => void
  columns: readonly Column[]
  isOutdated: boolean
  /** a tap selects the row instead of opening it */
  selection?: Selection
}

export function PhoneList(props: PhoneListProps) {
  const { group, label, total, rowAt, onRange, columns, isOutdated, selection } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [left] = useState(returnPosition)
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    initialOffset: left?.top ?? 0,
  })
  const items = rows.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => onRange(first, last), [first, last, onRange])
  return (
    <div
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
      tabIndex={0}
      data-scroller
      className={classes('absolute inset-0 overflow-y-auto', isOutdated && 'opacity-60')}
    >
      <ul
        aria-label={label}
        aria-busy={isOutdated}
        className="relative"
        style={{ height: rows.getTotalSize() }}
      >
        {items.map(({ index, start }) => (
          <li
            key={index}
            className="absolute inset-x-0 h-15 border-b border-line"
            style={{ transform: `translateY(${start}px)` }}
          >
            <PhoneRow
              group={group}
              index={index}
              row={rowAt(index)}
              columns={columns}
              isSelected={selection?.ids.has(rowAt(index)?.id ?? '')}
              onToggle={selection?.toggle}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

const isMomentOf = (row: Row, { field }: Column): boolean =>
  ['due', 'datetime'].includes(field.type) && Boolean(readField(row, field))

interface PhoneRowProps {
  group: string
  index: number
  row: Row | undefined
  columns: readonly Column[]
  isSelected: boolean | undefined
  onToggle: Selection['toggle'] | undefined
}

const PhoneRow = memo(function PhoneRow(props: PhoneRowProps) {
  const { group, index, row, columns, isSelected, onToggle } = props
  if (!row) {
    return (
      <div className="flex h-full flex-col justify-center gap-2 px-4">
        <Skeleton className="h-3 w-40" />
        <Skeleton className="h-3 w-24" />
      </div>
    )
  }
  const [second, other] = columns.slice(1)
  // when an activity takes place says more than its status
  const moment = group === 'activities' ? columns.find(column => isMomentOf(row, column)) : undefined
  const third = moment && moment !== second ? moment : other
  const content = (
    <>
      {group !== 'activities' && <Avatar name={nameOf(row)} isSquare={group !== 'contacts'} size="md" />}
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{nameOf(row)}</span>
        <span className="block truncate text-xs text-ink-2">
          {second && <FieldValue field={second.field} record={row} isPlain />}
        </span>
      </span>
      <span className="max-w-32 truncate text-xs text-ink-2">
        {third && <FieldValue field={third.field} record={row} isPlain />}
      </span>
    </>
  )
  const style = 'flex h-full items-center gap-3 px-4'
  if (onToggle) {
    return (
      // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is inside
      <label className={`${style} ${isSelected ? 'bg-accent-soft' : ''}`}>
        <Checkbox
          label={`Select ${nameOf(row)}`}
          isChecked={isSelected === true}
          onChange={() => onToggle(row.id, index)}
        />
        {content}
      </label>
    )
  }
  if (!hasScreen('record')) return <div className={style}>{content}</div>
  return (
    <Link to="/$group/$id" params={{ group, id: row.id }} className={style}>
      {content}
    </Link>
  )
})
