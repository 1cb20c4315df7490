/** Days as the worlds count them, and what right answers are worked out with from the records. */
import { day, today } from '../world.ts'
import type { Activity, Deal, ExpectedAnswer } from './types.ts'

export { day } from '../world.ts'
export const TODAY = day(0)

const now = new Date(today)
export const iso = (time: number): string => new Date(time).toISOString().slice(0, 10)
/** Days from today; a weekend gives way to the next working day away from today, but tomorrow stays tomorrow. */
export const workday = (offset: number): string => {
  const weekend = [0, 6].includes(new Date(day(offset)).getUTCDay())
  return weekend && offset !== 1 ? workday(offset < 0 ? offset - 1 : offset + 1) : day(offset)
}
/** The `date`th of a month counted from this one. */
export const inMonth = (offset: number, date: number): string =>
  iso(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, date))

type Days = readonly [first: string, last: string]
export const monthAt = (offset: number): Days => [inMonth(offset, 1), inMonth(offset + 1, 0)]
export const quarter: Days = (() => {
  const since = now.getUTCMonth() % 3
  return [inMonth(-since, 1), inMonth(3 - since, 0)]
})()
export const weekAt = (offset: number): Days => {
  const monday = 7 * offset - ((now.getUTCDay() + 6) % 7)
  return [day(monday), day(monday + 6)]
}
export const within = (date: string | null, [first, last]: Days): boolean =>
  date !== null && date >= first && date <= last
export const closing = (deals: readonly Deal[], days: Days) => deals.filter(deal => within(deal.close, days))
export const taking = (activities: readonly Activity[], days: Days) =>
  activities.filter(activity => within(activity.day, days))

export const keys = (list: readonly { key: string }[]): string[] => list.map(one => one.key)
export const set = (list: readonly { key: string }[]): ExpectedAnswer => ({ set: keys(list) })
export const byKey = <T extends { key: string }>(list: readonly T[], key: string): T => {
  const found = list.find(one => one.key === key)
  if (!found) throw new Error(`no ${key}`)
  return found
}

export const isOpen = (deal: Deal) => deal.stage !== 'Won' && deal.stage !== 'Lost'
export const amount = (deal: Deal): number => deal.amount ?? 0
export const total = <T>(list: readonly T[], of: (one: T) => number): number =>
  list.reduce((sum, one) => sum + of(one), 0)
export const sum = (deals: readonly Deal[]): number => total(deals, amount)
export const owned = <T extends { owner: string | null }>(list: readonly T[], who: string): T[] =>
  list.filter(one => one.owner === who)
export const assigned = (activities: readonly Activity[], who: string) =>
  activities.filter(activity => activity.who === who)
export const tagged = <T extends { tags?: readonly string[] }>(list: readonly T[], tag: string): T[] =>
  list.filter(one => one.tags?.includes(tag))
export const most = <T>(list: readonly T[], of: (one: T) => number, count: number): T[] =>
  [...list].sort((a, b) => of(b) - of(a)).slice(0, count)
export const groups = <T>(list: readonly T[], by: (one: T) => string): T[][] => [
  ...Map.groupBy(list, by).values(),
]
export const isOpenTask = ({ type, status }: Activity) =>
  type === 'task' && (status === 'planned' || status === 'in_progress')
