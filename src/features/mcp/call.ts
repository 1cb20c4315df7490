/** Calls an endpoint in this process, with the checks that its route makes: role, scope, path, query and body. */
import type { Ctx } from '../../kernel/context.ts'
import type { ApiRequest, Endpoint, UploadPart } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { asOperation } from '../../kernel/operation.ts'
import { refusedPermission } from '../../kernel/permission.ts'
import { isReply } from '../../kernel/reply.ts'
import { type Issue, object, uuid } from '../../kernel/schema/index.ts'
import { unknownKeys } from '../../kernel/strict.ts'
import { isRecord, property } from '../../lib/values.ts'

export interface Input {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  /** the body is merged into the record instead of replacing its objects */
  isMergePatch?: boolean
  /** the parts of an upload */
  parts?: () => AsyncIterable<UploadPart>
}

/** The request that the call is a part of. */
export type Origin = Pick<ApiRequest, 'raw' | 'signal'>

export type Json = Record<string, unknown>

/** The JSON answer of the endpoint. Keys that it does not know are refused, as under `Prefer: handling=strict`. */
export async function callEndpoint(
  ctx: Ctx,
  endpoint: Endpoint,
  origin: Origin,
  input: Input,
): Promise<Json> {
  const refusal = refusedPermission(ctx.caller, endpoint)
  if (refusal) throw refusal
  const answer: unknown = await endpoint.run(ctx, checked(endpoint, origin, input))
  const json = isReply(answer) ? property(answer.content, 'json') : answer
  if (!isRecord(json)) throw new Error(`${endpoint.method} ${endpoint.path} does not answer a JSON object`)
  return json
}

/** The same as one operation, which can be undone by its id. */
export async function callAsOperation(
  ctx: Ctx,
  endpoint: Endpoint,
  origin: Origin,
  entityType: string,
  input: Input,
): Promise<{ operation_id: string; record: Json }> {
  const { operationId, result } = await asOperation(ctx, 'tool', entityType, async tx => ({
    result: await callEndpoint(tx, endpoint, origin, input),
    count: 1,
  }))
  return { operation_id: operationId, record: result }
}

function checked(endpoint: Endpoint, origin: Origin, input: Input): ApiRequest {
  const { params = {}, query = {}, body, isMergePatch = false } = input
  const issues: Issue[] = []
  const path = endpoint.params ?? pathSchema(endpoint.path)
  const request: ApiRequest = {
    params: path.check(params, [], issues),
    query: endpoint.query?.check(query, [], issues) ?? {},
    // The result of a merge patch is checked once it is merged.
    body: isMergePatch || endpoint.multipart ? body : endpoint.body?.check(body, [], issues),
    isMergePatch,
    rawQuery: {},
    header: () => undefined,
    credentials: async () => undefined,
    parts: input.parts ?? noParts,
    ...origin,
  }
  if (endpoint.body && !endpoint.multipart)
    issues.push(...unknownKeys(endpoint.body.json, body, [], endpoint.response?.json))
  if (issues.length > 0) throw errors.invalid(issues)
  return request
}

const pathSchema = (path: string) =>
  object(Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, uuid()])))

async function* noParts(): AsyncGenerator<UploadPart> {}

/** Finds endpoints by the name of their route. */
export type Routes = (method: Endpoint['method'], path: string) => Endpoint

export function routesOf(endpoints: readonly Endpoint[]): Routes {
  const byRoute = new Map(endpoints.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint]))
  return (method, path) => {
    const endpoint = byRoute.get(`${method} ${path}`)
    if (!endpoint) throw new Error(`there is no endpoint ${method} ${path}`)
    return endpoint
  }
}
