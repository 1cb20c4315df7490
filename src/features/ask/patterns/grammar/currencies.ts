/** Money by its name, as a condition: "deals in euros", "dollar deals", "priced in pounds". */
import { sql } from 'kysely'
import { type Reading, take } from './reading.ts'

const NAMES: [RegExp, string][] = [
  [/(?:us )?dollars?|usd|united states dollars?|\$/, 'USD'],
  [/euros?|eur|€/, 'EUR'],
  [/(?:british )?pounds?(?: sterling)?|sterling|gbp|quid|£/, 'GBP'],
  [/(?:swiss )?francs?|chf/, 'CHF'],
  [/(?:japanese )?yen|jpy|¥/, 'JPY'],
  [/canadian dollars?|cad/, 'CAD'],
  [/australian dollars?|aud/, 'AUD'],
  [/swedish kron(?:a|or)|sek/, 'SEK'],
  [/norwegian kroner?|nok/, 'NOK'],
  [/danish kroner?|dkk/, 'DKK'],
  [/zlot(?:y|ys)|pln/, 'PLN'],
  [/rupees?|inr/, 'INR'],
]
const VERB =
  '(?:(?:that|which|are|is|were|was) )*(?:(?:priced|denominated|quoted|billed|invoiced|paid|sold|made|valued|booked) )?'

/** The currency, taken out of the question; the condition is added. */
export function currencyIn(reading: Reading): string | undefined {
  let isNot = false
  const codes = NAMES.filter(([pattern]) => {
    const name = `(?:${pattern.source})`
    const noun = '(?= (?:deals?|opps?|opportunit(?:y|ies)|pipeline|business|ones))'
    const without =
      take(reading, `${VERB}(?:not|isn t|aren t) (?:priced )?in ${name}`) ??
      take(reading, `non-?${name}${noun}`)
    isNot ||= without !== undefined
    return (
      without ?? take(reading, `${VERB}in ${name}`) ?? take(reading, `${name}(?:[- ]denominated)?${noun}`)
    )
  }).map(([, code]) => code)
  if (codes.length === 0) return undefined
  const said = `${isNot ? 'not ' : ''}${codes.join(' or ')}`
  const where = sql`r.currency = any(${codes}::text[])`
  reading.conditions.push({ where: isNot ? sql`not ${where}` : where, said })
  return said
}
