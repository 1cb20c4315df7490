/** Finds passages by words; exact names come first. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { rows } from '../../kernel/statements.ts'
import { identityKey } from './passages.ts'
import type { Term } from './terms.ts'
import { digitsOf, identifiersIn } from './words.ts'

export interface Hit {
  passageId: number
  /** idf-weighted share of the question's words that were found, up to 1 */
  share: number
  /** the same, weighted by the field that each word is in; orders keyword hits */
  score: number
  /** the question is its whole name, address, domain or number */
  exact: boolean
}

/** The maximum number of postings that a search reads. */
const MAX_POSTINGS = 40_000

/** The question as a whole name, address, domain or number, or one of these within it. */
export function identityOf(question: string): string[] {
  const all = identifiersIn(question)
  // a search for an address must not match everyone at its domain
  const domains = all.filter(word => word.includes('@')).map(email => email.slice(email.indexOf('@') + 1))
  const identifiers = all.filter(word => !domains.includes(word))
  const numbers = isNumber(question) ? numbersOf(question) : []
  return [...new Set([identityKey(question), ...numbers, ...identifiers].map(word => `=${word}`))]
}

const isNumber = (question: string) => /^[\d\s()+.\-/]+$/.test(question.trim())

/** A bare address, domain, number or code: its embedding is useless, so only keywords are searched. */
export function isIdentifier(question: string): boolean {
  const normalized = question.trim().toLowerCase()
  return (
    isNumber(normalized) ||
    identifiersIn(normalized).includes(normalized) ||
    /^\p{L}{1,5}\d{3,}$/u.test(normalized)
  )
}

/** A number without leading zeros, and without a country code of 1 to 3 digits, which the record may lack. */
function numbersOf(question: string): string[] {
  const digits = digitsOf(question).replace(/^0+/, '')
  return [digits, digits.slice(1), digits.slice(2), digits.slice(3)].filter(
    (number, i) => number.length >= (i === 0 ? 7 : 9),
  )
}

/** The scope of a search: kinds of record and, with a filter, the passages that match it. */
export interface Within {
  types: readonly string[]
  limit: number
  /** the maximum number of postings to read */
  maxPostings?: number
  /** selects ids of passages */
  passages?: RawBuilder<unknown> | undefined
}

/** The words of exact matches; `beginning` adds some names with that prefix. */
export interface Wholes {
  words: readonly string[]
  beginning?: string
}

/** The postings of each word, which is numbered from 1: at most `most` per word, the newest first. */
function postingsOf(ctx: Ctx, words: RawBuilder<unknown>, { types, passages }: Within, most: number) {
  if (!passages) return sql`search_places(${ctx.account}, ${words}, ${types}::text[], ${most})`
  return sql`(select t.no, w.passage_id, w.weight from unnest(${words}) with ordinality t (word, no)
    cross join lateral (
      select w.passage_id, w.weight from ${rows(ctx, 'search_words')} w
      where w.word = t.word and w.entity_type = any(${types}::text[]) and w.passage_id in (${passages})
      order by w.word desc, w.passage_id desc limit ${most}
    ) w)`
}

function wholeWords(ctx: Ctx, { words, beginning }: Wholes, limit: number) {
  if (beginning === undefined) return sql`${words}::text[]`
  return sql`${words}::text[] || array(
    select v.word from search_words_from(${ctx.account}, array[${beginning}::text], ${limit}) v)`
}

/** The passages that contain the terms, best first. */
export async function keywordHits(
  ctx: Ctx,
  terms: readonly Term[],
  wholes: Wholes,
  within: Within,
): Promise<Hit[]> {
  const { limit, maxPostings = MAX_POSTINGS } = within
  const total = terms.reduce((sum, term) => sum + term.idf, 0) || 1
  const pairs = terms.flatMap((term, no) =>
    [...term.matches].map(([word, quality]) => ({ no, word, quality, part: term.idf / total })),
  )
  const budget = Math.max(maxPostings / 400, Math.floor(maxPostings / (pairs.length || 1)))
  const postings = await query(
    ctx,
    sql<{ passage_id: number; share: number; score: number; exact: boolean }>`
      with postings as (
        select t.no, t.part, t.quality, w.passage_id, w.weight
        from ${postingsOf(ctx, sql`${pairs.map(p => p.word)}::text[]`, within, budget)} w
        join unnest(${pairs.map(p => p.no)}::int[], ${pairs.map(p => p.quality)}::float8[],
          ${pairs.map(p => p.part)}::float8[]) with ordinality t (no, quality, part, pair) on t.pair = w.no
      ), whole as (
        select distinct w.passage_id from ${postingsOf(ctx, wholeWords(ctx, wholes, limit), within, limit)} w limit ${limit}
      ), best as (
        select no, passage_id, max(part * quality) as share, max(part * quality * (0.5 + weight / 8.0::float8)) as score
        from postings group by no, passage_id
      ), summed as (
        select passage_id, sum(share) as share, sum(score) as score from best group by passage_id
        order by 3 desc, 1 desc limit ${limit}
      )
      select coalesce(s.passage_id, h.passage_id) as passage_id, coalesce(s.share, 1)::float8 as share,
        coalesce(s.score, 1)::float8 as score, h.passage_id is not null as exact
      from summed s full join whole h on h.passage_id = s.passage_id`,
  )
  return postings
    .map(row => ({ passageId: row.passage_id, share: row.share, score: row.score, exact: row.exact }))
    .sort((a, b) => Number(b.exact) - Number(a.exact) || b.score - a.score || b.passageId - a.passageId)
}
