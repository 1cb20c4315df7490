/** The record that a note is on: given by type and id together, and always one of the note's links. */
import type { Ctx } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { existingIds, replaceLinks } from '../../kernel/links.ts'
import type { Write } from '../../kernel/rules.ts'
import { targets } from '../kinds.ts'
import { ENTITY_TYPES, type EntityType, LINK_FIELDS, linkTo, type NoteInput } from './record.ts'

export interface Entity {
  entity_type: EntityType | null
  entity_id: string | null
}

export const noEntity: Entity = { entity_type: null, entity_id: null }

/** The entity after the change, from the input and the current one. */
function entityAfter(values: Partial<Entity>, present: Entity): Entity {
  const entity_type = values.entity_type === undefined ? present.entity_type : values.entity_type
  const entity_id = values.entity_id === undefined ? present.entity_id : values.entity_id
  return { entity_type, entity_id }
}

type NoteWrite = Write<NoteInput, Entity & NoteLinks>

/** Returns the check of one note's entity: type and id come together, and the record exists. */
export async function entityCheck(
  tx: Ctx,
  writes: readonly NoteWrite[],
): Promise<(values: Partial<Entity>, present: Entity) => Entity> {
  const all = writes.map(({ values, before = noEntity }) => entityAfter(values, before))
  const existing = new Set<string>()
  for (const type of ENTITY_TYPES) {
    const ids = all.flatMap(({ entity_type, entity_id }) => (entity_type === type ? (entity_id ?? []) : []))
    for (const id of await existingIds(tx, targets[type], ids)) existing.add(`${type} ${id}`)
  }
  return (values, present) => {
    const { entity_type, entity_id } = entityAfter(values, present)
    if (entity_type === null && entity_id === null) return noEntity
    if (entity_id === null)
      throw errors.invalidValue(['body', 'entity_id'], 'entity_id is needed with entity_type', null)
    if (entity_type === null)
      throw errors.invalidValue(['body', 'entity_type'], 'entity_type is needed with entity_id', null)
    if (!existing.has(`${entity_type} ${entity_id}`))
      throw errors.referenceNotFound(['body', 'entity_id'], targets[entity_type].label, entity_id)
    return { entity_type, entity_id }
  }
}

type LinkField = (typeof LINK_FIELDS)[number]['field']

/** The ids of the records that a note is linked to. */
export type NoteLinks = { [Field in LinkField]: string[] }

/**
 * The links to write: those in the input, else the existing ones without the previous entity; in any case the new
 * entity. A kind whose links do not change is left out.
 */
export function linksWith(
  entity: Entity,
  input: Pick<NoteInput, LinkField>,
  present: Entity & Partial<NoteLinks>,
): Pick<NoteInput, LinkField> {
  const moved = entity.entity_id !== present.entity_id
  const linkFields: Pick<NoteInput, LinkField> = {}
  for (const { type, field } of LINK_FIELDS) {
    const isOn = entity.entity_type === type
    const wasOn = present.entity_type === type
    if (input[field] === undefined && !(moved && (isOn || wasOn))) continue
    const linked = present[field] ?? []
    const staying =
      input[field] === undefined
        ? linked.filter(id => !(moved && wasOn && id === present.entity_id))
        : (input[field] ?? [])
    const joining = isOn ? entity.entity_id : null
    linkFields[field] = joining === null || staying.includes(joining) ? staying : [...staying, joining]
  }
  return linkFields
}

const WITHOUT_FIELD: readonly EntityType[] = ENTITY_TYPES.filter(
  type => !LINK_FIELDS.some(field => field.type === type),
)

/** Whether the entity is of a kind for which notes have no field with links. */
const hasNoField = ({ entity_type }: Entity): boolean =>
  entity_type !== null && WITHOUT_FIELD.includes(entity_type)

/** Links notes to an entity of such a kind, so that its timeline shows them, and unlinks the previous entity. */
export async function linkEntities(tx: Ctx, writes: readonly NoteWrite[]): Promise<boolean> {
  const moved = writes.flatMap(({ id, isNew, values, before = noEntity }) => {
    const entity = entityAfter(values, noEntity)
    const isMoved = values.entity_id !== undefined && (hasNoField(entity) || hasNoField(before))
    return isMoved ? [{ own: id, isNew, ...entity }] : []
  })
  if (moved.length === 0) return false
  for (const type of WITHOUT_FIELD) {
    const linked = moved.map(({ own, isNew, entity_type, entity_id }) => ({
      ...{ own, isNew, ids: entity_type === type && entity_id !== null ? [entity_id] : [] },
    }))
    await replaceLinks(tx, linkTo(type), linked)
  }
  return true
}
