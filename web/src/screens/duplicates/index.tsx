/** Records that are possibly the same: a list of groups, and the chosen one side by side. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeft, CopyCheck, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '#components/avatar.tsx'
import { Badge } from '#components/badge.tsx'
import { IconButton } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Screen } from '#components/screen.tsx'
import { Segments } from '#components/segments.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { messageOf } from '#data/client.ts'
import { nameOf } from '#data/names.ts'
import { classes } from '#lib/classes.ts'
import { formatNumber, humanize } from '#lib/format.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { usePhone } from '#lib/use-media.ts'
import { Compare } from './compare.tsx'
import { type DuplicateGroup, type DuplicateKind, dismiss, idOf, useDuplicates } from './groups.ts'

const KINDS = [
  { value: 'contacts', label: 'Contacts' },
  { value: 'companies', label: 'Companies' },
] as const

export default function Duplicates() {
  const search: Record<string, unknown> = useSearch({ from: '/app/duplicates' })
  const navigate = useNavigate()
  const isPhone = usePhone()
  const kind: DuplicateKind = search.kind === 'companies' ? 'companies' : 'contacts'
  const { data, isLoading, error } = useDuplicates(kind)
  /** hidden until the service has answered that it remembers them */
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set())
  const groups = (data?.items ?? []).filter(group => !dismissed.has(idOf(group)))
  const index = groups.findIndex(group => idOf(group) === search.group)
  // on a phone the list is a page of its own
  const open = groups[index] ?? (isPhone ? undefined : groups[0])
  const go = (group: DuplicateGroup | undefined, to = kind) =>
    void navigate({
      to: '/duplicates',
      search: {
        ...(to === 'companies' ? { kind: to } : {}),
        ...(group ? { group: idOf(group) } : {}),
      } as Record<string, unknown>,
      replace: !isPhone,
    })
  const position = open ? groups.indexOf(open) : -1
  const next = () => go(groups[position + 1] ?? groups[position - 1])
  useShortcuts({
    j: () => go(groups[Math.min(position + 1, groups.length - 1)]),
    k: () => go(groups[Math.max(position - 1, 0)]),
  })
  const dismissOpen = async () => {
    if (!open) return
    next()
    setDismissed(current => new Set([...current, idOf(open)]))
    await dismiss(kind, open)
    setDismissed(current => new Set([...current].filter(id => id !== idOf(open))))
  }
  const back = isPhone && open && (
    <IconButton label="Back to the list" onClick={() => go(undefined)}>
      <ArrowLeft size={16} />
    </IconButton>
  )
  return (
    <Screen
      title="Duplicates"
      before={back}
      aside={<span className="text-ink-3 tabular">{data ? formatNumber(groups.length) : ''}</span>}
      actions={
        <Segments
          label="Kind of record"
          value={kind}
          options={KINDS}
          onChange={value => go(undefined, value)}
        />
      }
    >
      {error && !data ? (
        <EmptyState icon={SearchX} title="The duplicates could not be read">
          {messageOf(error)}
        </EmptyState>
      ) : isLoading ? (
        <ListSkeleton />
      ) : groups.length === 0 ? (
        <EmptyState icon={CopyCheck} title={`No duplicates among ${kind}`}>
          Records with the same address, phone number, domain or a similar name are listed here.
        </EmptyState>
      ) : (
        <div className="flex h-full">
          {(!isPhone || !open) && (
            <GroupList groups={groups} open={open} kind={kind} onOpen={go} isWide={isPhone} />
          )}
          {open && (
            <div className="min-w-0 flex-1 overflow-y-auto scroll-thin">
              <Compare
                key={idOf(open)}
                kind={kind}
                group={open}
                onDismiss={() => void dismissOpen()}
                onMerged={next}
              />
            </div>
          )}
        </div>
      )}
    </Screen>
  )
}

interface GroupListProps {
  groups: readonly DuplicateGroup[]
  open: DuplicateGroup | undefined
  kind: DuplicateKind
  onOpen: (group: DuplicateGroup) => void
  isWide: boolean
}

/** The other names of a group; where all have the same, what tells its records apart. */
function othersIn({ items }: DuplicateGroup): string {
  const [name, ...others] = new Set(items.map(nameOf))
  if (others.length > 0) return others.join(', ')
  const details = items.map(item => item.email ?? ('domains' in item ? item.domains?.[0] : null) ?? item.city)
  return details.filter(Boolean).join(', ') || `${formatNumber(items.length)} named ${name}`
}

const GroupList = ({ groups, open, kind, onOpen, isWide }: GroupListProps) => (
  <ul
    aria-label={`Possible duplicates among ${kind}`}
    className={classes(
      'overflow-y-auto scroll-thin',
      isWide ? 'w-full' : 'w-72 shrink-0 border-r border-line',
    )}
  >
    {groups.map(group => (
      <li key={idOf(group)} className="border-b border-line">
        <button
          type="button"
          aria-current={group === open}
          onClick={() => onOpen(group)}
          className="flex w-full items-center gap-2.5 px-4 py-2 text-left -outline-offset-2 hover:bg-hover aria-[current=true]:bg-active"
        >
          <Avatar name={nameOf(group.items[0] ?? {})} isSquare={kind === 'companies'} size="md" />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{nameOf(group.items[0] ?? {})}</span>
            <span className="block truncate text-xs text-ink-2">{othersIn(group)}</span>
          </span>
          <Badge tone={group.score >= 0.95 ? 'accent' : 'neutral'}>
            Same {humanize(group.reason).toLowerCase()}
          </Badge>
        </button>
      </li>
    ))}
  </ul>
)

const ListSkeleton = () => (
  <div className="w-72 max-[719px]:w-full" role="status" aria-label="Loading">
    {[1, 2, 3, 4].map(row => (
      <div key={row} className="flex h-13 items-center gap-2.5 border-b border-line px-4">
        <Skeleton className="size-6" />
        <Skeleton className="h-3 w-36" />
      </div>
    ))}
  </div>
)
