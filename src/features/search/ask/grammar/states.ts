/** States that records are in: open, won, overdue, done. */
import { sql } from 'kysely'
import type { Kind } from '../fields/index.ts'
import type { Condition } from '../plan.ts'
import { ACTIVITY_TYPES } from './nouns.ts'
import { type Reading, says, stageType, take, today } from './reading.ts'

export function states(reading: Reading, entity: Kind): void {
  const { conditions } = reading
  const add = (said: string, where: Condition['where']) => conditions.push({ said, where })
  if (entity === 'deal') {
    if (says(reading, /win rate|close rate|conversion rate/)) return
    const currency = take(reading, /in (?:usd|eur|gbp|chf|jpy)/)
      ?.slice(3)
      .toUpperCase()
    if (currency) add(currency, sql`r.currency = ${currency}`)
    if (take(reading, /overdue|past due|late|slipped|past (?:their|its|the) (?:expected )?close date/)) {
      add(
        'open and past the expected close',
        sql`${stageType(reading, 'open')} and r.expected_close_date < ${today(reading)}::date`,
      )
    } else if (
      take(reading, /open|active|ongoing|in progress|pending|unclosed|live|still open|not closed|in play/)
    )
      add('open', stageType(reading, 'open'))
    else if (take(reading, /(?:closed[- ])?won|wins?|signed/)) add('won', stageType(reading, 'won'))
    else if (take(reading, /(?:closed[- ])?lost|lose|losses/)) add('lost', stageType(reading, 'lost'))
    else if (says(reading, /sales/)) add('won', stageType(reading, 'won'))
    else if (says(reading, /closed/)) add('closed', sql`not ${stageType(reading, 'open')}`)
    else if (
      says(reading, /pipeline|forecast|weighted/) ||
      (reading.span && says(reading, /clos(?:e|es|ing)|expected to close/))
    ) {
      const hasStage = conditions.some(condition => condition.said.startsWith('stage '))
      if (!hasStage) add('open', stageType(reading, 'open'))
    }
    return
  }
  if (entity !== 'activity') return
  const kinds = ACTIVITY_TYPES.filter(([pattern]) => take(reading, pattern) !== undefined).map(
    ([, type]) => type,
  )
  if (kinds.length > 0) add(kinds.join(' or '), sql`r.type = any(${kinds}::text[])`)
  const undone = sql`r.status in ('planned', 'in_progress')`
  if (take(reading, /overdue|past due|late|missed/))
    add('overdue', sql`${undone} and r.falls_due_at < ${reading.now.toISOString()}::timestamptz`)
  else if (take(reading, /upcoming|coming up|next up/))
    add('upcoming', sql`${undone} and r.planned_at >= ${reading.now.toISOString()}::timestamptz`)
  else if (
    take(
      reading,
      /(?:not|in)(?:[ -])?(?:yet )?(?:completed?|done|finished)|open|planned|pending|outstanding|unfinished|to do|scheduled/,
    )
  )
    add('not done', undone)
  else if (take(reading, /cancell?ed/)) add('cancelled', sql`r.status = 'cancelled'`)
  else if (take(reading, /completed|done|finished|held|made/)) add('completed', sql`r.status = 'completed'`)
  else if (says(reading, /due|deadlines?/)) add('not done', undone)
  else if (
    says(reading, /did|had|took place|happened/) &&
    !says(reading, /creat(?:e|ed)|add(?:ed)?|log(?:ged)?/)
  )
    add('completed', sql`r.status = 'completed'`)
  take(reading, /high priority|urgent priority/)
}
