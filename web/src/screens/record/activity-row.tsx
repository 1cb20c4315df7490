import type { Schemas } from '@kith/client'
import { Link } from '@tanstack/react-router'
import { CircleDot, ListChecks, type LucideIcon, Mail, Phone, Users } from 'lucide-react'
import { Checkbox } from '#components/checkbox.tsx'
import { Member } from '#components/fields/field-value.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { dueMoment, dueOf, isDay } from '#data/due.ts'
import { useUpdate } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'
import { formatDate } from '#lib/format.ts'

export type Activity = Schemas['Activity']

export const ACTIVITY_ICONS: Readonly<Record<Activity['type'], LucideIcon>> = {
  call: Phone,
  meeting: Users,
  task: ListChecks,
  email: Mail,
  other: CircleDot,
}

/** The time of the activity, past or planned. */
export const timeOf = (activity: Activity): string => {
  const { completed_at, start_at, created_at } = activity
  const due = dueOf(activity)
  return start_at ?? completed_at ?? (due ? dueMoment(due).toISOString() : created_at)
}

/** A day has no hours that could be left. */
function When({ activity }: { activity: Activity }) {
  const { completed_at, start_at } = activity
  const due = dueOf(activity)
  if (!start_at && !completed_at && due && isDay(due)) return formatDate(due)
  return <TimeAgo time={timeOf(activity)} />
}

export const isOpen = ({ status }: Activity): boolean => status === 'planned' || status === 'in_progress'

/** One line with a box to mark it as done. */
export function ActivityRow({ activity }: { activity: Activity }) {
  const { mutate } = useUpdate('activities')
  const isWriter = useIsWriter()
  const { id, subject, type, assignee_id, is_overdue } = activity
  const Icon = ACTIVITY_ICONS[type]
  const isDone = activity.status === 'completed'
  const finish = (done: boolean) =>
    mutate({
      id,
      changes: { status: done ? 'completed' : 'planned' },
      message: done ? `Completed ${subject}` : `Reopened ${subject}`,
    })
  return (
    <div className="flex min-h-9 items-center gap-3 border-b border-line">
      <Checkbox isChecked={isDone} isDisabled={!isWriter} onChange={finish} label={`Done: ${subject}`} />
      <Icon size={14} className="shrink-0 text-ink-3" aria-label={type} />
      <Link
        to="/$group/$id"
        params={{ group: 'activities', id }}
        className={classes(
          'min-w-0 flex-1 truncate hover:underline',
          activity.status === 'cancelled' && 'text-ink-3 line-through',
          isDone && 'text-ink-2',
        )}
      >
        {subject}
      </Link>
      {assignee_id && (
        <span className="max-w-40 text-xs text-ink-2 max-[719px]:hidden">
          <Member id={assignee_id} />
        </span>
      )}
      <span
        className={classes(
          'w-28 shrink-0 truncate text-right text-xs tabular',
          is_overdue ? 'font-medium text-bad' : 'text-ink-3',
        )}
      >
        <When activity={activity} />
      </span>
    </div>
  )
}
