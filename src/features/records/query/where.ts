/**
 * The schema of `where`. It publishes the shape of a condition; `compile.ts` checks one, with the path of its faulty
 * part in every error.
 */
import { dict, type JsonSchema } from '../../../kernel/schema/index.ts'
import { COMPARISONS } from './spec.ts'

const TITLE = 'Condition'

/** A condition within a condition: the document refers to the schema by its title. */
const inner = (description: string): JsonSchema => ({ type: 'object', description, self: TITLE })
const several = (description: string): JsonSchema => ({
  type: 'array',
  items: inner('A condition'),
  description,
})
const relation = (description: string): JsonSchema => ({ type: 'string', description })

/** One object with all keys, not a union of the forms: generated clients take a plain object for it, as they did. */
const properties: Record<string, JsonSchema> = {
  field: {
    type: 'string',
    description:
      'A field of the record (`amount`), a custom field (`cf.tier`) or a field of a related record (`company.country`; of several related records, at least one fulfils it). `operation_id`: an operation, such as an import, that created or changed the record',
  },
  op: {
    type: 'string',
    enum: COMPARISONS,
    description:
      'Default `eq`. `eq`, `ne`, `in` and `not_in` compare texts exactly, `contains`, `starts_with` and `ends_with` ignore case and accents. `between` includes both ends. `is_null` is for fields without a value',
  },
  value: {
    description:
      'Of the type of the field; a list for `in`, `not_in` and `between` (two values); for `is_null` absent, or false for fields with a value. A member’s id may be `me`; a date may be `today`, `week`, `month`, `quarter` or `year` for its first day in UTC, and so many units later or earlier (`today-30`, `month+1`)',
  },
  and: several('All of these hold'),
  or: several('At least one of these holds'),
  not: inner('This does not hold'),
  some: relation('A relation, such as `deals`: at least one of these records fulfils `where`'),
  every: relation('A relation: all of these records fulfil `where`, also if there are none'),
  none: relation('A relation: none of these records fulfils `where`'),
  count: relation(
    'A relation: the number of these records that fulfil `where` compares by `op` with `value`',
  ),
  where: inner('The condition on the related records of `some`, `every`, `none` or `count`'),
}

const whole = dict({
  // hundreds of conditions, a few of them with a thousand ids
  maxBytes: 1024 * 1024,
  title: TITLE,
  description:
    'One of: `field` with `op` and `value`; `and`, `or`, `not`; `some`, `every` or `none` with `where`; `count` with `where`, `op` and `value`. Up to four steps into related records and 200 conditions. docs/guides/queries.md explains the language.',
  examples: [
    {
      and: [
        { field: 'status', op: 'eq', value: 'open' },
        { field: 'company.employee_count', op: 'lt', value: 50 },
        { none: 'activities', where: { field: 'status', op: 'eq', value: 'planned' } },
      ],
    },
    { and: [{ some: 'deals' }, { every: 'deals', where: { field: 'status', op: 'eq', value: 'won' } }] },
    { count: 'contacts', op: 'gte', value: 3 },
  ],
})

const published = Object.entries(properties).map(([name, json]) => [name, { ...json, sometimes: true }])
const { additionalProperties: _, ...json } = whole.json

export const whereSchema = { ...whole, json: { ...json, properties: Object.fromEntries(published) } }
