/** What a resource declares. crud.ts makes its six operations, http/mount.ts its routes and documentation. */
import type { RawBuilder } from 'kysely'
import type { Ctx, Person, PersonCtx, Role, ServiceCtx } from './context.ts'
import type { CustomColumns } from './custom-values.ts'
import type { Link, Target } from './links.ts'
import type { JsonSchema, ObjectSchema, Schema } from './schema/index.ts'

type Sql = RawBuilder<unknown>

export interface RecordType {
  /** the table, and the kind under which the journal keeps its changes */
  table: string
  /** as people say it: "Company not found" */
  label: string
  /** how other records refer to it: `entity_type` of favorites, notes, tags */
  entityType?: string
  /** the body of create; update takes the same with every field optional */
  input: ObjectSchema
  /** the answer, in the order of its fields */
  output: ObjectSchema
  /** fields of the answer that are not columns of the table, in SQL; the record is called `r` */
  computed?: Record<string, (ctx: Ctx) => Sql>
  /** fields that take ids and answer ReferenceItems */
  links?: Record<string, Link>
  /** fields that take one id */
  references?: Record<string, Target>
  /** filters of the list besides those that every list has */
  filters?: Record<string, Filter>
  /** the metadata keys that are declared, by which lists filter and sort with an index */
  custom?: (ctx: Ctx) => Promise<CustomColumns>
  /** does the table have search_text (and phone_digits)? */
  search?: 'text' | 'text and phone'
  /** what the list is sorted by when the caller does not say */
  defaultSort?: { by: string; order: 'asc' | 'desc' }
  /** narrows every read and write, e.g. to the caller's own records */
  visible?: (ctx: Ctx) => Sql
}

export interface Filter {
  // biome-ignore lint/suspicious/noExplicitAny: each filter takes the type that its schema gives
  schema: Schema<any>
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  where: (ctx: Ctx, value: any) => Sql
}

export interface Page<T> {
  items: T[]
  total: number
  page: number
  page_size: number
  total_pages: number
  next_cursor?: string | null
}

// biome-ignore lint/suspicious/noExplicitAny: a record's type is its output schema's; the kernel handles all kinds
export type Item = Record<string, any>

export interface Operations {
  list(ctx: Ctx, query: ListQuery): Promise<Page<Item>>
  get(ctx: Ctx, id: string): Promise<Item>
  create(ctx: Ctx, input: Item): Promise<Item>
  update(ctx: Ctx, id: string, input: Item): Promise<Item>
  /** The same values into many records with one statement; false where these must be looked at one by one. */
  updateMany?(ctx: Ctx, ids: readonly string[], input: Item): Promise<boolean>
  /** One id is a list of one, so that a rule on removing cannot be forgotten in bulk delete. Unknown ids are skipped. */
  remove(ctx: Ctx, ids: readonly string[]): Promise<number>
  restore(ctx: Ctx, ids: readonly string[]): Promise<number>
}

export interface ListQuery {
  page: number
  page_size: number
  sort_by?: string
  sort_order?: 'asc' | 'desc'
  search?: string
  cursor?: string
  deleted?: boolean
  [filter: string]: unknown
}

export interface Resource {
  /** the path below /api, and the first half of its permissions: `companies` → companies:read */
  name: string
  /** where the collection lies when that is not /api/<name> */
  path?: string
  /** the name of the path parameter, as errors show it */
  idParam: string
  tag: string
  record: RecordType
  operations: Operations
  /** endpoints beyond the general patterns, or instead of one of them (same method and path) */
  endpoints?: Endpoint[]
}

/** `companies:read`; `signed-in` needs credentials only; `public` needs none. */
export type Permission = `${string}:${'read' | 'write'}` | 'signed-in' | 'public'

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** e.g. /api/companies/{company_id}/team; parameters are uuids unless `params` says otherwise */
  path: string
  permission: Permission
  /** the lowest role that may call it: viewer for reads and member for writes unless said otherwise */
  role?: Role
  summary: string
  description?: string
  tag: string
  params?: ObjectSchema
  query?: ObjectSchema
  // biome-ignore lint/suspicious/noExplicitAny: any body
  body?: Schema<any>
  /** takes application/merge-patch+json, too; `run` then finds the patch in the body, unchecked */
  mergePatch?: boolean
  /** a body that is sent but may be left out */
  bodyOptional?: boolean
  status?: number
  // biome-ignore lint/suspicious/noExplicitAny: any answer
  response?: Schema<any>
  /** answers that are not one JSON value: what the documentation says of them; beside `response`, for those who ask */
  responseContent?: Record<string, JsonSchema>
  /** the answer is one record: it carries an ETag, and If-Match and If-None-Match are heeded */
  single?: boolean
  /** takes a multipart upload: the handler reads the raw request itself */
  multipart?: boolean
  /** about the person who calls: works whatever their accounts, see PersonalEndpoint */
  personal?: boolean
  /** a guess at a secret: counted by address and by the name that this gives, and refused when there are too many */
  guess?: (request: ApiRequest, ctx: ServiceCtx & { readonly user?: string }) => string | undefined
  /** fields of the answer that are shown this once: no proxy keeps them, a replay under Idempotency-Key lacks them */
  shownOnce?: readonly string[]
  /** sees to Idempotency-Key itself (kernel/replay.ts) where it has to: it takes longer than a transaction may */
  replaysItself?: boolean
  /** Returns the JSON answer, or a `Reply` for anything else. */
  run(ctx: Ctx, request: ApiRequest): Promise<unknown>
}

/** An endpoint that needs no credentials. Declare it as this, so that its `ctx` has what is there and no more. */
export interface PublicEndpoint extends Omit<Endpoint, 'run'> {
  permission: 'public'
  run(ctx: ServiceCtx, request: ApiRequest): Promise<unknown>
}

/** An endpoint about the person who calls: no account is chosen, and a JWT needs no X-Account-ID. */
export interface PersonalEndpoint extends Omit<Endpoint, 'run'> {
  permission: 'signed-in'
  personal: true
  run(ctx: PersonCtx, request: ApiRequest): Promise<unknown>
}

export interface Credentials {
  /** undefined: an outside issuer's person whom we do not know */
  person: Person | undefined
  /** how the outside issuer calls them */
  subject: string | undefined
}

export interface ApiRequest {
  // biome-ignore lint/suspicious/noExplicitAny: checked by the endpoint's schemas
  params: Record<string, any>
  // biome-ignore lint/suspicious/noExplicitAny: checked by the endpoint's schemas
  query: Record<string, any>
  // biome-ignore lint/suspicious/noExplicitAny: checked by the endpoint's schemas
  body: any
  /** the body is a JSON object that is to be merged into the record (RFC 7396) */
  isMergePatch: boolean
  /** every query parameter as it came, for names that no schema can list (`cf.<key>`) */
  rawQuery: Record<string, string | string[]>
  header(name: string): string | undefined
  /** at a public endpoint: who sent credentials all the same, if somebody did; bad ones are a 401 */
  credentials(): Promise<Credentials | undefined>
  raw: import('node:http').IncomingMessage
  /** the parts of a multipart upload */
  parts(): AsyncIterable<import('@fastify/multipart').Multipart>
  /** aborted when the client goes away */
  signal: AbortSignal
}
