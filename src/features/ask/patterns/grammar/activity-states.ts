/** What became of calls, meetings and tasks, and what is still to come. */
import { sql } from 'kysely'
import type { Condition } from '../plan.ts'
import { ACTIVITY_TYPES } from './nouns.ts'
import { type Reading, says, take, today } from './reading.ts'

const STATUSES: [said: string, pattern: string, statuses: string[]][] = [
  [
    'not done',
    '(?:not|in)(?:[ -])?(?:yet )?(?:completed?|done|finished)|(?:still )?open|planned|pending|outstanding|unfinished|to do|scheduled',
    ['planned', 'in_progress'],
  ],
  ['in progress', 'in progress|under way|underway|ongoing|started', ['in_progress']],
  ['cancelled', 'cancell?ed|called off', ['cancelled']],
  ['completed', 'completed?|done|finish(?:ed)?|held|hold|made|log(?:ged)?', ['completed']],
]
export const ACTIVITY_STATE = `(?:${STATUSES.map(([, pattern]) => pattern).join('|')})`

export function activityStates(reading: Reading): void {
  const add = (said: string, where: Condition['where']) => reading.conditions.push({ said, where })
  // what is on a list of things to do is not done
  const isToDo = says(reading, /to-?dos?(?: lists?)?|follow[- ]?ups?|reminders?|task list/)
  const kinds = ACTIVITY_TYPES.filter(([pattern]) => take(reading, pattern) !== undefined).map(
    ([, type]) => type,
  )
  if (kinds.length > 0) add(kinds.join(' or '), sql`r.type = any(${kinds}::text[])`)
  if (kinds.includes('email')) emailDirection(reading)
  const undone = sql`r.status in ('planned', 'in_progress')`
  const several = take(reading, `${ACTIVITY_STATE}(?: (?:or|and))+ ${ACTIVITY_STATE}`)
  const among = (text: string) =>
    STATUSES.filter(([, pattern]) => new RegExp(`(?<= )(?:${pattern})(?= )`).test(` ${text} `))
  const one = ([said, , statuses]: (typeof STATUSES)[number]) =>
    add(said, sql`r.status = any(${statuses}::text[])`)
  if (several) {
    const named = among(several)
    add(
      named.map(([said]) => said).join(' or '),
      sql`r.status = any(${named.flatMap(([, , list]) => list)}::text[])`,
    )
  } else if (take(reading, /overdue|past due|late|missed/)) {
    take(reading, /(?:still )?open/)
    add('overdue', sql`${undone} and r.falls_due_at < ${reading.now.toISOString()}::timestamptz`)
  } else if (take(reading, /upcoming|coming up|next up/))
    add('upcoming', sql`${undone} and r.planned_at >= ${reading.now.toISOString()}::timestamptz`)
  else {
    const named = STATUSES.find(([, pattern]) => take(reading, pattern) !== undefined)
    if (named) one(named)
    else if (
      says(reading, /due|deadlines?/) ||
      isToDo ||
      isToCome(reading, kinds) ||
      // who has a task has not done it
      (kinds.includes('task') && says(reading, /(?:do|does) (?:i|we|you|they|¤) have|have i|has ¤/))
    )
      add('not done', undone)
    else if (
      (says(reading, /did|had|took place|happened/) || (kinds.includes('email') && says(reading, /sent/))) &&
      !says(reading, /creat(?:e|ed)|add(?:ed)?/)
    )
      add('completed', sql`r.status = 'completed'`)
    // a meeting that was called off is not one of this week's
    else if (reading.span && kinds.length > 0) add('not cancelled', sql`r.status <> 'cancelled'`)
  }
  take(reading, /high priority|urgent priority/)
}

/** What came in was not sent. */
function emailDirection(reading: Reading): void {
  const inbound = sql`r.direction = 'inbound'`
  if (says(reading, /sen[dt]/))
    reading.conditions.push({ where: sql`r.type <> 'email' or (${inbound}) is not true`, said: '' })
  else if (says(reading, /received?/))
    reading.conditions.push({ where: sql`r.type <> 'email' or ${inbound}`, said: 'received' })
}

/** "what's on today": no kind of activity, and no time that is over. */
const isToCome = (reading: Reading, kinds: readonly string[]): boolean =>
  kinds.length === 0 &&
  reading.span !== undefined &&
  (reading.span.to === null || reading.span.to > today(reading)) &&
  !/\b(?:last|past|previous|since)\b/.test(reading.span.said) &&
  !says(reading, /activit(?:y|ies)|did|happened|(?:has|have) (?:\S+ )?done/)
