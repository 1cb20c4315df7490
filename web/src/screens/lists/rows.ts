/**
 * The rows of a long list. They are read in windows: the windows on the screen and no others, so that a list of
 * 100,000 rows can be scrolled anywhere at once. A window after one that was read continues by its cursor; after a jump
 * it is read by its page number.
 */
import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { queryClient } from '#data/client.ts'
import { methodsOf, type Page, type RecordGroup } from '#data/groups.ts'
import { keys, previousOf } from '#data/keys.ts'

/** About 150 kB of JSON, which takes 20 ms to read on the embedded engine. */
export const WINDOW = 100

export interface Row {
  id: string
}

type Rows = Page<Row>

function windowQuery(group: RecordGroup, query: object, index: number) {
  return {
    queryKey: keys.rows(group, query, index),
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<Rows> => {
      const previous = queryClient.getQueryData<Rows>(keys.rows(group, query, index - 1))
      const next = previous?.items.length === WINDOW ? previous.next_cursor : undefined
      const position = index === 0 ? { cursor: '' } : next ? { cursor: next } : { page: index + 1 }
      return methodsOf<Row>(group).query({ ...query, ...position, page_size: WINDOW }, { signal })
    },
  }
}

interface RowsResult {
  total: number
  rowAt: (index: number) => Row | undefined
  isLoading: boolean
  /** the rows are those of the previous search while the next one is read */
  isOutdated: boolean
  /** why there are no rows; an error with rows leaves them as they are */
  error: Error | null
}

interface Windows {
  first: number
  last: number
}

/** A dragged scrollbar passes hundreds of windows in a second; those it stops at are read. */
const PAUSE_MS = 100

/** The windows on the screen: at once when they change, then at most once in a pause. */
export function useWindows(): [windows: Windows, onRange: (first: number, last: number) => void] {
  const [windows, setWindows] = useState<Windows>({ first: 0, last: 0 })
  const range = useRef<Windows>({ first: 0, last: 0 })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const onRange = useCallback((first: number, last: number) => {
    range.current = { first, last }
    if (timer.current) return
    const show = () => setWindows(current => windowsOf(range.current.first, range.current.last, current))
    show()
    timer.current = setTimeout(() => {
      timer.current = undefined
      show()
    }, PAUSE_MS)
  }, [])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return [windows, onRange]
}

/** The windows that these rows are in; the same object while they are the same, so that nothing is drawn again. */
function windowsOf(firstRow: number, lastRow: number, current: Windows): Windows {
  const first = Math.floor(firstRow / WINDOW)
  const last = Math.floor(lastRow / WINDOW)
  return first === current.first && last === current.last ? current : { first, last }
}

export function useRows(group: RecordGroup, query: object, { first, last }: Windows): RowsResult {
  const top = useQuery({ ...windowQuery(group, query, 0), placeholderData: previousOf(group) })
  const from = Math.max(1, first)
  const indexes = Array.from({ length: Math.max(0, last - from + 1) }, (_, step) => from + step)
  const windows = useQueries({ queries: indexes.map(index => windowQuery(group, query, index)) })

  const rowAt = (index: number) => {
    const position = Math.floor(index / WINDOW)
    const data = position === 0 ? top.data : windows[position - from]?.data
    return data?.items[index % WINDOW]
  }
  return {
    total: top.data?.total ?? 0,
    rowAt,
    isLoading: top.isPending,
    isOutdated: top.isPlaceholderData,
    error: top.data ? null : top.error,
  }
}

/** The ids of all rows, up to a limit: what "select all" selects. */
export async function allIds(group: RecordGroup, query: object, limit: number): Promise<string[]> {
  const ids: string[] = []
  for (
    let cursor: string | null | undefined = '';
    cursor !== null && cursor !== undefined && ids.length < limit;
  ) {
    const page: Rows = await methodsOf<Row>(group).query({ ...query, cursor, page_size: 1000 })
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next_cursor
  }
  return ids.slice(0, limit)
}
