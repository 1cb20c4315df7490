/**
 * Whom we have contacted and whom not: "customers we haven't called in 30 days", "leads nobody has contacted yet",
 * "which customers did Dana meet this month". Computed from the calls, meetings and emails that have happened.
 */
import { sql } from 'kysely'
import { isTied, withActivity } from '../fields/activity-ties.ts'
import type { Kind } from '../fields/index.ts'
import type { Condition } from '../plan.ts'
import { isColleague } from './colleagues.ts'
import { byMe } from './mine.ts'
import { type Reading, take, today } from './reading.ts'
import type { Span } from './times.ts'

const CALL = 'call(?:ed)?|phoned?|rung|rang|ring'
const MEET = 'me(?:e)?t(?: with)?|visit(?:ed)?|seen?'
const MAIL = 'e-?mail(?:ed)?|written to|write to'
const TALK =
  'touch(?:ed)?|contact(?:ed)?|sp(?:eak|oke|oken)(?: (?:to|with))?|talk(?:ed)?(?: (?:to|with))?|reach(?:ed)?(?: out(?: to)?)?|hear(?:d)? from|interact(?:ed)?(?: with)?|(?:been )?in (?:touch|contact)(?: with)?|engaged with|follow(?:ed)? up(?: with)?'
export const CONTACTED = `(?:${CALL}|${MEET}|${MAIL}|${TALK})`
const VERB = `${CONTACTED}(?:(?: or| nor| and)* ${CONTACTED}){0,2}`
const WHO = '(?:we|i|you|anyone|anybody|any of us|¤)'
const EVER = '(?: (?:yet|ever|even|really|still|once|been|had|properly|personally))*'
const NOT = '(?:not|never)'
const N_T = '(?:haven t|hasn t|hadn t|didn t|weren t|wasn t|aren t|isn t)'
const AUX = '(?:have|has|had|did|do|were|was|are|is)'
const CONTACT =
  '(?:contact|conversations?|interactions?|touch ?points?|communication|activit(?:y|ies)|calls?|meetings?)'

const TALKS = '(?:contact|conversations?|interactions?|touch ?points?|communication)'
/** With a time alone: who has no contact may have no people. */
const SINCE = `(?:that |which |who )?(?:(?:have|has|with) no|without(?: any)?) ${TALKS}(?: with us)?(?= ¤)`

/** Each with the one who has not, if he is named. */
const NEGATIVE = [
  `${AUX} (${WHO}) ${NOT}${EVER} (?:${VERB})`,
  `${N_T} (${WHO})${EVER} (?:${VERB})`,
  `(?:that |which |who |whom |where )?(${WHO}) (?:${AUX} ${NOT}|${N_T}|${NOT})${EVER} (?:${VERB})`,
  `(?:that |which |who )?(?:${AUX} )?(?:${NOT}|${N_T})${EVER} (?:${VERB})(?: by (us|me|anyone|anybody|¤))?(?: (?:no (?:calls?|meetings?|e-?mails?|tasks?)|nothing)){0,4}`,
  `(?:that |which |whom )?(?:nobody|no one|no-one|none of us)(?: (?:has|have|had|ever))*${EVER} (?:${VERB})`,
  `(?:that |which |who |whom )?(${WHO}) (?:${AUX} )?never had (?:an? |any )?${CONTACT} with`,
  `(?:that |which |who )?(?:${AUX} )?never (?:been )?(?:linked|tied|attached|connected) (?:to|with) (?:an? |any )?(?:activit(?:y|ies))`,
  `(?:that |which |who )?(?:(?:have|has) had no|had no|(?:have |has )?never had(?: any)?) ${TALKS}(?: with us)?(?! (?:person|details|at|in|from))`,
]
const WHOM =
  '(?:whom?|(?:which|what|how many) (?:of )?(?:our |my |the )?(?:¤|compan(?:y|ies)|accounts|customers|contacts|people|prospects))'
/** Only as a question of its own: in "companies we called" the calls may be asked for. */
const POSITIVE = `(?<=^ ${WHOM} )(?:did|have|has) (we|i|¤) (?:already |actually )?(?:${VERB})(?: in person| face to face)?(?= (?:(?:at|from|in|of) )?(?:¤ )*$)`
/** "with whom do I meet in December" */
const TO_COME = `(?<=^ )(?:with )?(whom?) (?:do|am|are|will|shall|is|does) (we|i|¤) (?:meet(?:ing)?|see(?:ing)?|visit(?:ing)?)(?: with)?(?= (?:¤ )?$)`

export interface Contacted {
  negated: boolean
  /** it is still planned */
  toCome: boolean
  /** "an activity" is more than calls, meetings and emails */
  said: string
  by: 'anyone' | 'me' | { name: string }
}

