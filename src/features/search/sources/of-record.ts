/** Derives the text of a kind of record from its declaration: labelled fields, and long texts. */
import { sql } from 'kysely'
import type { RecordType, Resource } from '../../../kernel/resource.ts'
import type { JsonSchema } from '../../../kernel/schema/index.ts'
import { declarationOf, type KindName, targets } from '../../../resources/kinds.ts'
import { fact, type Source, type SourceRow, strings, tagged, texts } from './source.ts'

/** Longer values become passages of text, not facts. */
const SHORT = 255

const typeOf = ({ anyOf, ...json }: JsonSchema): JsonSchema =>
  anyOf?.find(branch => branch.type !== 'null') ?? json

/** Stored fields with text or numbers, without ids and computed fields. */
const fieldsOf = ({ input, computed = {}, links = {}, references = {} }: RecordType) =>
  Object.entries(input.fields)
    .filter(([name]) => !(name in computed || name in links || name in references))
    .map(([name, schema]) => ({ name, json: typeOf(schema.json) }))
    .filter(
      ({ json }) => ['string', 'number', 'integer'].includes(String(json.type)) && json.format !== 'uuid',
    )

const labelOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

export function sourceOfRecord(name: KindName, { name: group, record }: Resource): Source {
  const { code, money = [] } = declarationOf(name)
  const title = targets[name].name
  const fields = fieldsOf(record)
  const isLong = ({ json }: { json: JsonSchema }) => Number(json.maxLength ?? 0) > SHORT
  const columns = [title, ...fields.map(field => field.name), 'categories'].filter(
    column => column === title || column in record.output.fields,
  )
  const shown = (row: SourceRow, field: string) =>
    money.includes(field) && row[field] != null ? `${row[field]} ${row.currency}` : row[field]
  const isFact = (field: { name: string; json: JsonSchema }) =>
    !isLong(field) && field.name !== title && !(field.name === 'currency' && money.length > 0)
  return {
    entityType: name,
    label: record.label,
    table: record.table,
    group,
    select: () => sql.join([...new Set(columns)].map(column => sql`r.${sql.ref(column)}`)),
    text: row => ({
      name: row[title],
      identities: texts(row[title], code && row[code]),
      phones: [],
      facts: [
        row[title],
        ...fields.filter(isFact).flatMap(field => fact(labelOf(field.name), shown(row, field.name))),
        ...tagged({ tags: row.tags, categories: strings(row.categories) }),
      ],
      context: [],
      texts: texts(...fields.filter(isLong).map(field => row[field.name])),
    }),
  }
}
