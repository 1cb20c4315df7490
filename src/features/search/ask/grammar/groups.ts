/** "by stage", "per month", "which stage has the most": figures for each of something. */
import { sql } from 'kysely'
import type { Field } from '../fields/index.ts'
import type { Plan } from '../plan.ts'
import { bounded, type Reading, says, take } from './reading.ts'

export function groupOf(reading: Reading, plan: Plan, fields: readonly Field[]): void {
  const lead =
    '(?:by|per|for each|for every|in each|at each|across|each|grouped by|broken down by|split by)(?: the| every| all)?'
  const dimensions = fields.filter(field => field.groups)
  for (const field of dimensions) {
    if (!take(reading, `${lead} (?:${field.said.source})`)) continue
    plan.groupBy = { label: field.label, value: field.value(reading.ctx) }
    return
  }
  const unit = take(reading, `${lead} (?:day|week|month|quarter|year)s?`)
  if (unit) {
    const key = says(reading, /won|lost|closed/)
      ? 'closed_at'
      : says(reading, /clos(?:e|es|ing)|expected|pipeline|forecast/) && plan.entity === 'deal'
        ? 'expected_close_date'
        : plan.entity === 'activity'
          ? 'when'
          : 'created_at'
    const name = /day|week|month|quarter|year/.exec(unit)![0]
    const field = fields.find(one => one.key === key)!
    const format = {
      day: 'YYYY-MM-DD',
      week: 'IYYY-"W"IW',
      month: 'YYYY-MM',
      quarter: 'YYYY-"Q"Q',
      year: 'YYYY',
    }[name]!
    plan.groupBy = { label: name, value: sql`to_char(${field.value(reading.ctx)}, ${format})` }
    return
  }
  // "which stage has the most deals", "who owns the most pipeline"
  const most = /(?<= )(?:the )?(most|highest|largest|biggest|fewest|least|lowest|smallest)(?= )/.exec(
    reading.text,
  )
  if (!most) return
  const asked =
    dimensions.find(field =>
      bounded(`(?:which|what|who|whose)(?: is the)? (?:${field.said.source})`).test(reading.text),
    ) ??
    (says(reading, /who (?:has|have|owns|closed|won|is)/)
      ? dimensions.find(field => ['owner_id', 'assignee_id'].includes(field.key))
      : undefined)
  if (!asked) return
  take(reading, asked.said)
  take(reading, most[1]!)
  plan.groupBy = { label: asked.label, value: asked.value(reading.ctx) }
  plan.top = /fewest|least|lowest|smallest/.test(most[1]!) ? -1 : 1
}
