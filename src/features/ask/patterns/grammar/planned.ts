/**
 * Deals, companies and contacts by what is still to be done for them: "open deals with nothing planned", "deals that
 * have an overdue task".
 */
import { type RawBuilder, sql } from 'kysely'
import { isTied, withActivity } from '../fields/activity-ties.ts'
import type { Kind } from '../fields/index.ts'
import { hasWhen } from './dates.ts'
import { narrowed, narrowedName } from './nouns.ts'
import { type Reading, take, today } from './reading.ts'

const WHAT =
  '(?:activit(?:y|ies)|(?:phone )?calls?|meetings?|appointments?|tasks?|to-?dos?|follow[- ]?ups?|e-?mails?|events?)'
const TO_COME = '(?:upcoming|next|future|further|coming)'
const OPEN = '(?:planned|scheduled|open|pending|outstanding|unfinished)'
const STATE = `(?:${OPEN}|${TO_COME})`
const AFTER = '(?:planned|scheduled|coming up|lined up|ahead|open|pending|outstanding|upcoming|next)'
const LACKS =
  '(?:(?:that |which |who )?(?:(?:do|does) not have|don t have|doesn t have|haven t|hasn t|have|has|having|with|got) (?:got )?(?:no|not any)|(?:do|does) not have|don t have|doesn t have|without|with no|lacking|no|not)'
const NOTHING =
  '(?:(?:that |which |who |where )?(?:(?:have|has|having|with|is|there) )*nothing|without anything|(?:do not|does not|don t|doesn t) have anything)'
const ANY = '(?: (?:an?|any|the|single|further|more))*'
const THERE = '(?: (?:for|on|with|in) (?:them|it|the calendar))?'

const LACKING = [
  `${NOTHING}(?: (?:else|more|further))? (?:is |are )?(?:${AFTER})${THERE}`,
  `${LACKS}${ANY} ${STATE}(?:(?: (?:or|and))? ${STATE})? ${WHAT}(?: at all)?`,
  `${LACKS}${ANY} ${WHAT} (?:(?:that |which )?(?:is|are) )?(?:${AFTER})${THERE}`,
]
const DUE = '(?:overdue|late|past due|missed)'
const HAVING = `(?:(?:that|which|who) )?(?:have|has|having|with|got)(?: (?:got|an?|any|some|the|at least one|one or more))* (?:(?:${DUE}|${STATE}) ${WHAT}|${WHAT} (?:(?:that |which )?(?:is|are) )?(?:${DUE}|${AFTER}))`

/** "customers with a meeting next week" */
const WITH = `(?:(?:that|which|who) )?(?:have|has|having|with)(?: got)? (?:an?|any) ${WHAT}(?= ¤)`
const isToCome = (reading: Reading): boolean => (reading.span?.from ?? '') >= today(reading)

/** What is meant by the activities that are lacking or there; one that is late is still to be done. */
function wanted(reading: Reading, said: string): { where: RawBuilder<unknown>; said: string } {
  const now = reading.now.toISOString()
  const says = (pattern: string) => new RegExp(`(?<= )(?:${pattern})(?= )`).test(` ${said} `)
  const type = narrowed('activity', said)
  const ofType = type === undefined ? sql`true` : sql`a.type = ${type}`
  const undone = sql`${ofType} and a.status in ('planned', 'in_progress')`
  const name = narrowedName('activity', type)
  if (says(DUE))
    return { where: sql`${undone} and a.falls_due_at < ${now}::timestamptz`, said: `overdue ${name}` }
  if (says(`${TO_COME}|coming up|ahead|lined up`))
    return { where: sql`${undone} and a.planned_at >= ${now}::timestamptz`, said: `upcoming ${name}` }
  return { where: undone, said: `planned ${name}` }
}

/** That nothing is planned; taken before the kind is known, for "scheduled" alone speaks of activities. */
export function lackingIn(reading: Reading): string | undefined {
  // who has no tasks may be a colleague
  if (/^ (?:and )?who(?:se)? (?:has|have|got) /.test(reading.text)) return undefined
  for (const pattern of LACKING) {
    const said = take(reading, pattern)
    if (said !== undefined) return said
  }
  return undefined
}

/** False when it cannot be said of such records. */
export function plannedFor(reading: Reading, entity: Kind, lacking: string | undefined): boolean {
  if (!isTied(entity)) return lacking === undefined
  // before the states: "overdue" is then no state of the deal
  const said = lacking ?? take(reading, HAVING) ?? (isToCome(reading) ? take(reading, WITH) : undefined)
  if (said === undefined) return true
  const { where, said: what } = wanted(reading, said)
  const when = whenOf(reading, entity)
  const has = withActivity(reading.ctx, entity, sql`${where} and ${when.where}`)
  reading.conditions.push({
    where: lacking === undefined ? has : sql`not (${has})`,
    said: `${lacking === undefined ? 'with' : 'without'} ${what}${when.said}`,
  })
  return true
}

/** "nothing planned next week": the time is theirs, unless it is said of what else. */
function whenOf(reading: Reading, entity: Kind): { where: RawBuilder<unknown>; said: string } {
  const { span } = reading
  if (!span || hasWhen(reading, entity)) return { where: sql`true`, said: '' }
  reading.span = undefined
  const from = span.from === null ? sql`true` : sql`a.planned_at >= ${span.from}::date`
  const to = span.to === null ? sql`true` : sql`a.planned_at < ${span.to}::date`
  return { where: sql`${from} and ${to}`, said: ` ${span.said}` }
}
