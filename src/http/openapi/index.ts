/** The OpenAPI 3.1 document, generated from the schemas that check the requests. */
import { scopesOf } from '../../kernel/permission.ts'
import type { Endpoint } from '../../kernel/resource.ts'
import type { JsonSchema } from '../../kernel/schema/index.ts'
import { operationId } from './operation-id.ts'
import { type Parameter, parametersOf, shareParameters } from './parameters.ts'
import { ERROR_SCHEMAS, HEADERS, RESPONSES, responsesOf } from './responses.ts'
import { type Schemas, schemaRegistry } from './schemas.ts'
import { tagsOf } from './tags.ts'
import { WEBHOOK_HEADERS, webhooksOf } from './webhooks.ts'

const CREDENTIALS = [{ ApiKey: [] }, { Bearer: [] }]

/** The empty requirement makes credentials optional. */
const securityOf = ({ readsCredentials }: Endpoint) => (readsCredentials ? [{}, ...CREDENTIALS] : [])

type Json = Record<string, unknown>
type Operation = Json & { parameters: Parameter[] }

export function openApi(endpoints: readonly Endpoint[]): Json {
  const registry = schemaRegistry()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const endpoint of endpoints) {
    const operation = { [endpoint.method.toLowerCase()]: operationOf(endpoint, registry) }
    paths[endpoint.path] = { ...paths[endpoint.path], ...operation }
  }
  const { parameters, refer } = shareParameters(paths)
  const webhooks = webhooksOf(registry)
  const { schemas, resolve } = registry.finish()
  const shared = Object.entries(paths).map(([path, operations]) => {
    const referring = Object.entries(operations).map(([method, operation]) => [
      method,
      { ...operation, parameters: operation.parameters.map(refer) },
    ])
    return [path, Object.fromEntries(referring)]
  })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kith',
      version: '0.1.0',
      description:
        'Contacts, companies, deals, activities, notes, a knowledge base, chats and search behind one REST interface.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: tagsOf(endpoints),
    security: CREDENTIALS,
    paths: resolve(Object.fromEntries(shared)),
    webhooks: resolve(webhooks),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: { ...resolve(parameters), ...WEBHOOK_HEADERS },
      headers: HEADERS,
      responses: RESPONSES,
      schemas: { ...schemas, ...ERROR_SCHEMAS },
    },
  }
}

const SECURITY_SCHEMES = {
  ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key that starts with sk_' },
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, or the token of a signed-in person together with X-Account-ID',
  },
}

function operationOf(endpoint: Endpoint, schemas: Schemas): Operation {
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    tags: [endpoint.tag],
    ...(endpoint.permission === 'public' ? { security: securityOf(endpoint) } : {}),
    'x-permission': endpoint.permission,
    ...alsoNeeded(endpoint),
    parameters: parametersOf(endpoint, schemas),
    ...(endpoint.body ? { requestBody: requestBodyOf(endpoint, endpoint.body.json, schemas) } : {}),
    responses: responsesOf(endpoint, schemas),
  }
}

/** The scopes that a key needs besides `x-permission`. */
function alsoNeeded(endpoint: Endpoint): Json {
  const others = scopesOf(endpoint).filter(scope => scope !== endpoint.permission)
  return others.length > 0 ? { 'x-also-needs': others } : {}
}

function requestBodyOf(endpoint: Endpoint, body: JsonSchema, schemas: Schemas): Json {
  const types = endpoint.multipart
    ? ['multipart/form-data']
    : endpoint.rawBody
      ? [endpoint.rawBody]
      : ['application/json', ...(endpoint.mergePatch ? ['application/merge-patch+json'] : [])]
  const schema = schemas.publish(endpoint.multipart ? withFile(body) : body, 'request')
  return {
    required: !endpoint.bodyOptional,
    content: Object.fromEntries(types.map(type => [type, { schema }])),
  }
}

/** The part `file` of an upload is binary. */
function withFile(body: JsonSchema): JsonSchema {
  const { file, ...rest } = body.properties ?? {}
  if (!file) return body
  const binary = {
    type: 'string',
    format: 'binary',
    ...(file.description ? { description: file.description } : {}),
  }
  return { ...body, properties: { file: binary, ...rest } }
}
