/**
 * How likely each reading of a question is the one that is meant, by what the judge says of it, by what it makes of the
 * question's words, and by its answer: people rarely ask for what is not there. The weights are those of a conditional
 * logit, fitted on the questions of 16 sets that the judge did not learn from (models/judge has the figures).
 */
import type { Answer } from './prose/answer.ts'
import type { Reading } from './readings.ts'

/** A reading, the judge's logit and, where it was computed, the answer. */
export interface Judged {
  reading: Reading
  logit: number
  answer?: Answer | undefined
  isAnswered?: true
}

const WEIGHTS = {
  /** for every reading, against "none of them" at 0 */
  each: 3.6,
  logit: 0.54,
  cost: -0.8,
  /** for what it costs more than the cheapest one */
  extra: -1.4,
  /** that there is none, unless it is asked whether there are any */
  none: -4.6,
  /** it has no answer */
  unanswered: -5.7,
  /** "who" may ask for the owner, but rarely does */
  owner: -2.1,
  /** all records of a kind */
  all: -0.7,
  /** nothing is said of the records, but a word is left that may say something */
  unexplained: -1.5,
}
const [MIN_COST, MAX_COST, MAX_EXTRA] = [-1.5, 6, 4]

/** In the order of the readings; what is missing to 1 is how likely none of them is meant. */
export function likelihoodsOf(judged: readonly Judged[]): number[] {
  const cheapest = Math.min(...judged.map(({ reading }) => reading.cost))
  const weights = judged.map(one => Math.exp(scoreOf(one, cheapest)))
  const sum = weights.reduce((all, weight) => all + weight, 1)
  return weights.map(weight => weight / sum)
}

function scoreOf({ reading, logit, answer, isAnswered }: Judged, cheapest: number): number {
  const { meaning, cost } = reading
  const isQuery = meaning.kind === 'query'
  return (
    WEIGHTS.each +
    WEIGHTS.logit * logit +
    WEIGHTS.cost * Math.min(Math.max(cost, MIN_COST), MAX_COST) +
    WEIGHTS.extra * Math.min(cost - cheapest, MAX_EXTRA) +
    (answer && isNone(answer) && isQuery && !meaning.isYesNo ? WEIGHTS.none : 0) +
    (isAnswered && !answer?.grounded ? WEIGHTS.unanswered : 0) +
    (isQuery && meaning.show?.field === 'owner.name' ? WEIGHTS.owner : 0) +
    (isOfAll(reading) ? WEIGHTS.all : 0) +
    (isQuery && !meaning.query.where && reading.left.length > 0 ? WEIGHTS.unexplained : 0)
  )
}

function isOfAll({ meaning }: Reading): boolean {
  if (meaning.kind !== 'query' || meaning.show || meaning.last || meaning.isNumber) return false
  const { entity: _, measure, ...rest } = meaning.query
  return ['list', 'count'].includes(measure?.kind ?? 'list') && Object.keys(rest).length === 0
}

/** That no record is so. */
export const isNone = (answer: Answer): boolean => answer.data?.count === 0 || hasNoGroups(answer)
/** There are no groups, or only the group of records that lack the field: "no owner". */
export const hasNoGroups = ({ data }: Answer): boolean =>
  Array.isArray(data?.groups) &&
  data.groups.every(({ key }: { key: readonly unknown[] }) => key.every(part => part === null))

/**
 * Whether the answer to a composed reading may stand in place of what the rules computed: not if that is about the same
 * records. On 16 sets the rules were right wherever that was so.
 */
export function mayReplace(answer: Answer, computed: Answer | undefined): boolean {
  if (!computed?.grounded || isNone(computed)) return true
  const idsOf = ({ citations }: Answer) => citations.map(({ entity_id }) => entity_id).sort()
  return JSON.stringify(idsOf(answer)) !== JSON.stringify(idsOf(computed))
}

/** What an answer says. That no record is so is said by every wrong reading, too. `isList`: whatever else it tells of them. */
export function contentOf(read: Answer, isList = false): string | undefined {
  const { grounded, data, citations, answer } = read
  if (!grounded || isNone(read)) return undefined
  const { count, figures, groups, sides } = data ?? {}
  if (isList) return JSON.stringify([count, citations.map(({ entity_id }) => entity_id).sort()])
  const records = citations.map(({ entity_id, snippet }) => `${entity_id} ${snippet}`).sort()
  return JSON.stringify([count, figures, groups, sides ? answer : '', records])
}
