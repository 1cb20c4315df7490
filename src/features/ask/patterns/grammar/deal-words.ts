/** Deals by what they are about: "open renewals", "pilots". They are called so, or are of such a type. */
import { sql } from 'kysely'
import type { Kind } from '../fields/index.ts'
import { bounded, type Reading, take } from './reading.ts'

const ABOUT =
  /(?:renewal|upsell|up-sell|cross-?sell|add-?on|expansion|upgrade|extension|pilot|tender|trial|rollout|migration|subscription|retainer)s?(?: (?:deals?|opportunit(?:y|ies)))?/

/** They are deals, where nothing else is asked for. */
export const speaksOfDeals = ({ text }: Pick<Reading, 'text'>): boolean =>
  new RegExp(
    `^ (?:(?:which|what|how many|how much|list|show|all|the|our|my|are|is|any|in|of|open|won|lost|total|¤|we|do|have|did|there|biggest|largest|next) )*(?:${ABOUT.source}) `,
  ).test(text)

export function applyDealWords(reading: Reading, entity: Kind): void {
  if (entity !== 'deal' || !bounded(ABOUT).test(reading.text)) return
  const word = take(reading, ABOUT)!
    .split(' ')[0]!
    .replace(/s$/, '')
    .replace(/^(up|cross|add)-/, '$1')
  const like = `%${word}%`
  reading.conditions.push({
    where: sql`(replace(r.name, '-', '') ilike ${like} or replace(r.deal_type, '-', '') ilike ${like})`,
    said: `${word}`,
  })
}
