/** The records before and after this one, in the list that the person came from, else in the usual order. */
import { useQuery } from '@tanstack/react-query'
import { queryClient } from '#data/client.ts'
import { methodsOf, type Page } from '#data/groups.ts'
import { keys } from '#data/keys.ts'
import type { Subject } from './subject.ts'

type Rows = Page<{ id: string }>

/** As many as the lists read at a time: the rows are shared with them. */
const WINDOW = 100

interface Place {
  query: object
  window: number
  position: number
}

/** Where the record is in the lists that were read, the latest one first. */
function findPlace(group: string, id: string): Place | undefined {
  const windows = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ queryKey }) => queryKey[0] === 'rows' && queryKey[1] === group })
    .toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
  for (const { queryKey, state } of windows) {
    const position = (state.data as Rows | undefined)?.items.findIndex(row => row.id === id) ?? -1
    if (position >= 0) return { query: queryKey[2] as object, window: Number(queryKey[3]), position }
  }
  return undefined
}

const readWindow = (group: Subject['group'], query: object, index: number): Promise<Rows> =>
  queryClient.fetchQuery({
    queryKey: keys.rows(group, query, index),
    queryFn: ({ signal }) =>
      methodsOf<{ id: string }>(group).query(
        { ...query, ...(index === 0 ? { cursor: '' } : { page: index + 1 }), page_size: WINDOW },
        { signal },
      ),
  })

interface Neighbours {
  previous: string | null
  next: string | null
  /** counted from 1 */
  position: number
  total: number
}

async function findNeighbours({ group, id }: Subject): Promise<Neighbours | null> {
  if (!findPlace(group, id)) await readWindow(group, {}, 0)
  const place = findPlace(group, id)
  if (!place) return null
  const { query, window, position } = place
  const { items, total } = await readWindow(group, query, window)
  const index = window * WINDOW + position
  const before =
    position > 0 || window === 0
      ? items[position - 1]
      : (await readWindow(group, query, window - 1)).items.at(-1)
  const isLastRead = position === items.length - 1
  const after =
    isLastRead && index + 1 < total
      ? (await readWindow(group, query, window + 1)).items[0]
      : items[position + 1]
  return { previous: before?.id ?? null, next: after?.id ?? null, position: index + 1, total }
}

export function useNeighbours(subject: Subject): Neighbours | null {
  const { data } = useQuery({
    queryKey: ['neighbours', subject.group, subject.id],
    queryFn: () => findNeighbours(subject),
  })
  return data ?? null
}
