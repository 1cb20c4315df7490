/** From records that are out of date to their passages and words. */
import { sql } from 'kysely'
import type { Db } from '../../db/engine.ts'
import { type Ctx, query, type Services } from '../../kernel/context.ts'
import { deleteRows, living, rows } from '../../kernel/statements.ts'
import { definitionsOf } from '../../resources/custom-fields/definition.ts'
import { accountCtx } from './feed.ts'
import { type Passage, passagesOf } from './passages.ts'
import { type Source, sourceOf } from './sources.ts'
import { hasTrigrams, trigramsOf } from './words.ts'

interface Dirty {
  account_id: string
  entity_type: string
  entity_id: string
  priority: number
}

interface Kept {
  id: number
  entity_id: string
  part: number
  hash: Buffer
}

interface NewPassage extends Passage {
  entityId: string
  priority: number
}

/** Brings the passages of the next few records up to date. Returns how many records that were. */
export async function indexSome(services: Services, tx: Db, count: number): Promise<number> {
  const dirty = await query(
    { db: tx },
    sql<Dirty>`delete from ${sql.table('search_dirty')} d using (
        select n.account_id, n.entity_id from ${sql.table('search_dirty')} n order by n.priority, n.seq limit ${count}
      ) next where d.account_id = next.account_id and d.entity_id = next.entity_id
      returning d.account_id, d.entity_type, d.entity_id, d.priority`,
  )
  for (const some of Map.groupBy(dirty, row => `${row.account_id} ${row.entity_type}`).values()) {
    const { account_id, entity_type } = some[0]!
    const source = sourceOf(entity_type)
    if (source) await indexRecords(accountCtx(services, tx, account_id), source, some)
  }
  return dirty.length
}

async function indexRecords(ctx: Ctx, source: Source, dirty: readonly Dirty[]): Promise<void> {
  const ids = dirty.map(row => row.entity_id)
  const wanted = new Map(
    (await readRecords(ctx, source, ids)).map(record => [record.id, passagesOf(record.text)]),
  )
  const kept = await query(
    ctx,
    sql<Kept>`select p.id, p.entity_id, p.part, p.hash from ${rows(ctx, 'search_passages')} p
      where p.entity_id = any(${ids}::uuid[])`,
  )
  const anew = new Set(dirty.filter(row => row.priority === 2).map(row => row.entity_id))
  const same = (old: Kept, passage: Passage | undefined) =>
    passage !== undefined && !anew.has(old.entity_id) && old.hash.equals(passage.hash)
  const stays = new Set<string>()
  const gone: number[] = []
  for (const old of kept) {
    if (same(old, wanted.get(old.entity_id)?.[old.part])) stays.add(`${old.entity_id} ${old.part}`)
    else gone.push(old.id)
  }
  if (gone.length > 0) await query(ctx, sql`select search_take_out(${ctx.account}, ${gone}::bigint[])`)
  const added = dirty.flatMap(({ entity_id, priority }) =>
    (wanted.get(entity_id) ?? [])
      .filter(passage => !stays.has(`${entity_id} ${passage.part}`))
      .map(passage => ({ ...passage, entityId: entity_id, priority: Math.min(priority, 1) })),
  )
  if (added.length > 0) await addPassages(ctx, source.entityType, added)
}

async function readRecords(ctx: Ctx, source: Source, ids: readonly string[]) {
  const found = await query(
    ctx,
    sql<Record<string, unknown>>`select r.id, ${source.select(ctx)}, to_jsonb(r) -> 'metadata' as metadata,
        (select coalesce(json_agg(t.name), '[]') from ${rows(ctx, 'taggings')} g
          join ${living(ctx, 'tags')} t on t.id = g.tag_id where g.entity_id = r.id) as tags
      from ${living(ctx, source.table)} r
      where r.id = any(${ids}::uuid[]) ${source.lives ? sql`and ${source.lives(ctx)}` : sql``}`,
  )
  const labels = new Map((await definitionsOf(ctx, source.entityType)).map(field => [field.key, field]))
  return found.map(row => {
    const text = source.text(row)
    return {
      id: row.id as string,
      text: { ...text, facts: [...text.facts, ...customFacts(row.metadata, labels)] },
    }
  })
}

type Labels = Map<string, { name: string; options: unknown; is_archived: boolean }>

/** The values of custom fields, under the names that people know them by. */
function customFacts(metadata: unknown, labels: Labels): string[] {
  if (typeof metadata !== 'object' || metadata === null) return []
  return Object.entries(metadata)
    .slice(0, 50)
    .flatMap(([key, value]) => {
      const field = labels.get(key)
      const shown = (Array.isArray(value) ? value : [value])
        .filter(part => ['string', 'number', 'boolean'].includes(typeof part) && part !== '')
        .map(part => optionLabel(field?.options, part).slice(0, 300))
      return shown.length === 0 ? [] : [`${field?.name ?? key.replace(/[_-]+/g, ' ')}: ${shown.join(', ')}`]
    })
}