/** Taken before the kind is known: "call" in "which customers did I call" is no noun. */
export function contactedIn(reading: Reading): Contacted | undefined {
  for (const pattern of reading.span ? [...NEGATIVE, SINCE] : NEGATIVE) {
    const found = read(reading, pattern)
    if (found) return { ...found, negated: true, toCome: false }
  }
  const found = read(reading, POSITIVE)
  if (found) return { ...found, negated: false, toCome: false }
  const planned = read(reading, TO_COME)
  if (!planned) return undefined
  reading.text = reading.text.replace('¤', 'who ¤')
  return { ...planned, negated: false, toCome: true, said: 'meet' }
}

function read(reading: Reading, pattern: string): Pick<Contacted, 'said' | 'by'> | undefined {
  const match = new RegExp(`(?<= )(?:${pattern})(?= )`).exec(reading.text)
  if (!match) return undefined
  const who = match.slice(1).filter(Boolean).at(-1)
  if (who !== '¤') {
    take(reading, pattern)
    return { said: match[0], by: who === 'i' || who === 'me' ? 'me' : 'anyone' }
  }
  // "deals in Oslo not contacted": the place is nobody
  const [colleague, ...others] = reading.mentions.filter(isColleague)
  if (!colleague || others.length > 0) return undefined
  take(reading, pattern)
  reading.mentions = reading.mentions.filter(mention => mention !== colleague)
  return { said: match[0], by: { name: colleague.values[0]!.value } }
}

const typesOf = (said: string): string[] => {
  const has = (pattern: string) => new RegExp(`(?<= )(?:${pattern})(?= )`).test(` ${said} `)
  if (has(TALK) || has('in touch|in contact')) return ['call', 'meeting', 'email']
  const types = [
    ...(has(`${CALL}|calls?`) ? ['call'] : []),
    ...(has(`${MEET}|meetings?`) ? ['meeting'] : []),
    ...(has(MAIL) ? ['email'] : []),
  ]
  return types.length > 0 ? types : ['call', 'meeting', 'email']
}

/** False when it cannot be told of such records, or not of that time. */
export function applyContacted(reading: Reading, entity: Kind, contacted: Contacted): boolean {
  if (!isTied(entity)) return false
  const { said, negated, toCome } = contacted
  const isAny = /activit/.test(said) || (entity === 'deal' && /touch/.test(said))
  const types = typesOf(said)
  // an activity that is only planned is one too
  const moment = toCome ? sql`a.planned_at` : sql`a.happened_at`
  // what has happened did not happen in a time to come
  if (!toCome && (reading.span?.from ?? '') >= today(reading)) return false
  const when = whenOf(reading.span, moment, negated)
  if (!when) return false
  const by = byWhom(reading, contacted.by)
  const parts = [
    ...(isAny ? [] : [sql`a.type = any(${types}::text[])`]),
    ...(/activit/.test(said) && !reading.span ? [] : [sql`${moment} is not null`]),
    when.where,
    by.where,
  ]
  reading.span = undefined
  const where = withActivity(reading.ctx, entity, sql.join(parts, sql` and `))
  const what = isAny ? 'activity' : types.join(' or ')
  const words = `${negated ? 'no ' : 'with '}${toCome ? 'planned ' : ''}${what}${by.said}${when.said}`
  reading.conditions.push({ where: negated ? sql`not (${where})` : where, said: words })
  return true
}

function byWhom(reading: Reading, by: Contacted['by']): Condition {
  if (by === 'anyone') return { where: sql`true`, said: '' }
  if (by === 'me') return { where: byMe(reading.ctx, 'a.assignee_id'), said: ' by me' }
  return {
    where: sql`a.assignee_id in (select u.id from users u where u.name = ${by.name})`,
    said: ` by ${by.name}`,
  }
}

function whenOf(span: Span | undefined, moment: Condition['where'], negated: boolean): Condition | undefined {
  if (!span) return { where: sql`true`, said: '' }
  const { from, to, said } = span
  if (from === null) {
    // for more than a month: not since then
    if (!negated || /before|until|by/.test(said)) return undefined
    return { where: sql`${moment} >= ${to}::date`, said: ` since ${to}` }
  }
  // a time that is not over yet does not tell whom nobody has called in it
  if (negated && /\b(?:this|current|today)\b/.test(said)) return undefined
  const until = to === null ? sql`true` : sql`${moment} < ${to}::date`
  return {
    where: sql`${moment} >= ${from}::date and ${until}`,
    said: to === null ? ` since ${from}` : ` from ${from} to ${dayBefore(to)}`,
  }
}

const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
