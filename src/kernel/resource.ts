/** What a resource declares. crud.ts makes its six operations, http/mount.ts its routes and documentation. */
import type { RawBuilder } from 'kysely'
import type { Ctx } from './context.ts'
import type { CustomColumns } from './custom-column.ts'
import type { Endpoint } from './endpoint.ts'
import type { HttpError } from './errors.ts'
import type { Link, Target } from './links.ts'
import type { Infer, RecordSchema, Schema } from './schema/index.ts'
import type { TableName } from './statements.ts'

export type { ApiRequest, Credentials, Endpoint, PersonalEndpoint, PublicEndpoint } from './endpoint.ts'

type Sql = RawBuilder<unknown>

/** `In` is the body of create, `Out` the answer; both follow from the schemas when declared with `defineRecord`. */
export interface RecordType<
  In extends Item = Item,
  Out extends Stored = Stored,
  T extends TableName = TableName,
> {
  /** the table, and the kind under which the journal keeps its changes */
  table: T
  /** as people say it: "Company not found" */
  label: string
  /** how other records refer to it: `entity_type` of favorites, notes, tags */
  entityType?: string
  /** the body of create; update takes the same with every field optional */
  input: RecordSchema<In>
  /** the answer, in the order of its fields */
  output: RecordSchema<Out>
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
  /** does the table have `bytes`? Then its pages have a budget in bytes (page-budget.ts). */
  hasBytes?: boolean
  /** what the list is sorted by when the caller does not say */
  defaultSort?: { by: string; order: 'asc' | 'desc' }
  /** narrows every read and write, e.g. to the caller's own records; compiled once, so it may use ctx.user but not scopes */
  visible?: (ctx: Ctx) => Sql
}

export interface Filter<T = unknown> {
  schema: Schema<T>
  where(ctx: Ctx, value: T): Sql
}

/** Infers the types of input and output from their schemas, and each filter's value from its schema. */
export const defineRecord = <In extends Item, Out extends Stored, const T extends TableName, F>(
  record: RecordDeclaration<In, Out, T, F>,
  // Its keys are checked by RecordDeclaration; the kernel reads them by names that it has at run time.
): RecordType<In, Out, T> => record as RecordType<In, Out, T>

export interface RecordDeclaration<In extends Item, Out extends Stored, T extends TableName, F>
  extends Omit<RecordType<In, Out, T>, 'computed' | 'links' | 'references' | 'filters'> {
  computed?: { [K in keyof Out]?: (ctx: Ctx) => Sql }
  links?: { [K in keyof In]?: Link }
  references?: { [K in keyof In]?: Target }
  filters?: { [K in keyof F]: Filter<F[K]> }
}

export interface Page<T> {
  items: T[]
  total: number
  page: number
  page_size: number
  total_pages: number
  next_cursor?: string | null
}

/** Values by name, where the kind of record is known only at run time. */
export type Item = Record<string, unknown>

/** A record of any kind as it is answered. */
export type Stored = Item & { id: string }

/** Columns that every record has and that an import keeps as they were. */
export interface Stamps {
  id?: string
  created_at?: string
  updated_at?: string
}

export interface Operations<In extends Item = Item, Out extends Stored = Stored> {
  list(ctx: Ctx, query: ListQuery): Promise<Page<Out>>
  get(ctx: Ctx, id: string): Promise<Out>
  create(ctx: Ctx, input: In, writing?: { set?: Stamps }): Promise<Out>
  update(ctx: Ctx, id: string, input: Partial<In>): Promise<Out>
  /** One id is a list of one, so that a rule on removing cannot be forgotten in bulk delete. Unknown ids are skipped. */
  remove(ctx: Ctx, ids: readonly string[]): Promise<number>
  restore(ctx: Ctx, ids: readonly string[]): Promise<number>
}

/** Operations that write a set of records with a few statements. One that is refused does not stop the others. */
export interface SetOperations<In extends Item = Item, Out extends Stored = Stored>
  extends Operations<In, Out> {
  /** Returns what became of each, in their order. */
  createMany(ctx: Ctx, records: readonly New<In>[], options?: SetOptions): Promise<Saved[]>
  /** Every record at most once. */
  updateMany(ctx: Ctx, changes: readonly Change<In>[], options?: SetOptions): Promise<Saved[]>
}

export interface New<In> {
  input: In
  set?: Stamps
  /** the member who created it, the caller unless said otherwise */
  author?: string
}

export interface Change<In> {
  id: string
  input: Partial<In>
}

/** What became of a record of a set. */
export interface Saved {
  id: string
  /** why it was refused */
  error?: HttpError
  isUnchanged?: boolean
}

export interface SetOptions {
  /** the caller has looked up every id that an input names, in the same transaction */
  isLookedUp?: boolean
  /** fields with an object whose keys are added to those that the record has, instead of replacing them */
  merged?: readonly string[]
  /** a record that has all of it already is not written */
  skipUnchanged?: boolean
  /** Called before the records with these ids are written, when all others are refused. */
  beforeWriting?(ids: ReadonlySet<string>): Promise<void>
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

export interface Resource<In extends Item = Item, Out extends Stored = Stored> {
  /** the path below /api, and the first half of its permissions: `companies` → companies:read */
  name: string
  /** the path of the collection when it is not /api/<name> */
  path?: string
  /** the name of the path parameter, as errors show it */
  idParam: string
  tag: string
  record: RecordType<In, Out>
  operations: Operations<In, Out>
  /** endpoints beyond the general patterns, or instead of one of them (same method and path) */
  endpoints?: Endpoint[]
}

/** A resource whose records can be written in sets: the kinds of record that people work with. */
export interface SetResource<In extends Item = Item, Out extends Stored = Stored> extends Resource<In, Out> {
  operations: SetOperations<In, Out>
}

export const isSetResource = (resource: Resource): resource is SetResource =>
  'createMany' in resource.operations

/** What creating a record takes, where its kind is known only at run time. */
export type RecordInput = Infer<Resource['record']['input']>
