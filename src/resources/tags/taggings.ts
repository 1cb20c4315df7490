/** Tags on records. A tag or record in the trash keeps its links, hidden until it is restored. */
import { sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { type Ctx, query, queryOne, transaction } from '../../kernel/context.ts'
import { crud, lockRecords } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { checkReferences, type Target } from '../../kernel/links.ts'
import { asOperation } from '../../kernel/operation.ts'
import { checkMayRead, checkMayWrite } from '../../kernel/reach.ts'
import { deleteRows, insertRows, living, rows } from '../../kernel/statements.ts'
import { targets } from '../kinds.ts'
import { type Tag, type TaggedType, tag } from './record.ts'

const tagTarget: Target = { table: 'tags', label: 'Tag', name: 'name' }
const base = crud(tag)

export interface Place {
  entity_type: TaggedType
  entity_id: string
}

async function mustExist(ctx: Ctx, { entity_type, entity_id }: Place, lock = sql``): Promise<void> {
  const { table, label } = targets[entity_type]
  const found = await queryOne(
    ctx,
    sql`select t.id from ${living(ctx, table)} t where t.id = ${entity_id} ${lock}`,
  )
  if (!found) throw errors.notFound(label)
}

interface RecordTags extends Place {
  tag_ids: { id: string; name: string }[]
}

export async function tagsOf(ctx: Ctx, place: Place): Promise<RecordTags> {
  checkMayRead(ctx, targets[place.entity_type].table)
  await mustExist(ctx, place)
  return recordTags(ctx, place)
}

async function recordTags(ctx: Ctx, place: Place): Promise<RecordTags> {
  const tag_ids = await query(
    ctx,
    sql<
      Pick<Tables['tags'], 'id' | 'name'>
    >`select t.id, t.name from ${rows(ctx, 'taggings')} g join ${living(ctx, 'tags')} t on t.id = g.tag_id
      where g.entity_id = ${place.entity_id} order by t.name_key, t.id`,
  )
  return { ...place, tag_ids }
}

/** Makes these the record's tags. */
export function setTags(ctx: Ctx, place: Place, tagIds: readonly string[]): Promise<RecordTags> {
  checkMayWrite(ctx, [targets[place.entity_type].table])
  return transaction(ctx, async tx => {
    // one at a time: two concurrent replacements must not result in both sets
    await mustExist(tx, place, sql`for no key update`)
    await checkReferences(tx, tagTarget, tagIds, i => ['body', 'tag_ids', i])
    await deleteRows(
      tx,
      'taggings',
      sql`r.entity_id = ${place.entity_id} and r.tag_id <> all(${tagIds}::uuid[])
        and r.tag_id in (select t.id from ${living(tx, 'tags')} t)`,
    )
    await addTags(tx, place.entity_type, [place.entity_id], tagIds)
    return recordTags(tx, place)
  })
}

async function addTags(
  tx: Ctx,
  entity_type: TaggedType,
  entityIds: readonly string[],
  tagIds: readonly string[],
): Promise<number> {
  // a statement has room for 65,535 values
  const ROWS = 5000
  const pairs = [...new Set(entityIds)].flatMap(entity_id =>
    [...new Set(tagIds)].map(tag_id => ({
      id: newId(),
      entity_type,
      entity_id,
      tag_id,
      created_by: tx.user,
    })),
  )
  let added = 0
  for (let from = 0; from < pairs.length; from += ROWS) {
    const made = await insertRows(tx, 'taggings', pairs.slice(from, from + ROWS), {
      onConflict: sql`(account_id, entity_id, tag_id) do nothing`,
      returning: sql`r.id`,
    })
    added += made.length
  }
  return added
}

export interface Assignment {
  tag_ids: string[]
  entity_type: TaggedType
  entity_ids: string[]
  remove: boolean
}

/** Puts tags on many records, or takes them off, as one operation. */
export async function assignTags(
  ctx: Ctx,
  given: Assignment,
): Promise<{ changed: number; operation_id: string }> {
  const { tag_ids, entity_type, entity_ids } = given
  checkMayWrite(ctx, [targets[entity_type].table])
  const { operationId, result } = await asOperation(ctx, 'bulk_update', entity_type, async tx => {
    await checkReferences(tx, tagTarget, tag_ids, i => ['body', 'tag_ids', i])
    await checkReferences(tx, targets[entity_type], entity_ids, i => ['body', 'entity_ids', i])
    const changed = given.remove
      ? (
          await deleteRows(
            tx,
            'taggings',
            sql`r.entity_id = any(${entity_ids}::uuid[]) and r.tag_id = any(${tag_ids}::uuid[])`,
            sql`r.id`,
          )
        ).length
      : await addTags(tx, entity_type, entity_ids, tag_ids)
    return { result: changed, count: entity_ids.length }
  })
  return { changed: result, operation_id: operationId }
}

/** Replaces the tag by the other one on all records, and moves it to the trash. */
export async function mergeTags(ctx: Ctx, id: string, intoId: string): Promise<Tag> {
  if (id === intoId)
    throw errors.invalidValue(['body', 'into_id'], 'a tag cannot be merged into itself', intoId)
  const { result } = await asOperation(ctx, 'merge', 'tags', async tx => {
    const found = await lockRecords(tx, tag.table, [id, intoId])
    if (!found.includes(id)) throw errors.notFound(tag.label)
    if (!found.includes(intoId)) throw errors.referenceNotFound(['body', 'into_id'], tag.label, intoId)
    const tied = await query(
      tx,
      sql<{ entity_type: TaggedType; entity_id: string }>`select g.entity_type, g.entity_id
        from ${rows(tx, 'taggings')} g where g.tag_id = ${id}`,
    )
    for (const [type, ties] of Map.groupBy(tied, ({ entity_type }) => entity_type)) {
      checkMayWrite(tx, [targets[type].table])
      await addTags(
        tx,
        type,
        ties.map(({ entity_id }) => entity_id),
        [intoId],
      )
    }
    await deleteRows(tx, 'taggings', sql`r.tag_id = ${id}`)
    await base.remove(tx, [id])
    return { result: await base.get(tx, intoId), count: tied.length }
  })
  return result
}
