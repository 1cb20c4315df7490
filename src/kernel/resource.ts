/** What a resource declares. crud.ts builds its six operations, http/mount.ts its routes and documentation. */
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

/** `In` is the body of create, `Out` the response; `defineRecord` infers both from the schemas. */
export interface RecordType<
  In extends Item = Item,
  Out extends Stored = Stored,
  T extends TableName = TableName,
> {
  /** the table; the journal stores changes under this name */
  table: T
  /** the name in messages: "Company not found" */
  label: string
  /** how other records refer to it: `entity_type` of favorites, notes, tags */
  entityType?: string
  /** the body of create; update takes the same with every field optional */
  input: RecordSchema<In>
  /** the response; its fields are returned in this order */
  output: RecordSchema<Out>
  /** SQL of response fields that are not columns; the record is called `r` */
  computed?: Record<string, (ctx: Ctx) => Sql>
  /**
   * SQL of computed fields for statements that read one record: calls of functions, which cost nothing where the record
   * has no links. Where many records are read, `computed` is cheaper.
   */
  ofOne?: Record<string, (ctx: Ctx) => Sql>
  /** the constant values of computed fields of a record that has just been inserted: no other row refers to it yet */
  whenNew?: Record<string, Sql>
  /** fields that accept ids and return ReferenceItems */
  links?: Record<string, Link>
  /** fields that accept one id */
  references?: Record<string, Target>
  /** further fields with one id, which the rules of the kind check themselves */
  ruleReferences?: Record<string, Target>
  /** filters of the list besides those that every list has */
  filters?: Record<string, Filter>
  /** the declared custom fields, by which lists can filter and sort with an index */
  custom?: (ctx: Ctx) => Promise<CustomColumns>
  /** a sentence for the description of create: what belongs to a record and is written otherwise */
  createHint?: string
  /** whether the table has search_text (and phone_digits) */
  search?: 'text' | 'text and phone'
  /** whether the table has the column `bytes`; its pages then have a budget in bytes (page-budget.ts) */
  hasBytes?: boolean
  /** the order of the list when the request has none */
  defaultSort?: { by: string; order: 'asc' | 'desc' }
  /** columns that are no fields of the record and sort its lists, with their types in PostgreSQL */
  furtherSorts?: Readonly<Record<string, string>>
  /**
   * limits every read and write, e.g. to the caller's own records; compiled once, so it may use ctx.user but not scopes
   */
  visible?: (ctx: Ctx) => Sql
}

export interface Filter<T = unknown> {
  schema: Schema<T>
  where(ctx: Ctx, value: T): Sql
  /** `where` uses the value only as a parameter and does not read the caller, so its statement is compiled once */
  bindsValue?: boolean
  /** where record_counts counts the records with each value: a condition on its rows `c` for those that match */
  counted?(ctx: Ctx, value: T): Sql
}

/** Infers the types of input and output from their schemas, and each filter's value from its schema. */
export const defineRecord = <In extends Item, Out extends Stored, const T extends TableName, F>(
  record: RecordDeclaration<In, Out, T, F>,
  // RecordDeclaration has checked the keys; the kernel reads them by names that it has only at run time.
): RecordType<In, Out, T> => record as RecordType<In, Out, T>

export interface RecordDeclaration<In extends Item, Out extends Stored, T extends TableName, F>
  extends Omit<RecordType<In, Out, T>, 'computed' | 'ofOne' | 'links' | 'references' | 'filters'> {
  computed?: { [K in keyof Out]?: (ctx: Ctx) => Sql }
  ofOne?: { [K in keyof Out]?: (ctx: Ctx) => Sql }
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
  /** only where there are more than `total` */
  total_is_exact?: false
  next_cursor?: string | null
}

/** Values by name, for a kind of record that is known only at run time. */
export type Item = Record<string, unknown>

/** A record of any kind as a response returns it. */
export type Stored = Item & { id: string }

/** Columns that every record has and that an import can set to their original values. */
export interface Stamps {
  id?: string
  created_at?: string
  updated_at?: string
}

export interface Operations<In extends Item = Item, Out extends Stored = Stored> {
  list(ctx: Ctx, query: ListQuery): Promise<Page<Out>>
  get(ctx: Ctx, id: string): Promise<Out>
  create(ctx: Ctx, input: In, writing?: { set?: Stamps }): Promise<Out>
  update(ctx: Ctx, id: string, input: Partial<In>, writing?: { set?: Item }): Promise<Out>
  /** Takes a list, so that single and bulk delete follow the same rules. Unknown ids are skipped. */
  remove(ctx: Ctx, ids: readonly string[]): Promise<number>
  restore(ctx: Ctx, ids: readonly string[]): Promise<number>
}

/** Operations that write a set of records with a few statements. A refused record does not stop the others. */
export interface SetOperations<In extends Item = Item, Out extends Stored = Stored>
  extends Operations<In, Out> {
  /** Returns the result for each record, in the same order. */
  createMany(ctx: Ctx, records: readonly New<In>[], options?: SetOptions): Promise<Saved[]>
  /** Each record may occur only once. */
  updateMany(ctx: Ctx, changes: readonly Change<In>[], options?: SetOptions): Promise<Saved[]>
}

export interface New<In> {
  input: In
  set?: Stamps
  /** the member who created it; default: the caller */
  author?: string
  /** the bits of the column `linked` for the links that the caller adds next */
  linked?: number
}

export interface Change<In> {
  id: string
  input: Partial<In>
}

/** The result of writing one record of a set. */
export interface Saved {
  id: string
  /** why it was refused */
  error?: HttpError
  isUnchanged?: boolean
}

/** How the new value of a field follows from the stored one and the one that was sent. */
export interface Merge {
  /** further columns that it needs */
  reads?: readonly string[]
  /** `row` has the stored values of the fields that are sent and of the columns in `reads` */
  value(stored: unknown, sent: unknown, row: Item): unknown
}

export interface SetOptions {
  /** the caller has already checked every id in the inputs, in the same transaction */
  isLookedUp?: boolean
  /** fields whose stored value is combined with the one that was sent instead of being replaced by it */
  merged?: Readonly<Record<string, Merge>>
  /** a record that already has all values is not written */
  skipUnchanged?: boolean
  /** Called before the records with these ids are written, when all others are refused. Returns further refusals. */
  beforeWriting?(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, HttpError>>
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
  /** the path below /api, and the resource part of its permissions: `companies` → companies:read */
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

/** The input of create, where the kind is known only at run time. */
export type RecordInput = Infer<Resource['record']['input']>
