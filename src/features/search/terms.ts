/** The words of a question and the words of the index that stand for them: beginnings, parts, other endings, misspellings. */
import { sql } from 'kysely'
import { type Ctx, one, query } from '../../kernel/context.ts'
import { editDistance } from '../../kernel/edit-distance.ts'
import { rows } from '../../kernel/statements.ts'
import { hasTrigrams, identifiersIn, STOP_WORDS, stemOf, trigramsOf, wordsOf } from './words.ts'

/** A word of the question with the words of the index that stand for it. */
export interface Term {
  word: string
  /** index word → how well it matches the term, up to 1 */
  matches: Map<string, number>
  /** how much the term tells: rare words tell more */
  idf: number
}

const MAX_TERMS = 24
/** How many words of the index may stand for one term. */
const MAX_MATCHES = 60

export function termsOf(question: string): string[] {
  const identifiers = identifiersIn(question)
  const inside = new Set(identifiers.flatMap(wordsOf))
  const words = wordsOf(question)
  const telling = words.filter(word => !STOP_WORDS.has(word))
  const all = [...identifiers, ...(telling.length > 0 || identifiers.length > 0 ? telling : words)]
  // the pieces of an address are found with the address; alone they would find its neighbours
  const kept = all.filter(word => identifiers.includes(word) || !inside.has(word))
  return [...new Set(kept)].slice(0, MAX_TERMS)
}

interface Expanded {
  term: string
  /** null: no index word matches it */
  word: string | null
  uses: number
  size: number
}

/** Looks up which words of the account's vocabulary stand for the question's words. */
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
      if (word !== null) take(term, word, uses)
  }
  const { size: total } = one(expanded)
  // what is being typed has no ending yet: a word that begins so is good enough
  await addInner(ctx, terms, typing ? 0.5 : 0.9)
  return terms.map(({ word, matches, uses }) => ({
    word,
    matches,
    idf: Math.log(1 + (total + 1) / (Math.min(uses, total) + 0.5)),
  }))
}

interface Growing {
  word: string
  matches: Map<string, number>
  uses: number
}

function take(term: Growing, word: string, uses: number, quality = likeness(term.word, word)): void {
  if (quality === 0 || (term.matches.get(word) ?? 0) >= quality) return
  term.matches.set(word, quality)
  // of what is found through likeness only, the rarest says how rare the term is
  if (quality >= 0.8) term.uses += uses
}

/** Short words and numbers are taken as they are; longer ones also with another ending. */
const prefixOf = (word: string) => (/^\p{L}{5,}$/u.test(word) ? stemOf(word) : word)

function likeness(term: string, word: string): number {
  if (term === word) return 1
  if (stemOf(word) === stemOf(term)) return 0.9
  if (word.startsWith(term) && term.length >= 2)
    return Math.max(0.5, 0.8 * (term.length / word.length) ** 0.5)
  return 0
}

/** For terms that no word begins with: words that contain the term, or differ from it by a typing error. */
async function addInner(ctx: Ctx, terms: readonly Growing[], enough: number): Promise<void> {
  const open = terms.filter(term => hasTrigrams(term.word) && Math.max(0, ...term.matches.values()) < enough)
  if (open.length === 0) return
  const wanted = open.flatMap(term => trigramsOf(term.word).map(trigram => ({ term: term.word, trigram })))
  const candidates = await query(
    ctx,
    sql<{ term: string; word: string; uses: number }>`select n.term, n.word, v.uses from (
        select g.term, g.word, row_number() over (partition by g.term order by g.common desc, length(g.word)) as place
        from (
          select w.term, t.word, count(*) as common from unnest(${wanted.map(w => w.term)}::text[],
            ${wanted.map(w => w.trigram)}::text[]) w (term, trigram)
          join ${rows(ctx, 'search_trigrams')} t on t.trigram = w.trigram
          group by w.term, t.word
        ) g
      ) n join ${rows(ctx, 'search_vocabulary')} v on v.word = n.word where n.place <= ${MAX_MATCHES}`,
  )
  for (const term of open) {
    for (const { word, uses } of candidates.filter(row => row.term === term.word)) {
      if (word.includes(term.word) && term.word.length >= 3) take(term, word, uses, 0.55)
      else take(term, word, uses, misspelt(term.word, word))
    }
  }
}

function misspelt(term: string, word: string): number {
  const limit = term.length >= 8 ? 2 : term.length >= 4 ? 1 : 0
  // of short words the first letter is rarely the wrong one: lack is not back
  if (limit === 0 || (term.length < 6 && term[0] !== word[0])) return 0
  const distance = editDistance(term, word, limit)
  return distance <= limit ? 0.7 - 0.15 * (distance - 1) : 0
}

/** How many passages the account has, near enough: of two words with the same uses neither is worth more for it. */
const size = (ctx: Ctx) =>
  sql`select greatest(coalesce(sum(c.living), 0), 1)::float8 as size from ${rows(ctx, 'record_counts')} c`
