/** Events from the latest back: the service lists them from the first on, so each page is a window of sequences. */
import type { Event } from '@kith/client'
import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { kith } from '#data/client.ts'
import { GROUP_OF_KIND, type Kind, methodsOf } from '#data/groups.ts'
import { keys } from '#data/keys.ts'
import { nameOf } from '#data/names.ts'

const WINDOW = 100
/** With one kind of record a window has few events, so it is larger. */
const KIND_WINDOW = 500

interface EventWindow {
  items: Event[]
  start: number
}

/** The events up to `position`; `kind` is an entity_type, or empty for all. */
export function useAudit(position: number | undefined, kind: string) {
  const size = kind ? KIND_WINDOW : WINDOW
  return useInfiniteQuery({
    queryKey: keys.other('events', 'audit', { position, kind }),
    queryFn: async ({ pageParam, signal }): Promise<EventWindow> => {
      const start = Math.max(0, pageParam - size)
      const types = kind ? `${kind}.*` : undefined
      const { items } = await kith.events.list({ after: start, limit: size, types, signal })
      return { items: items.filter(({ sequence }) => sequence <= pageParam).toReversed(), start }
    },
    initialPageParam: position ?? 0,
    getNextPageParam: ({ start }) => (start > 0 ? start : undefined),
    enabled: position !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export interface Named {
  name: string
  /** whether it is in the trash, so that it has no page */
  isDeleted: boolean
}

/** The names of the records that the events are about, by id, also of those in the trash. */
export function useNames(events: readonly Event[]): ReadonlyMap<string, Named> {
  const ids = Map.groupBy(
    new Map(events.map(({ record }) => [record.id, record])).values(),
    ({ entity_type }) => entity_type,
  )
  const pages = [...ids].flatMap(([kind, records]) =>
    kind in GROUP_OF_KIND
      ? chunks(records.map(({ id }) => id)).flatMap(some =>
          [false, true].map(deleted => ({
            group: GROUP_OF_KIND[kind as Kind],
            query: { ids: some.join(','), deleted, page_size: WINDOW },
          })),
        )
      : [],
  )
  const results = useQueries({
    queries: pages.map(({ group, query }) => ({
      queryKey: keys.list(group, query),
      queryFn: () => methodsOf<{ id: string }>(group).list(query),
    })),
  })
  return new Map(
    results.flatMap(({ data }, index) =>
      (data?.items ?? []).map(record => [
        record.id,
        { name: nameOf(record), isDeleted: pages[index]?.query.deleted === true },
      ]),
    ),
  )
}

const chunks = (ids: readonly string[]): string[][] =>
  ids.length === 0 ? [] : [ids.slice(0, WINDOW), ...chunks(ids.slice(WINDOW))]
