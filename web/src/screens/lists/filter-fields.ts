import type { Field } from '#data/field-types.ts'
import { isFilterable } from './filters.ts'

const TAGS: Field = { key: 'tags.name', label: 'Tags', type: 'tags' }
const FAVORITE: Field = { key: 'is_favorite', label: 'Starred', type: 'boolean' }

/** What a list can be filtered by: its fields, and what belongs to a record without being a column. */
export const filterFields = (group: string, fields: readonly Field[]): Field[] => [
  ...fields.filter(isFilterable),
  TAGS,
  ...(group === 'activities' ? [] : [FAVORITE]),
]
