/** When an activity is due: a day, or a moment where the file has the time of day, in the same cell or in its own. */
import type { Draft } from './draft.ts'
import { rowError } from './row-values.ts'
import { CellError } from './values.ts'

/** Products write midnight for a day without a time. */
const MIDNIGHT = /T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?$/

/** `moment`: as the cell of a date-time is read. */
export function noteDue(draft: Draft, moment: string | undefined): void {
  if (moment === undefined) return
  if (!moment.includes('T') || MIDNIGHT.test(moment)) draft.due.day ??= moment.slice(0, 10)
  else draft.due.moment ??= moment
}

const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(?:([ap])\.?m\.?|uhr)?$/i

/** `09:00`, `9:00 PM`, `9:00 Uhr` → HH:MM:SS */
export function readClock(text: string): string {
  const [, hour = '', minute = '', second = '00', half] = CLOCK.exec(text.trim()) ?? []
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (hour === '' || hours > 23 || Number(minute) > 59 || Number(second) > 59)
    throw new CellError(`“${text.trim().slice(0, 60)}” is not a time of day: write it as 09:30`)
  return [String(hours).padStart(2, '0'), minute, second].join(':')
}

/** `00:30`, `1:30:00` → minutes */
export function readDuration(text: string): number | undefined {
  const [whole, hours, minutes, seconds = '0'] =
    /^(\d{1,4}):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  if (Number(seconds) > 0)
    throw new CellError(`“${whole}” is not a whole number of minutes: write it without seconds, as 0:30`)
  return Number(hours) * 60 + Number(minutes)
}

export function settleDue({ due, input, warnings }: Draft): void {
  const { day, moment, clock } = due
  if (moment !== undefined) input.due_at ??= moment
  else if (day !== undefined && clock !== undefined) input.due_at ??= `${day}T${clock}Z`
  else if (day !== undefined) input.due_date ??= day
  if (clock === undefined || day !== undefined || moment !== undefined) return
  const message = 'This time has no day in the row: it is left out'
  warnings.push(rowError('value_left_out', message, clock, null, 'due_time'))
}
