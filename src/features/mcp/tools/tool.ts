/** What a tool declares: what a model reads about it, and what it does. */
import { type Ctx, ROLES } from '../../../kernel/context.ts'
import type { Endpoint } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { refusedPermission } from '../../../kernel/permission.ts'
import type { Resource } from '../../../kernel/resource.ts'
import {
  dict,
  type Issue,
  type JsonSchema,
  object,
  oneOf,
  published,
  type RecordSchema,
  uuid,
} from '../../../kernel/schema/index.ts'
import { hasScope } from '../../../kernel/scopes.ts'
import { unknownKeys } from '../../../kernel/strict.ts'
import { resources } from '../../../resources/index.ts'
import { isKindName, type KindName, kindNames } from '../../../resources/kinds.ts'
import { callEndpoint, type Json, type Origin, type Routes } from '../call.ts'

export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema
  outputSchema: JsonSchema
  annotations: Annotations
  run(args: Json): Promise<Json>
}

interface Annotations {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  /** it reaches nothing but the account */
  openWorldHint: false
}

const CLOSED = { openWorldHint: false } as const
/** What a client may let a model do without asking the person. */
export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  ...CLOSED,
}
export const ADDS: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  ...CLOSED,
}
export const CHANGES: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  ...CLOSED,
}

/** The caller of the tools, and what they call. */
export interface Surroundings {
  ctx: Ctx
  origin: Origin
  routes: Routes
}

type Description = Pick<Tool, 'name' | 'title' | 'description' | 'annotations'>

/** A tool with a schema of its own for its arguments and its result. */
export const tool = <In>(
  declared: Description & {
    input: RecordSchema<In>
    output: RecordSchema<unknown>
    run(args: In): Promise<Json>
  },
): Tool => {
  const { input, output, run, ...description } = declared
  return {
    ...description,
    inputSchema: closed(published(input.json, 'request')),
    outputSchema: published(output.json, 'response'),
    run: args => run(checkedArgs(input, args)),
  }
}

export function checkedArgs<In>(input: RecordSchema<In>, args: Json): In {
  const issues: Issue[] = []
  const values = input.check(args, [], issues)
  issues.push(...unknownKeys(input.json, args, []))
  if (issues.length > 0) throw errors.invalid(issues)
  return values
}

/** A tool that is an endpoint which reads: its arguments are the body, its result is the answer. */
export const readingTool = (
  { ctx, origin, routes }: Surroundings,
  [method, path]: [Endpoint['method'], string],
  description: Omit<Description, 'annotations'> & { defaults?: Json },
): Tool[] => {
  const endpoint = routes(method, path)
  const { defaults = {}, ...rest } = description
  if (!endpoint.body || !endpoint.response) throw new Error(`${path} has no schemas`)
  const one: Tool = {
    ...rest,
    annotations: READS,
    inputSchema: closed(published(endpoint.body.json, 'request')),
    outputSchema: published(endpoint.response.json, 'response'),
    run: args => callEndpoint(ctx, endpoint, origin, { body: { ...defaults, ...args } }),
  }
  return isOffered(ctx, endpoint) ? [one] : []
}

export const isOffered = (ctx: Ctx, endpoint: Endpoint): boolean =>
  refusedPermission(ctx.caller, endpoint) === undefined

/** Unknown arguments are refused, and the schema says so. */
export const closed = (json: JsonSchema): JsonSchema => ({ ...json, additionalProperties: false })

const ofKind: ReadonlyMap<KindName, Resource> = new Map(
  resources.flatMap(resource => {
    const { entityType = '' } = resource.record
    return isKindName(entityType) ? [[entityType, resource] as const] : []
  }),
)

export function resourceOf(kind: KindName): Resource {
  const resource = ofKind.get(kind)
  if (!resource) throw new Error(`there is no resource of ${kind}`)
  return resource
}

/** The kinds of record that the caller may read or write. */
export function kindsFor({ caller }: Ctx, action: 'read' | 'write'): KindName[] {
  if (action === 'write' && ROLES.indexOf(caller.role) < ROLES.indexOf('member')) return []
  return kindNames.filter(kind => hasScope(caller.scopes, `${resourceOf(kind).name}:${action}`))
}

export const kindField = (kinds: readonly KindName[]) => oneOf(kinds, { description: 'The kind of record' })
export const operationId = uuid({
  description: 'Undoes this change: POST /api/operations/{operation_id}/undo',
})

/** The result of every tool that writes one record. */
export const changed = object({
  record: dict({ description: 'The record as it is now' }),
  operation_id: operationId,
})
