/** When an imported deal was closed: from `closed_at`, `won_at` or `lost_at`, or from a close date that has passed. */
import type { StageType } from '../../../resources/pipelines/record.ts'
import type { Draft } from './draft.ts'
import { rowError } from './row-values.ts'

export function settleClosing(draft: Draft, status: StageType | undefined): void {
  const { input, closing } = draft
  if (closing.day !== undefined) input.expected_close_date ??= closing.day
  for (const type of ['won', 'lost'] as const) {
    if (closing[type] === undefined || type === status) continue
    const message = `No column says that the deal is ${type}: this time is left out`
    warn(draft, `${type}_at`, closing[type], message)
  }
  if (status !== 'won' && status !== 'lost') return
  input.closed_at ??= closing[status] ?? (isPast(closing.day) ? closing.day : undefined)
  if (input.closed_at !== undefined || input.stage_entered_at !== undefined) return
  const isAhead = closing.day !== undefined
  const reason = isAhead ? 'its close date is in the future' : 'no column says when'
  const field = isAhead ? 'close_date' : null
  warn(draft, field, closing.day ?? null, `This deal is ${status} and ${reason}: it counts as closed now`)
}

const isPast = (day: string | undefined): boolean => day !== undefined && Date.parse(day) <= Date.now()

const warn = (draft: Draft, field: string | null, value: string | null, message: string) =>
  draft.warnings.push(rowError('value_left_out', message, value, null, field))
