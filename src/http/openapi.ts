/** The OpenAPI 3.1 document, made from the same schemas that check the requests. */
import type { Endpoint } from '../kernel/resource.ts'
import type { JsonSchema, ObjectSchema } from '../kernel/schema/index.ts'

type Json = Record<string, unknown>

export function openApi(endpoints: readonly Endpoint[]): Json {
  const components = new Map<string, JsonSchema>()
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const operation = { [endpoint.method.toLowerCase()]: operationOf(endpoint, components) }
    paths[endpoint.path] = { ...paths[endpoint.path], ...operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kith',
      version: '0.1.0',
      description:
        'Contacts, companies, deals, activities, notes, knowledge base, chats and search behind one interface.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map(endpoint => endpoint.tag))].map(name => ({ name })),
    security: [{ ApiKey: [] }, { Bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'A key that starts with sk_',
        },
        Bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, or a JWT together with X-Account-ID',
        },
      },
      schemas: {
        ...Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
        ...ERROR_SCHEMAS,
      },
    },
  }
}

const ERROR_SCHEMAS = {
  ValidationError: {
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      type: { type: 'string' },
      loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
      msg: { type: 'string' },
      input: {},
      ctx: { type: 'object' },
    },
  },
  HTTPValidationError: {
    type: 'object',
    properties: { detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationError' } } },
  },
  Error: { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } },
}

function operationOf(endpoint: Endpoint, components: Map<string, JsonSchema>): Json {
  const status = String(endpoint.status ?? 200)
  const other = Object.fromEntries(
    Object.entries(endpoint.responseContent ?? {}).map(([type, schema]) => [type, { schema }]),
  )
  const json = { 'application/json': { schema: named(endpoint.response?.json ?? {}, components) } }
  const onlyOther = endpoint.responseContent && !endpoint.response
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    tags: [endpoint.tag],
    ...(endpoint.permission === 'public' ? { security: [] } : {}),
    'x-permission': endpoint.permission,
    parameters: parametersOf(endpoint),
    ...(endpoint.body
      ? {
          requestBody: {
            required: !endpoint.bodyOptional,
            content: Object.fromEntries(
              bodyTypes(endpoint).map(type => [type, { schema: named(endpoint.body!.json, components) }]),
            ),
          },
        }
      : {}),
    responses: {
      ...(endpoint.responseContent && !onlyOther
        ? { 200: { description: 'The answer in another form, for those who ask for it', content: other } }
        : {}),
      [status]: { description: 'Successful response', content: onlyOther ? other : json },
      ...(endpoint.permission === 'public'
        ? {}
        : { 401: problem('Not authenticated'), 403: problem('Not allowed') }),
      ...(endpoint.path.includes('{') ? { 404: problem('Not found') } : {}),
      422: {
        description: 'The request failed validation',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } } },
      },
    },
  }
}

const bodyTypes = ({ multipart, mergePatch }: Endpoint): string[] => {
  if (multipart) return ['multipart/form-data']
  return ['application/json', ...(mergePatch ? ['application/merge-patch+json'] : [])]
}

const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

function parametersOf(endpoint: Endpoint): Json[] {
  const path = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(match => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: endpoint.params?.fields[match[1]!]?.json ?? { type: 'string', format: 'uuid' },
  }))
  const account = {
    name: 'x-account-id',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'The account, with a JWT; not needed with an API key',
  }
  return [...path, ...queryParameters(endpoint.query), ...(endpoint.permission === 'public' ? [] : [account])]
}

const queryParameters = (query: ObjectSchema | undefined): Json[] =>
  Object.entries(query?.fields ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.optional,
    schema: schema.json,
  }))

/** Schemas with a title are kept once, under components, and referred to. */
function named(json: JsonSchema, components: Map<string, JsonSchema>): JsonSchema {
  const inner = Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      if (key === 'properties') {
        const properties = value as Record<string, JsonSchema>
        return [
          key,
          Object.fromEntries(Object.entries(properties).map(([k, v]) => [k, named(v, components)])),
        ]
      }
      if (key === 'items') return [key, named(value as JsonSchema, components)]
      if (key === 'anyOf' || key === 'allOf')
        return [key, (value as JsonSchema[]).map(branch => named(branch, components))]
      return [key, value]
    }),
  )
  if (typeof json.title !== 'string' || json.type !== 'object') return inner
  components.set(json.title, inner)
  return { $ref: `#/components/schemas/${json.title}` }
}

const operationId = (endpoint: Endpoint): string =>
  `${endpoint.method.toLowerCase()}_${endpoint.path
    .replace(/^\/api\//, '')
    .replace(/[{}]/g, '')
    .replace(/[^a-z0-9]+/gi, '_')}`
