import { type Ctx, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import type { Operations, Resource, Stamps } from '../../kernel/resource.ts'
import { subLists } from '../shared/sub-lists.ts'
import { entityOf, hasNoField, linkEntity, noEntity, tiesWith, wantedEntity } from './entity.ts'
import { ENTITY_TYPES, type Note, type NoteInput, note } from './record.ts'

const base = crud(note)

function create(ctx: Ctx, input: NoteInput, writing: { set?: Stamps } = {}): Promise<Note> {
  return transaction(ctx, async tx => {
    const entity = await wantedEntity(tx, input, noEntity)
    const note = { ...input, ...entity, ...tiesWith(entity, input, noEntity) }
    const item = await base.create(tx, note, { set: { ...writing.set, user_id: tx.user } })
    if (hasNoField(entity)) await linkEntity(tx, item.id, entity)
    return item
  })
}

const AFFECTS_TIES = ['entity_type', 'entity_id', 'company_ids', 'contact_ids', 'deal_ids'] as const

function update(ctx: Ctx, id: string, input: Partial<NoteInput>): Promise<Note> {
  if (AFFECTS_TIES.every(name => input[name] === undefined)) return base.update(ctx, id, input)
  return transaction(ctx, async tx => {
    const shown = await base.locked(tx, id)
    const present = { ...shown, ...entityOf(shown) }
    const entity = await wantedEntity(tx, input, present)
    const { entity_type: _type, entity_id: _id, ...rest } = input
    // An entity in the trash is hidden: a note that is sent back without it keeps it.
    const moved = entity.entity_id !== present.entity_id
    if (moved && (hasNoField(entity) || hasNoField(present))) await linkEntity(tx, id, entity)
    return base.update(tx, id, { ...rest, ...(moved ? entity : {}), ...tiesWith(entity, input, present) })
  })
}

const operations: Operations<NoteInput, Note> = {
  ...base,
  create,
  update,
  updateMany: base.updatingMany(AFFECTS_TIES),
}

const resource: Resource<NoteInput, Note> = {
  name: 'notes',
  idParam: 'note_id',
  tag: 'Notes',
  record: base.record,
  operations,
}

export const notes: Resource<NoteInput, Note> = {
  ...resource,
  endpoints: subLists(resource, ENTITY_TYPES),
}
