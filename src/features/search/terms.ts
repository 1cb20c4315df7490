/** Finds the words of the index that match those of a question: prefixes, parts, other endings, misspellings. */
import { sql } from 'kysely'
import { type Ctx, one, query } from '../../kernel/context.ts'
import { editDistance } from '../../kernel/edit-distance.ts'
import { rows } from '../../kernel/statements.ts'
import { hasTrigrams, identifiersIn, STOP_WORDS, stemOf, trigramsOf, wordsOf } from './words.ts'

/** A word of the question with the words of the index that match it. */
export interface Term {
  word: string
  /** index word → how well it matches the term, up to 1 */
  matches: Map<string, number>
  /** inverse document frequency: rare words weigh more */
  idf: number
}

const MAX_TERMS = 24
/** The maximum number of index words per term. */
const MAX_MATCHES = 60

export function termsOf(question: string): string[] {
  const identifiers = identifiersIn(question)
  const inside = new Set(identifiers.flatMap(wordsOf))
  const words = wordsOf(question)
  const contentWords = words.filter(word => !STOP_WORDS.has(word))
  const all = [...identifiers, ...(contentWords.length > 0 || identifiers.length > 0 ? contentWords : words)]
  // the parts of an address are left out: alone they would match other addresses of its domain
  const terms = all.filter(word => identifiers.includes(word) || !inside.has(word))
  return [...new Set(terms)].slice(0, MAX_TERMS)
}

interface Expanded {
  term: string
  /** null: no index word matches it */
  word: string | null
  uses: number
  size: number
}

/** Looks up which words of the account's vocabulary match the question's words. */
export async function expand(ctx: Ctx, words: readonly string[], typing = false): Promise<Term[]> {
  if (words.length === 0) return []
  const expanded = await query(
    ctx,
    sql<Expanded>`select t.term, v.word, v.uses, s.size
      from (${size(ctx)}) s cross join unnest(${words}::text[]) with ordinality t (term, no)
      left join (
        select w.no, v.word, v.uses from unnest(${words}::text[]) with ordinality w (word, no)
        join ${rows(ctx, 'search_vocabulary')} v on v.word = w.word
        union select * from search_words_from(${ctx.account}, ${words.map(prefixOf)}::text[], ${MAX_MATCHES})
      ) v on v.no = t.no`,
  )
  const terms = words.map(word => ({ word, matches: new Map<string, number>(), uses: 0 }))
  for (const term of terms) {
    for (const { word, uses } of expanded.filter(row => row.term === term.word))
      if (word !== null) addMatch(term, word, uses)
  }
  const { size: total } = one(expanded)
  // the last word may be incomplete while typing, so a prefix match is good enough
  await addInner(ctx, terms, typing ? 0.5 : 0.9)
  return terms.map(({ word, matches, uses }) => ({
    word,
    matches,
    idf: Math.log(1 + (total + 1) / (Math.min(uses, total) + 0.5)),
  }))
}

interface PartialTerm {
  word: string
  matches: Map<string, number>
  uses: number
}

function addMatch(term: PartialTerm, word: string, uses: number, quality = likeness(term.word, word)): void {
  if (quality === 0 || (term.matches.get(word) ?? 0) >= quality) return
  term.matches.set(word, quality)
  // only close matches count for the rarity of the term
  if (quality >= 0.8) term.uses += uses
}

/** Words of five letters and more also match with another ending. */
const prefixOf = (word: string) => (/^\p{L}{5,}$/u.test(word) ? stemOf(word) : word)

function likeness(term: string, word: string): number {
  if (term === word) return 1
  if (stemOf(word) === stemOf(term)) return 0.9
  if (word.startsWith(term) && term.length >= 2)
    return Math.max(0.5, 0.8 * (term.length / word.length) ** 0.5)
  return 0
}

/** For terms without a good match: words that contain the term, or differ from it by a typing error. */
async function addInner(ctx: Ctx, terms: readonly PartialTerm[], enough: number): Promise<void> {
  const open = terms.filter(term => hasTrigrams(term.word) && Math.max(0, ...term.matches.values()) < enough)
  if (open.length === 0) return
  const trigrams = open.flatMap(term => trigramsOf(term.word).map(trigram => ({ term: term.word, trigram })))
  const candidates = await query(
    ctx,
    sql<{ term: string; word: string; uses: number }>`select n.term, n.word, v.uses from (
        select g.term, g.word, row_number() over (partition by g.term order by g.common desc, length(g.word)) as position
        from (
          select w.term, t.word, count(*) as common from unnest(${trigrams.map(w => w.term)}::text[],
            ${trigrams.map(w => w.trigram)}::text[]) w (term, trigram)
          join ${rows(ctx, 'search_trigrams')} t on t.trigram = w.trigram
          group by w.term, t.word
        ) g
      ) n join ${rows(ctx, 'search_vocabulary')} v on v.word = n.word where n.position <= ${MAX_MATCHES}`,
  )
  for (const term of open) {
    for (const { word, uses } of candidates.filter(row => row.term === term.word)) {
      if (word.includes(term.word) && term.word.length >= 3) addMatch(term, word, uses, 0.55)
      else addMatch(term, word, uses, misspelt(term.word, word))
    }
  }
}

function misspelt(term: string, word: string): number {
  const limit = term.length >= 8 ? 2 : term.length >= 4 ? 1 : 0
  // the first letter of a short word is rarely misspelt: lack is not back
  if (limit === 0 || (term.length < 6 && term[0] !== word[0])) return 0
  const distance = editDistance(term, word, limit)
  return distance <= limit ? 0.7 - 0.15 * (distance - 1) : 0
}

/** The number of records instead of passages, which is cheaper and scales all idf alike. */
const size = (ctx: Ctx) =>
  sql`select greatest(coalesce(sum(c.living), 0), 1)::float8 as size from ${rows(ctx, 'record_counts')} c`
