/** Results while typing: names and addresses with this beginning, then words with it. It never uses the model. */
import type { Ctx } from '../../kernel/context.ts'
import { identityOf, keywordHits } from './keyword.ts'
import { loadPassages } from './load.ts'
import { byWords } from './rank.ts'
import { resultOf } from './search.ts'
import { expand, termsOf } from './terms.ts'

/** Of what thousands hold, any ten will do: names that begin as typed are found apart from this. */
const REACH = 1000

export async function typeAhead(ctx: Ctx, typed: string, types: readonly string[], limit: number) {
  const wholes = identityOf(typed)
  const terms = await expand(ctx, termsOf(typed), true)
  const hits = await keywordHits(
    ctx,
    terms,
    { words: wholes, beginning: wholes[0] ?? '' },
    { types, limit: limit * 3, reach: REACH },
  )
  const passages = await loadPassages(
    ctx,
    hits.map(hit => hit.passageId),
    types,
  )
  const seen = new Set<string>()
  return byWords(hits, passages, terms)
    .filter(({ passage }) => {
      const first = !seen.has(passage.entity_id)
      seen.add(passage.entity_id)
      return first
    })
    .slice(0, limit)
    .map(one => resultOf(one, terms))
}
