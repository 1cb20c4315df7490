/** The last part of a document's address: readable in any script, unique in the account. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { decompose } from '../../kernel/schema/index.ts'
import { living } from '../../kernel/statements.ts'

export const MAX_SLUG = 255
/** Leaves room for the suffix of a duplicate. */
const MAX_MADE = 240

/** Latin letters that Unicode does not decompose into a letter and an accent. */
const LATIN: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i', ħ: 'h', ŋ: 'n', ŧ: 't' },
}

/** "Übersicht & Pläne" → ubersicht-plane; letters of other scripts remain unchanged. */
export function slugOf(title: string, fallback: string): string {
  const words = decompose(title)
    .replace(/(\p{Script=Latin})\p{Mn}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[ßæœøđðþłıħŋŧ]/g, letter => LATIN[letter] ?? letter)
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  const cut = [...words.replace(/^-|-$/g, '')].slice(0, MAX_MADE).join('').replace(/-$/, '')
  return cut === '' ? fallback : cut
}

/** Why a slug of a request is invalid, or undefined. */
export const slugProblem = (slug: string | null): string | undefined =>
  slug === null || /^[\p{L}\p{M}\p{N}._~-]*$/u.test(slug)
    ? undefined
    : 'a slug has letters, digits, "-", "_", "." and "~" only'

/** For each requested slug, one that no living document and no other request has: itself, or with -2, -3, … appended. */
export async function freeSlugs(tx: Ctx, requested: readonly string[]): Promise<string[]> {
  const existing = await query(
    tx,
    // "." is the character after "-": the range of the index that begins with the slug and a "-". `offset 0`
    // makes it one range per slug; as a join, PostgreSQL would read all documents.
    sql<{ slug: string }>`select taken.slug from unnest(${requested}::text[]) w(base) cross join lateral (
        select d.slug from ${living(tx, 'kb_documents')} d where d.slug = w.base
        union all (
          select d.slug from ${living(tx, 'kb_documents')} d where d.slug >= w.base || '-' and d.slug < w.base || '.' offset 0
        )
      ) taken
      where taken.slug = w.base or substr(taken.slug, length(w.base) + 2) ~ '^[0-9]{1,9}$'`,
  )
  const taken = new Set(existing.map(row => row.slug))
  return requested.map(base => {
    let slug = base
    for (let n = 2; taken.has(slug); n++) slug = numbered(base, n)
    taken.add(slug)
    return slug
  })
}

function numbered(slug: string, n: number): string {
  const mark = `-${n}`
  return [...slug].slice(0, MAX_SLUG - mark.length).join('') + mark
}
