/** Parameters of the document: those of the path and the query, and the headers that many endpoints take. */
import type { Endpoint } from '../../kernel/resource.ts'
import type { JsonSchema } from '../../kernel/schema/index.ts'
import type { Schemas } from './schemas.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
  style?: string
  explode?: boolean
}

export function parametersOf(endpoint: Endpoint, { publish }: Schemas): Parameter[] {
  const path = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => {
    const { description, ...schema } = endpoint.params?.fields[name]?.json ?? {
      type: 'string',
      format: 'uuid',
    }
    return { name, in: 'path', required: true, description: String(description ?? pathText(name)), schema }
  })
  const query = Object.entries(endpoint.query?.fields ?? {}).map(([name, field]): Parameter => {
    const { default: value, description = QUERY_TEXTS[name], ...rest } = field.json
    return {
      name,
      in: 'query',
      ...(field.optional ? {} : { required: true }),
      ...(description ? { description: String(description) } : {}),
      // Unlike in a body, no generator makes a parameter with a default required.
      schema: { ...publish(rest, 'request'), ...(value === undefined ? {} : { default: value }) },
    }
  })
  return [...path, ...query, ...(endpoint.customFilters ? [CUSTOM_FILTERS] : []), ...headersOf(endpoint)]
}

const pathText = (name: string): string =>
  name.endsWith('_id') ? `The id of the ${name.slice(0, -3).replaceAll('_', ' ')}` : name.replaceAll('_', ' ')

/** What the parameters of every list mean. */
const QUERY_TEXTS: Record<string, string> = {
  page: 'The page, counted from 1',
  page_size: 'How many records a page has',
  search: 'Words or parts of words that a record contains, ignoring case and accents',
  sort_order: 'Ascending or descending',
  created_after: 'Created at this time or later',
  created_before: 'Created before this time',
  updated_after: 'Changed at this time or later; deleting and restoring are changes',
  updated_before: 'Last changed before this time',
  deleted_after: 'Deleted at this time or later; lists the trash',
  deleted_before: 'Deleted before this time; lists the trash',
  ids: 'Only these records: ids with commas between them',
  category: 'In the category of this name',
  is_favorite: 'Whether the caller marked the record as a favorite',
}

const CUSTOM_FILTERS: Parameter = {
  name: 'cf',
  in: 'query',
  description:
    'Filters by custom fields, one parameter each: `cf.tier=gold`. `null` finds records without a value; `cf.<key>__gte`, `__gt`, `__lte` and `__lt` compare numbers and dates.',
  style: 'form',
  explode: true,
  schema: {
    type: 'object',
    additionalProperties: { type: 'string' },
    examples: [{ 'cf.tier': 'gold', 'cf.seats__gte': '10' }],
  },
}

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
})

const ACCOUNT = header('x-account-id', 'The account, with a token; not needed with an API key')
const PREFER = header(
  'Prefer',
  '`handling=strict` refuses unknown keys and parameters instead of ignoring them (RFC 7240)',
)
const IF_MATCH = header(
  'If-Match',
  'The ETag of the record as the caller read it: the request is refused with 412 when the record has changed since',
)
const IF_NONE_MATCH = header('If-None-Match', 'An ETag: answers 304 while the record is unchanged')
const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  'Any text of up to 255 characters: repeating the request with the same key within 24 hours returns the first response and writes nothing again',
)

const SESSION: Parameter = {
  ...header('X-Kith-Session', 'Any value, such as `1`: other sites cannot send this header'),
  required: true,
}

function headersOf(endpoint: Endpoint): Parameter[] {
  const isOfAccount = endpoint.permission !== 'public' && !endpoint.personal
  return [
    ...(endpoint.sessionHeader ? [SESSION] : []),
    ...(endpoint.ifMatch ? [IF_MATCH] : []),
    ...(endpoint.single && endpoint.method === 'GET' ? [IF_NONE_MATCH] : []),
    ...(endpoint.method === 'POST' && isOfAccount ? [IDEMPOTENCY_KEY] : []),
    PREFER,
    ...(endpoint.permission === 'public' ? [] : [ACCOUNT]),
  ]
}

/** Stores parameters that several operations share under components, and refers to them. */
export function shareParameters(paths: Record<string, Record<string, { parameters: Parameter[] }>>) {
  const uses = new Map<string, { parameter: Parameter; count: number }>()
  const operations = Object.values(paths).flatMap(path => Object.values(path))
  for (const parameter of operations.flatMap(operation => operation.parameters)) {
    const key = JSON.stringify(parameter)
    const count = (uses.get(key)?.count ?? 0) + 1
    uses.set(key, { parameter, count })
  }
  const shared: Record<string, Parameter> = {}
  const refs = new Map<string, string>()
  // Of different parameters with the same name, the most frequent one is shared.
  for (const [key, { parameter, count }] of [...uses].sort(([, a], [, b]) => b.count - a.count)) {
    const name = componentName(parameter)
    if (count < 2 || Object.hasOwn(shared, name)) continue
    shared[name] = parameter
    refs.set(key, `#/components/parameters/${name}`)
  }
  const refer = (parameter: Parameter) => {
    const ref = refs.get(JSON.stringify(parameter))
    return ref ? { $ref: ref } : parameter
  }
  const sorted = Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1))
  return { parameters: Object.fromEntries(sorted), refer }
}

const componentName = ({ name, in: location }: Parameter): string => {
  const words = name.split(/[^A-Za-z0-9]+/).map(word => word.charAt(0).toUpperCase() + word.slice(1))
  return words.join('') + (location === 'path' ? 'Path' : '')
}
