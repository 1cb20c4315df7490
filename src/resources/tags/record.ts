/** A tag: a label that can be put on records of any kind. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import type { RecordType } from '../../kernel/resource.ts'
import { int, object, text } from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import { account, base, shortText, targets } from '../shared/fields.ts'

export const TAGGED_TYPES = ['company', 'contact', 'deal', 'activity', 'note'] as const
export type TaggedType = (typeof TAGGED_TYPES)[number]

const input = object(
  { name: text({ min: 1, max: 100, description: 'Unique whatever its case' }), color: shortText() },
  { title: 'TagCreate' },
)

/** Records in the trash keep their tags, but are not counted. */
const usageCount = (ctx: Ctx): RawBuilder<unknown> => {
  const counts = TAGGED_TYPES.map(
    type => sql`(select count(*) from ${rows(ctx, 'taggings')} g
      join ${living(ctx, targets[type].table)} t on t.id = g.entity_id
      where g.tag_id = r.id and g.entity_type = ${sql.lit(type)})`,
  )
  return sql`(${sql.join(counts, sql` + `)})`
}

export const tag: RecordType = {
  table: 'tags',
  label: 'Tag',
  input,
  output: object(
    {
      ...base,
      ...input.fields,
      usage_count: int({ min: 0, description: 'How many records carry it' }),
      ...account,
    },
    { title: 'Tag' },
  ),
  computed: { usage_count: usageCount },
  search: 'text',
}
