/** The statements that write a set of records, each for the whole set. */
import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { type ColumnTypes, columnsOf, insertRecords, patchRecords } from './bulk-sql.ts'
import { asRecords, type Compiled, compiled, KEY_COLUMN, type Reader } from './compiled.ts'
import type { Ctx } from './context.ts'
import { errors } from './errors.ts'
import { existingIds, replaceLinks } from './links.ts'
import { ofOne, selectList } from './list-statement.ts'
import type { RecordType, Stored } from './resource.ts'
import type { Write } from './rules.ts'
import type { JsonSchema } from './schema/index.ts'
import { type Row, updateAny } from './statements.ts'

type Sql = RawBuilder<unknown>

/** Outside the trash, and visible to the caller; the record is `r`. */
export const isShown = (ctx: Ctx, { visible }: Pick<RecordType, 'visible'>): Sql =>
  visible ? sql`r.deleted_at is null and ${visible(ctx)}` : sql`r.deleted_at is null`

/** Refuses records whose input has the id of a record that does not exist. */
export async function checkIds(tx: Ctx, record: RecordType, writes: readonly Write[]): Promise<void> {
  for (const [name, target] of Object.entries(record.references ?? {})) {
    // Only the caller's ids: an id that a rule has set is also in a link field, which is checked below.
    const referring = writes.flatMap(write => {
      const id = write.input[name] === undefined ? undefined : write.values[name]
      return typeof id === 'string' && !write.error ? [{ write, id }] : []
    })
    if (referring.length === 0) continue
    const existing = await existingIds(tx, target, [...new Set(referring.map(({ id }) => id))])
    for (const { write, id } of referring)
      if (!existing.has(id)) write.error = errors.referenceNotFound(['body', name], target.label, id)
  }
  for (const [name, { target }] of Object.entries(record.links ?? {})) {
    const referring = writes.flatMap(write => {
      const ids = write.error ? [] : idsOf(write.values[name])
      return ids.length > 0 ? [{ write, ids }] : []
    })
    if (referring.length === 0) continue
    const existing = await existingIds(tx, target, [...new Set(referring.flatMap(({ ids }) => ids))])
    for (const { write, ids } of referring) {
      const missing = ids.findIndex(id => !existing.has(id))
      if (missing >= 0)
        write.error = errors.referenceNotFound(['body', name, missing], target.label, ids[missing])
    }
  }
}

/** A link field is a list of ids in every schema, or null for none. */
const idsOf = (value: unknown): string[] => (Array.isArray(value) ? value : [])

const TIME = /^\d{4}-\d{2}-\d{2}T/

/** Whether the stored record already has all values of the write. */
export function isStored(record: RecordType, { values }: Write, stored: Row): boolean {
  return Object.entries(values).every(([name, value]) => {
    const old = stored[name] ?? null
    if (value === undefined) return true
    if (record.links?.[name]) return isDeepStrictEqual([...new Set(idsOf(value))], old)
    if (typeof value === 'string' && typeof old === 'string' && TIME.test(value) && TIME.test(old))
      return Date.parse(value) === Date.parse(old)
    return isDeepStrictEqual(value, old)
  })
}

/** Inserts one row and returns the record. */
export const insertStatement = <Out>(ctx: Ctx, record: RecordType, row: Row): RawBuilder<Out> =>
  sql<Out>`insert into ${sql.table(record.table)} as r
    (${sql.join(['account_id', ...Object.keys(row)].map(column => sql.ref(column)))})
    values (${sql.join([ctx.account, ...Object.values(row)])})
    returning ${selectList(ctx, { ...record, computed: { ...record.computed, ...constants(record, row) } })}`

/**
 * The computed fields of a new record that need no query: it has no links, and no references but those in its row. The
 * queries for a company took a sixth of the time of its insert.
 */
function constants(record: RecordType, row: Row): RecordType['computed'] {
  const links = Object.keys(record.links ?? {}).map(name => [name, sql`'[]'::json`])
  const absent = Object.keys(record.references ?? {}).filter(name => row[name] === undefined)
  const references = absent.filter(name => record.computed?.[name]).map(name => [name, sql`null::uuid`])
  const values: Record<string, Sql> = Object.fromEntries([...links, ...references])
  return Object.fromEntries(
    Object.entries({ ...values, ...record.whenNew }).map(([name, value]) => [name, () => value]),
  )
}

/**
 * Returns the function that writes the rows and links of a set. With `reader` it returns what that reads of the written
 * rows, by id, if only rows were written.
 */
