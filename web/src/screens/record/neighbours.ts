/** The records before and after this one, in the list that the person came from, else in the usual order. */
import { hashKey, useQuery } from '@tanstack/react-query'
import { queryClient } from '#data/client.ts'
import { methodsOf, type Page } from '#data/groups.ts'
import { keys } from '#data/keys.ts'
import { type LastList, lastList, rememberList } from '#data/last-list.ts'
import type { Subject } from './subject.ts'

type Rows = Page<{ id: string }>

/** As many as the lists read at a time: the rows are shared with them. */
const WINDOW = 100

interface Place {
  query: object
  window: number
  position: number
}

/** Where the record is in the windows of this list that were read. */
function findPlace(group: string, id: string, query: object): Place | undefined {
  const windows = queryClient.getQueryCache().findAll({
    predicate: ({ queryKey }) =>
      queryKey[0] === 'rows' && queryKey[1] === group && hashKey([queryKey[2]]) === hashKey([query]),
  })
  for (const { queryKey, state } of windows) {
    const position = (state.data as Rows | undefined)?.items.findIndex(row => row.id === id) ?? -1
    if (position >= 0) return { query, window: Number(queryKey[3]), position }
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

const USUAL = { search: {}, query: {}, window: 0 }

async function placeIn(group: Subject['group'], id: string, list: LastList): Promise<Place | undefined> {
  const { query, window } = list
  if (!findPlace(group, id, query)) await readWindow(group, query, window)
  const place = findPlace(group, id, query)
  if (place && list !== USUAL) rememberList(group, { ...list, window: place.window })
  return place
}

async function findNeighbours({ group, id }: Subject): Promise<Neighbours | null> {
  // the stored list may compare a field that no longer exists
  const last = await placeIn(group, id, lastList(group)).catch(() => undefined)
  const place = last ?? (await placeIn(group, id, USUAL))
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
    queryKey: ['neighbours', subject.group, subject.id, lastList(subject.group).query],
    queryFn: () => findNeighbours(subject),
  })
  return data ?? null
}
