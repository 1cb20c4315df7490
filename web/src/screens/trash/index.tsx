/** Deleted records by kind, the last deleted first, to look at and restore. */
import { useQueries } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { RotateCcw, SearchX, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Screen } from '#components/screen.tsx'
import { messageOf } from '#data/client.ts'
import { methodsOf } from '#data/groups.ts'
import { keys } from '#data/keys.ts'
import { useList } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'
import { formatCount, formatNumber } from '#lib/format.ts'
import { type Deleted, groupOf, TRASH_GROUPS, TRASH_KINDS, type TrashGroup } from './kinds.ts'
import { restore } from './restore.ts'
import { TrashList, TrashSkeleton } from './trash-list.tsx'

const PAGE = 100

const useDeleted = (group: TrashGroup) =>
  useList(group, { deleted: true, sort_by: 'deleted_at', sort_order: 'desc', page_size: PAGE })

/** How many of each kind are in the trash; undefined until they are read. */
const useCounts = () =>
  useQueries({
    queries: TRASH_GROUPS.map(group => ({
      queryKey: keys.other(group, 'deleted'),
      queryFn: () => methodsOf(group).list({ deleted: true, page_size: 1 }),
    })),
    combine: results => ({
      isPending: results.some(({ isPending }) => isPending),
      totals: results.map(({ data }) => data?.total ?? 0),
    }),
  })

export default function Trash() {
  const search: Record<string, unknown> = useSearch({ from: '/app/trash' })
  const { isPending, totals } = useCounts()
  // without a kind in the address: the first one that has something, until the person chooses another
  const [first, setFirst] = useState<TrashGroup>()
  if (!isPending && !first) setFirst(TRASH_GROUPS.find((_, index) => totals[index]) ?? 'contacts')
  const group = search.kind === undefined ? first : groupOf(search.kind)
  return (
    <Screen
      title="Trash"
      toolbar={
        <nav aria-label="Kinds" className="-mx-1 flex gap-0.5 overflow-x-auto px-1 py-1 scroll-thin">
          {TRASH_GROUPS.map((name, index) => (
            <Tab key={name} group={name} total={totals[index] ?? 0} isActive={name === group} />
          ))}
        </nav>
      }
    >
      {group ? <Content key={group} group={group} /> : <TrashSkeleton />}
    </Screen>
  )
}

const searchOf = (kind: TrashGroup): Record<string, unknown> => ({ kind })

interface TabProps {
  group: TrashGroup
  total: number
  isActive: boolean
}

function Tab({ group, total, isActive }: TabProps) {
  return (
    <Link
      to="/trash"
      search={searchOf(group)}
      aria-current={isActive ? 'page' : undefined}
      className={classes(
        'flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs',
        isActive ? 'bg-active font-medium text-ink' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
    >
      {TRASH_KINDS[group].label}
      {total > 0 && <span className="font-normal text-ink-3 tabular">{formatNumber(total)}</span>}
    </Link>
  )
}

function Content({ group }: { group: TrashGroup }) {
  const { items, total, isLoading, error, data, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useDeleted(group)
  const isWriter = useIsWriter()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const { label, one, icon } = TRASH_KINDS[group]
  const records: Deleted[] = items
  const chosen = records.filter(({ id }) => selected.has(id))
  const restoreAll = (several: readonly Deleted[]) => {
    setSelected(new Set())
    void restore(group, several)
  }
  if (error && !data) {
    return (
      <EmptyState icon={SearchX} title="The trash could not be read">
        {messageOf(error)}
      </EmptyState>
    )
  }
  if (isLoading) return <TrashSkeleton />
  if (records.length === 0) {
    return (
      <EmptyState icon={Trash2} title={`No deleted ${label.toLowerCase()}`}>
        What you delete is listed here, and you can restore it.
      </EmptyState>
    )
  }
  return (
    <>
      <TrashList
        label={`Deleted ${label.toLowerCase()}`}
        icon={icon}
        records={records}
        selected={selected}
        onSelect={setSelected}
        onRestore={record => restoreAll([record])}
      />
      {hasNextPage && (
        <div className="p-4 text-center">
          <Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
            Show more of {formatNumber(total)}
          </Button>
        </div>
      )}
      {isWriter && chosen.length > 0 && (
        <div
          role="toolbar"
          aria-label="Selected"
          className="sticky bottom-4 mx-auto flex w-fit items-center gap-2 rounded-lg bg-raised p-1.5 pl-3 shadow-float"
        >
          <span className="tabular">{formatCount(chosen.length, one, label.toLowerCase())}</span>
          <Button variant="primary" size="sm" onClick={() => restoreAll(chosen)}>
            <RotateCcw size={14} /> Restore
          </Button>
          <Button variant="ghost" size="sm" onClick={() => setSelected(new Set())}>
            Clear
          </Button>
        </div>
      )}
    </>
  )
}
