/** Overdue, today and the next days, one line each; done with one key. */
import { CalendarCheck } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Keys } from '#components/keys.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { formatDay } from '#lib/format.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { ActivityRow } from './activity-row.tsx'
import { type Activity, atNoon, dayOf, type Section } from './agenda.ts'

interface AgendaListProps {
  sections: readonly Section[]
  isLoading: boolean
  /** absent for people who only read */
  onDone: ((activity: Activity) => void) | undefined
  onCreate: (() => void) | undefined
}

export function AgendaList({ sections, isLoading, onDone, onCreate }: AgendaListProps) {
  const list = useRef<HTMLDivElement>(null)
  const all = sections.flatMap(({ activities }) => activities)
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-activity] a') ?? [])]
  const focusedIndex = () => links().findIndex(link => link.closest('li')?.contains(document.activeElement))
  const focusAt = (index: number) => {
    const all = links()
    all[Math.min(Math.max(index, 0), all.length - 1)]?.focus()
  }
  const done = () => {
    const index = focusedIndex()
    const activity = all[index]
    // The key acts on the focused row only.
    if (!activity || !onDone) return
    // the row is removed, and the next one gets the focus
    focusAt(index + 1 < all.length ? index + 1 : index - 1)
    onDone(activity)
  }
  useShortcuts({
    arrowdown: () => focusAt(focusedIndex() + 1),
    j: () => focusAt(focusedIndex() + 1),
    arrowup: () => focusAt(focusedIndex() - 1),
    k: () => focusAt(focusedIndex() - 1),
    d: done,
  })
  if (isLoading) return <ListSkeleton />
  if (all.length === 0) {
    return (
      <EmptyState
        icon={CalendarCheck}
        title="Nothing is planned"
        action={
          onCreate && (
            <Button variant="primary" onClick={onCreate}>
              New activity <Keys shortcut="c" />
            </Button>
          )
        }
      >
        {onCreate && 'Plan a call, a meeting or a task for the next days.'}
      </EmptyState>
    )
  }
  return (
    <div ref={list} className="pb-8">
      {sections.map(section => (
        <SectionRows key={section.name} section={section} onDone={onDone} />
      ))}
    </div>
  )
}

interface SectionRowsProps {
  section: Section
  onDone: ((activity: Activity) => void) | undefined
}

function SectionRows({ section: { name, activities }, onDone }: SectionRowsProps) {
  if (activities.length === 0 && name !== 'Today') return null
  const isOverdue = name === 'Overdue'
  const days = name === 'Next 7 days' ? Map.groupBy(activities, dayOf) : new Map([['', activities]])
  return (
    <section aria-label={name}>
      <h2 className="sticky top-0 z-2 flex h-9 items-center gap-2 border-b border-line bg-canvas px-4 text-xs font-semibold">
        <span className={isOverdue ? 'text-bad' : ''}>{name}</span>
        <span className="font-normal text-ink-3 tabular">{activities.length}</span>
      </h2>
      {activities.length === 0 && (
        <p className="border-b border-line px-4 py-3 text-ink-3">Nothing more for today.</p>
      )}
      {[...days].map(([day, rows]) => (
        <div key={day}>
          {day && <h3 className="px-4 pt-3 pb-1 text-xs font-medium text-ink-3">{formatDay(atNoon(day))}</h3>}
          <ul>
            {rows.map(activity => (
              <ActivityRow key={activity.id} activity={activity} onDone={onDone} isOverdue={isOverdue} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

const ListSkeleton = () => (
  <div role="status" aria-label="Loading">
    {[64, 48, 72, 56, 40, 60].map(width => (
      <div key={width} className="flex h-10 items-center gap-3 border-b border-line px-4">
        <Skeleton className="size-4 rounded-full" />
        <span style={{ width: `${width}%` }}>
          <Skeleton className="h-3 w-full" />
        </span>
      </div>
    ))}
  </div>
)
