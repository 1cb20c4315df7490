import { Link } from '@tanstack/react-router'
import { AudioLines } from 'lucide-react'
import { Badge } from '#components/badge.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { formatDuration, isRunning, type Recording } from './recordings.ts'

interface RecordingListProps {
  items: readonly Recording[]
  openId: string | undefined
  onMore: (() => void) | undefined
}

export const RecordingList = ({ items, openId, onMore }: RecordingListProps) => (
  <div className="w-72 shrink-0 overflow-y-auto border-r border-line scroll-thin max-[719px]:w-full max-[719px]:border-0">
    <ul aria-label="Recordings">
      {items.map(recording => (
        <li key={recording.id} className="border-b border-line">
          <Link
            to="/recordings/$id"
            params={{ id: recording.id }}
            aria-current={recording.id === openId ? 'page' : undefined}
            className="flex items-start gap-2.5 px-4 py-2.5 -outline-offset-2 hover:bg-hover aria-[current=page]:bg-active"
          >
            <AudioLines size={15} className="mt-0.5 shrink-0 text-ink-3" />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{recording.file_name}</span>
              <span className="block truncate text-xs text-ink-2">
                {recording.summary || recording.text || recording.error || 'No text yet'}
              </span>
              <span className="flex items-center gap-1.5 text-xs text-ink-2">
                <TimeAgo time={recording.created_at} />
                {recording.duration_seconds !== null && <>· {formatDuration(recording.duration_seconds)}</>}
              </span>
            </span>
            {isRunning(recording) && <Badge tone="accent">{recording.progress} %</Badge>}
            {recording.status === 'failed' && <Badge tone="bad">Failed</Badge>}
          </Link>
        </li>
      ))}
    </ul>
    {onMore && (
      <button type="button" onClick={onMore} className="h-10 w-full text-ink-2 hover:bg-hover">
        Show more
      </button>
    )}
  </div>
)

export const ListSkeleton = () => (
  <div className="w-72 max-[719px]:w-full" role="status" aria-label="Loading">
    {[1, 2, 3].map(row => (
      <div key={row} className="flex h-18 flex-col justify-center gap-2 border-b border-line px-4">
        <Skeleton className="h-3 w-36" />
        <Skeleton className="h-3 w-52" />
      </div>
    ))}
  </div>
)
