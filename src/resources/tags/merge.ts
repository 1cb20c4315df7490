/** What happens to tags when two of them, or two records with tags, become one. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { crud, lockRecords } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { asOperation } from '../../kernel/operation.ts'
import { checkMayWrite } from '../../kernel/reach.ts'
import { deleteRows, rows } from '../../kernel/statements.ts'
import { targets } from '../kinds.ts'
import { type Tag, type TaggedType, tag } from './record.ts'
import { addTags } from './taggings.ts'

const base = crud(tag)

/** Replaces the tag by the other one on all records, and moves it to the trash. */
export async function mergeTags(ctx: Ctx, id: string, intoId: string): Promise<Tag> {
  if (id === intoId)
    throw errors.invalidValue(['body', 'into_id'], 'a tag cannot be merged into itself', intoId)
  const { result } = await asOperation(ctx, 'merge', 'tags', async tx => {
    const locked = await lockRecords(tx, tag.table, [id, intoId])
    if (!locked.includes(id)) throw errors.notFound(tag.label)
    if (!locked.includes(intoId)) throw errors.referenceNotFound(['body', 'into_id'], tag.label, intoId)
    const taggings = await query(
      tx,
      sql<{ entity_type: TaggedType; entity_id: string }>`select g.entity_type, g.entity_id
        from ${rows(tx, 'taggings')} g where g.tag_id = ${id}`,
    )
    for (const [type, group] of Map.groupBy(taggings, ({ entity_type }) => entity_type)) {
      checkMayWrite(tx, [targets[type].table])
      await addTags(
        tx,
        type,
        group.map(({ entity_id }) => entity_id),
        [intoId],
      )
    }
    await deleteRows(tx, 'taggings', sql`r.tag_id = ${id}`)
    await base.remove(tx, [id])
    return { result: await base.get(tx, intoId), count: taggings.length }
  })
  return result
}

/**
 * Moves the tags of merged records to the one that remains. As new rows: an update would be in the journal, and so in
 * the events, of one of the two records alone.
 */
export async function moveTags(
  tx: Ctx,
  entityType: TaggedType,
  to: string,
  from: readonly string[],
): Promise<void> {
  const gone = await deleteRows(
    tx,
    'taggings',
    sql`r.entity_id = any(${from}::uuid[])`,
    sql<{ id: string; tag_id: string }>`r.id, r.tag_id`,
  )
  const inOrder = gone.toSorted((a, b) => a.id.localeCompare(b.id))
  const tagIds = inOrder.map(({ tag_id }) => tag_id)
  await addTags(tx, entityType, [to], tagIds)
}
