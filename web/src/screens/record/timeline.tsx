import { History } from 'lucide-react'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { useIsWriter } from '#data/session.ts'
import { ActivityList } from './activities.tsx'
import { Composer } from './composer.tsx'
import { useHistory } from './history.ts'
import { MomentEntry } from './moment.tsx'
import { Rows } from './rows.tsx'
import type { Subject } from './subject.ts'

const months = new Intl.DateTimeFormat(navigator.language, { month: 'long', year: 'numeric' })

/** Planned activities first, then the history by month. */
export function Timeline({ subject }: { subject: Subject }) {
  const { next, moments, isLoading, hasMore, showMore } = useHistory(subject)
  const isWriter = useIsWriter()
  const byMonth = Map.groupBy(moments, ({ at }) => months.format(new Date(at)))
  return (
    <div className="flex flex-col gap-5">
      {isWriter && <Composer subject={subject} />}
      {isLoading ? (
        <Rows />
      ) : (
        <>
          <ActivityList title="Next" items={next} />
          {[...byMonth].map(([month, entries]) => (
            <section key={month} aria-label={month}>
              <h2 className="mb-1 text-xs font-medium text-ink-3">{month}</h2>
              <ol>
                {entries.map(moment => (
                  <MomentEntry key={keyOf(moment)} moment={moment} subject={subject} />
                ))}
              </ol>
            </section>
          ))}
          {moments.length === 0 && next.length === 0 && (
            <EmptyState icon={History} title="Nothing has happened yet">
              {isWriter && 'Write a note or plan an activity. '}Everything about this record is listed here.
            </EmptyState>
          )}
        </>
      )}
      {hasMore && (
        <Button size="sm" className="self-start" onClick={showMore}>
          Show older
        </Button>
      )}
    </div>
  )
}

const keyOf = (moment: Parameters<typeof MomentEntry>[0]['moment']): string =>
  moment.kind === 'note'
    ? moment.note.id
    : moment.kind === 'activity'
      ? moment.activity.id
      : (moment.changes[0]?.id ?? moment.at)
