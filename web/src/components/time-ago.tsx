import { formatDateTime } from '#lib/format.ts'
import { relativeTime } from '#lib/relative-time.ts'
import { useEachMinute } from '#lib/use-each-minute.ts'

/** "3 hours ago", with the exact time on hover. */
export function TimeAgo({ time, className }: { time: string; className?: string }) {
  useEachMinute()
  return (
    <time dateTime={time} title={formatDateTime(time)} className={className}>
      {relativeTime(time)}
    </time>
  )
}
