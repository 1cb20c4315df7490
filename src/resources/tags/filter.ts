import { sql } from 'kysely'
import type { Filter } from '../../kernel/resource.ts'
import { text } from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `tag=<name or id>`: the records that carry the tag. */
export const tagFilter: Filter = {
  schema: text({ max: 100, description: 'A tag’s name or id' }),
  where: (ctx, value: string) => sql`r.id in (
    select g.entity_id from ${living(ctx, 'tags')} t join ${rows(ctx, 'taggings')} g on g.tag_id = t.id
    where ${ID.test(value) ? sql`t.id = ${value}::uuid` : sql`t.name_key = fold(${value})`})`,
}
