/** A custom field: the declaration of a key in the metadata of an account's records. */
import { sql } from 'kysely'
import { defineRecord } from '../../kernel/resource.ts'
import {
  boolean,
  type Infer,
  int,
  json,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  sometimes,
  text,
  union,
  withDefault,
} from '../../kernel/schema/index.ts'
import { account, base, shortText } from '../shared/fields.ts'
import { CUSTOM_ENTITY_TYPES, FIELD_TYPES } from './definition.ts'
import { MAX_PATTERN } from './pattern.ts'
import { MAX_CHOICES, MAX_OPTION } from './value-schemas.ts'

const option = object(
  {
    value: text({ min: 1, max: MAX_OPTION }),
    label: sometimes(nullable(text({ max: 255, description: 'The value when absent' }))),
    color: sometimes(nullable(text({ max: 255 }))),
    position: sometimes(nullable(int({ min: 0 }))),
    is_archived: withDefault(
      boolean({ description: 'Not removed from records, but no longer offered' }),
      false,
    ),
  },
  { title: 'CustomFieldOption' },
)

const bound = (description: string) =>
  sometimes(nullable(union({ float: number(), str: text({ max: 64 }) }, { description })))
const length = () => sometimes(nullable(int({ min: 0 })))

const validation = object(
  {
    min: bound('The minimum number or the first date'),
    max: bound('The maximum number or the last date'),
    min_length: length(),
    max_length: length(),
    pattern: sometimes(
      nullable(text({ max: MAX_PATTERN, description: 'A regular expression without look-around' })),
    ),
    entity_type: sometimes(
      nullable(
        oneOf(CUSTOM_ENTITY_TYPES, { description: 'The kind of record that a reference can refer to' }),
      ),
    ),
  },
  { title: 'CustomFieldValidation' },
)

const input = object(
  {
    entity_type: oneOf(CUSTOM_ENTITY_TYPES),
    key: optional(
      nullable(
        text({
          pattern: /^[a-z][a-z0-9_]{0,62}$/,
          description:
            'The key of the values in metadata; default: derived from the name; it cannot be changed later',
        }),
      ),
    ),
    name: text({ min: 1, max: 255 }),
    field_type: oneOf(FIELD_TYPES),
    description: optional(nullable(text({ max: 2000 }))),
    is_required: withDefault(boolean(), false),
    is_unique: withDefault(boolean({ description: 'No two records have the same value' }), false),
    default_value: optional(nullable(json({ description: 'The value of a new record' }))),
    options: optional(nullable(list(option, { max: MAX_CHOICES }))),
    validation: optional(nullable(validation)),
    group_name: shortText(),
    position: optional(int({ min: 0, description: 'At the end when absent' })),
    is_archived: withDefault(
      boolean({ description: 'Values are not removed, but the field is no longer offered or required' }),
      false,
    ),
  },
  {
    title: 'CustomFieldCreate',
    examples: [
      {
        entity_type: 'company',
        name: 'Tier',
        field_type: 'select',
        options: [{ value: 'gold' }, { value: 'silver' }],
      },
    ],
  },
)

export const customField = defineRecord({
  table: 'custom_fields',
  label: 'Custom field',
  input,
  output: object({ ...base, ...input.fields, ...account }, { title: 'CustomField' }),
  search: 'text',
  defaultSort: { by: 'position', order: 'asc' },
  filters: {
    entity_type: {
      schema: oneOf(CUSTOM_ENTITY_TYPES),
      where: (_, value) => sql`r.entity_type = ${value}`,
    },
    field_type: { schema: oneOf(FIELD_TYPES), where: (_, value) => sql`r.field_type = ${value}` },
    is_archived: { schema: boolean(), where: (_, value) => sql`r.is_archived = ${value}` },
    group_name: { schema: text({ max: 255 }), where: (_, value) => sql`r.group_name = ${value}` },
  },
})
export type CustomFieldInput = Infer<typeof customField.input>
export type CustomField = Infer<typeof customField.output>