export function rowWriter<Out extends Stored>(record: RecordType<Row, Out>) {
  const insertOne = compiled((ctx, row: Row) => insertStatement<Out>(ctx, record, row))
  const updateOne = compiled(
    (ctx, { id, ...row }: Row & { id: string }) => sql<Out>`update ${sql.table(record.table)} as r
      set ${sql.join([
        ...Object.entries(row).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
        sql`updated_at = now()`,
      ])}
      where r.account_id = ${ctx.account} and r.id = ${id} and ${isShown(ctx, record)}
      returning ${selectList(ctx, record, ofOne(ctx, record))}`,
  )
  const setsOf = setStatements(record)

  /** The record is not returned if the change may have hidden it from the caller. */
  async function writeOne<R>(tx: Ctx, write: Write, reader: Reader<Out, R>): Promise<R | undefined> {
    if (write.isNew) return reader.one(insertOne, tx, { id: write.id, ...parameters(record, write) })
    const { updated_at: _, ...columns } = parameters(record, write)
    const updated = await reader.one(updateOne, tx, { ...columns, id: write.id })
    if (!updated) write.error = errors.notFound(record.label)
    return record.visible ? undefined : updated
  }

  /** One statement for rows that have values for the same columns. Rows that others have locked are not updated. */
  async function writeAlike<R>(
    tx: Ctx,
    writes: readonly Write[],
    reader: Reader<Out, R>,
  ): Promise<Map<string, R>> {
    const { inserted, updated } = setsOf(await columnsOf(tx, record.table))
    const rows = writes.map(write => ({ ...parameters(record, write), id: write.id }))
    if (writes.every(({ isNew }) => isNew)) return reader.byKey(inserted, tx, byColumn(rows))
    return reader.byKey(updated, tx, byColumn(rows.map(({ updated_at: _, ...row }: Row) => row)))
  }

  return async <R>(
    tx: Ctx,
    writes: readonly Write[],
    reader?: Reader<Out, R>,
  ): Promise<ReadonlyMap<string, R> | undefined> => {
    const [first, ...more] = writes
    if (!first) return undefined
    let written: ReadonlyMap<string, R> | undefined
    if (more.length > 0 && reader) written = await writeAlike(tx, writes, reader)
    else if (more.length > 0) await writeSet(tx, record, writes)
    else if (reader) {
      const row = await writeOne(tx, first, reader)
      written = row === undefined ? undefined : new Map([[first.id, row]])
    } else await writeOne(tx, first, asRecords<Out>())
    return (await writeLinks(tx, record, writes)) ? undefined : written
  }
}

interface SetStatements<Out> {
  inserted: Compiled<Row, Out>
  updated: Compiled<Row, Out>
}

/** Statements that write rows, one array of values for each column, and return the records. */
function setStatements<Out extends Stored>(record: RecordType<Row, Out>) {
  const ofTypes = new WeakMap<ColumnTypes, SetStatements<Out>>()
  const key = sql`r.id as ${sql.ref(KEY_COLUMN)}`

  const compiledFor = (types: ColumnTypes): SetStatements<Out> => {
    const unnested = (values: Row) =>
      sql`unnest(${sql.join(Object.entries(values).map(([column, list]) => sql`${list}::${types[column]?.type}[]`))})`
    return {
      inserted: compiled((ctx, values) => {
        const computed = { ...record.computed, ...constants(record, values) }
        return sql<Out>`insert into ${sql.table(record.table)} as r
          (${sql.join(['account_id', ...Object.keys(values)].map(column => sql.ref(column)))})
          select ${ctx.account}::uuid, * from ${unnested(values)}
          returning ${selectList(ctx, { ...record, computed })}, ${key}`
      }),
      // It waits for no lock, so that one record does not delay the others and sets cannot deadlock. `any(ids)` repeats the
      // join condition: with the join alone, the planner reads all records of the account.
      updated: compiled((ctx, values) => {
        const columns = Object.keys(values)
        const assignments = columns
          .filter(column => column !== 'id')
          .map(column => sql`${sql.ref(column)} = v.${sql.ref(column)}`)
        return sql<Out>`with free as materialized (
            select r.id from ${sql.table(record.table)} r
            where r.account_id = ${ctx.account} and r.id = any(${values.id}::uuid[]) and ${isShown(ctx, record)}
            order by r.id for no key update skip locked)
          update ${sql.table(record.table)} as r
          set ${sql.join([...assignments, sql`updated_at = now()`])}
          from ${unnested(values)} v (${sql.join(columns.map(column => sql.ref(column)))})
          where r.account_id = ${ctx.account} and r.id = any(array(select f.id from free f)) and r.id = v.id
          returning ${selectList(ctx, record, ofOne(ctx, record))}, ${key}`
      }),
    }
  }

  return (types: ColumnTypes): SetStatements<Out> => {
    const statements = ofTypes.get(types) ?? compiledFor(types)
    ofTypes.set(types, statements)
    return statements
  }
}

