/** Deleted records by kind, the last deleted first, to look at and restore. */
import { Link, useSearch } from '@tanstack/react-router'
import { RotateCcw, SearchX, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Screen } from '#components/screen.tsx'
import { messageOf } from '#data/client.ts'
import { useList } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'
import { formatCount, formatNumber } from '#lib/format.ts'
import { type Deleted, groupOf, TRASH_GROUPS, TRASH_KINDS, type TrashGroup } from './kinds.ts'
import { restore } from './restore.ts'
import { TrashList, TrashSkeleton } from './trash-list.tsx'

const PAGE = 100

/** A tab that is not open needs only the number. */
const useDeleted = (group: TrashGroup, page_size = PAGE) =>
  useList(group, { deleted: true, sort_by: 'deleted_at', sort_order: 'desc', page_size })

export default function Trash() {
  const search: Record<string, unknown> = useSearch({ from: '/app/trash' })
  const group = groupOf(search.kind)
  return (
    <Screen
      title="Trash"
      toolbar={
        <nav aria-label="Kinds" className="-mx-1 flex gap-0.5 overflow-x-auto px-1 py-1 scroll-thin">
          {TRASH_GROUPS.map(name => (
            <Tab key={name} group={name} isActive={name === group} />
          ))}
        </nav>
      }
    >
      <Content key={group} group={group} />
    </Screen>
  )
}

const searchOf = (kind: TrashGroup): Record<string, unknown> => ({ kind })

function Tab({ group, isActive }: { group: TrashGroup; isActive: boolean }) {
  const { total } = useDeleted(group, isActive ? PAGE : 1)
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
