/** States that records are in: open, won, overdue, done. */
import { sql } from 'kysely'
import { rows } from '../../../../kernel/statements.ts'
import type { Kind } from '../fields/index.ts'
import type { Condition, Plan } from '../plan.ts'
import { activityStates } from './activity-states.ts'
import { back, iso } from './calendar.ts'
import { currencyIn } from './currencies.ts'
import { type Reading, says, stageType, take, today } from './reading.ts'

const TYPES: [type: string, said: string][] = [
  [
    'open',
    '(?:still )?(?:open|active|ongoing|in progress|pending|unclosed|live|not (?:yet )?closed|in play)',
  ],
  ['won', '(?:closed[- ])?won|wins?|signed'],
  ['lost', '(?:closed[- ])?lost|lose|losses'],
]
export const DEAL_STATE = `(?:${TYPES.map(([, said]) => said).join('|')})`
const SEVERAL = `(?:either |both )?${DEAL_STATE}(?:(?: (?:or|and|vs|versus|than|deals?|ones))* ${DEAL_STATE})+`
const STALE =
  /stale|dormant|neglected|(?:gone|went|going|have gone|has gone) (?:cold|quiet|dark|silent|stale)|cold/
const NEVER =
  /(?:(?:have|has) )?(?:never|not yet)(?: (?:yet|been|we|i))* (?:contacted|spoken(?: to| with)?|spoke(?: to| with)?|talked(?: to| with)?|met(?: with)?|reached(?: out to)?|called)/
const STALE_DAYS = 30

export function states(reading: Reading, entity: Kind, plan: Plan): void {
  if (entity === 'activity') activityStates(reading)
  const add = (said: string, where: Condition['where']) => reading.conditions.push({ said, where })
  if (!reading.span && (entity === 'deal' || entity === 'contact') && take(reading, STALE)) {
    const since = iso(back(reading.now, STALE_DAYS, 'day'))
    const last = entity === 'deal' ? sql`r.last_activity_at` : sql`r.last_interaction`
    add(`no activity since ${since}`, sql`(${last} is null or ${last} < ${since}::date)`)
    if (entity === 'deal' && !says(reading, DEAL_STATE)) add('open', stageType(reading, 'open'))
  }
  if (!reading.span && entity === 'contact' && take(reading, NEVER))
    add('never contacted', sql`r.last_interaction is null`)
  if (entity === 'deal' && !says(reading, /win rate|close rate|conversion rate/)) dealStates(reading, plan)
}

export function dealStates(reading: Reading, plan: Plan): void {
  reading.currency = currencyIn(reading)
  const several = take(reading, SEVERAL)
  if (several) union(reading, plan, several)
  else oneState(reading)
}

function oneState(reading: Reading): void {
  const { conditions } = reading
  const add = (said: string, where: Condition['where']) => conditions.push({ said, where })
  const not = take(
    reading,
    `(?:not|never|isn t|aren t|wasn t|weren t)(?: (?:yet|been))? (?:won|lost|open|overdue)`,
  )
  if (not) {
    const type = /won|lost|open|overdue/.exec(not)![0]
    const late = sql`(${stageType(reading, 'open')} and r.expected_close_date < ${today(reading)}::date)`
    add(`not ${type}`, sql`(${type === 'overdue' ? late : stageType(reading, type)}) is not true`)
  } else if (take(reading, /overdue|past due|late|slipped|past (?:their|its|the) (?:expected )?close date/)) {
    take(reading, TYPES[0]![1])
    add(
      'open and past the expected close',
      sql`${stageType(reading, 'open')} and r.expected_close_date < ${today(reading)}::date`,
    )
  } else if (take(reading, TYPES[0]![1])) add('open', stageType(reading, 'open'))
  else if (take(reading, TYPES[1]![1])) add('won', stageType(reading, 'won'))
  else if (take(reading, TYPES[2]![1])) add('lost', stageType(reading, 'lost'))
  else if (says(reading, /sales/)) add('won', stageType(reading, 'won'))
  else if (take(reading, /closed/)) add('closed', sql`not ${stageType(reading, 'open')}`)
  else if (
    says(reading, /pipeline|forecast|weighted/) ||
    (reading.span && says(reading, /clos(?:e|es|ing)|expected(?: to close)?|due/))
  ) {
    const hasStage = conditions.some(condition => /^stage (?!not )/.test(condition.said))
    if (!hasStage) add('open', stageType(reading, 'open'))
  }
}

/** "won or lost": one or the other. Who compares them wants a figure for each. */
function union(reading: Reading, plan: Plan, several: string): void {
  const types = TYPES.filter(([, said]) => new RegExp(`(?<= )(?:${said})(?= )`).test(` ${several} `)).map(
    ([type]) => type,
  )
  const compares =
    take(reading, /more|fewer|less|how many more/) !== undefined || /\b(?:and|vs|versus)\b/.test(several)
  reading.conditions.push({
    where: sql`r.stage_id in (select s.id from ${rows(reading.ctx, 'stages')} s where s.type = any(${types}::text[]))`,
    said: types.join(' or '),
  })
  if (!compares || plan.groupBy || plan.order) return
  const value = sql`(select s.type from ${rows(reading.ctx, 'stages')} s where s.id = r.stage_id)`
  if (says(reading, /how many|do|are|have|did|count/)) plan.groupBy = { label: 'state', value }
}
