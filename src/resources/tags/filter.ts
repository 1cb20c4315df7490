import { sql } from 'kysely'
import { fold } from '../../kernel/fold.ts'
import type { Filter } from '../../kernel/resource.ts'
import { text } from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `tag=<name or id>`: the records with the tag. */
export const tagFilter: Filter<string> = {
  schema: text({ max: 100, trim: true, description: 'A tag’s name or id' }),
  // the tag is looked up once, so that its records are read by the index
  where: (ctx, value) => sql`r.id in (
    select g.entity_id from ${rows(ctx, 'taggings')} g where g.tag_id = any(array(
      select t.id from ${living(ctx, 'tags')} t
      where ${ID.test(value) ? sql`t.id = ${value}::uuid` : sql`t.name_key = ${fold(value)}`})))`,
}

export const howToTag = (entityType: string): string =>
  `The body has no tags: put them on the new record with \`PUT /api/tags/records/${entityType}/{entity_id}\`, or on many records with \`POST /api/tags/bulk-assign\`.`
