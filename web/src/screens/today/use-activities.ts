/** The activities of a period, and those that are overdue since before it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { kith } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { useList, useUpdate } from '#data/records.ts'
import { type Activity, addDays, atNoon } from './agenda.ts'

/** The service returns at most this many on a page; more in a few weeks are unrealistic. */
const MOST = 1000

/** From the beginning of one day to the end of another, in the reader's time zone. */
export function useCalendar(from: string, to: string, assignee_id: string | undefined) {
  const begin = atNoon(from)
  begin.setHours(0, 0, 0, 0)
  const end = atNoon(to)
  end.setHours(23, 59, 59, 999)
  const query = {
    from: begin.toISOString(),
    to: end.toISOString(),
    page_size: MOST,
    ...(assignee_id ? { assignee_id } : {}),
  }
  return useQuery({
    queryKey: keys.other('activities', 'calendar', query),
    queryFn: ({ signal }) => kith.request('GET', '/api/activities/calendar', { query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Days before today in which an open meeting is still to be closed. */
const LOOK_BACK = 30

/** The activities of the last weeks and the next week, and everything overdue. */
export function useAgenda(day: string, assignee_id: string | undefined) {
  const calendar = useCalendar(addDays(day, -LOOK_BACK), addDays(day, 7), assignee_id)
  const overdue = useList('activities', {
    overdue: true,
    sort_by: 'due_at',
    page_size: 200,
    ...(assignee_id ? { assignee_id } : {}),
  })
  const byId = new Map<string, Activity>()
  for (const one of [...overdue.items, ...(calendar.data?.items ?? [])]) byId.set(one.id, one)
  return {
    activities: [...byId.values()],
    isLoading: calendar.isLoading || overdue.isLoading,
    /** why there is nothing to show; what was read before stays */
    error: byId.size > 0 ? null : (calendar.error ?? overdue.error),
  }
}

/** Marks an activity as done or open again, at once, with Undo. */
export function useDone() {
  const { mutate } = useUpdate('activities')
  return (activity: Activity) => {
    const isDone = activity.status === 'completed'
    mutate({
      id: activity.id,
      changes: { status: isDone ? 'planned' : 'completed' },
      message: `${isDone ? 'Opened' : 'Done'}: ${activity.subject}`,
    })
  }
}
