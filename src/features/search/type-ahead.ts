/** Results while typing: names and addresses with this prefix, then words with it. No model is used. */
import type { Ctx } from '../../kernel/context.ts'
import { identityOf, keywordHits } from './keyword.ts'
import { loadPassages } from './load.ts'
import { byWords } from './rank.ts'
import { oneEach, resultOf } from './search.ts'
import { expand, termsOf } from './terms.ts'

/** Of a common word any ten results will do; names with the typed prefix are looked up separately. */
const MAX_POSTINGS = 1000

export async function typeAhead(ctx: Ctx, typed: string, types: readonly string[], limit: number) {
  const wholes = identityOf(typed)
  const terms = await expand(ctx, termsOf(typed), true)
  const hits = await keywordHits(
    ctx,
    terms,
    { words: wholes, beginning: wholes[0] ?? '' },
    { types, limit: limit * 3, maxPostings: MAX_POSTINGS },
  )
  const passages = await loadPassages(
    ctx,
    hits.map(hit => hit.passageId),
    types,
  )
  return oneEach(byWords(hits, passages, terms))
    .slice(0, limit)
    .map(one => resultOf(one, terms))
}
