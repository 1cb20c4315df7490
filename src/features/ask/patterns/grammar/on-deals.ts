/** Activities by the deals that they are about: "tasks on deals over 100k", "meetings for open deals". */
import { sql } from 'kysely'
import { living } from '../../../../kernel/statements.ts'
import { type Kind, tiedTo } from '../fields/index.ts'
import type { Plan } from '../plan.ts'
import { applyAmount } from './comparisons.ts'
import { leftOver, type Reading, take } from './reading.ts'
import { dealStates } from './states.ts'
import { addValues } from './values.ts'

const ABOUT =
  '(?:on|for|about|of|at|with|to|in|regarding|concern(?:s|ing)?|(?:hang(?:s|ing)?|depend(?:s|ing)?) on|(?:linked|tied|attached|related|belonging|belong|connected) to)'
const STATE = '(?:open|active|won|lost|closed|overdue|¤)'
/** To the end of the question: what is said after the deals is said of them. */
const ON_DEALS = new RegExp(
  `(?<= )${ABOUT} (?:(?:our|the|all|any|those|my) )*(?:${STATE} )*(?:deals?|opps?|opportunit(?:y|ies))(?: (?:that|which|are|is|in|with|of|worth|stage|an|a|amount|value|¤))* $`,
)

/** False when it says something of the deals that cannot be told. */
export function onDeals(reading: Reading, entity: Kind): boolean {
  if (entity !== 'activity') return true
  const match = ON_DEALS.exec(reading.text)
  if (!match || reading.mentions.some(({ records }) => records)) return true
  const said = ` ${match[0].trim()} `
  const fields = reading.vocabulary.fields.deal
  const named = reading.mentions.filter(({ values }) => values.some(({ field }) => field === 'stage_id'))
  // whose they are, or how urgent, may be said of either
  if (named.length === 0 && / ¤ (?:deals?|opps?|opportunit(?:y|ies)) /.test(said)) return false
  const deals: Reading = { ...reading, text: said, conditions: [], mentions: named }
  const plan: Plan = { entity: 'deal', measure: { kind: 'list' }, conditions: deals.conditions, shown: [] }
  for (const { values, negated } of named) {
    const stages = values.filter(({ field }) => field === 'stage_id')
    addValues(deals, 'deal', fields, 'stage_id', stages, negated)
  }
  if (take(deals, /my/)) deals.conditions.push({ where: sql`r.owner_id = ${reading.ctx.user}`, said: 'mine' })
  deals.span = undefined
  dealStates(deals, plan)
  const { amount } = reading
  if (amount && !/^ (?:minutes?|hours?|mins?) /.test(amount.after)) {
    applyAmount(deals, 'deal', fields, amount)
    reading.amount = undefined
  }
  // "calls with deals": nothing is said of them
  if (deals.conditions.length === 0) return true
  take(deals, /deals?|opps?|opportunit(?:y|ies)/)
  take(deals, /(?:concern|hang|depend)\S*|tied|attached|connected/)
  if (leftOver(deals).length > 0) return false
  reading.text = reading.text.replace(match[0], '¤ ')
  reading.mentions = reading.mentions.filter(mention => !named.includes(mention))
  const ids = sql`array(select r.id from ${living(reading.ctx, 'deals')} r
    where ${sql.join(
      deals.conditions.map(({ where }) => sql`(${where})`),
      sql` and `,
    )})`
  reading.conditions.push({
    where: tiedTo(reading.ctx, 'activity', 'deal', ids)!,
    said: `deals: ${deals.conditions.map(one => one.said).join(' and ')}`,
  })
  return true
}
