/** Tags on records. A tag or record in the trash keeps its links, hidden until it is restored. */
import { sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { type Ctx, query, queryOne, transaction } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { fold } from '../../kernel/fold.ts'
import { newId } from '../../kernel/ids.ts'
import { checkReferences, type Link, type Target } from '../../kernel/links.ts'
import { asOperation } from '../../kernel/operation.ts'
import { checkMayRead, checkMayWrite } from '../../kernel/reach.ts'
import { deleteRows, insertRows, living, rows } from '../../kernel/statements.ts'
import { required } from '../../lib/values.ts'
import { targets } from '../kinds.ts'
import type { TaggedType } from './record.ts'

const tagTarget: Target = { table: 'tags', label: 'Tag', name: 'name' }
/** From a record of any kind to its tags, in the order in which they were added. */
export const tagLink: Link = {
  table: 'taggings',
  own: 'entity_id',
  other: 'tag_id',
  target: tagTarget,
  order: 'id',
}

export interface RecordId {
  entity_type: TaggedType
  entity_id: string
}

async function mustExist(ctx: Ctx, { entity_type, entity_id }: RecordId, lock = sql``): Promise<void> {
  const { table, label } = targets[entity_type]
  const record = await queryOne(
    ctx,
    sql`select t.id from ${living(ctx, table)} t where t.id = ${entity_id} ${lock}`,
  )
  if (!record) throw errors.notFound(label)
}

interface RecordTags extends RecordId {
  tag_ids: { id: string; name: string }[]
}

export async function tagsOf(ctx: Ctx, record: RecordId): Promise<RecordTags> {
  checkMayRead(ctx, targets[record.entity_type].table)
  await mustExist(ctx, record)
  return recordTags(ctx, record)
}

async function recordTags(ctx: Ctx, record: RecordId): Promise<RecordTags> {
  const tag_ids = await query(
    ctx,
    sql<
      Pick<Tables['tags'], 'id' | 'name'>
    >`select t.id, t.name from ${rows(ctx, 'taggings')} g join ${living(ctx, 'tags')} t on t.id = g.tag_id
      where g.entity_id = ${record.entity_id} order by t.name_key, t.id`,
  )
  return { ...record, tag_ids }
}

/** Makes these the record's tags. */
export function setTags(ctx: Ctx, record: RecordId, tagIds: readonly string[]): Promise<RecordTags> {
  checkMayWrite(ctx, [targets[record.entity_type].table])
  return transaction(ctx, async tx => {
    // one at a time: two concurrent replacements must not result in both sets
    await mustExist(tx, record, sql`for no key update`)
    await checkReferences(tx, tagTarget, tagIds, i => ['body', 'tag_ids', i])
    await deleteRows(
      tx,
      'taggings',
      sql`r.entity_id = ${record.entity_id} and r.tag_id <> all(${tagIds}::uuid[])
        and r.tag_id in (select t.id from ${living(tx, 'tags')} t)`,
    )
    await addTags(tx, record.entity_type, [record.entity_id], tagIds)
    return recordTags(tx, record)
  })
}

export async function addTags(
  tx: Ctx,
  entity_type: TaggedType,
  entityIds: readonly string[],
  tagIds: readonly string[],
): Promise<number> {
  const pairs = [...new Set(entityIds)].flatMap(entity_id =>
    [...new Set(tagIds)].map(tag_id => ({ entity_id, tag_id })),
  )
  return (await insertPairs(tx, entity_type, pairs)).length
}

/** Returns the records that got a tag, once for each tag that they did not have. */
async function insertPairs(
  tx: Ctx,
  entity_type: TaggedType,
  pairs: readonly { entity_id: string; tag_id: string }[],
): Promise<string[]> {
  // a statement has at most 65,535 values
  const ROWS = 5000
  const tagged: string[] = []
  for (let from = 0; from < pairs.length; from += ROWS) {
    const some = pairs
      .slice(from, from + ROWS)
      .map(pair => ({ id: newId(), entity_type, ...pair, created_by: tx.user }))
    const created = await insertRows<'taggings', { entity_id: string }>(tx, 'taggings', some, {
      onConflict: sql`(account_id, entity_id, tag_id) do nothing`,
      returning: sql`r.entity_id`,
    })
    tagged.push(...created.map(({ entity_id }) => entity_id))
  }
  return tagged
}

/** The ids of the tags with these names, by the form in which names are compared. */
export async function tagsNamed(ctx: Ctx, names: readonly string[]): Promise<Map<string, string>> {
  const keys = [...new Set(names.map(fold))]
  if (keys.length === 0) return new Map()
  const tags = await query(
    ctx,
    sql<{ id: string; name_key: string }>`select t.id, t.name_key from ${living(ctx, 'tags')} t
      where t.name_key = any(${keys}::text[])`,
  )
  return new Map(tags.map(({ id, name_key }) => [name_key, id]))
}

/** Adds tags by name to records, and creates the tags that are missing. Returns the records that got a new tag. */
export async function addTagsNamed(
  tx: Ctx,
  entity_type: TaggedType,
  records: readonly { id: string; tags: readonly string[] }[],
): Promise<Set<string>> {
  const names = new Map<string, string>()
  // of several spellings, the first one counts
  for (const name of records.flatMap(({ tags }) => tags)) {
    if (!names.has(fold(name))) names.set(fold(name), name)
  }
  const existing = await tagsNamed(tx, [...names.values()])
  const missing = [...names].filter(([key]) => !existing.has(key))
  if (missing.length > 0) {
    await insertRows(
      tx,
      'tags',
      missing.map(([, name]) => ({ id: newId(), name })),
      { onConflict: sql`do nothing` },
    )
    // Also those that another transaction has created meanwhile.
    for (const [key, id] of await tagsNamed(
      tx,
      missing.map(([, name]) => name),
    ))
      existing.set(key, id)
  }
  const pairs = records.flatMap(({ id, tags }) =>
    [...new Set(tags.map(fold))].map(key => ({ entity_id: id, tag_id: required(existing, key) })),
  )
  return new Set(await insertPairs(tx, entity_type, pairs))
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
  input: Assignment,
): Promise<{ changed: number; operation_id: string }> {
  const { tag_ids, entity_type, entity_ids } = input
  checkMayWrite(ctx, [targets[entity_type].table])
  const { operationId, result } = await asOperation(ctx, 'bulk_update', entity_type, async tx => {
    await checkReferences(tx, tagTarget, tag_ids, i => ['body', 'tag_ids', i])
    await checkReferences(tx, targets[entity_type], entity_ids, i => ['body', 'entity_ids', i])
    const changed = input.remove
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
