/** The imports so far, the last one first. */
import { Link } from '@tanstack/react-router'
import { History as HistoryIcon } from 'lucide-react'
import { useEffect } from 'react'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { useMembers } from '#data/people.tsx'
import { useList } from '#data/records.ts'
import { formatCount, formatNumber } from '#lib/format.ts'
import { IMPORT_KINDS, type Import, isBusy, isOpen, STATUSES } from './kinds.ts'

/** Imports are not in the stream of events: while one runs, the list is read again. */
const POLL_MS = 2000

export function History() {
  const list = useList('imports', { page_size: 20, sort_by: 'created_at', sort_order: 'desc' })
  const { items, isPending, hasNextPage, fetchNextPage, refetch } = list
  const isAnyBusy = items.some(isBusy)
  useEffect(() => {
    if (!isAnyBusy) return
    const timer = setInterval(() => void refetch(), POLL_MS)
    return () => clearInterval(timer)
  }, [isAnyBusy, refetch])
  return (
    <section aria-label="Imports so far">
      <h2 className="mb-1 text-xs font-medium text-ink-3">Imports so far</h2>
      {isPending ? (
        [52, 40, 60].map(width => (
          <div key={width} className="flex h-11 items-center border-b border-line">
            <span style={{ width: `${width}%` }}>
              <Skeleton className="h-3 w-full" />
            </span>
          </div>
        ))
      ) : items.length === 0 ? (
        <EmptyState icon={HistoryIcon} title="No imports yet">
          Each import is listed here with its result, and can be undone.
        </EmptyState>
      ) : (
        <ul>
          {items.map(item => (
            <Row key={item.id} item={item} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button variant="ghost" size="sm" className="mt-2" onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  )
}

function Row({ item }: { item: Import }) {
  const { byId } = useMembers()
  const { many, icon: Icon } = IMPORT_KINDS[item.entity_type]
  const { label, tone } = STATUSES[item.status]
  const person = byId.get(item.user_id ?? '')?.name
  return (
    <li className="relative flex min-h-11 items-center gap-3 border-b border-line hover:bg-hover max-[719px]:py-1.5">
      <Icon size={15} className="shrink-0 text-ink-3" />
      <Link
        to="/imports/$id"
        params={{ id: item.id }}
        className="min-w-0 flex-1 outline-none after:absolute after:inset-0 focus-visible:after:rounded-sm focus-visible:after:ring-2 focus-visible:after:ring-accent focus-visible:after:ring-inset"
      >
        <span className="block truncate font-medium">{item.file_name}</span>
        <span className="block truncate text-xs text-ink-3 tabular max-[719px]:whitespace-normal">
          {[summary(item, many), person].filter(Boolean).join(' · ')}
        </span>
      </Link>
      <Badge tone={tone}>{label}</Badge>
      <TimeAgo
        time={item.created_at}
        className="w-28 text-right text-xs text-ink-3 max-[719px]:w-auto max-[719px]:text-2xs"
      />
    </li>
  )
}

function summary(item: Import, many: string): string {
  const rows = formatCount(item.total_rows, 'row')
  if (isOpen(item)) return `${rows} of ${many}`
  const failed = item.error_count > 0 ? `, ${formatNumber(item.error_count)} failed` : ''
  const skipped = item.skipped_count > 0 ? `, ${formatNumber(item.skipped_count)} skipped` : ''
  return `${rows}: ${formatNumber(item.created_count)} created, ${formatNumber(item.updated_count)} updated${skipped}${failed}`
}
