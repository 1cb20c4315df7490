import { formatDateTime } from '#lib/format.ts'
import { relativeTime } from '#lib/relative-time.ts'

/** "3 hours ago", with the exact time on hover. */
export const TimeAgo = ({ time, className }: { time: string; className?: string }) => (
  <time dateTime={time} title={formatDateTime(time)} className={className}>
    {relativeTime(time)}
  </time>
)
