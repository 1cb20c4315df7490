/** Records whose field has one of the named values. */
import { sql } from 'kysely'
import { rows } from '../../../../kernel/statements.ts'
import type { Field, Kind } from '../fields/index.ts'
import { type Reading, take } from './reading.ts'
import { valueKey } from './value-key.ts'
import type { Known } from './vocabulary.ts'

/** "on the Signature plan" says of the field "Supply plan" no more than its last word, beside the value. */
function takeWordOf(reading: Reading, { label }: Field): void {
  const word = valueKey(label)
    .split(/[^\p{L}\p{N}]+/u)
    .at(-1)
  if (word) take(reading, `(?<=¤ )${word}s?|${word}(?= ¤)`)
}

export function addValues(
  reading: Reading,
  entity: Kind,
  fields: readonly Field[],
  key: string,
  values: readonly Known[],
  negated: boolean,
): void {
  const { ctx } = reading
  const names = [...new Set(values.map(known => known.value))]
  const field = fields.find(one => one.key === key)
  if (field && take(reading, field.said) === undefined && key.startsWith('cf.')) takeWordOf(reading, field)
  if (key === 'lost_reason') take(reading, /because(?: of)?|due to|on account of|on grounds of/)
  const where =
    key === 'tag'
      ? sql`r.id in (select g.entity_id from ${rows(ctx, 'taggings')} g join ${rows(ctx, 'tags')} t on t.id = g.tag_id
          where t.deleted_at is null and t.name = any(${names}::text[]))`
      : key === 'category'
        ? sql`r.categories && ${names}::text[]`
        : key.startsWith('cf.')
          ? sql`r.id in (select v.entity_id from ${rows(ctx, 'custom_values')} v
              join ${rows(ctx, 'custom_fields')} f on f.id = v.field_id
              where f.entity_type = ${entity} and f.key = ${key.slice(3)} and v.text_value = any(${names}::text[]))`
          : sql`${field!.value(ctx)} = any(${names}::text[])`
  const label = field?.label ?? key
  reading.conditions.push({
    where: negated ? sql`(${where}) is not true` : where,
    said: `${label} ${negated ? 'not ' : ''}${names.join(' or ')}`,
  })
}
