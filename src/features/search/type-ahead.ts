/** Results while somebody is typing: names and addresses that begin so, then words that do. Never the model. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { rows } from '../../kernel/statements.ts'
import { identityOf, keywordHits } from './keyword.ts'
import { loadPassages } from './load.ts'
import { byWords } from './rank.ts'
import { resultOf } from './search.ts'
import { expand, sizeOf, termsOf } from './terms.ts'

/** Of what thousands hold, any ten will do: names that begin as typed are found apart from this. */
const REACH = 2000

export async function typeAhead(ctx: Ctx, typed: string, types: readonly string[], limit: number) {
  const wholes = identityOf(typed)
  const [beginning] = wholes
  const names = await query(
    ctx,
    sql<{ word: string }>`select v.word from ${rows(ctx, 'search_vocabulary')} v
      where v.word >= ${beginning} and v.word < ${`${beginning}\u{10ffff}`} order by v.word limit ${limit}`,
  )
  const begins = names.map(row => row.word)
  const terms = await expand(ctx, termsOf(typed), await sizeOf(ctx), true)
  const hits = await keywordHits(ctx, terms, [...new Set([...wholes, ...begins])], {
    types,
    limit: limit * 3,
    reach: REACH,
  })
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
