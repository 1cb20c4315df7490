/** Who changed what and when, the latest first. */
import { ScrollText } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Select } from '#components/select.tsx'
import { useEventPosition } from '#data/position.ts'
import { formatCount } from '#lib/format.ts'
import { useAudit, useNames } from './audit-events.ts'
import { AuditRow } from './audit-row.tsx'
import { Part, RowsSkeleton } from './part.tsx'

const KINDS = [
  { value: 'all', label: 'All changes' },
  { value: 'contact', label: 'Contacts' },
  { value: 'company', label: 'Companies' },
  { value: 'deal', label: 'Deals' },
  { value: 'activity', label: 'Activities' },
  { value: 'product', label: 'Products' },
  { value: 'note', label: 'Notes' },
  { value: 'pipeline', label: 'Pipelines' },
  { value: 'custom_field', label: 'Custom fields' },
] as const

export default function Audit() {
  const latest = useEventPosition()
  const [position, setPosition] = useState(latest)
  const [kind, setKind] = useState<(typeof KINDS)[number]['value']>('all')
  // new events are counted rather than shown, so that nothing moves under the reader's eyes
  useEffect(() => setPosition(current => current ?? latest), [latest])
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useAudit(
    position,
    kind === 'all' ? '' : kind,
  )
  const events = data?.pages.flatMap(({ items }) => items) ?? []
  const names = useNames(events)
  const newer = (latest ?? 0) - (position ?? 0)
  return (
    <Part
      title="Audit"
      description="Every change of a record, by whom and how. The journal cannot be edited."
      action={
        <div className="w-40 shrink-0">
          <Select label="Kind of record" value={kind} options={KINDS} onChange={setKind} />
        </div>
      }
    >
      {newer > 0 && (
        <Button size="sm" className="mb-2 w-full" onClick={() => setPosition(latest)}>
          Show {formatCount(newer, 'new change')}
        </Button>
      )}
      {!data && <RowsSkeleton count={8} />}
      {data && events.length === 0 && !hasNextPage && (
        <EmptyState icon={ScrollText} title="No changes yet">
          Create or change a record, and it is listed here.
        </EmptyState>
      )}
      <ul aria-label="Changes" className="divide-y divide-line border-y border-line empty:hidden">
        {events.map(event => (
          <AuditRow key={event.sequence} event={event} named={names.get(event.record.id)} />
        ))}
      </ul>
      {hasNextPage && (
        <div className="pt-4 text-center">
          <Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
            Show earlier changes
          </Button>
        </div>
      )}
    </Part>
  )
}
