/** The three ways to search. */
import type { Ctx } from '../../kernel/context.ts'
import { first } from '../../lib/values.ts'
import { identityOf, isIdentifier, keywordHits, type Within } from './keyword.ts'
import { loadPassages } from './load.ts'
import { asksMore, type Named, namedIn } from './names.ts'
import { type About, byWords, type Found, rank, refine } from './rank.ts'
import { type Meaning, meaningOf, nearest } from './semantic.ts'
import { snippetOf } from './snippet.ts'
import { expand, type Term, termsOf } from './terms.ts'

export type Mode = 'keyword' | 'semantic' | 'hybrid'

export interface Findings {
  /** the mode that was used: keyword if there is no model */
  mode: Mode
  terms: readonly Term[]
  meaning: Meaning | undefined
  named: Named
  /** one for each record, best first */
  found: Found[]
  /** all of them, in the order before `refine` */
  passages: Found[]
}

const LIMIT = 300

export async function find(
  ctx: Ctx,
  question: string,
  mode: Mode,
  within: Omit<Within, 'limit'>,
): Promise<Findings> {
  const byWordsAlone = mode === 'keyword' || (mode === 'hybrid' && isIdentifier(question))
  const meaning = byWordsAlone ? undefined : await meaningOf(ctx, question)
  const terms = await expand(ctx, termsOf(question))
  const used: Mode = meaning ? mode : 'keyword'
  const scope = { ...within, limit: LIMIT }
  const hits = await keywordHits(
    ctx,
    used === 'semantic' ? [] : terms,
    { words: identityOf(question) },
    scope,
  )
  const keywordIds = hits.map(hit => hit.passageId)
  const named = namedIn(question, terms)
  const cosines = meaning ? await nearest(ctx, meaning, scope, keywordIds) : new Map<number, number>()
  const about =
    meaning && asksMore(named) ? await aboutNamed(ctx, meaning, named, scope, keywordIds) : undefined
  const ids = [...new Set([...keywordIds, ...cosines.keys(), ...(about?.cosines.keys() ?? [])])]
  const passages = await loadPassages(ctx, ids, within.types)
  const ranked =
    used === 'keyword' ? byWords(hits, passages, terms) : rank(hits, cosines, passages, terms, about)
  const records = oneEach(ranked)
  return {
    mode: used,
    terms,
    meaning,
    named,
    found: meaning ? await refine(question, meaning, records, about) : records,
    passages: ranked,
  }
}

/** Compares passages with the question without its names. */
async function aboutNamed(
  ctx: Ctx,
  { model, embedder }: Meaning,
  named: Named,
  scope: Within,
  keywordIds: readonly number[],
): Promise<About> {
  const vector = first(await embedder.embed([named.rest], true))
  return { ...named, cosines: await nearest(ctx, { model, vector }, scope, keywordIds) }
}

/** A record's rank is that of its best passage. */
export function oneEach<F extends Found>(ranked: readonly F[]): F[] {
  const seen = new Set<string>()
  return ranked.filter(({ passage }) => {
    const first = !seen.has(passage.entity_id)
    seen.add(passage.entity_id)
    return first
  })
}

export function resultOf(match: Found, terms: readonly Term[]) {
  const { passage } = match
  return {
    entity_type: passage.entity_type,
    entity_id: passage.entity_id,
    name: passage.name,
    snippet: snippetOf(passage.body, terms),
    score: Math.round(match.score * 10_000) / 10_000,
    matched_by: match.matchedBy,
    updated_at: passage.updated_at,
  }
}
