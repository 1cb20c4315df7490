/**
 * The six operations that every resource shares, as plain functions. A resource spreads them and replaces
 * those it does otherwise: `operations: { ...base, update }`.
 */
import { type RawBuilder, sql } from 'kysely'
import { isUniqueViolation } from '../db/sqlstate.ts'
import { compiled } from './compiled.ts'
import { type Ctx, one, query, transaction } from './context.ts'
import { errors } from './errors.ts'
import { newId } from './ids.ts'
import { checkReferences, type Link, linkedItems, replaceLinks } from './links.ts'
import { listRecords } from './list-query.ts'
import { selectList, withoutAbsent } from './list-statement.ts'
import type { Item, Operations, RecordType, Stored } from './resource.ts'
import type { JsonSchema, Schema } from './schema/index.ts'
import { type Columns, FROM_TRASH, type Row, type TableName, TO_TRASH, updateAny } from './statements.ts'

type Sql = RawBuilder<unknown>

/** What the server sets itself, beside the client's input: created_by, closed_at, … */
export interface Writing<T extends TableName> {
  set?: Columns<T>
  /** the record before the change, where the caller has locked and read it already; `crud` does not need it */
  before?: unknown
}

export interface Crud<In extends Item = Item, Out extends Stored = Stored, T extends TableName = TableName>
  extends Omit<Operations<In, Out>, 'updateMany'> {
  record: RecordType<In, Out, T>
  create(ctx: Ctx, input: In, writing?: Writing<T>): Promise<Out>
  update(ctx: Ctx, id: string, input: Partial<In>, writing?: Writing<T>): Promise<Out>
  /** The record as it is answered, locked until the transaction ends. */
  locked(tx: Ctx, id: string): Promise<Out>
  updatingMany(dependent: readonly (keyof In)[]): NonNullable<Operations<In, Out>['updateMany']>
}

export function crud<In extends Item, Out extends Stored, T extends TableName>(
  declared: RecordType<In, Out, T>,
): Crud<In, Out, T> {
  const record = withLinkFields(declared)

  const selectOne = (ctx: Ctx, args: { id: string }) => sql<Out>`select ${selectList(ctx, record)}
    from ${sql.table(record.table)} r
    where r.account_id = ${ctx.account} and r.id = ${args.id} and r.deleted_at is null
    ${record.visible ? sql`and ${record.visible(ctx)}` : sql``}`
  const find = compiled(selectOne)
  const findAndLock = compiled(
    (ctx, args: { id: string }) => sql<Out>`${selectOne(ctx, args)} for no key update of r`,
  )

  const shown = ([item]: readonly Out[]): Out => {
    if (!item) throw errors.notFound(record.label)
    return withoutAbsent(record, item)
  }
  const get = async (ctx: Ctx, id: string): Promise<Out> => shown(await find(ctx, { id }))
  const locked = async (tx: Ctx, id: string): Promise<Out> => shown(await findAndLock(tx, { id }))

  const insert = compiled(
    (ctx, row: Row) => sql<Out>`insert into ${sql.table(record.table)} as r
      (${sql.join(['account_id', ...Object.keys(row)].map(column => sql.ref(column)))})
      values (${sql.join([ctx.account, ...Object.values(row)])})
      returning ${selectList(ctx, record)}`,
  )

  async function create(ctx: Ctx, input: In, writing: Writing<T> = {}): Promise<Out> {
    const { columns, links } = split(record, input, writing)
    const row = { id: newId(), ...columns }
    const simple =
      links.length === 0 && Object.keys(record.references ?? {}).every(name => input[name] == null)
    if (simple) return withoutAbsent(record, one(await insert(ctx, row)))
    return transaction(ctx, async tx => {
      await checkScalarReferences(tx, record, input)
      const inserted = one(await insert(tx, row))
      if (links.length === 0) return withoutAbsent(record, inserted)
      for (const written of links) await writeLinks(tx, row.id, written)
      return get(tx, row.id)
    })
  }

  async function update(ctx: Ctx, id: string, input: Partial<In>, writing: Writing<T> = {}): Promise<Out> {
    const { columns, links } = split(record, input, writing)
    return transaction(ctx, async tx => {
      await checkScalarReferences(tx, record, input)
      const changed = await updateAny(
        tx,
        record.table,
        { ...columns, updated_at: sql`now()` },
        sql`r.id = ${id} and r.deleted_at is null ${record.visible ? sql`and ${record.visible(tx)}` : sql``}`,
        sql`r.id`,
      )
      if (changed.length === 0) throw errors.notFound(record.label)
      for (const written of links) await writeLinks(tx, id, written)
      return get(tx, id)
    })
  }

  /**
   * For a resource's `updateMany`. `dependent` names the fields whose new value has to fit what a record holds: with
   * one of these, or with links, nothing is done.
   */
  const updatingMany =
    (dependent: readonly (keyof In)[]): NonNullable<Operations<In, Out>['updateMany']> =>
    async (ctx, ids, input) => {
      if (dependent.some(name => input[name] !== undefined)) return false
      const { columns, links } = split(record, input, {})
      if (links.length > 0) return false
      await checkScalarReferences(ctx, record, input)
      await updateAny(
        ctx,
        record.table,
        { ...columns, updated_at: sql`now()` },
        sql`r.id = any(${ids}::uuid[]) and r.deleted_at is null ${record.visible ? sql`and ${record.visible(ctx)}` : sql``}`,
      )
      return true
    }

  async function remove(ctx: Ctx, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0
    const gone = await updateAny(
      ctx,
      record.table,
      TO_TRASH,
      sql`r.id = any(${ids}::uuid[]) and r.deleted_at is null ${record.visible ? sql`and ${record.visible(ctx)}` : sql``}`,
      sql`r.id`,
    )
    return gone.length
  }

  async function restore(ctx: Ctx, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0
    const back = await updateAny(
      ctx,
      record.table,
      FROM_TRASH,
      sql`r.id = any(${ids}::uuid[]) and r.deleted_at is not null ${record.visible ? sql`and ${record.visible(ctx)}` : sql``}`,
      sql`r.id`,
    ).catch(error => {
      if (!isUniqueViolation(error)) throw error
      throw errors.conflict(`Another ${record.label.toLowerCase()} has taken a value that must be unique`)
    })
    return back.length
  }

  return {
    record,
    list: (ctx, params) => listRecords(ctx, record, params),
    get,
    create,
    update,
    locked,
    updatingMany,
    remove,
    restore,
  }
}

