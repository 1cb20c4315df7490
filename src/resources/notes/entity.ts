/** The record that a note is on: given by type and id together, and always one of the note's links. */
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { replaceLinks } from '../../kernel/links.ts'
import { living } from '../../kernel/statements.ts'
import { targets } from '../kinds.ts'
import { ENTITY_TYPES, type EntityType, LINK_FIELDS, linkTo, type Note, type NoteInput } from './record.ts'

export interface Entity {
  entity_type: EntityType | null
  entity_id: string | null
}

export const noEntity: Entity = { entity_type: null, entity_id: null }

export const entityOf = ({ entity_type, entity_id }: Pick<Note, 'entity_type' | 'entity_id'>): Entity => ({
  entity_type: entity_type ?? null,
  entity_id: entity_id ?? null,
})

/** The entity that `input` asks for, given the present one; type and id come together, and the record exists. */
export async function wantedEntity(
  ctx: Ctx,
  input: Pick<NoteInput, 'entity_type' | 'entity_id'>,
  present: Entity,
): Promise<Entity> {
  const type = input.entity_type === undefined ? present.entity_type : input.entity_type
  const id = input.entity_id === undefined ? present.entity_id : input.entity_id
  if (type === null && id === null) return noEntity
  if (id === null)
    throw errors.invalidValue(['body', 'entity_id'], 'entity_id is needed with entity_type', null)
  if (type === null)
    throw errors.invalidValue(['body', 'entity_type'], 'entity_type is needed with entity_id', null)
  const target = targets[type]
  const found = await queryOne(
    ctx,
    sql`select t.id from ${living(ctx, target.table)} t where t.id = ${id} for key share`,
  )
  if (!found) throw errors.referenceNotFound(['body', 'entity_id'], target.label, id)
  return { entity_type: type, entity_id: id }
}

type LinkField = (typeof LINK_FIELDS)[number]['field']

/**
 * The links to write: those that were given, else those that were there without the entity that was left, and
 * the new entity in any case. A type whose links stay as they are is left out.
 */
export function tiesWith(
  entity: Entity,
  input: Pick<NoteInput, LinkField>,
  present: Entity & Partial<Pick<Note, LinkField>>,
): Pick<NoteInput, LinkField> {
  const moved = entity.entity_id !== present.entity_id
  const ties: Pick<NoteInput, LinkField> = {}
  for (const { type, field } of LINK_FIELDS) {
    const isOn = entity.entity_type === type
    const wasOn = present.entity_type === type
    if (input[field] === undefined && !(moved && (isOn || wasOn))) continue
    const linked = (present[field] ?? []).map(item => item.id)
    const staying =
      input[field] === undefined
        ? linked.filter(id => !(moved && wasOn && id === present.entity_id))
        : (input[field] ?? [])
    const joining = isOn ? entity.entity_id : null
    ties[field] = joining === null || staying.includes(joining) ? staying : [...staying, joining]
  }
  return ties
}

const WITHOUT_FIELD: readonly EntityType[] = ENTITY_TYPES.filter(
  type => !LINK_FIELDS.some(field => field.type === type),
)

/** Is the entity of a kind for which a note has no field that lists its links? */
export const hasNoField = ({ entity_type }: Entity): boolean =>
  entity_type !== null && WITHOUT_FIELD.includes(entity_type)

/** Links the note to an entity of such a kind, which puts it into the entity's timeline, and unlinks all others. */
export async function linkEntity(tx: Ctx, noteId: string, { entity_type, entity_id }: Entity): Promise<void> {
  for (const type of WITHOUT_FIELD) {
    const ids = entity_type === type && entity_id !== null ? [entity_id] : []
    await replaceLinks(tx, linkTo(type), noteId, ids, () => ['body', 'entity_id'])
  }
}
