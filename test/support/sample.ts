/** Values that fit a schema, with chosen ids. */
import type { JsonSchema } from '../../src/kernel/schema/index.ts'

type IdFor = (name: string) => string

/** Fields that make a record acceptable where a schema cannot say that one of several is needed. */
const FRIENDLY = new Set(['name', 'first_name', 'title', 'subject', 'content', 'domain'])
/** Texts that have to be of a kind without their schema saying so. */
const WORDS: Record<string, string> = {
  match_on: 'name',
  domain: 'example.com',
  from: '2026-01-01',
  to: '2026-02-01',
}

/** The smallest value of the schema that the service accepts. */
export function smallestBody(schema: JsonSchema, idFor: IdFor): unknown {
  const kind = kindOf(schema)
  if (kind.type !== 'object') return sample(kind, 'ids', idFor)
  const entries = Object.entries(kind.properties ?? {}).filter(
    ([name, property]) =>
      kind.required?.includes(name) || (FRIENDLY.has(name) && kindOf(property).type === 'string'),
  )
  return Object.fromEntries(entries.map(([name, property]) => [name, sample(property, name, idFor)]))
}

/** The alternatives of a schema, each with what all of them share. */
export function kindsOf(schema: JsonSchema): JsonSchema[] {
  const kinds = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null')
  if (schema.allOf) {
    const { allOf, ...rest } = schema
    return kindsOf([...allOf].reduce(merged, rest))
  }
  if (!kinds || kinds.length === 0) return [schema]
  const { anyOf: _, oneOf: __, ...shared } = schema
  return kinds.flatMap(kind => kindsOf(merged(shared, kind)))
}

const merged = (a: JsonSchema, b: JsonSchema): JsonSchema => ({
  ...a,
  ...b,
  required: [...(a.required ?? []), ...(b.required ?? [])],
  ...(a.properties || b.properties ? { properties: { ...a.properties, ...b.properties } } : {}),
})

/** Of several alternatives the first. */
export const kindOf = (schema: JsonSchema): JsonSchema => kindsOf(schema)[0] ?? schema

export function sample(schema: JsonSchema, name: string, idFor: IdFor): unknown {
  const kind = kindOf(schema)
  if (kind.enum) return (kind.enum as unknown[])[0]
  if (kind.const !== undefined) return kind.const
  switch (kind.type) {
    case 'array':
      return kind.items ? [sample(kind.items, name, idFor)] : []
    case 'object': {
      const required = Object.entries(kind.properties ?? {}).filter(([key]) => kind.required?.includes(key))
      return Object.fromEntries(required.map(([key, value]) => [key, sample(value, key, idFor)]))
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
