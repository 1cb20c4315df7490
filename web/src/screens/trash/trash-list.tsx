import { type LucideIcon, RotateCcw } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#components/button.tsx'
import { Checkbox } from '#components/checkbox.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { useIsWriter } from '#data/session.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { type Deleted, detailOf, titleOf } from './kinds.ts'

interface TrashListProps {
  label: string
  icon: LucideIcon
  records: readonly Deleted[]
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  onRestore: (record: Deleted) => void
}

/** One line a record. The arrow keys move, `x` selects, Enter restores. */
export function TrashList({ label, icon: Icon, records, selected, onSelect, onRestore }: TrashListProps) {
  const isWriter = useIsWriter()
  const list = useRef<HTMLUListElement>(null)
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('li') ?? [])]
  const focused = () => rows().findIndex(row => row.contains(document.activeElement))
  const focusAt = (index: number) =>
    rows()
      [Math.min(Math.max(index, 0), records.length - 1)]?.querySelector<HTMLElement>('[data-restore]')
      ?.focus()
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  useShortcuts({
    arrowdown: () => focusAt(focused() + 1),
    j: () => focusAt(focused() + 1),
    arrowup: () => focusAt(focused() - 1),
    k: () => focusAt(focused() - 1),
    x: () => {
      const record = records[focused()]
      if (record) toggle(record.id)
    },
  })
  return (
    <ul ref={list} aria-label={label}>
      {records.map(record => (
        <li
          key={record.id}
          className="flex h-10 items-center gap-3 border-b border-line px-4 focus-within:bg-hover hover:bg-hover max-[719px]:h-14"
        >
          <Checkbox
            isChecked={selected.has(record.id)}
            onChange={() => toggle(record.id)}
            label={`Select ${titleOf(record)}`}
          />
          <Icon size={14} className="shrink-0 text-ink-3" />
          <span className="flex min-w-0 flex-1 items-baseline gap-2 max-[719px]:flex-col max-[719px]:gap-0">
            <span className="max-w-full truncate font-medium">{titleOf(record)}</span>
            <span className="max-w-full flex-1 truncate text-xs text-ink-3">{detailOf(record)}</span>
            {record.deleted_at && (
              <TimeAgo time={record.deleted_at} className="shrink-0 text-xs text-ink-3" />
            )}
          </span>
          {isWriter && (
            <Button
              size="sm"
              data-restore
              onClick={() => onRestore(record)}
              aria-label={`Restore ${titleOf(record)}`}
            >
              <RotateCcw size={13} /> Restore
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

export const TrashSkeleton = () => (
  <div role="status" aria-label="Loading">
    {[40, 56, 32, 48, 60].map(width => (
      <div key={width} className="flex h-10 items-center gap-3 border-b border-line px-4">
        <Skeleton className="size-4" />
        <span style={{ width: `${width}%` }}>
          <Skeleton className="h-3 w-full" />
        </span>
      </div>
    ))}
  </div>
)
