import type { Field } from '#data/field-types.ts'
import { isFilterable } from './filters.ts'

const TAGS: Field = { key: 'tags.name', label: 'Tags', type: 'tags' }
const FAVORITE: Field = { key: 'is_favorite', label: 'Starred', type: 'boolean' }

/** The fields that a list can be filtered by: its columns, and further properties of its records. */
export const filterFields = (group: string, fields: readonly Field[]): Field[] => [
  ...fields.filter(isFilterable),
  TAGS,
  ...(group === 'activities' ? [] : [FAVORITE]),
]
