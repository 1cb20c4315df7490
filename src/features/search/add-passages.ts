/** Inserts passages and their words into the index, and queues the passages for embedding. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { unscoped } from '../../kernel/statements.ts'
import { required } from '../../lib/values.ts'
import type { Passage } from './passages.ts'
import { hasTrigrams, trigramsOf } from './words.ts'

export interface NewPassage extends Passage {
  entityId: string
  priority: number
}

export async function addPassages(ctx: Ctx, entityType: string, added: readonly NewPassage[]): Promise<void> {
  const inserted = await query(
    ctx,
    sql<{ id: number; entity_id: string; part: number }>`
      insert into ${unscoped('search_passages')} as p
        (account_id, entity_type, entity_id, part, name, body, context, written, words, hash)
      select ${ctx.account}, ${entityType}, n.entity_id, n.part, n.name, n.body, n.context, n.written,
        array(select jsonb_array_elements_text(n.words)), n.hash
      from unnest(${added.map(p => p.entityId)}::uuid[], ${added.map(p => p.part)}::int[],
        ${added.map(p => p.name)}::text[], ${added.map(p => p.body)}::text[], ${added.map(p => p.context)}::text[],
        ${added.map(p => p.written)}::boolean[],
        ${added.map(p => JSON.stringify([...p.words.keys()]))}::jsonb[], ${added.map(p => p.hash)}::bytea[])
        n (entity_id, part, name, body, context, written, words, hash)
      returning p.id, p.entity_id, p.part`,
  )
  const idOf = new Map(inserted.map(row => [`${row.entity_id} ${row.part}`, row.id]))
  const id = (passage: NewPassage) => required(idOf, `${passage.entityId} ${passage.part}`)
  await addWords(
    ctx,
    entityType,
    added.map(passage => ({ id: id(passage), words: passage.words })),
  )
  await query(
    ctx,
    sql`insert into ${unscoped('search_queue')} (account_id, passage_id, priority)
      select ${ctx.account}, n.id, n.priority
      from unnest(${added.map(id)}::bigint[], ${added.map(p => p.priority)}::smallint[]) n (id, priority)`,
  )
}

async function addWords(
  ctx: Ctx,
  entityType: string,
  passages: readonly { id: number; words: Map<string, number> }[],
): Promise<void> {
  const postings = passages.flatMap(({ id, words }) =>
    [...words].map(([word, weight]) => ({ id, word, weight })),
  )
  const uses = new Map<string, number>()
  for (const { word } of postings) uses.set(word, (uses.get(word) ?? 0) + 1)
  await query(
    ctx,
    sql`insert into ${unscoped('search_words')} (account_id, word, passage_id, weight, entity_type)
      select ${ctx.account}, n.word, n.id, n.weight, ${entityType}
      from unnest(${postings.map(p => p.word)}::text[], ${postings.map(p => p.id)}::bigint[],
        ${postings.map(p => p.weight)}::smallint[]) n (word, id, weight)`,
  )
  const upserted = await query(
    ctx,
    sql<{
      word: string
      is_new: boolean
    }>`insert into ${unscoped('search_vocabulary')} as v (account_id, word, uses)
      select ${ctx.account}, n.word, n.uses from unnest(${[...uses.keys()]}::text[], ${[...uses.values()]}::int[]) n (word, uses)
      on conflict (account_id, word) do update set uses = v.uses + excluded.uses
      returning v.word, v.xmax = 0 as is_new`,
  )
  const trigrams = upserted
    .filter(({ word, is_new }) => is_new && hasTrigrams(word))
    .flatMap(({ word }) => trigramsOf(word).map(trigram => ({ word, trigram })))
  await query(
    ctx,
    sql`insert into ${unscoped('search_trigrams')} (account_id, trigram, word)
      select ${ctx.account}, n.trigram, n.word
      from unnest(${trigrams.map(t => t.trigram)}::text[], ${trigrams.map(t => t.word)}::text[]) n (trigram, word)
      on conflict do nothing`,
  )
}
