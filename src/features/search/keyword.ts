/** Finding passages by words: whole words, beginnings, parts, other endings, misspellings; exact names first. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { rows } from '../../kernel/statements.ts'
import { identityKey } from './passages.ts'
import {
  digitsOf,
  editDistance,
  hasTrigrams,
  identifiersIn,
  STOP_WORDS,
  stemOf,
  trigramsOf,
  wordsOf,
} from './words.ts'

/** A word of the question with the words of the index that stand for it. */
export interface Term {
  word: string
  /** index word → how well it stands for the term, up to 1 */
  matches: Map<string, number>
  /** how much the term tells: rare words tell more */
  idf: number
}

export interface Hit {
  passageId: number
  /** idf-weighted share of the question's words that were found, up to 1 */
  share: number
  /** the same with the place of the words counted in, for the order among keyword hits */
  score: number
  /** the question is its whole name, address, domain or number */
  exact: boolean
}

const MAX_TERMS = 24
/** How many words of the index may stand for one term, and how many places of all words are looked at. */
const MAX_MATCHES = 60
const MAX_POSTINGS = 40_000

/** The end of the range of words that begin with a prefix, in byte order. */
const beyond = (prefix: string) => `${prefix}\u{10ffff}`

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

/** Looks up which words of the account's vocabulary stand for the question's words. */
export async function expand(
  ctx: Ctx,
  words: readonly string[],
  size: number,
  typing = false,
): Promise<Term[]> {
  if (words.length === 0) return []
  const found = await query(
    ctx,
    sql<{ term: string; word: string; uses: number }>`select t.term, v.word, v.uses
      from unnest(${words}::text[], ${words.map(prefixOf)}::text[], ${words.map(word => beyond(prefixOf(word)))}::text[])
        t (term, low, high)
      cross join lateral (
        (select v.word, v.uses from ${rows(ctx, 'search_vocabulary')} v where v.word = t.term)
        union
        (select v.word, v.uses from ${rows(ctx, 'search_vocabulary')} v
          where v.word >= t.low and v.word < t.high order by v.word limit ${MAX_MATCHES})
      ) v`,
  )
  const terms = words.map(word => ({ word, matches: new Map<string, number>(), uses: 0 }))
  for (const term of terms) {
    for (const { word, uses } of found.filter(row => row.term === term.word)) take(term, word, uses)
  }
  // what is being typed has no ending yet: a word that begins so is good enough
  await addInner(ctx, terms, typing ? 0.5 : 0.9)
  return terms.map(({ word, matches, uses }) => ({
    word,
    matches,
    idf: Math.log(1 + (size + 1) / (Math.min(uses, size) + 0.5)),
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

/** For terms that no word begins with: words that hold them inside, or that are spelt almost like them. */
async function addInner(ctx: Ctx, terms: readonly Growing[], enough: number): Promise<void> {
  const open = terms.filter(term => hasTrigrams(term.word) && Math.max(0, ...term.matches.values()) < enough)
  if (open.length === 0) return
  const wanted = open.flatMap(term => trigramsOf(term.word).map(trigram => ({ term: term.word, trigram })))
  const found = await query(
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
    for (const { word, uses } of found.filter(row => row.term === term.word)) {
      if (word.includes(term.word) && term.word.length >= 3) take(term, word, uses, 0.55)
      else take(term, word, uses, misspelt(term.word, word))
    }
  }
}

function misspelt(term: string, word: string): number {
  const limit = term.length >= 8 ? 2 : term.length >= 4 ? 1 : 0
  if (limit === 0) return 0
  const distance = editDistance(term, word, limit)
  return distance <= limit ? 0.7 - 0.15 * (distance - 1) : 0
}

/** The question as a whole name, address, domain or number. */
export function identityOf(question: string): string[] {
  const key = identityKey(question)
  const digits = digitsOf(question).replace(/^00/, '')
  const isNumber = digits.length >= 7 && /^[\d\s()+.\-/]+$/.test(question.trim())
  const inside = identifiersIn(question).map(word => `=${word}`)
  return [...new Set([`=${key}`, ...(isNumber ? [`=${digits}`] : []), ...inside])]
}

/** Where is looked: kinds of record and, where the caller filters, the passages that are left. */
export interface Within {
  types: readonly string[]
  limit: number
  /** selects ids of passages */
  passages?: RawBuilder<unknown> | undefined
}

const allowed = ({ passages }: Within) => (passages ? sql`and w.passage_id in (${passages})` : sql``)

/** The passages that hold the terms, best first. */
export async function keywordHits(
  ctx: Ctx,
  terms: readonly Term[],
  exact: readonly string[],
  within: Within,
): Promise<Hit[]> {
  const { types, limit } = within
  const total = terms.reduce((sum, term) => sum + term.idf, 0) || 1
  const pairs = terms.flatMap((term, no) =>
    [...term.matches].map(([word, quality]) => ({ no, word, quality, part: term.idf / total })),
  )
  const budget = Math.max(200, Math.floor(MAX_POSTINGS / (pairs.length || 1)))
  const found = await query(
    ctx,
    sql<{ passage_id: number; share: number; score: number; exact: boolean }>`
      with postings as (
        select t.no, t.part, t.quality, w.passage_id, w.weight from unnest(
          ${pairs.map(p => p.no)}::int[], ${pairs.map(p => p.word)}::text[],
          ${pairs.map(p => p.quality)}::float8[], ${pairs.map(p => p.part)}::float8[]) t (no, word, quality, part)
        cross join lateral (
          select w.passage_id, w.weight from ${rows(ctx, 'search_words')} w
          where w.word = t.word and w.entity_type = any(${types}::text[]) ${allowed(within)}
          order by w.word desc, w.passage_id desc limit ${budget}
        ) w
      ), whole as (
        select distinct w.passage_id from ${rows(ctx, 'search_words')} w
        where w.word = any(${exact}::text[]) and w.entity_type = any(${types}::text[]) ${allowed(within)} limit ${limit}
      ), best as (
        select no, passage_id, max(part * quality) as share, max(part * quality * (0.5 + weight / 8.0)) as score
        from postings group by no, passage_id
      ), summed as (
        select passage_id, sum(share) as share, sum(score) as score from best group by passage_id
        order by 3 desc, 1 desc limit ${limit}
      )
      select coalesce(s.passage_id, h.passage_id) as passage_id, coalesce(s.share, 1)::float8 as share,
        coalesce(s.score, 1)::float8 as score, h.passage_id is not null as exact
      from summed s full join whole h on h.passage_id = s.passage_id`,
  )
  return found
    .map(row => ({ passageId: row.passage_id, share: row.share, score: row.score, exact: row.exact }))
    .sort((a, b) => Number(b.exact) - Number(a.exact) || b.score - a.score || b.passageId - a.passageId)
}

/** How many passages the account has, near enough: of two words with the same uses neither is worth more for it. */
export async function sizeOf(ctx: Ctx): Promise<number> {
  const [row] = await query(
    ctx,
    sql<{
      size: number
    }>`select coalesce(sum(c.living), 0)::float8 as size from ${rows(ctx, 'record_counts')} c`,
  )
  return Math.max(row!.size, 1)
}
