/** The mails of a box, or the templates. */
import { Link, useSearch } from '@tanstack/react-router'
import { PenLine, SearchX } from 'lucide-react'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Screen } from '#components/screen.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { messageOf } from '#data/client.ts'
import { useList } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'
import { formatNumber } from '#lib/format.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import {
  BOXES,
  type BoxName,
  type Draft,
  recipientsText,
  TABS,
  type TabName,
  tabOf,
  useNewDraft,
} from './boxes.ts'
import { Templates } from './templates.tsx'

export function Mailbox() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const tab = tabOf(search.box)
  const write = useNewDraft()
  const isWriter = useIsWriter()
  useShortcuts({ c: isWriter ? () => void write() : undefined })
  return (
    <Screen
      title="Mail"
      actions={
        isWriter && (
          <Button variant="primary" size="sm" onClick={() => void write()}>
            <PenLine size={14} /> New mail
          </Button>
        )
      }
      toolbar={
        <nav aria-label="Boxes" className="-mx-1 flex gap-0.5 overflow-x-auto px-1 py-1 scroll-thin">
          {TABS.map(({ name, label }) => (
            <Tab key={name} name={name} label={label} isActive={name === tab} />
          ))}
        </nav>
      }
    >
      {tab === 'templates' ? (
        <Templates onUse={template => void write(template)} />
      ) : (
        <Box key={tab} name={tab} onWrite={() => void write()} />
      )}
    </Screen>
  )
}

const searchOf = (box: TabName): Record<string, unknown> => (box === 'drafts' ? {} : { box })

const Tab = ({ name, label, isActive }: { name: TabName; label: string; isActive: boolean }) => (
  <Link
    to="/mail"
    search={searchOf(name)}
    aria-current={isActive ? 'page' : undefined}
    className={classes(
      'flex h-7 shrink-0 items-center rounded-md px-2 text-xs',
      isActive ? 'bg-active font-medium text-ink' : 'text-ink-2 hover:bg-hover hover:text-ink',
    )}
  >
    {label}
  </Link>
)

const useBox = (status: Draft['status'], enabled = true) =>
  useList('emailDrafts', { status, page_size: 50, sort_by: 'updated_at', sort_order: 'desc' }, { enabled })

function Box({ name, onWrite }: { name: BoxName; onWrite: () => void }) {
  const { statuses, empty, icon } = BOXES[name]
  const isWriter = useIsWriter()
  const main = useBox(statuses.at(-1) ?? 'draft')
  // mails that could not be sent are drafts again, on top
  const failed = useBox('failed', name === 'drafts')
  const items = name === 'drafts' ? [...failed.items, ...main.items] : main.items
  if (main.error && !main.data) {
    return (
      <EmptyState icon={SearchX} title="The mails could not be read">
        {messageOf(main.error)}
      </EmptyState>
    )
  }
  if (main.isPending) return [64, 48, 72, 56].map(width => <RowSkeleton key={width} width={width} />)
  if (items.length === 0) {
    return (
      <EmptyState
        icon={icon}
        title={empty.title}
        action={isWriter && <Button onClick={onWrite}>Write a mail</Button>}
      >
        {empty.text}
      </EmptyState>
    )
  }
  return (
    <>
      <ul>
        {items.map(draft => (
          <Row key={draft.id} draft={draft} />
        ))}
      </ul>
      {main.hasNextPage && (
        <div className="p-4 text-center">
          <Button onClick={() => void main.fetchNextPage()}>Show more of {formatNumber(main.total)}</Button>
        </div>
      )}
    </>
  )
}

function Row({ draft }: { draft: Draft }) {
  const { id, subject, body_text, status, scheduled_at, sent_at, updated_at } = draft
  const when = status === 'scheduled' ? (scheduled_at ?? updated_at) : (sent_at ?? updated_at)
  return (
    <li className="relative flex min-h-10 items-center gap-3 border-b border-line px-4 hover:bg-hover max-[719px]:min-h-14">
      <Link
        to="/mail/$id"
        params={{ id }}
        className="flex min-w-0 flex-1 items-baseline gap-3 outline-none after:absolute after:inset-0 focus-visible:after:rounded-sm focus-visible:after:ring-2 focus-visible:after:ring-accent focus-visible:after:ring-inset max-[719px]:flex-col max-[719px]:gap-0"
      >
        <span className={classes('w-44 shrink-0 truncate', !draft.to.length && 'text-ink-3')}>
          {recipientsText(draft) || 'No recipient'}
        </span>
        <span className="max-w-full min-w-0 truncate">
          <span className="font-medium">{subject || 'Without subject'}</span>
          <span className="ml-2 text-ink-3">{body_text.slice(0, 120)}</span>
        </span>
      </Link>
      {status === 'failed' && <Badge tone="bad">Not sent</Badge>}
      <TimeAgo time={when} className="w-24 shrink-0 text-right text-xs text-ink-3" />
    </li>
  )
}

const RowSkeleton = ({ width }: { width: number }) => (
  <div className="flex h-10 items-center border-b border-line px-4">
    <span style={{ width: `${width}%` }}>
      <Skeleton className="h-3 w-full" />
    </span>
  </div>
)
