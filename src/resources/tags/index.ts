import { sql } from 'kysely'
import { isUniqueViolation } from '../../db/sqlstate.ts'
import { type Ctx, query, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { MAX_BULK } from '../../kernel/general-endpoints.ts'
import type { Operations, Resource } from '../../kernel/resource.ts'
import { boolean, int, list, object, oneOf, uuid, withDefault } from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import { referenceItem } from '../shared/fields.ts'
import { mergeTags } from './merge.ts'
import { MAX_TAGS, TAGGED_TYPES, type Tag, type TagInput, tag } from './record.ts'
import { assignTags, setTags, tagsOf } from './taggings.ts'

const base = crud(tag)

const nameTaken = (name: string | undefined) => (error: unknown) => {
  if (!isUniqueViolation(error, 'tags_name')) throw error
  throw errors.conflict(`There is a tag called "${name}" already`)
}

function restore(ctx: Ctx, ids: readonly string[]): Promise<number> {
  return transaction(ctx, async tx => {
    const [clash] = await query(
      tx,
      sql<{ id: string; name: string }>`select o.id, o.name from ${rows(tx, 'tags')} r
        join ${living(tx, 'tags')} o on o.name_key = r.name_key
        where r.id = any(${ids}::uuid[]) and r.deleted_at is not null limit 1`,
    )
    if (clash) throw errors.conflict(`The tag ${clash.id} is called "${clash.name}" now`)
    return base.restore(tx, ids)
  })
}

const operations: Operations<TagInput, Tag> = {
  ...base,
  create: (ctx, input) => base.create(ctx, input).catch(nameTaken(input.name)),
  update: (ctx, id, input) => base.update(ctx, id, input).catch(nameTaken(input.name)),
  restore,
}

const recordTags = {
  path: '/api/tags/records/{entity_type}/{entity_id}',
  tag: 'Tags',
  params: object({ entity_type: oneOf(TAGGED_TYPES), entity_id: uuid() }),
  response: object(
    { entity_type: oneOf(TAGGED_TYPES), entity_id: uuid(), tag_ids: list(referenceItem) },
    { title: 'RecordTags' },
  ),
}

const endpoints = [
  endpoint({
    ...recordTags,
    method: 'GET',
    permission: 'tags:read',
    summary: 'List the tags of a record',
    description: 'By name. Also needs the scope to read the record, such as `companies:read`.',
    run: (ctx, { params }) => tagsOf(ctx, params),
  }),
  endpoint({
    ...recordTags,
    method: 'PUT',
    permission: 'tags:write',
    summary: 'Replace the tags of a record',
    description:
      'Tags of the record that are in the trash remain, hidden until they are restored. Also needs the scope to write the record, such as `companies:write`.',
    body: object({ tag_ids: list(uuid(), { max: MAX_TAGS }) }),
    run: (ctx, { params, body }) => setTags(ctx, params, body.tag_ids),
  }),
  endpoint({
    method: 'POST',
    path: '/api/tags/bulk-assign',
    tag: 'Tags',
    permission: 'tags:write',
    showsNoRecord: true,
    summary: 'Add tags to many records or remove them',
    description:
      '`changed` is the number of tags added to or removed from records; the operation can be undone by `operation_id`.',
    body: object({
      tag_ids: list(uuid(), { min: 1, max: MAX_TAGS }),
      entity_type: oneOf(TAGGED_TYPES),
      entity_ids: list(uuid(), { max: MAX_BULK }),
      remove: withDefault(boolean({ description: 'true removes the tags' }), false),
    }),
    response: object({ changed: int({ min: 0 }), operation_id: uuid() }, { title: 'TagAssignment' }),
    run: (ctx, { body }) => assignTags(ctx, body),
  }),
  endpoint({
    method: 'POST',
    path: '/api/tags/{tag_id}/merge',
    tag: 'Tags',
    permission: 'tags:write',
    summary: 'Merge a tag into another',
    description: 'Records with the tag get the other one instead; the tag is moved to the trash.',
    body: object({ into_id: uuid({ description: 'The tag that remains' }) }),
    response: tag.output,
    run: (ctx, { params, body }) => mergeTags(ctx, params.tag_id, body.into_id),
  }),
]

export const tags: Resource<TagInput, Tag> = {
  name: 'tags',
  idParam: 'tag_id',
  tag: 'Tags',
  record: base.record,
  operations,
  endpoints,
}
