/** A time in a question → a condition on the date that it speaks of. */
import { sql } from 'kysely'
import type { Field, Kind } from '../fields/index.ts'
import type { Condition, Plan } from '../plan.ts'
import { NUMBER } from './calendar.ts'
import { type Reading, says, take } from './reading.ts'
import type { Span } from './times.ts'

const WHEN: Record<Kind, [RegExp, string][]> = {
  deal: [
    [
      /stuck|moved|(?:entered|reached|came into|went into|got to|arrived in)(?= (?:in |stage |the )*¤ )|in (?:the same |this )?stage|(?:been|sitting|sits?|sat|parked|waiting|lingering|languishing)(?= (?:at|in) (?:the |stage )?¤)/,
      'stage_entered_at',
    ],
    [
      /creat(?:e|ed)|add(?:ed)?|open(?:ed)?|new|started|entered(?: the pipeline)?|c[ao]me(?: in)?|logged/,
      'created_at',
    ],
    [/updated|changed|modified|edited/, 'updated_at'],
    [
      /(?:no |without |any )?(?:recent )?activit(?:y|ies)|touched|inactive|idle|untouched/,
      'last_activity_at',
    ],
    [/closed|won|lost|win|lose|sign(?:ed)?/, 'closed_at'],
    [
      /(?:expected |due |going |supposed |set |scheduled )?(?:to )?clos(?:e|es|ing)(?: date)?|due|expected/,
      'expected_close_date',
    ],
  ],
  contact: [
    [/birthdays?|born/, 'birthday'],
    [
      /(?:no |without |any )?(?:recent )?activit(?:y|ies)|contacted|talked(?: to| with)?|spoken(?: to| with)?|spoke(?: to| with)?|heard(?: from)?|interact(?:ed|ions?)?(?: with)?|reached(?: out)?|touched|met|been in touch(?: with)?|in touch/,
      'last_interaction',
    ],
    [/updated|changed|modified|edited/, 'updated_at'],
    [
      /creat(?:e|ed)|add(?:ed)?|new|join(?:ed)?|sign(?:ed)? up|c[ao]me(?: in)?|enter(?:ed)?|import(?:ed)?/,
      'created_at',
    ],
  ],
  company: [
    [/updated|changed|modified|edited/, 'updated_at'],
    [
      /creat(?:e|ed)|add(?:ed)?|new|join(?:ed)?|sign(?:ed)? up|c[ao]me(?: in)?|enter(?:ed)?|import(?:ed)?/,
      'created_at',
    ],
  ],
  activity: [
    [/due|deadlines?|fall(?:s|ing)? due/, 'falls_due_at'],
    [/completed|done|finished/, 'completed_at'],
    [/creat(?:e|ed)|add(?:ed)?/, 'created_at'],
  ],
  note: [
    [/updated|changed|modified|edited/, 'updated_at'],
    [/creat(?:e|ed)|add(?:ed)?|written|wrote|write|taken|take|new|made|make/, 'created_at'],
  ],
}
const WHEN_ELSE: Record<Kind, string> = {
  deal: 'expected_close_date',
  contact: 'created_at',
  company: 'created_at',
  activity: 'when',
  note: 'created_at',
}

/** "for more than a month" is no day on which a deal closes. */
const LASTS = new RegExp(`^(?:for )?(?:more than|over|at least) |^for (?:over )?(?:${NUMBER}) [dwmqy]`)

/** "in Proposal for a month" */
const staying = (reading: Reading, plan: Plan, span: Span): [RegExp, string] | undefined =>
  plan.entity === 'deal' &&
  LASTS.test(span.said) &&
  reading.conditions.some(({ said }) => said.startsWith('stage '))
    ? [/¤/, 'stage_entered_at']
    : undefined

/** "qualified last month": deals may have gone on from there since, and when they came there is not asked for. */
const isDone = ({ mentions }: Reading, span: Span): boolean =>
  mentions.some(
    ({ said, values }) =>
      (/(?:ed|ing)$/.test(said) || span.said.startsWith('since')) &&
      values.some(({ field }) => field === 'stage_id'),
  )

