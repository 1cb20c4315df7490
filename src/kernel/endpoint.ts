/** An endpoint beyond or instead of the general ones. http/mount.ts makes its route, http/openapi.ts its documentation. */
import type { IncomingMessage } from 'node:http'
import type { Multipart } from '@fastify/multipart'
import type { Ctx, Person, PersonCtx, Role, ServiceCtx } from './context.ts'
import type { JsonSchema, RecordSchema, Schema } from './schema/index.ts'

/** `companies:read`; `signed-in` needs credentials only; `public` needs none. */
export type Permission = `${string}:${'read' | 'write'}` | 'signed-in' | 'public'

export interface Endpoint<Params = AnyValues, Query = AnyValues, Body = Unchecked, Context = Ctx> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** e.g. /api/companies/{company_id}/team; parameters are uuids unless `params` says otherwise */
  path: string
  permission: Permission
  /** the lowest role that may call it: viewer for reads and member for writes unless said otherwise */
  role?: Role
  summary: string
  description?: string
  tag: string
  params?: RecordSchema<Params>
  query?: RecordSchema<Query>
  body?: Schema<Body>
  /** heeds If-Match */
  ifMatch?: boolean
  /** the answer names an operation in X-Operation-ID */
  operationHeader?: boolean
  /** takes `cf.<key>` parameters, which no schema can list */
  customFilters?: boolean
  /** refuses keys and parameters that it does not know, also without `Prefer: handling=strict` */
  strict?: boolean
  /** takes application/merge-patch+json, too; `run` then finds the patch in the body, unchecked */
  mergePatch?: boolean
  /** a body that is sent but may be left out */
  bodyOptional?: boolean
  status?: number
  /** further statuses with the same answer, such as 201 of an upsert */
  otherStatuses?: readonly number[]
  response?: Schema<unknown>
  /** answers that are not one JSON value: what the documentation says of them; beside `response`, for those who ask */
  responseContent?: Record<string, JsonSchema>
  /** the answer is one record: it carries an ETag, and If-Match and If-None-Match are heeded */
  single?: boolean
  /** takes a multipart upload: the handler reads the raw request itself */
  multipart?: boolean
  /** about the person who calls: works whatever their accounts, see PersonalEndpoint */
  personal?: boolean
  /** a guess at a secret: counted by address and by the name that this gives, and refused when there are too many */
  guess?(
    request: ApiRequest<Params, Query, Body>,
    ctx: ServiceCtx & { readonly user?: string },
  ): string | undefined
  /** fields of the answer that are shown this once: no proxy keeps them, a replay under Idempotency-Key lacks them */
  shownOnce?: readonly string[]
  /** sees to Idempotency-Key itself (kernel/replay.ts) where it has to: it takes longer than a transaction may */
  replaysItself?: boolean
  /** Returns the JSON answer, or a `Reply` for anything else. */
  run(ctx: Context, request: ApiRequest<Params, Query, Body>): Promise<unknown>
}

/** An endpoint that needs no credentials: its `ctx` has no caller and no account. */
export interface PublicEndpoint<Params = AnyValues, Query = AnyValues, Body = Unchecked>
  extends Endpoint<Params, Query, Body, ServiceCtx> {
  permission: 'public'
}

/** An endpoint about the person who calls: no account is chosen, and a JWT needs no X-Account-ID. */
export interface PersonalEndpoint<Params = AnyValues, Query = AnyValues, Body = Unchecked>
  extends Endpoint<Params, Query, Body, PersonCtx> {
  permission: 'signed-in'
  personal: true
}

/** The names in braces: `/api/companies/{company_id}` → `{ company_id: string }`. */
export type PathParams<Path extends string> = string extends Path
  ? Record<string, string>
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? { [K in Name | keyof PathParams<Rest>]: string }
    : Record<never, string>

/**
 * These three infer what `run` gets from the schemas: `params` (or the names in the path), `query` and `body`. An
 * endpoint with an upload or without a body gets `undefined` as its body.
 */
export const endpoint = <
  const Path extends string,
  Params extends AnyValues = PathParams<Path>,
  Query extends AnyValues = Record<never, never>,
  Body = undefined,
>(
  declared: Endpoint<Params, Query, Body> & { path: Path },
): Endpoint => declared

export const publicEndpoint = <
  const Path extends string,
  Params extends AnyValues = PathParams<Path>,
  Query extends AnyValues = Record<never, never>,
  Body = undefined,
>(
  declared: Omit<PublicEndpoint<Params, Query, Body>, 'permission'> & { path: Path },
): Endpoint => endpoint({ ...declared, permission: 'public' })

export const personalEndpoint = <
  const Path extends string,
  Params extends AnyValues = PathParams<Path>,
  Query extends AnyValues = Record<never, never>,
  Body = undefined,
>(
  declared: Omit<PersonalEndpoint<Params, Query, Body>, 'permission' | 'personal'> & { path: Path },
): Endpoint => endpoint({ ...declared, permission: 'signed-in', personal: true })

/** PATCH does the same as PUT. */
export const putAndPatch = (put: Endpoint): Endpoint[] => [
  put,
  { ...put, method: 'PATCH', description: 'The same as PUT.' },
]

/** A path parameter whose name is known only at run time. */
export function pathParam({ params }: { params: Record<string, string> }, name: string): string {
  const value = params[name]
  if (value === undefined) throw new Error(`the path has no parameter {${name}}`)
  return value
}

export interface Credentials {
  /** undefined: an outside issuer's person whom we do not know */
  person: Person | undefined
  /** how the outside issuer calls them */
  subject: string | undefined
  /** their address, as the outside issuer has verified it */
  verifiedEmail: string | undefined
}

export interface ApiRequest<Params = AnyValues, Query = AnyValues, Body = Unchecked> {
  params: Params
  query: Query
  body: Body
  /** the body is a JSON object that is to be merged into the record (RFC 7396) */
  isMergePatch: boolean
  /** every query parameter as it came, for names that no schema can list (`cf.<key>`) */
  rawQuery: Record<string, string | string[]>
  header(name: string): string | undefined
  /** at a public endpoint: the caller, if the request has credentials; bad ones are a 401 */
  credentials(): Promise<Credentials | undefined>
  raw: IncomingMessage
  /** the parts of a multipart upload */
  parts(): AsyncIterable<Multipart>
  /** aborted when the client goes away */
  signal: AbortSignal
}

// While endpoints are converted to `endpoint()`: what is not yet inferred from a schema.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyValues = Record<string, any>
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Unchecked = any