function optionLabel(options: unknown, value: unknown): string {
  const option = Array.isArray(options) ? options.find(one => one?.value === value) : undefined
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(option?.label ?? value)
}

async function addPassages(ctx: Ctx, entityType: string, added: readonly NewPassage[]): Promise<void> {
  const made = await query(
    ctx,
    sql<{ id: number; entity_id: string; part: number }>`
      insert into ${sql.table('search_passages')} as p
        (account_id, entity_type, entity_id, part, name, body, context, words, hash)
      select ${ctx.account}, ${entityType}, n.entity_id, n.part, n.name, n.body, n.context,
        array(select jsonb_array_elements_text(n.words)), n.hash
      from unnest(${added.map(p => p.entityId)}::uuid[], ${added.map(p => p.part)}::int[],
        ${added.map(p => p.name)}::text[], ${added.map(p => p.body)}::text[], ${added.map(p => p.context)}::text[],
        ${added.map(p => JSON.stringify([...p.words.keys()]))}::jsonb[], ${added.map(p => p.hash)}::bytea[])
        n (entity_id, part, name, body, context, words, hash)
      returning p.id, p.entity_id, p.part`,
  )
  const idOf = new Map(made.map(row => [`${row.entity_id} ${row.part}`, row.id]))
  const id = (passage: NewPassage) => idOf.get(`${passage.entityId} ${passage.part}`)!
  await addWords(
    ctx,
    entityType,
    added.map(passage => ({ id: id(passage), words: passage.words })),
  )
  await query(
    ctx,
    sql`insert into ${sql.table('search_queue')} (account_id, passage_id, priority)
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
    sql`insert into ${sql.table('search_words')} (account_id, word, passage_id, weight, entity_type)
      select ${ctx.account}, n.word, n.id, n.weight, ${entityType}
      from unnest(${postings.map(p => p.word)}::text[], ${postings.map(p => p.id)}::bigint[],
        ${postings.map(p => p.weight)}::smallint[]) n (word, id, weight)`,
  )
  const known = await query(
    ctx,
    sql<{
      word: string
      is_new: boolean
    }>`insert into ${sql.table('search_vocabulary')} as v (account_id, word, uses)
      select ${ctx.account}, n.word, n.uses from unnest(${[...uses.keys()]}::text[], ${[...uses.values()]}::int[]) n (word, uses)
      on conflict (account_id, word) do update set uses = v.uses + excluded.uses
      returning v.word, v.xmax = 0 as is_new`,
  )
  const trigrams = known
    .filter(({ word, is_new }) => is_new && hasTrigrams(word))
    .flatMap(({ word }) => trigramsOf(word).map(trigram => ({ word, trigram })))
  await query(
    ctx,
    sql`insert into ${sql.table('search_trigrams')} (account_id, trigram, word)
      select ${ctx.account}, n.trigram, n.word
      from unnest(${trigrams.map(t => t.trigram)}::text[], ${trigrams.map(t => t.word)}::text[]) n (trigram, word)
      on conflict do nothing`,
  )
}

/** Queues the next records of an account that is to be indexed anew. Returns whether there was one. */
export async function reindexSome(services: Services, tx: Db, count: number): Promise<boolean> {
  const [next] = await query(
    { db: tx },
    sql<{ account_id: string; entity_type: string; after_id: string | null }>`
      select q.account_id, q.entity_type, q.after_id from ${sql.table('search_reindex')} q limit 1`,
  )
  if (!next) return false
  const ctx = accountCtx(services, tx, next.account_id)
  const source = sourceOf(next.entity_type)
  const found = source
    ? await query(
        ctx,
        sql<{ id: string }>`select r.id from ${living(ctx, source.table)} r
          where ${next.after_id}::uuid is null or r.id > ${next.after_id}::uuid order by r.id limit ${count}`,
      )
    : []
  const ids = found.map(row => row.id)
  await query(
    ctx,
    sql`insert into ${sql.table('search_dirty')} (account_id, entity_type, entity_id, priority)
      select ${ctx.account}, ${next.entity_type}, n.id, 2 from unnest(${ids}::uuid[]) n (id)
      on conflict (account_id, entity_id) do update set priority = 2`,
  )
  if (ids.length < count) await deleteRows(ctx, 'search_reindex', sql`r.entity_type = ${next.entity_type}`)
  else {
    await query(
      ctx,
      sql`update ${sql.table('search_reindex')} set after_id = ${ids.at(-1)}
        where account_id = ${ctx.account} and entity_type = ${next.entity_type}`,
    )
  }
  return true
}
