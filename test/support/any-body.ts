/** Bodies and queries that fit a schema, with somebody's ids wherever ids go. */
import type { JsonSchema } from '../../src/kernel/schema/index.ts'

type IdFor = (name: string) => string
type Fields = Record<string, { json: JsonSchema; optional: boolean }>

/** Fields that make a record acceptable where a schema cannot say that one of several is needed. */
const FRIENDLY = new Set(['name', 'first_name', 'title', 'subject', 'content', 'domain'])
/** Texts that have to be of a kind without their schema saying so. */
const WORDS: Record<string, string> = {
  match_on: 'name',
  domain: 'example.com',
  from: '2026-01-01',
  to: '2026-02-01',
}

/**
 * The smallest body that the schema takes with the usual ids, the same with others, and for each field that takes
 * ids that body with others in this one place.
 */
export function bodiesFor(schema: JsonSchema, usual: IdFor, others: IdFor = usual): unknown[] {
  const kind = kindOf(schema)
  if (kind.type !== 'object') return [sample(kind, 'id', others)]
  const properties = Object.entries(kind.properties ?? {})
  const isNeeded = (name: string, property: JsonSchema) =>
    kind.required?.includes(name) || (FRIENDLY.has(name) && kindOf(property).type === 'string')
  const needed = properties.filter(([name, property]) => isNeeded(name, property))
  const smallest = (idFor: IdFor) =>
    Object.fromEntries(needed.map(([name, property]) => [name, sample(property, name, idFor)]))
  const one = properties
    .filter(([, property]) => takesIds(property))
    .map(([name, property]) => {
      // `entity_id` goes with `entity_type`
      const type = name.replace(/_id$/, '_type')
      const typed =
        type !== name && kind.properties?.[type] ? { [type]: sample(kind.properties[type], type, usual) } : {}
      return { ...smallest(usual), ...typed, [name]: sample(property, name, others) }
    })
  return [smallest(usual), smallest(others), ...one]
}

/** A query with everything that has to be there, for each field that takes ids with an id in it. */
export function queriesFor(fields: Fields, idFor: IdFor): { field: string | undefined; text: string }[] {
  const needed = Object.entries(fields).filter(([, { optional }]) => !optional)
  const text = (names: [string, { json: JsonSchema }][]) =>
    `?${names.map(([name, { json }]) => `${name}=${sample(json, name, idFor)}`).join('&')}`
  const further = Object.entries(fields).filter(([name, { json }]) => name === 'ids' || takesIds(json))
  return [
    { field: undefined, text: text(needed) },
    ...further.map(([field, schema]) => ({ field, text: text([...needed, [field, schema]]) })),
  ]
}

/** Of several kinds the first; what all of them share stands beside them. */
function kindOf(schema: JsonSchema): JsonSchema {
  const kinds = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  if (kinds.length === 0) return schema
  const { anyOf: _, ...shared } = schema
  return kindOf({
    ...shared,
    ...kinds[0]!,
    required: [...(schema.required ?? []), ...(kinds[0]!.required ?? [])],
  })
}

function takesIds(schema: JsonSchema): boolean {
  const kind = kindOf(schema)
  if (kind.type === 'array') return kind.items !== undefined && takesIds(kind.items)
  if (kind.type === 'object') return Object.values(kind.properties ?? {}).some(takesIds)
  return kind.format === 'uuid'
}

function sample(schema: JsonSchema, name: string, idFor: IdFor): unknown {
  const kind = kindOf(schema)
  if (kind.enum) return (kind.enum as unknown[])[0]
  switch (kind.type) {
    case 'array':
      return kind.items ? [sample(kind.items, name, idFor)] : []
    case 'object': {
      const properties = Object.entries(kind.properties ?? {})
      const wanted = properties.filter(([key, value]) => kind.required?.includes(key) || takesIds(value))
      return Object.fromEntries(wanted.map(([key, value]) => [key, sample(value, key, idFor)]))
    }
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return Math.max(1, Number(kind.minimum ?? 1))
    default:
      return text(kind, name, idFor)
  }
}

function text({ format, minLength }: JsonSchema, name: string, idFor: IdFor): string {
  if (format === 'uuid' || name === 'ids') return idFor(name)
  if (format === 'email') return 'someone@people.test'
  if (format === 'date') return '2026-01-31'
  if (format === 'date-time') return '2026-01-31T09:30:00Z'
  return WORDS[name] ?? 'Some text'.padEnd(Number(minLength ?? 0), '.')
}