/** "what was our pipeline last month", "how many customers did we have": what was then is not known now. */
const hasBeen = (reading: Reading): boolean => says(reading, /did (?:we|i|¤) have|had|was|were/)

/** Whether it is said which date of such records is meant. */
export const hasWhen = (reading: Reading, kind: Kind): boolean =>
  WHEN[kind].some(([pattern]) => says(reading, pattern))

/** False when it says of a time that it was not, and not of which. */
export function applySpan(reading: Reading, plan: Plan, fields: readonly Field[], span: Span): boolean {
  const dated = fields.filter(field => field.type === 'day' || field.type === 'time')
  const custom = dated.find(field => field.key.startsWith('cf.') && says(reading, field.said))
  const state = reading.conditions.map(condition => condition.said)
  const rule = WHEN[plan.entity].find(([pattern]) => says(reading, pattern)) ?? staying(reading, plan, span)
  if (plan.entity === 'deal' && !custom && !rule && (LASTS.test(span.said) || isDone(reading, span)))
    return false
  const key =
    custom?.key ??
    rule?.[1] ??
    (plan.entity === 'deal' &&
    (plan.measure.kind === 'win rate' || state.some(said => /^(?:won|lost|closed|won or lost)$/.test(said)))
      ? 'closed_at'
      : state.includes('completed')
        ? 'when'
        : plan.entity === 'activity' && state.includes('not done')
          ? 'planned'
          : WHEN_ELSE[plan.entity])
  const isSupposed = !custom && !rule && key === WHEN_ELSE[plan.entity]
  if (isSupposed && plan.entity !== 'activity' && hasBeen(reading)) return false
  const field = dated.find(one => one.key === key) ?? dated[0]!
  const said = take(reading, custom ? field.said : (rule?.[0] ?? /¤/)) ?? ''
  if (field.key === 'created_at') while (take(reading, /new(?:ly)?|creat(?:e|ed)|add(?:ed)?/) !== undefined);
  const value = field.value(reading.ctx)
  const never =
    take(reading, /not|never|no|haven t|hasn t|without/) !== undefined ||
    /^(?:no|without|inactive|idle|untouched)/.test(said)
  if (never && !custom && !rule) return false
  if (field.key === 'birthday') {
    reading.conditions.push({ said: `birthday ${span.said}`, where: birthdayIn(value, span) })
    plan.shown.push(field)
    return true
  }
  // "stuck for two weeks": at least so long
  if (field.key === 'stage_entered_at' && LASTS.test(span.said) && span.from !== null) {
    const before = sql`${value} < ${span.from}::date`
    reading.conditions.push({ where: before, said: `${field.label} before ${span.from}` })
    plan.shown.push(field)
    return true
  }
  const from = span.from === null ? sql`true` : sql`${value} >= ${span.from}::date`
  const to = span.to === null ? sql`true` : sql`${value} < ${span.to}::date`
  const within = sql`(${from} and ${to})`
  // "not for more than a month": it was longer ago, or never
  const longAgo = field.key.startsWith('last_') && span.from === null
  reading.conditions.push({
    where: longAgo ? sql`(${value} is null or ${to})` : never ? sql`${within} is not true` : within,
    said: `${never && !longAgo ? 'not ' : ''}${['when', 'planned'].includes(field.key) ? '' : `${field.label} `}${rangeOf(span)}`,
  })
  if (!plan.shown.includes(field) && field.key !== 'created_at') plan.shown.push(field)
  return true
}

const rangeOf = ({ from, to }: Span): string => {
  const last =
    to === null ? null : new Date(Date.parse(`${to}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
  if (from === null) return `before ${to}`
  if (last === null) return `since ${from}`
  return from === last ? `on ${from}` : `from ${from} to ${last}`
}

/** A birthday comes every year. */
const birthdayIn = (value: Condition['where'], span: Span) =>
  sql`exists (select from generate_series(coalesce(${span.from}::date, ${span.to}::date - 1), coalesce(${span.to}::date, ${span.from}::date + 1) - 1, interval '1 day') d
    where to_char(d, 'MMDD') = to_char(${value}, 'MMDD'))`
