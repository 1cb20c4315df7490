import { ListChecks } from 'lucide-react'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { useList } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { ActivityForm } from './activity-form.tsx'
import { type Activity, ActivityRow, isOpen, timeOf } from './activity-row.tsx'
import { Rows } from './rows.tsx'
import { activitiesOf, hasActivities, type Subject } from './subject.ts'

export const useActivities = (subject: Subject) =>
  useList('activities', activitiesOf(subject), { enabled: hasActivities(subject.kind) })

const byTime = (one: Activity, other: Activity) => timeOf(one).localeCompare(timeOf(other))

/** Open ones, the next first. */
export const openOf = (items: readonly Activity[]): Activity[] => items.filter(isOpen).toSorted(byTime)

export function Activities({ subject }: { subject: Subject }) {
  const { items, isPending, hasNextPage, fetchNextPage } = useActivities(subject)
  const isWriter = useIsWriter()
  const open = openOf(items)
  const done = items
    .filter(item => !isOpen(item))
    .toSorted(byTime)
    .toReversed()
  return (
    <div className="flex flex-col gap-5">
      {isWriter && <ActivityForm subject={subject} />}
      {isPending ? (
        <Rows />
      ) : items.length === 0 ? (
        <EmptyState icon={ListChecks} title="Nothing planned, nothing done">
          {isWriter && 'Add a task, call or meeting above. '}What is done appears in the timeline.
        </EmptyState>
      ) : (
        <>
          <ActivityList title="Open" items={open} />
          <ActivityList title="Done" items={done} />
        </>
      )}
      {hasNextPage && (
        <Button size="sm" className="self-start" onClick={() => void fetchNextPage()}>
          Show older activities
        </Button>
      )}
    </div>
  )
}

export const ActivityList = ({ title, items }: { title: string; items: readonly Activity[] }) =>
  items.length === 0 ? null : (
    <section aria-label={title}>
      <h2 className="mb-1 text-xs font-medium text-ink-3">
        {title} <span className="tabular">{items.length}</span>
      </h2>
      {items.map(activity => (
        <ActivityRow key={activity.id} activity={activity} />
      ))}
    </section>
  )