/** The values of each column of rows that have the same columns. */
function byColumn(rows: readonly Row[]): Row {
  const columns = Object.keys(rows[0] ?? {})
  // unnest would take a list of lists apart
  for (const row of rows)
    if (
      columns.length !== Object.keys(row).length ||
      columns.some(column => !(column in row) || Array.isArray(row[column]))
    )
      throw new Error('the rows cannot be written together')
  return Object.fromEntries(columns.map(column => [column, rows.map(row => row[column])]))
}

async function writeSet(tx: Ctx, record: RecordType, writes: readonly Write[]): Promise<void> {
  await insertRecords(
    tx,
    record.table,
    writes.filter(({ isNew }) => isNew).map(write => rowOf(record, write)),
  )
  await update(
    tx,
    record,
    writes.filter(({ isNew }) => !isNew),
  )
}

/** The columns to write, in the order of the schema, because statements are compiled once for each order. */
function valuesOf(record: RecordType, { values }: Write): Row {
  const { fields } = record.input
  const unknown = Object.keys(values).find(name => !Object.hasOwn(fields, name))
  if (unknown !== undefined) {
    throw new Error(
      `${record.table} has no input field ${unknown}: pass the columns that the server fills as { set }`,
    )
  }
  const names = Object.keys(fields).filter(name => values[name] !== undefined && !record.links?.[name])
  return Object.fromEntries(names.map(name => [name, values[name]]))
}

/**
 * The column `linked` of a new record that will have links. Without it the trigger of its links would write the row a
 * second time, with all of its index entries.
 */
function linkedOf({ links = {} }: RecordType, { isNew, values }: Write): { linked?: number } {
  const bits = Object.entries(links).map(([name, { bit = 0 }]) => (idsOf(values[name]).length > 0 ? bit : 0))
  const linked = bits.reduce((all, bit) => all | bit, 0)
  return isNew && linked > 0 ? { linked } : {}
}

const rowOf = (record: RecordType, write: Write) => ({
  ...valuesOf(record, write),
  ...linkedOf(record, write),
  ...write.set,
  id: write.id,
})

/**
 * node-postgres writes a JavaScript array as a PostgreSQL one; so the value of a jsonb column is passed as JSON text.
 */
function parameters(record: RecordType, write: Write): Row {
  const columns = valuesOf(record, write)
  for (const name of jsonColumnsOf(record.input)) {
    const value = columns[name]
    if (value !== null && value !== undefined) columns[name] = JSON.stringify(value)
  }
  return { ...columns, ...linkedOf(record, write), ...write.set }
}

const jsonColumns = new WeakMap<RecordType['input'], readonly string[]>()

function jsonColumnsOf(input: RecordType['input']): readonly string[] {
  const names =
    jsonColumns.get(input) ??
    Object.entries(input.fields).flatMap(([name, { json }]) => (isJsonColumn(json) ? [name] : []))
  jsonColumns.set(input, names)
  return names
}

/** If all records get the same values, a simple UPDATE is enough. */
async function update(tx: Ctx, record: RecordType, writes: readonly Write[]): Promise<void> {
  const [first, ...more] = writes
  if (!first) return
  const isSame = more.every(
    ({ values, set }) => isDeepStrictEqual(values, first.values) && isDeepStrictEqual(set, first.set),
  )
  const updated = isSame
    ? await updateAny(
        tx,
        record.table,
        { ...parameters(record, first), updated_at: sql`now()` },
        sql`r.id = any(${writes.map(({ id }) => id)}::uuid[]) and ${isShown(tx, record)}`,
        sql<{ id: string }>`r.id`,
      )
    : await patchRecords(
        tx,
        record.table,
        writes.map(write => rowOf(record, write)),
        isShown(tx, record),
      )
  const ids = new Set(updated.map(({ id }) => id))
  for (const write of writes) if (!ids.has(write.id)) write.error = errors.notFound(record.label)
}

/** Returns whether there were links to write. */
async function writeLinks(tx: Ctx, record: RecordType, writes: readonly Write[]): Promise<boolean> {
  let hasLinks = false
  for (const [name, link] of Object.entries(record.links ?? {})) {
    const linked = writes.flatMap(({ id, isNew, values, error }) =>
      values[name] === undefined || error ? [] : [{ own: id, ids: idsOf(values[name]), isNew }],
    )
    if (linked.length === 0) continue
    hasLinks = true
    await replaceLinks(tx, link, linked)
  }
  return hasLinks
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