/** A link field is computed like any other: the living records at its other end. */
function withLinkFields<In extends Item, Out extends Stored, T extends TableName>(
  record: RecordType<In, Out, T>,
): RecordType<In, Out, T> {
  const linked = Object.entries(record.links ?? {}).map(([name, link]) => [
    name,
    (ctx: Ctx) => linkedItems(ctx, link),
  ])
  return { ...record, computed: { ...Object.fromEntries(linked), ...record.computed } }
}

/** A link field of an input. */
interface WrittenLinks {
  name: string
  link: Link
  ids: string[]
}

/** Splits an input into column values and links. */
function split(
  record: RecordType,
  input: Item,
  { set = {} }: Writing<TableName>,
): { columns: Row; links: WrittenLinks[] } {
  const columns: Row = {}
  const links: WrittenLinks[] = []
  // In the order of the schema: statements are compiled once for each order of columns.
  for (const [name, schema] of Object.entries(record.input.fields)) {
    const value = input[name]
    const link = record.links?.[name]
    if (value === undefined) continue
    if (link) links.push({ name, link, ids: idsOf(value) })
    else columns[name] = columnValue(schema, value)
  }
  const unknown = Object.keys(input).find(name => !Object.hasOwn(record.input.fields, name))
  if (unknown !== undefined) {
    throw new Error(
      `${record.table} has no input field ${unknown}: pass the columns that the server fills as { set }`,
    )
  }
  return { columns: { ...columns, ...set }, links }
}

/** A link field is a list of ids in every schema, or null for none. */
const idsOf = (value: unknown): string[] => (Array.isArray(value) ? value : [])

/** node-postgres writes a JavaScript array as a PostgreSQL one; what goes into a jsonb column is JSON text already. */
export function columnValue(schema: Schema<unknown>, value: unknown): unknown {
  return value !== null && isJsonColumn(schema.json) ? JSON.stringify(value) : value
}

/** Objects, arrays of anything but text, and values of several kinds are stored as jsonb. */
function isJsonColumn(json: JsonSchema): boolean {
  const [kind, ...others] = kindsOf(json)
  if (!kind || others.length > 0) return true
  return (
    kind.type === 'object' ||
    (kind.type === 'array' && kind.items?.type !== 'string') ||
    kind.type === undefined
  )
}

const kindsOf = (json: JsonSchema): JsonSchema[] =>
  json.anyOf ? json.anyOf.flatMap(kindsOf) : json.type === 'null' ? [] : [json]

async function checkScalarReferences(tx: Ctx, record: RecordType, input: Item): Promise<void> {
  for (const [name, target] of Object.entries(record.references ?? {})) {
    const id = input[name]
    if (typeof id === 'string') await checkReferences(tx, target, [id], () => ['body', name])
  }
}

const writeLinks = (tx: Ctx, ownId: string, { name, link, ids }: WrittenLinks): Promise<void> =>
  replaceLinks(tx, link, ownId, ids, index => ['body', name, index])

/** Locks the records until the transaction ends, so that what is read of them stays true. Returns those found. */
export async function lockRecords(tx: Ctx, table: TableName, ids: readonly string[]): Promise<string[]> {
  const found = await query(
    tx,
    sql<{ id: string }>`select r.id from ${sql.table(table)} r where r.account_id = ${tx.account}
      and r.id = any(${ids}::uuid[]) and r.deleted_at is null order by r.id for update`,
  )
  return found.map(row => row.id)
}

export type { Sql }
