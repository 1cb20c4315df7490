/** The history of a record: its changes, notes and past activities, the latest first. */
import type { Schemas } from '@kith/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { kith } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { openOf, useActivities } from './activities.tsx'
import { type Activity, isOpen, timeOf } from './activity-row.tsx'
import { useNotes } from './notes.tsx'
import { hasActivities, type Subject } from './subject.ts'

export type Change = Schemas['TimelineEntry']

export type Moment =
  | { kind: 'note'; at: string; note: Schemas['Note'] }
  | { kind: 'activity'; at: string; activity: Activity }
  /** changes of one operation */
  | { kind: 'changes'; at: string; changes: Change[] }

const PAGE = 50

interface ChangePage {
  items: Change[]
  page: number
  total_pages: number
}

function useChanges({ group, id }: Subject) {
  return useInfiniteQuery({
    queryKey: keys.other(group, 'timeline', { id }),
    queryFn: ({ pageParam, signal }): Promise<ChangePage> =>
      kith[group].timeline(id, { query: { page: pageParam, page_size: PAGE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, total_pages }) => (page < total_pages ? page + 1 : undefined),
  })
}

/** Joins neighbouring changes of an operation, such as an import, to one moment. */
function joined(changes: readonly Change[]): Moment[] {
  const moments: { kind: 'changes'; at: string; changes: Change[] }[] = []
  for (const change of changes) {
    const last = moments.at(-1)
    const isSame =
      change.operation_id !== null &&
      last?.changes[0]?.operation_id === change.operation_id &&
      last !== undefined
    if (isSame) last.changes.push(change)
    else moments.push({ kind: 'changes', at: change.at, changes: [change] })
  }
  return moments
}

export function useHistory(subject: Subject) {
  const changes = useChanges(subject)
  const notes = useNotes(subject)
  const activities = useActivities(subject)
  const sources = hasActivities(subject.kind) ? [changes, notes, activities] : [changes, notes]

  // notes and activities are shown themselves, so their journal entries are left out
  const isShown = ({ type }: Change) =>
    type !== 'note_added' && !(type === 'activity_added' && hasActivities(subject.kind))
  const entries = (changes.data?.pages ?? []).flatMap(page => page.items).filter(isShown)
  const past = activities.items.filter(activity => !isOpen(activity))
  const moments: Moment[] = [
    ...joined(entries),
    ...notes.items.map(note => ({ kind: 'note' as const, at: note.created_at, note })),
    ...past.map(activity => ({ kind: 'activity' as const, at: timeOf(activity), activity })),
  ]
  // before the oldest loaded entry of a source that has more, entries may be missing
  const ends = [
    changes.hasNextPage ? entries.at(-1)?.at : undefined,
    notes.hasNextPage ? notes.items.at(-1)?.created_at : undefined,
    activities.hasNextPage ? activities.items.at(-1)?.created_at : undefined,
  ]
  const end = ends.reduce((latest = '', time = '') => (time > latest ? time : latest), '') ?? ''
  return {
    next: openOf(activities.items),
    moments: moments.filter(({ at }) => at >= end).toSorted((one, other) => other.at.localeCompare(one.at)),
    isLoading: sources.some(({ isPending }) => isPending),
    hasMore: sources.some(({ hasNextPage }) => hasNextPage),
    showMore: () => {
      for (const source of sources) if (source.hasNextPage) void source.fetchNextPage()
    },
  }
}
