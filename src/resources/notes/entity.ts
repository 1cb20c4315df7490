/** The record that a note is on: named by type and id together, and always one of the note's ties. */
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { type Link, replaceLinks } from '../../kernel/links.ts'
import type { Item } from '../../kernel/resource.ts'
import { living } from '../../kernel/statements.ts'
import { type EntityType, entityTargets, linkFields } from './record.ts'

export interface Entity {
  entity_type: EntityType | null
  entity_id: string | null
}

export const noEntity: Entity = { entity_type: null, entity_id: null }

/** The entity that `input` asks for, given the present one; type and id come together, and the record exists. */
export async function wantedEntity(ctx: Ctx, input: Item, present: Entity): Promise<Entity> {
  const type: EntityType | null = input.entity_type === undefined ? present.entity_type : input.entity_type
  const id: string | null = input.entity_id === undefined ? present.entity_id : input.entity_id
  if (type === null && id === null) return noEntity
  if (id === null)
    throw errors.invalidValue(['body', 'entity_id'], 'entity_id is needed with entity_type', null)
  if (type === null)
    throw errors.invalidValue(['body', 'entity_type'], 'entity_type is needed with entity_id', null)
  const target = entityTargets[type]
  const found = await queryOne(
    ctx,
    sql`select t.id from ${living(ctx, target.table)} t where t.id = ${id} for key share`,
  )
  if (!found) throw errors.referenceNotFound(['body', 'entity_id'], target.label, id)
  return { entity_type: type, entity_id: id }
}

/**
 * The ties to write: those that were given, else those that were there without the entity that was left, and
 * the new entity in any case. A type whose ties stay as they are is left out.
 */
export function tiesWith(entity: Entity, input: Item, present: Item): Record<string, string[]> {
  const moved = entity.entity_id !== present.entity_id
  const ties: Record<string, string[]> = {}
  for (const [type, field] of Object.entries(linkFields)) {
    const isOn = entity.entity_type === type
    const wasOn = present.entity_type === type
    if (input[field] === undefined && !(moved && (isOn || wasOn))) continue
    const known: string[] = (present[field] ?? []).map((item: { id: string }) => item.id)
    const kept =
      input[field] === undefined
        ? known.filter(id => !(moved && wasOn && id === present.entity_id))
        : (input[field] ?? [])
    ties[field] = isOn && !kept.includes(entity.entity_id) ? [...kept, entity.entity_id] : kept
  }
  return ties
}

const activityLink: Link = {
  table: 'note_activities',
  own: 'note_id',
  other: 'activity_id',
  target: entityTargets.activity,
}

/** A note has no field for its activities, only an entity; the tie puts the note into the activity's timeline. */
export function tieToActivity(tx: Ctx, noteId: string, { entity_type, entity_id }: Entity): Promise<void> {
  const ids = entity_type === 'activity' ? [entity_id!] : []
  return replaceLinks(tx, activityLink, noteId, ids, () => ['body', 'entity_id'])
}
