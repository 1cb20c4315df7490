import type { Schemas } from '@kith/client'
import { Link } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import { Badge } from '#components/badge.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import type { Tone } from '#data/field-types.ts'
import type { ListQuery } from '#data/groups.ts'
import { useList } from '#data/records.ts'
import { humanize } from '#lib/format.ts'
import { ActivityList } from './activities.tsx'
import { Rows } from './rows.tsx'
import { linkedTo, type Subject } from './subject.ts'

type Draft = Schemas['EmailDraft']

const TONES: Readonly<Record<Draft['status'], Tone>> = {
  draft: 'neutral',
  scheduled: 'accent',
  sent: 'good',
  failed: 'bad',
}

/** Mails that were written here, and those that were logged as activities. */
export function Mails({ subject }: { subject: Subject }) {
  const link = linkedTo(subject)
  const drafts = useList('emailDrafts', { ...link, page_size: 50 } as ListQuery<'emailDrafts'>)
  const logged = useList('activities', {
    ...link,
    type: 'email',
    page_size: 100,
  } as ListQuery<'activities'>)
  if (drafts.isPending || logged.isPending) return <Rows />
  if (drafts.items.length + logged.items.length === 0) {
    return (
      <EmptyState icon={Mail} title="No mails">
        Mails that you write or log about {subject.name} are listed here.
      </EmptyState>
    )
  }
  // a sent mail is logged as an activity, too: it is listed once
  const written = drafts.items.filter(({ status }) => status !== 'sent')
  return (
    <div className="flex flex-col gap-5">
      {written.length > 0 && (
        <section aria-label="Drafts">
          <h2 className="mb-1 text-xs font-medium text-ink-3">Drafts</h2>
          {written.map(draft => (
            <DraftRow key={draft.id} draft={draft} />
          ))}
        </section>
      )}
      <ActivityList title="Sent and received" items={logged.items} />
    </div>
  )
}

const DraftRow = ({ draft: { id, subject, to, status, scheduled_at, updated_at } }: { draft: Draft }) => (
  <div className="relative flex min-h-9 items-center gap-3 border-b border-line hover:bg-hover">
    <Badge tone={TONES[status]}>{humanize(status)}</Badge>
    <Link
      to="/mail/$id"
      params={{ id }}
      className="min-w-0 flex-1 truncate outline-none after:absolute after:inset-0 focus-visible:after:rounded-sm focus-visible:after:ring-2 focus-visible:after:ring-accent focus-visible:after:ring-inset"
    >
      {subject || 'Without subject'}
    </Link>
    <span className="max-w-56 truncate text-xs text-ink-2 max-[719px]:hidden">
      {to.map(({ name, email }) => name ?? email).join(', ')}
    </span>
    <TimeAgo time={scheduled_at ?? updated_at} className="w-28 shrink-0 text-right text-xs text-ink-3" />
  </div>
)
