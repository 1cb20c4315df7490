/** A category: a name on records. */
import { sql } from 'kysely'
import { defineRecord } from '../../kernel/resource.ts'
import { type Infer, int, nullable, object, oneOf, optional, text } from '../../kernel/schema/index.ts'
import { kindsWith, targets } from '../kinds.ts'
import { account, base, labelName, shortText, usageCount, usesOf } from '../shared/fields.ts'

/** The records that have categories, and their tables. */
const CATEGORIZED = kindsWith('categorized')
export const CATEGORIZED_TABLES = CATEGORIZED.map(kind => targets[kind].table)

const input = object(
  {
    name: labelName({ max: 100, description: 'Unique, ignoring case' }),
    entity_type: optional(
      nullable(
        oneOf(CATEGORIZED, { description: 'The kind of record that it is offered for; null for all' }),
      ),
    ),
    color: shortText(),
    description: optional(nullable(text({ max: 2000 }))),
    position: optional(int({ min: 0, description: 'At the end when absent' })),
  },
  { title: 'CategoryCreate', examples: [{ name: 'Partner', color: '#2563eb' }] },
)

export const category = defineRecord({
  table: 'categories',
  label: 'Category',
  input,
  output: object(
    {
      ...base,
      ...input.fields,
      usage_count: usageCount,
      ...account,
    },
    { title: 'Category' },
  ),
  computed: { usage_count: usesOf(sql`'category ' || r.name_key`) },
  search: 'text',
  defaultSort: { by: 'position', order: 'asc' },
  filters: {
    entity_type: {
      schema: oneOf(CATEGORIZED),
      // includes categories for all kinds of record
      where: (_, value) => sql`(r.entity_type = ${value} or r.entity_type is null)`,
    },
  },
})
export type CategoryInput = Infer<typeof category.input>
export type Category = Infer<typeof category.output>
