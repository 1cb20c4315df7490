import { sql } from 'kysely'
import { setCrud } from '../../kernel/crud.ts'
import { linkedIds } from '../../kernel/links.ts'
import type { SetResource } from '../../kernel/resource.ts'
import { eachWrite } from '../../kernel/rules.ts'
import { subLists } from '../shared/sub-lists.ts'
import { type Entity, entityCheck, linkEntities, linksWith, type NoteLinks, noEntity } from './entity.ts'
import { ENTITY_TYPES, LINK_FIELDS, linkTo, type Note, type NoteInput, note, shownEntity } from './record.ts'

const operations = setCrud(note, {
  author: 'user_id',
  isOneInsert: input => input.entity_type == null && input.entity_id == null,
  dependent: ['entity_type', 'entity_id', ...LINK_FIELDS.map(({ field }) => field)],
  before: ctx =>
    sql<
      Entity & NoteLinks
    >`${shownEntity.entity_type(ctx)} as entity_type, ${shownEntity.entity_id(ctx)} as entity_id,
      ${sql.join(LINK_FIELDS.map(({ type, field }) => sql`${linkedIds(ctx, linkTo(type))} as ${sql.ref(field)}`))}`,
  async prepare(tx, writes) {
    const checked = await entityCheck(tx, writes)
    eachWrite(writes, write => {
      const { values, before = noEntity } = write
      const entity = checked(values, before)
      const { entity_type: _type, entity_id: _id, ...rest } = values
      // An entity in the trash is hidden, so a note that is sent back without it remains linked to it.
      const isMoved = entity.entity_id !== before.entity_id
      write.values = { ...rest, ...(isMoved ? entity : {}), ...linksWith(entity, values, before) }
    })
  },
  finish: linkEntities,
})

const resource: SetResource<NoteInput, Note> = {
  name: 'notes',
  idParam: 'note_id',
  tag: 'Notes',
  record: operations.record,
  operations,
}

export const notes: SetResource<NoteInput, Note> = {
  ...resource,
  endpoints: subLists(resource, ENTITY_TYPES),
}
