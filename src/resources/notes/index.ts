import { type Ctx, transaction } from '../../kernel/context.ts'
import { crud, lockRecords } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import type { Item, Operations, Resource } from '../../kernel/resource.ts'
import { subLists } from '../shared/sub-lists.ts'
import { noEntity, tiesWith, tieToActivity, wantedEntity } from './entity.ts'
import { note } from './record.ts'

const base = crud(note)

function create(ctx: Ctx, input: Item): Promise<Item> {
  return transaction(ctx, async tx => {
    const entity = await wantedEntity(tx, input, noEntity)
    const made = { ...input, ...entity, ...tiesWith(entity, input, noEntity), user_id: tx.user }
    const item = await base.create(tx, made)
    if (entity.entity_type === 'activity') await tieToActivity(tx, item.id, entity)
    return item
  })
}

const AFFECTS_TIES = ['entity_type', 'entity_id', 'company_ids', 'contact_ids', 'deal_ids']

function update(ctx: Ctx, id: string, input: Item): Promise<Item> {
  if (AFFECTS_TIES.every(name => input[name] === undefined)) return base.update(ctx, id, input)
  return transaction(ctx, async tx => {
    if ((await lockRecords(tx, 'notes', [id])).length === 0) throw errors.notFound('Note')
    const present = (await base.get(tx, id)) as Item & typeof noEntity
    const entity = await wantedEntity(tx, input, present)
    const { entity_type: _type, entity_id: _id, ...rest } = input
    // An entity in the trash is hidden, not gone: a note that shows none and is given none keeps it.
    const moved = entity.entity_id !== present.entity_id
    if (moved) await tieToActivity(tx, id, entity)
    return base.update(tx, id, { ...rest, ...(moved ? entity : {}), ...tiesWith(entity, input, present) })
  })
}

const operations: Operations = {
  ...base,
  create,
  update,
  updateMany: base.updatingMany(AFFECTS_TIES),
}

const resource: Resource = {
  name: 'notes',
  idParam: 'note_id',
  tag: 'Notes',
  record: base.record,
  operations,
}

export const notes: Resource = { ...resource, endpoints: subLists(resource, ['contact', 'company', 'deal']) }
