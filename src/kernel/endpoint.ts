/**
 * An endpoint beyond or instead of the general ones. http/mount.ts creates its route, http/openapi its documentation.
 */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Ctx, Person, PersonCtx, Role, ServiceCtx } from './context.ts'
import type { JsonSchema, RecordSchema, Schema } from './schema/index.ts'

/** `companies:read`; `signed-in` needs credentials only; `public` needs none. */
export type Permission = `${string}:${'read' | 'write'}` | 'signed-in' | 'public'

export interface Endpoint<Params = AnyValues, Query = AnyValues, Body = Unchecked, Context = Ctx> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** e.g. /api/companies/{company_id}/team; parameters are uuids unless `params` says otherwise */
  path: string
  permission: Permission
  /** further scopes: those of other records that the response shows */
  alsoNeeds?: readonly Permission[]
  /** the response to a write shows nothing of earlier records but ids and counts: see `scopesOf` in permission.ts */
  showsNoRecord?: true
  /** of a public endpoint: some records need credentials, of any account */
  readsCredentials?: true
  /** the lowest role that may call it; default: viewer for reads, member for writes */
  role?: Role
  summary: string
  description?: string
  tag: string
  params?: RecordSchema<Params>
  query?: RecordSchema<Query>
  body?: Schema<Body>
  /** reads the cookie of a browser's session: the request needs the header X-Kith-Session */
  sessionHeader?: true
  /** evaluates If-Match */
  ifMatch?: boolean
  /** the response has an X-Operation-ID header */
  operationHeader?: boolean
  /** accepts `cf.<key>` parameters, whose names no schema can list */
  customFilters?: boolean
  /** rejects unknown keys and parameters even without `Prefer: handling=strict` */
  strict?: boolean
  /** also accepts application/merge-patch+json; `run` then gets the unchecked patch as its body */
  mergePatch?: boolean
  /** the body may be omitted */
  bodyOptional?: boolean
  status?: number
  /** other statuses with the same response schema, such as 201 of an upsert */
  otherStatuses?: readonly number[]
  response?: Schema<unknown>
  /**
   * schemas of responses by content type, for responses other than one JSON value; alternatives to `response` if both
   * are set
   */
  responseContent?: Record<string, JsonSchema>
  /** the response is one record: it has an ETag, and If-Match and If-None-Match are evaluated */
  single?: boolean
  /** the media type of a body that is not parsed: `body` is `bytes` */
  rawBody?: string
  /** accepts a multipart upload: the handler reads the raw request itself */
  multipart?: boolean
  /** about the calling user, independent of an account; see PersonalEndpoint */
  personal?: boolean
  /** the request guesses a secret: attempts are limited by IP address and by the name that this returns */
  guess?(
    request: ApiRequest<Params, Query, Body>,
    ctx: ServiceCtx & { readonly user?: string },
  ): string | undefined
  /**
   * secret fields of the response, shown once: proxies must not cache it, and a replay under Idempotency-Key omits them
   */
  shownOnce?: readonly string[]
  /** handles Idempotency-Key itself (kernel/replay.ts), because it runs longer than a transaction may */
  replaysItself?: boolean
  /** only reads, and may do so on a replica (DATABASE_READ_URL) */
  fromReplica?: true
  /** Returns the JSON answer, or a `Reply` for anything else. */
  run(ctx: Context, request: ApiRequest<Params, Query, Body>): Promise<unknown>
}

/** An endpoint that needs no credentials: its `ctx` has no caller and no account. */
export interface PublicEndpoint<Params = AnyValues, Query = AnyValues, Body = Unchecked>
  extends Endpoint<Params, Query, Body, ServiceCtx> {
  permission: 'public'
}

/** An endpoint about the calling user: it has no account, and a JWT needs no X-Account-ID. */
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
 * These three functions infer the request type of `run` from the schemas: `params` (or the names in the path), `query`
 * and `body`. An endpoint with an upload or without a body gets `undefined` as its body.
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

/** Reads a path parameter whose name is known only at run time. */
export function pathParam({ params }: { params: Record<string, string> }, name: string): string {
  const value = params[name]
  if (value === undefined) throw new Error(`the path has no parameter {${name}}`)
  return value
}

/** A body that `run` gets unchanged. */
export const bytes: Schema<Buffer> = {
  json: { type: 'string', format: 'binary' },
  optional: false,
  check(input, loc, issues) {
    if (Buffer.isBuffer(input) && input.length > 0) return input
    issues.push({ type: 'missing', loc, msg: 'Field required', input: null })
    return Buffer.alloc(0)
  },
}

/** A part of a multipart upload. */
export type UploadPart =
  | { type: 'file'; fieldname: string; filename: string; mimetype: string; file: Readable }
  | { type: 'field'; fieldname: string; value: unknown }

export interface Credentials {
  /** undefined: the outside issuer's subject has no user here */
  person: Person | undefined
  /** the outside issuer's `sub` claim */
  subject: string | undefined
  /** the e-mail address that the outside issuer has verified */
  verifiedEmail: string | undefined
}

export interface ApiRequest<Params = AnyValues, Query = AnyValues, Body = Unchecked> {
  params: Params
  query: Query
  body: Body
  /** the body is a merge patch (RFC 7396) */
  isMergePatch: boolean
  /** all query parameters, unparsed; needed for names that no schema can list (`cf.<key>`) */
  rawQuery: Record<string, string | string[]>
  header(name: string): string | undefined
  /** for a public endpoint: the caller, if the request has credentials; throws a 401 for invalid ones */
  credentials(): Promise<Credentials | undefined>
  raw: IncomingMessage
  /** the parts of a multipart upload */
  parts(): AsyncIterable<UploadPart>
  /** aborted when the client disconnects */
  signal: AbortSignal
}

// For code that handles endpoints of any type, such as mount.ts. Handlers get inferred types from `endpoint()`.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyValues = Record<string, any>
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Unchecked = any
