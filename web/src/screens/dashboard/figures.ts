/** The figures behind the plots. The second element of each key is the group, so live updates read them again. */
import type { Schemas } from '@kith/client'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { kith } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { CHANGES } from './changes.ts'
import { addMonths, daysAgo, firstDay, lastDay, thisMonth } from './months.ts'

export type Total = Schemas['Forecast']['totals'][number]
export type Sum = Total['open']

export const PAST_MONTHS = 12
export const NEXT_MONTHS = 6
export const ACTIVITY_DAYS = 30

const EMPTY: Sum = { count: 0, amount: 0, weighted_amount: 0 }

/** The sums of one state in a currency: amounts in different currencies are not added up. */
export const sumOf = (
  totals: readonly Total[] | undefined,
  currency: string,
  state: 'open' | 'won' | 'lost',
): Sum => totals?.find(total => total.currency === currency)?.[state] ?? EMPTY

/** Deals by the month of their closing, expected or past. */
export function useMonths(pipeline_id: string | undefined) {
  const month = thisMonth()
  const query = {
    group_by: 'month' as const,
    from: firstDay(addMonths(month, 1 - PAST_MONTHS)),
    to: lastDay(addMonths(month, NEXT_MONTHS - 1)),
    ...(pipeline_id ? { pipeline_id } : {}),
  }
  return useQuery({
    queryKey: keys.other('deals', 'forecast', query),
    queryFn: ({ signal }) => kith.request('GET', '/api/deals/forecast', { query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** All deals by stage. */
export function useStageTotals(pipeline_id: string | undefined) {
  const query = { group_by: 'stage' as const, ...(pipeline_id ? { pipeline_id } : {}) }
  return useQuery({
    queryKey: keys.other('deals', 'forecast', query),
    queryFn: ({ signal }) => kith.request('GET', '/api/deals/forecast', { query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Completed activities of the last days, by person and type. */
export function useActivityFigures() {
  const since = daysAgo(ACTIVITY_DAYS)
  return useQuery({
    queryKey: keys.other('activities', 'by person', { since }),
    queryFn: ({ signal }) =>
      kith.request('POST', '/api/query', {
        body: {
          entity: 'activity',
          where: { field: 'completed_at', op: 'gte', value: since },
          measure: { kind: 'count' },
          group_by: [{ field: 'assignee_id' }, { field: 'type' }],
          limit: 500,
        },
        signal,
      }),
  })
}

/** How many records each change since yesterday concerns; undefined while it is read. */
export function useChangeCounts(): (number | undefined)[] {
  const since = daysAgo(1)
  return useQueries({
    queries: CHANGES.map(({ group, entity, where, label }) => ({
      queryKey: keys.other(group, label, { since }),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        kith.request('POST', '/api/query', {
          body: { entity, where: where(since), measure: { kind: 'count' } },
          signal,
        }),
    })),
  }).map(({ data }) => data?.total)
}
