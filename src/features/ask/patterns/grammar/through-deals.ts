/**
 * Companies and contacts by the deals that they have: "companies we are in negotiation with", "customers with open
 * deals over 10k", "contacts whose deals close this month". All that is said of the deals holds for one and the same.
 */
import { sql } from 'kysely'
import { living } from '../../../../kernel/statements.ts'
import { countOf, isNumeric, type Kind, tiedTo } from '../fields/index.ts'
import type { Plan } from '../plan.ts'
import { applyAmount } from './comparisons.ts'
import { applySpan, hasWhen } from './dates.ts'
import { applyDealWords } from './deal-words.ts'
import type { Mention } from './mentions.ts'
import { bounded, type Reading, take } from './reading.ts'
import { dealStates } from './states.ts'
import { addValues } from './values.ts'

const DEALS = '(?:deals?|opps?|opportunit(?:y|ies))'
/** Not how many of them, nor that there are none. */
const HAVING = new RegExp(
  `(?<= )(?<! (?:not|never|don t|doesn t|haven t|hasn t) )(?:with|have|has|having|whose) (?:(?!(?:no|not|most|more|fewer|less|fewest|least|than|number) )\\S+ ){0,6}?${DEALS} `,
)
/** "companies we won this year", "where we lost a deal" */
const WINNING =
  /(?<= )(?:(?:did|have|has) )?(?:we|i|¤) (?:(?:have|has|did) )?(?:win|won) |(?<= )(?:we|i|¤) (?:\S+ )?(?:lose|lost) (?:\S+ ){0,3}(?:deals?|opps?|opportunit(?:y|ies)) /
const COUNTED = new RegExp(`^ (?:open |won |lost )?${DEALS} `)
const OWNED = new RegExp(
  ` ${DEALS} (?:\\S+ )*?(?:owned|managed|handled|run|led|assigned|held|looked after) (?:by|to) ¤ `,
)

const STATE = '(open|won|lost)'
const BOTH = `(?:with|have|has|having)(?: both)?(?: an?)? ${STATE}(?: deals?| ones?)? and(?: also)?(?: an?)? ${STATE} ${DEALS}`

/** "customers with both won and open deals": some of each. */
function havingBoth(reading: Reading, entity: Kind): void {
  const said = take(reading, BOTH)
  for (const state of said?.match(/open|won|lost/g) ?? [])
    reading.conditions.push({
      where: sql`${countOf(reading.ctx, entity, 'deal', state)!} > 0`,
      said: `with ${state} deals`,
    })
}

/** What a question says of deals, when it asks for others. */
function ofDeals(reading: Reading, entity: Kind, isHaving: boolean): Mention[] {
  const isOwned = isHaving && OWNED.test(reading.text)
  return reading.mentions.filter(
    ({ values, records, owning }) =>
      !records &&
      values.some(({ kind, field }) => kind === 'deal' && (isHaving || field === 'stage_id')) &&
      (values.every(({ kind }) => kind !== entity) || (isOwned && owning)),
  )
}

/** False when it says something of the deals that cannot be told. */
export function throughDeals(reading: Reading, entity: Kind): boolean {
  if (entity !== 'company' && entity !== 'contact') return true
  havingBoth(reading, entity)
  const isHaving =
    (HAVING.test(reading.text) || (entity === 'company' && WINNING.test(reading.text))) &&
    !(reading.amount && COUNTED.test(reading.amount.after))
  const named = ofDeals(reading, entity, isHaving)
  if (named.length === 0 && !isHaving) return true
  const fields = reading.vocabulary.fields.deal
  const deals: Reading = { ...reading, conditions: [], mentions: named }
  const plan: Plan = { entity: 'deal', measure: { kind: 'list' }, conditions: deals.conditions, shown: [] }
  const negated = named.some(mention => mention.negated)
  const values = named.flatMap(mention => mention.values.filter(({ kind }) => kind === 'deal'))
  for (const [field, list] of Map.groupBy(values, one => one.field))
    addValues(deals, 'deal', fields, field, list, false)
  if (negated) take(deals, /not|except|outside|never|isn t|aren t/)
  applyDealWords(deals, 'deal')
  dealStates(deals, plan)
  if (reading.amount && !isOfEntity(reading, entity)) {
    applyAmount(deals, 'deal', fields, reading.amount)
    reading.amount = undefined
  }
  if (reading.span && !hasWhen(reading, entity)) {
    if (!hasWhen(reading, 'deal')) return false
    if (!applySpan(deals, plan, fields, reading.span)) return false
    reading.span = undefined
  }
  while (take(deals, DEALS) !== undefined);
  reading.text = deals.text
  reading.mentions = reading.mentions.filter(mention => !named.includes(mention))
  const conditions = deals.conditions.map(({ where }) => sql`(${where})`)
  const ids = sql`array(select r.id from ${living(reading.ctx, 'deals')} r
    where ${sql.join([sql`true`, ...conditions], sql` and `)})`
  const where = tiedTo(reading.ctx, entity, 'deal', ids)!
  const said = `deals: ${deals.conditions.map(one => one.said).join(' and ') || 'any'}`
  reading.conditions.push(
    negated ? { where: sql`not (${where})`, said: `no ${said}` } : { where, said: `with ${said}` },
  )
  return true
}

/** "companies with over 500 employees and an open deal" */
function isOfEntity({ vocabulary, amount }: Reading, entity: Kind): boolean {
  const near = ` ${amount!.before.trim().split(' ').slice(-3).join(' ')} ¤ ${amount!.after.trim().split(' ').slice(0, 3).join(' ')} `
  return vocabulary.fields[entity].some(field => isNumeric(field) && bounded(field.said).test(near))
}
