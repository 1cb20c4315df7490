/** From a question about a kind of record to what is wanted of which records. */
import type { Field, Kind } from '../fields/index.ts'
import type { Measure, Plan } from '../plan.ts'
import { PEOPLE } from './colleagues.ts'
import { applyAmount } from './comparisons.ts'
import { applyContacted, type Contacted } from './contacted.ts'
import { applySpan, hasWhen } from './dates.ts'
import { applyDealWords } from './deal-words.ts'
import { groupOf } from './groups.ts'
import { applyLostOn, applyLostReasons } from './lost-reasons.ts'
import { measureOf } from './measures.ts'
import { having, missing } from './missing.ts'
import { applyMentions } from './named.ts'
import { consumeNouns, NOUNS } from './nouns.ts'
import { onDeals } from './on-deals.ts'
import { plannedFor } from './planned.ts'
import { fieldsAsked, type Reading, says, take } from './reading.ts'
import { sorting } from './sorting.ts'
import { speaksOfPapers } from './stage-words.ts'
import { states } from './states.ts'
import { superlative } from './superlatives.ts'
import { throughDeals } from './through-deals.ts'
import { applyTitles } from './titles.ts'

/** "who looks after Acme": the owners of what hangs on it. */
function ownersOf(reading: Reading, entity: Kind, fields: readonly Field[]): Measure | undefined {
  const owner = fields.find(field => PEOPLE.includes(field.key))
  const asks =
    owner &&
    (entity === 'deal' || entity === 'activity') &&
    /^ who(?:m|se)? /.test(reading.text) &&
    // by its name, or by a number that it alone has
    reading.mentions.some(
      ({ records, values }) => records || values.some(({ field }) => /^cf\./.test(field)),
    ) &&
    take(reading, owner.said)
  return asks ? { kind: 'field', fields: [owner] } : undefined
}

/** A reason stands in no field, but for why a deal was lost. */
const isUntold = (reading: Reading, entity: Kind): boolean =>
  /^ (?:and )?(?:why|how come|what (?:is|was) the reason) /.test(reading.text) &&
  !(entity === 'deal' && says(reading, /los[et]|losing|lost reasons?/))

/** "the most deals over 10k", "the most deals this year": of what is counted, not of those who have it. */
const countsOthers = (reading: Reading, plan: Plan): boolean =>
  plan.order !== undefined &&
  plan.shown.length === 0 &&
  (reading.amount !== undefined || (reading.span !== undefined && !hasWhen(reading, plan.entity)))

/** "more than 20 open deals", "only one contact at Acme": so many of them, of no figure that they have. */
function countsItself({ amount }: Reading, entity: Kind): boolean {
  const noun = NOUNS.find(([kind]) => kind === entity)![1]
  return (
    amount !== undefined &&
    amount.currency === undefined &&
    amount.comparisons.every(({ value }) => value < 1000) &&
    new RegExp(`^ (?:(?:open|won|lost|¤|active|overdue|planned|completed) )*(?:${noun.source}) `).test(
      amount.after,
    )
  )
}

/** What was read before the kind was known. */
export interface Touch {
  contacted: Contacted | undefined
  lacking: string | undefined
}

export function build(reading: Reading, entity: Kind, touch: Touch): Plan | undefined {
  if (isUntold(reading, entity) || speaksOfPapers(reading)) return undefined
  if (entity === 'deal') applyLostOn(reading)
  applyDealWords(reading, entity)
  const fields = reading.vocabulary.fields[entity]
  const plan: Plan = { entity, measure: { kind: 'list' }, conditions: reading.conditions, shown: [] }
  // "when does the Acme deal close": of what hangs on Acme, as if it were named itself
  const isTheirs =
    entity === 'deal' &&
    /^ (?:when|what|why|how|who|whose) (?:\S+ )*the ¤ (?:deal|opportunity|opp) /.test(reading.text) &&
    reading.mentions.some(({ records }) => records)
  if (touch.contacted && !applyContacted(reading, entity, touch.contacted)) return undefined
  if (!plannedFor(reading, entity, touch.lacking)) return undefined
  if (!onDeals(reading, entity) || !throughDeals(reading, entity)) return undefined
  if (!groupOf(reading, plan, fields)) return undefined
  sorting(reading, plan, fields)
  superlative(reading, plan, fields)
  if (countsItself(reading, entity)) return undefined
  if (countsOthers(reading, plan)) return undefined
  missing(reading, entity, fields)
  const own = applyMentions(reading, entity, fields)
  if (own === undefined) return undefined
  if (own === 0) having(reading, entity, fields)
  states(reading, entity, plan)
  // "is Acme a customer"
  const isIt =
    own > 0 &&
    reading.conditions.length > 1 &&
    (/^ (?:is|are|was|were|has|have|did|does) ¤/.test(reading.text) ||
      (reading.flags.length > 0 && reading.text === ' ¤ ¤ '))
  const measure: Measure = isIt ? { kind: 'any' } : measureOf(reading, plan, fields, own > 0)
  if (reading.amount) applyAmount(reading, entity, fields, reading.amount)
  plan.measure = measure
  if (reading.span && !applySpan(reading, plan, fields, reading.span)) return undefined
  plan.measure =
    measure.kind === 'list' && own === 0 ? (ownersOf(reading, entity, fields) ?? measure) : measure
  const sized = fields.some(field => field.type === 'number' && says(reading, field.said))
  if (
    (own > 0 || isTheirs) &&
    (plan.measure.kind === 'list' || (measure.kind === 'count' && sized)) &&
    !plan.order
  ) {
    const asked = fieldsAsked(reading, fields)
    const where = says(reading, /where(?! (?:do|are|did) (?:we|things|you|i) )|based|located|live|lives/)
      ? fields.filter(field => ['city', 'country', 'location'].includes(field.key))
      : []
    const whose = says(reading, /whose/) ? fields.filter(field => PEOPLE.includes(field.key)) : []
    const wanted = [...asked, ...where, ...(asked.length === 0 ? whose : [])]
    if (wanted.length === 0 && own > 0) return undefined
    for (const field of wanted) take(reading, field.said)
    if (wanted.length > 0) plan.measure = { kind: 'field', fields: [...new Set(wanted)].slice(0, 3) }
    take(reading, /why|when|where/)
  }
  // "who are we negotiating with": with whom each deal is
  if (entity === 'deal' && plan.measure.kind === 'list' && says(reading, /whom?/))
    plan.shown.push(...fields.filter(({ key }) => key === 'company_id'))
  consumeNouns(reading, entity)
  for (const field of fields) {
    // a field that is only asked to be shown: "list the deals with their amounts"
    if (
      plan.measure.kind === 'list' &&
      (says(reading, `(?:with |and |show |their |including )+(?:${field.said.source})`) ||
        says(reading, `(?:${field.said.source}) (?:of|for)`))
    ) {
      take(reading, field.said)
      plan.shown.push(field)
    }
  }
  applyTitles(reading, entity)
  applyLostReasons(reading, entity)
  if (
    reading.conditions.length === 0 &&
    plan.measure.kind === 'list' &&
    !plan.order &&
    !plan.groupBy &&
    !/ (?:which|what|list|show|who|all|give|find) /.test(reading.text)
  ) {
    return undefined
  }
  return plan
}
