/** A tag: a label that can be put on records of any kind. */
import { sql } from 'kysely'
import { defineRecord } from '../../kernel/resource.ts'
import { type Infer, object } from '../../kernel/schema/index.ts'
import { type KindWith, kindsWith } from '../kinds.ts'
import { account, base, labelName, shortText, usageCount, usesOf } from '../shared/fields.ts'

export const TAGGED_TYPES = kindsWith('taggable')
export type TaggedType = KindWith<'taggable'>

/** The maximum of tags that a request or a row puts on a record. */
export const MAX_TAGS = 100
export const MAX_TAG_NAME = 100

const input = object(
  { name: labelName({ max: MAX_TAG_NAME, description: 'Unique, ignoring case' }), color: shortText() },
  { title: 'TagCreate', examples: [{ name: 'VIP', color: '#dc2626' }] },
)

export const tag = defineRecord({
  table: 'tags',
  label: 'Tag',
  input,
  output: object(
    {
      ...base,
      ...input.fields,
      usage_count: usageCount,
      ...account,
    },
    { title: 'Tag' },
  ),
  computed: { usage_count: usesOf(sql`'tag ' || r.id`) },
  search: 'text',
})
export type TagInput = Infer<typeof tag.input>
export type Tag = Infer<typeof tag.output>
