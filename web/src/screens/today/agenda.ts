/** When an activity takes place or is due, in the reader's time zone, and the sections of the list by it. */
import type { Schemas } from '@kith/client'
import { today } from '#lib/format.ts'

export type Activity = Schemas['Activity']

export const isOpen = ({ status }: Activity): boolean => status === 'planned' || status === 'in_progress'

/** The time of an activity; undefined for whole days. */
export function timeOf({ start_at, due_at, due_date, all_day }: Activity): Date | undefined {
  if (all_day || (due_date && !due_at && !start_at)) return undefined
  const time = start_at ?? due_at
  return time ? new Date(time) : undefined
}

/** `2026-01-31`; empty for an activity without a time. */
export function dayOf(activity: Activity): string {
  const time = timeOf(activity)
  if (time) return today(time)
  return (activity.due_date ?? activity.start_at ?? activity.due_at ?? '').slice(0, 10)
}

/** Noon, so that no change of the clock moves it to another day. */
export const atNoon = (day: string): Date => new Date(`${day}T12:00:00`)

export function addDays(day: string, count: number): string {
  const date = atNoon(day)
  date.setDate(date.getDate() + count)
  return today(date)
}

/** The Monday of the week. */
export const mondayOf = (day: string): string => addDays(day, -((atNoon(day).getDay() + 6) % 7))

/** Whole days first, then by time. */
export const byTime = (a: Activity, b: Activity): number =>
  dayOf(a).localeCompare(dayOf(b)) ||
  (timeOf(a)?.getTime() ?? 0) - (timeOf(b)?.getTime() ?? 0) ||
  a.id.localeCompare(b.id)

export interface Section {
  name: 'Overdue' | 'Today' | 'Next 7 days'
  activities: Activity[]
}

/** Overdue: what the service marks as overdue, and activities planned for an earlier day. */
export function sectionsOf(activities: readonly Activity[], now: Date): Section[] {
  const day = today(now)
  const open = activities.filter(isOpen).sort(byTime)
  const isPast = (activity: Activity) => {
    const due = activity.due_at ? new Date(activity.due_at) < now : false
    return due || dayOf(activity) < day
  }
  return [
    { name: 'Overdue', activities: open.filter(isPast) },
    { name: 'Today', activities: open.filter(one => !isPast(one) && dayOf(one) === day) },
    {
      name: 'Next 7 days',
      activities: open.filter(one => dayOf(one) > day && dayOf(one) <= addDays(day, 7)),
    },
  ]
}
