/** What is wanted of the records: how many, how much, which ones, whether there are any. */
import { type Field, isNumeric } from '../fields/index.ts'
import type { Measure, Plan } from '../plan.ts'
import { type Reading, says, take } from './reading.ts'

const MIDDLE = '(?:average|avg|mean|typical|median)'

const averageBy = (said: string, field: Field): Measure => ({
  kind: said.includes('median') ? 'median' : 'average',
  field,
})

/** "the average number of machines", "how many employees on average": no count, though it says how many. */
function averageOf(reading: Reading, plan: Plan, numeric: readonly Field[]): Measure | undefined {
  if (plan.order || says(reading, `(?:over|under|above|below|than) (?:(?:the|our) )?${MIDDLE}`))
    return undefined
  const field = numeric.find(
    one =>
      says(reading, `${MIDDLE} (?:(?:total )?(?:number|count|amount) of )?(?:${one.said.source})`) ||
      (says(reading, `on ${MIDDLE}|in the mean`) && says(reading, one.said)),
  )
  if (!field) return undefined
  take(reading, `(?<=${MIDDLE} )(?:total )?(?:number|count|amount) of`)
  take(reading, field.said)
  take(reading, /how many|how much/)
  const said = take(reading, `(?:on )?(?:an )?${MIDDLE}`)!
  return averageBy(said, field)
}

export function measureOf(
  reading: Reading,
  plan: Plan,
  fields: readonly Field[],
  /** whether the records themselves are named */
  isNamed: boolean,
): Measure {
  const numeric = fields.filter(isNumeric)
  const field = numeric.find(one => says(reading, one.said)) ?? numeric.find(one => one.type === 'money')
  if (plan.entity === 'deal' && take(reading, /win rate|close rate|conversion rate/))
    return { kind: 'win rate' }
  const average = averageOf(reading, plan, numeric)
  if (average) return average
  if (
    take(
      reading,
      /how many|(?:the )?(?:total )?(?:(?<!phone )(?<!mobile )number|count) of|count(?: up)?(?: all)?(?: the)?/,
    )
  ) {
    // "how many, and how much are they worth": the sum says how many it is of
    const both = take(reading, /and (?:how much|what)(?= )/) !== undefined && plan.entity === 'deal'
    if (both && field && !plan.order && take(reading, field.said))
      return { kind: 'sum', field, weighted: false }
    // "the number of won deals and their average size": the average says how many it is of
    const middle = take(reading, `and (?:(?:the|their|its|what|is|an) )*${MIDDLE}(?: deal)?`)
    if (middle && field && !plan.order && take(reading, field.said)) return averageBy(middle, field)
    take(reading, /total/)
    // "how many employees do our customers have": of several records a sum
    const own = numeric.find(one => says(reading, `¤ (?:${one.said.source})`) && one.type === 'number')
    if (own && !isNamed && !plan.order && !reading.amount && take(reading, own.said))
      return { kind: 'sum', field: own, weighted: false }
    return { kind: 'count' }
  }
  const middle = take(reading, MIDDLE)
  if (middle && field) {
    take(reading, field.said)
    return averageBy(middle, field)
  }
  const total = take(
    reading,
    /totals?|sum(?: of| up)?|combined|how much|add(?:ed)? up|weighted|forecast(?:ed)?|aggregate|in money/,
  )
  const valued =
    says(reading, /(?:what|show|get|give me)(?: is| are)? (?:the )?(?:total )?(?:value|worth)(?= of)/) ||
    /^ (?:the )?(?:value|worth) of /.test(reading.text) ||
    /^ what (?:is|are|was|were)? ?.* (?:deals?|opps?|opportunities) (?:add up to |are )?worth (?:¤ )?$/.test(
      reading.text,
    )
  const weighted = /weighted|forecast/.test(total ?? '') || take(reading, /weighted/) !== undefined
  // "what have we won in dollars", "revenue won this year": no deals are asked for, but what they bring
  const money =
    plan.entity === 'deal' &&
    !says(reading, /deals?|opps?|opportunit(?:y|ies)/) &&
    (reading.currency !== undefined ||
      says(reading, /revenues?|bookings|turnover|income/) ||
      // "open amount in France"
      (!isNamed && says(reading, /¤ amounts?|amounts? ¤/)))
  if (
    (total !== undefined ||
      valued ||
      money ||
      says(reading, /pipeline/) ||
      (plan.groupBy && says(reading, /value|worth|amounts?|revenue|money/)) ||
      (plan.groupBy && field?.key.startsWith('cf.') && says(reading, field.said))) &&
    field &&
    plan.entity !== 'activity' &&
    !plan.order
  ) {
    take(reading, field.said)
    if (money) take(reading, /bookings|turnover|income/)
    return { kind: 'sum', field, weighted }
  }
  if (plan.groupBy) return { kind: 'count' }
  if (/^ (?:is|are|do|does|did|have|has|any|were|was) (?!¤)/.test(reading.text) && !plan.order)
    return { kind: 'any' }
  return { kind: 'list' }
}
