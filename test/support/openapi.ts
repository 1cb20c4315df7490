/** The operations of the OpenAPI document, with every `$ref` resolved, for tests that are generated from it. */
import { openApi } from '../../src/http/openapi/index.ts'
import type { JsonSchema } from '../../src/kernel/schema/index.ts'
import { allEndpoints } from '../../src/service.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: JsonSchema
}

type Content = Record<string, { schema: JsonSchema }>

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  permission: string
  parameters: Parameter[]
  /** the body's schema for each content type; empty without a body */
  bodies: Map<string, JsonSchema>
  /** unresolved: the schema of each status and content type, for a validator that knows the components */
  responses: Record<string, { content?: Content }>
}

interface Document {
  paths: Record<string, Record<string, RawOperation>>
  components: Record<string, Record<string, unknown>>
}

interface RawOperation {
  'x-permission': string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Content } | { $ref: string }
  responses: Record<string, { content?: Content } | { $ref: string }>
}

export const document = JSON.parse(JSON.stringify(openApi(allEndpoints()))) as Document

/** A schema that contains itself is cut off here: no id is nested deeper. */
const MAX_DEPTH = 12

function lookUp(ref: string): unknown {
  const path = ref.replace(/^#\//, '').split('/')
  let value: unknown = document
  for (const step of path) value = (value as Record<string, unknown>)[step]
  if (value === undefined) throw new Error(`the document has no ${ref}`)
  return value
}

const dereferenced = <T extends object>(value: T | { $ref: string }): T =>
  '$ref' in value && typeof value.$ref === 'string' ? (lookUp(value.$ref) as T) : (value as T)

/** The schema with the schemas that it refers to in their place. */
export function resolved(schema: JsonSchema, depth = 0): JsonSchema {
  if (depth > MAX_DEPTH) return {}
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return resolved(value as JsonSchema, depth + 1)
  }
  const target = dereferenced(schema as { $ref: string }) as JsonSchema
  return Object.fromEntries(Object.entries(target).map(([key, value]) => [key, walk(value)]))
}

function operationOf(path: string, method: string, raw: RawOperation): Operation {
  const parameters = (raw.parameters ?? []).map(parameter => dereferenced<Parameter>(parameter))
  const body = raw.requestBody && dereferenced<{ content: Content }>(raw.requestBody)
  return {
    method: method.toUpperCase() as Operation['method'],
    path,
    permission: raw['x-permission'],
    parameters: parameters.map(parameter => ({ ...parameter, schema: resolved(parameter.schema) })),
    bodies: new Map(
      Object.entries(body?.content ?? {}).map(([type, { schema }]) => [type, resolved(schema)]),
    ),
    responses: Object.fromEntries(
      Object.entries(raw.responses).map(([status, response]) => [
        status,
        dereferenced<{ content?: Content }>(response),
      ]),
    ),
  }
}

export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, raw]) => operationOf(path, method, raw)),
)
