/** Shared by the parts of the demo: dates relative to its "today", filled-in texts, and sets that must succeed. */
import type { Ctx } from '../../kernel/context.ts'
import type { Item, New, SetResource, Stored } from '../../kernel/resource.ts'
import type { Random } from './random.ts'

export interface Building {
  tx: Ctx
  random: Random
  /** midnight (UTC) of the day on which the demo takes place */
  today: number
  /** the phone numbers in use */
  phones: Set<string>
}

const DAY = 86_400_000
const HOUR = 3_600_000

/** A time on a day before (negative) or after today, in UTC. */
export const timeOn = ({ today }: Building, day: number, hour = 0, minute = 0): string =>
  new Date(today + day * DAY + hour * HOUR + minute * 60_000).toISOString()

export const dateOn = (building: Building, day: number): string => timeOn(building, day).slice(0, 10)

/** The nearest working day at or after this one. */
export function workday({ today }: Building, day: number): number {
  const weekday = new Date(today + day * DAY).getUTCDay()
  return day + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0)
}

export const filledIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/** Records in one statement per few thousand; the ids in their order. A refused one is a mistake of the demo. */
export async function createAll<In extends Item, Out extends Stored>(
  tx: Ctx,
  { operations, record }: SetResource<In, Out>,
  records: readonly New<In>[],
): Promise<string[]> {
  const saved = await operations.createMany(tx, records)
  return saved.map(({ id, error }, i) => {
    if (!error) return id
    const input = JSON.stringify(records[i]?.input)
    throw new Error(`${record.label} refused: ${JSON.stringify(error.detail)} in ${input}`)
  })
}
