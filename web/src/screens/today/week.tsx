/** A week as seven columns; below each other on a phone. */
import { Link } from '@tanstack/react-router'
import { Skeleton } from '#components/skeleton.tsx'
import { classes } from '#lib/classes.ts'
import { formatDay, formatTime } from '#lib/format.ts'
import { type Activity, addDays, atNoon, byTime, dayOf, timeOf } from './agenda.ts'
import { TypeIcon } from './type-icon.tsx'
import { useCalendar } from './use-activities.ts'

const weekdays = new Intl.DateTimeFormat(navigator.language, { weekday: 'short' })

interface WeekProps {
  monday: string
  today: string
  assigneeId: string | undefined
}

export function Week({ monday, today, assigneeId }: WeekProps) {
  const { data, isLoading } = useCalendar(monday, addDays(monday, 6), assigneeId)
  const days = Array.from({ length: 7 }, (_, index) => addDays(monday, index))
  const shown = (data?.items ?? []).filter(({ status }) => status !== 'cancelled').sort(byTime)
  const byDay = Map.groupBy(shown, dayOf)
  return (
    <div className="grid min-h-full grid-cols-7 max-[719px]:block">
      {days.map((day, index) => (
        <Day
          // below each other on a phone, the days would slide when their activities are read
          key={isLoading ? `loading ${day}` : day}
          day={day}
          isToday={day === today}
          isWeekend={index > 4}
          activities={byDay.get(day) ?? []}
          isLoading={isLoading}
        />
      ))}
    </div>
  )
}

interface DayProps {
  day: string
  isToday: boolean
  isWeekend: boolean
  activities: readonly Activity[]
  isLoading: boolean
}

function Day({ day, isToday, isWeekend, activities, isLoading }: DayProps) {
  return (
    <section
      aria-label={formatDay(atNoon(day))}
      className={classes('min-w-0 border-line min-[720px]:not-last:border-r', isWeekend && 'bg-canvas')}
    >
      <h2
        className={classes(
          'sticky top-0 z-2 flex h-9 items-center gap-1.5 border-b border-line px-2 text-xs font-medium text-ink-2',
          isWeekend ? 'bg-canvas' : 'bg-surface',
        )}
        aria-current={isToday ? 'date' : undefined}
      >
        {weekdays.format(atNoon(day))}
        <span
          className={classes(
            'flex h-5 min-w-5 items-center justify-center rounded-full px-1 tabular',
            isToday && 'bg-accent text-accent-ink',
          )}
        >
          {atNoon(day).getDate()}
        </span>
        {activities.length > 0 && <span className="ml-auto text-ink-3 tabular">{activities.length}</span>}
      </h2>
      <ul className="flex flex-col gap-1 p-1">
        {isLoading && <Skeleton className="h-11 w-full" />}
        {activities.map(activity => (
          <Entry key={activity.id} activity={activity} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ activity }: { activity: Activity }) {
  const { id, subject, type, status, is_overdue } = activity
  const time = timeOf(activity)
  const isDone = status === 'completed'
  return (
    <li>
      <Link
        to="/$group/$id"
        params={{ group: 'activities', id }}
        title={subject}
        className={classes(
          'block rounded-md border-l-2 px-2 py-1 hover:bg-hover',
          isDone
            ? 'border-line-strong'
            : is_overdue
              ? 'border-bad bg-bad-soft'
              : 'border-accent bg-accent-soft',
        )}
      >
        <span className="flex items-center gap-1 text-2xs text-ink-2 tabular">
          <TypeIcon type={type} size={11} />
          {time ? formatTime(time) : 'All day'}
          {isDone && <span className="sr-only">, done</span>}
        </span>
        <span
          className={classes(
            'line-clamp-2 text-xs wrap-anywhere max-[719px]:line-clamp-1',
            isDone ? 'text-ink-3 line-through' : 'font-medium',
          )}
        >
          {subject}
        </span>
      </Link>
    </li>
  )
}
