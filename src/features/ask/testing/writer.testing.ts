/** How a test writes down a small account: in memory or through the API. */

export interface Writer {
  /** the one who asks */
  me: string
  asker(name: string): Promise<void>
  colleague(name: string): Promise<string>
  /** the id of what `POST path` makes; `stage` names the stage of a deal */
  create(path: string, body: Readonly<Record<string, unknown>>): Promise<string>
  tag(kind: string, id: string, names: readonly string[]): Promise<void>
}

const DAY = 86_400_000
export const day = (offset: number) => new Date(Date.now() + offset * DAY).toISOString().slice(0, 10)

/** The tenth day of the second month of the quarter that is `step` from this one. */
export function inQuarter(step: number): string {
  const now = new Date()
  const first = Math.floor(now.getUTCMonth() / 3) * 3 + 3 * step
  return new Date(Date.UTC(now.getUTCFullYear(), first + 1, 10)).toISOString().slice(0, 10)
}

/** The fifteenth of the month that is `step` from this one. */
export function inMonth(step: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + step, 15)).toISOString().slice(0, 10)
}

/** Times of an activity that took place so many days ago. */
export const held = (days: number, end = '10:00') => ({
  status: 'completed',
  start_at: `${day(-days)}T09:00:00Z`,
  end_at: `${day(-days)}T${end}:00Z`,
})

export const planned = (days: number) => ({
  start_at: `${day(days)}T09:00:00Z`,
  end_at: `${day(days)}T10:00:00Z`,
})
