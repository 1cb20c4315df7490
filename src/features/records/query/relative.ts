/** Values that depend on the caller and the date, for saved queries: `me`, `today-30`, `month+1`. */
import type { Ctx } from '../../../kernel/context.ts'

const UNIT = /^(today|week|month|quarter|year)(?:([+-])(\d{1,4}))?$/

/** Returns any other value unchanged, including dates outside the years 1 to 9999, which the field's schema refuses. */
export function resolveRelative(ctx: Ctx, type: string, value: unknown, now = new Date()): unknown {
  if (Array.isArray(value)) return value.map(one => resolveRelative(ctx, type, one, now))
  if (type === 'uuid' && value === 'me') return ctx.user
  const isDate = type === 'date' || type === 'timestamptz'
  const [, unit, sign, count] = (isDate && typeof value === 'string' ? UNIT.exec(value) : null) ?? []
  if (unit === undefined) return value
  const day = firstDay(now, unit, Number(count ?? 0) * (sign === '-' ? -1 : 1))
  return day < new Date('0001-01-01') || day > new Date('9999-12-31') ? value : day.toISOString().slice(0, 10)
}

/** The first day, in UTC, of the unit `steps` units from the current one. A week begins on Monday. */
function firstDay(now: Date, unit: string, steps: number): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const monday = day - ((now.getUTCDay() + 6) % 7)
  const parts: Record<string, [number, number, number]> = {
    today: [year, month, day + steps],
    week: [year, month, monday + 7 * steps],
    month: [year, month + steps, 1],
    quarter: [year, month - (month % 3) + 3 * steps, 1],
    year: [year + steps, 0, 1],
  }
  const first = new Date(0)
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  first.setUTCFullYear(...(parts[unit] ?? [year, month, day]))
  return first
}
