/** A line of the list: done, type, subject, with whom, when. */
import { Link } from '@tanstack/react-router'
import { Checkbox } from '#components/checkbox.tsx'
import { formatDay, formatTime } from '#lib/format.ts'
import { relativeTime } from '#lib/relative-time.ts'
import { type Activity, atNoon, dayOf, timeOf } from './agenda.ts'
import { TypeIcon } from './type-icon.tsx'

interface ActivityRowProps {
  activity: Activity
  onDone: ((activity: Activity) => void) | undefined
  isOverdue: boolean
}

export function ActivityRow({ activity, onDone, isOverdue }: ActivityRowProps) {
  const { id, subject, type, priority } = activity
  const about = [activity.company_ids?.[0], activity.contact_ids?.[0]].flatMap(item => item?.name ?? [])
  return (
    <li
      data-activity={id}
      className="group relative flex min-h-10 items-center gap-3 border-b border-line px-4 hover:bg-hover has-[a:focus-visible]:bg-hover max-[719px]:min-h-14"
    >
      <Checkbox
        isChecked={activity.status === 'completed'}
        isDisabled={!onDone}
        onChange={() => onDone?.(activity)}
        label={`Done: ${subject}`}
        className="z-1 rounded-full"
      />
      <TypeIcon type={type} />
      <Link
        to="/$group/$id"
        params={{ group: 'activities', id }}
        className="flex min-w-0 flex-1 items-baseline gap-2 outline-none after:absolute after:inset-0 focus-visible:after:rounded-sm focus-visible:after:ring-2 focus-visible:after:ring-accent focus-visible:after:ring-inset max-[719px]:flex-col max-[719px]:gap-0"
      >
        <span className="max-w-full truncate font-medium">{subject}</span>
        <span className="max-w-full truncate text-xs text-ink-3">{about.join(' · ')}</span>
      </Link>
      {(priority === 'high' || priority === 'urgent') && (
        <span className="shrink-0 text-xs font-medium text-warn max-[719px]:hidden">
          {priority === 'urgent' ? 'Urgent' : 'High'}
        </span>
      )}
      <When activity={activity} isOverdue={isOverdue} />
    </li>
  )
}

function When({ activity, isOverdue }: { activity: Activity; isOverdue: boolean }) {
  const time = timeOf(activity)
  const day = dayOf(activity)
  const exact = `${formatDay(atNoon(day))}${time ? `, ${formatTime(time)}` : ''}`
  const moment = time ?? atNoon(day)
  return (
    <time
      dateTime={time?.toISOString() ?? day}
      title={exact}
      className={`shrink-0 text-right text-xs tabular min-[720px]:w-24 ${isOverdue ? 'text-bad' : 'text-ink-2'}`}
    >
      {isOverdue ? relativeTime(moment) : time ? formatTime(time) : 'All day'}
    </time>
  )
}
