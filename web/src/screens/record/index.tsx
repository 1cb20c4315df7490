/** The page of a contact, company, deal, activity or product. */
import { KithError } from '@kith/client'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { FileQuestion } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListGroupName } from '#app/router.tsx'
import { buttonClass } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { nameOf } from '#components/fields/reference-editor.tsx'
import { Screen } from '#components/screen.tsx'
import { messageOf } from '#data/client.ts'
import { type FieldKind, useCustomFields } from '#data/fields.ts'
import { kindOf, type RecordOf } from '#data/groups.ts'
import { useRecord } from '#data/records.ts'
import { humanize } from '#lib/format.ts'
import { usePhone } from '#lib/use-media.ts'
import { Activities } from './activities.tsx'
import { Deals } from './deals.tsx'
import { Facts } from './facts.tsx'
import { Files } from './files.tsx'
import { BackLink, RecordActions, StarButton } from './header.tsx'
import { LineItems } from './line-items.tsx'
import { Mails } from './mails.tsx'
import { Notes } from './notes.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { StagePath } from './stage-path.tsx'
import type { AnyRecord, Subject } from './subject.ts'
import { type Tab, TabBar, tabsOf } from './tabs.tsx'
import { Team } from './team.tsx'
import { Timeline } from './timeline.tsx'

export default function RecordPage() {
  const params = useParams({ from: '/app/$group/$id' })
  const group = params.group as ListGroupName
  const { data: record, error } = useRecord(group, params.id)
  // read beside the record, so that the facts do not move when they arrive
  const { isPending } = useCustomFields(kindOf(group) as FieldKind)
  if (error && !record) return <Missing group={group} error={error} />
  if (!record || isPending) return <PageSkeleton />
  const subject = { group, kind: kindOf(group) as FieldKind, id: record.id, name: nameOf(record) }
  return <Page subject={subject} record={record} />
}

function Page({ subject, record }: { subject: Subject; record: AnyRecord }) {
  const search: Record<string, unknown> = useSearch({ from: '/app/$group/$id' })
  const isPhone = usePhone()
  const tabs = tabsOf(subject.kind, isPhone)
  const tab = tabs.find(one => one === search.tab) ?? (tabs[0] as Tab)
  const deal = subject.kind === 'deal' ? (record as RecordOf<'deals'>) : undefined
  return (
    <Screen
      title={subject.name || 'Without a name'}
      aside={
        <>
          <StarButton subject={subject} record={record} />
          <BackLink group={subject.group} />
        </>
      }
      actions={<RecordActions subject={subject} />}
    >
      {/* the key resets the content when the record changes */}
      <div key={subject.id} className="flex h-full">
        <div className="flex min-w-0 flex-1 flex-col overflow-y-auto scroll-thin">
          {deal && <StagePath deal={deal} />}
          <TabBar subject={subject} tabs={tabs} current={tab} />
          <div className={tab === 'facts' ? '' : 'w-full max-w-220 px-6 py-5 max-[719px]:px-4'}>
            {contentOf(tab, subject, record)}
          </div>
        </div>
        {!isPhone && (
          <aside
            aria-label="Facts and related records"
            className="w-84 shrink-0 overflow-y-auto border-l border-line scroll-thin"
          >
            <Facts subject={subject} record={record} />
          </aside>
        )}
      </div>
    </Screen>
  )
}

function contentOf(tab: Tab, subject: Subject, record: AnyRecord): ReactNode {
  switch (tab) {
    case 'facts':
      return <Facts subject={subject} record={record} />
    case 'timeline':
      return <Timeline subject={subject} />
    case 'notes':
      return <Notes subject={subject} />
    case 'activities':
      return <Activities subject={subject} />
    case 'team':
      return <Team subject={subject} />
    case 'deals':
      return <Deals subject={subject} />
    case 'items':
      return <LineItems deal={record as RecordOf<'deals'>} />
    case 'mails':
      return <Mails subject={subject} />
    case 'files':
      return <Files subject={subject} />
  }
}

function Missing({ group, error }: { group: ListGroupName; error: Error }) {
  // 422: the address has no id
  const isGone = error instanceof KithError && [404, 422].includes(error.status)
  return (
    <Screen title={humanize(group)}>
      <EmptyState
        icon={FileQuestion}
        title={isGone ? 'This record does not exist' : 'The record could not be read'}
        action={
          <Link to="/$group" params={{ group }} className={buttonClass()}>
            Show all {group}
          </Link>
        }
      >
        {isGone ? 'It may be in the trash, or the link may be of another account.' : messageOf(error)}
      </EmptyState>
    </Screen>
  )
}
