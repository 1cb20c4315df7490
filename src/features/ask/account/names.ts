/** Records by their names: by a whole name, address or domain, or by a word of a name. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { rows } from '../../../kernel/statements.ts'
import { loadPassages } from '../../search/load.ts'
import type { Called } from './account-words.ts'

export interface Names {
  /** the records whose whole name is one of these phrases */
  whole(phrases: readonly string[]): Promise<Map<string, Called>>
  /** a few records of each kind with one of these words in their name */
  partly(words: readonly string[]): Promise<Map<string, Called[]>>
}

/** The likeliest first: "Acme" is a company before it is a deal. */
export const NAMED_KINDS = ['company', 'contact', 'deal', 'activity', 'product']
/** A word that more records have in their name is no name. */
export const MAX_CALLED = 5

export function namesIn(ctx: Ctx, types: readonly string[]): Names {
  const all = NAMED_KINDS.filter(kind => types.includes(kind))
  return {
    async whole(phrases) {
      const found = await query(
        ctx,
        sql<Hit>`select substr(w.word, 2) as word, w.passage_id from ${rows(ctx, 'search_words')} w
          where w.word = any(${phrases.map(phrase => `=${phrase}`)}::text[])
            and w.entity_type = any(${all}::text[]) limit 500`,
      )
      const called = await byWord(ctx, NAMED_KINDS, found)
      return new Map([...called].flatMap(([word, [likeliest]]) => (likeliest ? [[word, likeliest]] : [])))
    },
    async partly(words) {
      const found = await query(
        ctx,
        sql<Hit>`select t.word, n.passage_id from unnest(${words}::text[]) t (word)
          cross join unnest(${all}::text[]) k (kind)
          cross join lateral (select w.passage_id from ${rows(ctx, 'search_words')} w
            where w.word = t.word and w.weight = 4 and w.entity_type = k.kind limit ${MAX_CALLED + 1}) n`,
      )
      return byWord(ctx, NAMED_KINDS, found)
    },
  }
}

interface Hit {
  word: string
  passage_id: number
}

async function byWord(
  ctx: Ctx,
  kinds: readonly string[],
  found: readonly Hit[],
): Promise<Map<string, Called[]>> {
  const ids = found.map(hit => hit.passage_id)
  const passages = await loadPassages(ctx, ids, kinds)
  return new Map(
    [...Map.groupBy(found, hit => hit.word)].map(([word, hits]) => {
      const records = hits.flatMap(hit => passages.get(hit.passage_id) ?? [])
      return [
        word,
        byKind(
          records.map(record => ({ kind: record.entity_type, id: record.entity_id, name: record.name })),
        ),
      ]
    }),
  )
}

/** A record with a description has several passages, each of them with its name. */
export function byKind(records: readonly { kind: string; id: string; name: string }[]): Called[] {
  const unique = [...new Map(records.map(record => [record.id, record])).values()]
  return NAMED_KINDS.flatMap(kind => {
    const own = unique.filter(record => record.kind === kind)
    return own.length === 0
      ? []
      : [{ kind, ids: own.map(({ id }) => id), names: own.map(({ name }) => name) }]
  })
}
