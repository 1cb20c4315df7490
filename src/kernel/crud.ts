/**
 * The six operations that every resource shares, as plain functions. A resource spreads them and replaces those that
 * differ: `operations: { ...base, update }`.
 */
import { sql } from 'kysely'
import { isUniqueViolation } from '../db/sqlstate.ts'
import { zip } from '../lib/values.ts'
import { asRecords, asText, compiled, KEY_COLUMN, type Reader } from './compiled.ts'
import { type Ctx, oneStatement, query, transaction } from './context.ts'
import { errors } from './errors.ts'
import { type Call, gathered } from './gather.ts'
import { newId } from './ids.ts'
import { withJson } from './json-answer.ts'
import { linkedItems, linkedItemsOfOne } from './links.ts'
import { listJson, listRecords } from './list-query.ts'
import { ofOne, selectList } from './list-statement.ts'
import { takenSentence } from './refusal.ts'
import type {
  Item,
  ListQuery,
  Operations,
  RecordType,
  Saved,
  SetOperations,
  SetOptions,
  Stored,
} from './resource.ts'
import type { Rules, Write } from './rules.ts'
import { type Columns, FROM_TRASH, type Row, type TableName, TO_TRASH, updateAny } from './statements.ts'
import { isShown } from './write-rows.ts'
import { setWriter } from './write-set.ts'

/** Columns that the server sets in addition to the client's input: created_by, closed_at, … */
export interface Writing<T extends TableName> {
  set?: Columns<T>
}

export interface Crud<In extends Item = Item, Out extends Stored = Stored, T extends TableName = TableName>
  extends Operations<In, Out> {
  record: RecordType<In, Out, T>
  create(ctx: Ctx, input: In, writing?: Writing<T>): Promise<Out>
  update(ctx: Ctx, id: string, input: Partial<In>, writing?: Writing<T>): Promise<Out>
}

export interface SetCrud<In extends Item, Out extends Stored, T extends TableName>
  extends Omit<SetOperations<In, Out>, 'create' | 'update'>,
    Crud<In, Out, T> {}

/** For resources that create and update one record at a time, and may replace either operation. */
export function crud<In extends Item, Out extends Stored, T extends TableName>(
  declared: RecordType<In, Out, T>,
): Crud<In, Out, T> {
  const { createMany: _, updateMany: __, ...operations } = setCrud(declared, {})
  return operations
}

/** For kinds of record that are written in sets. `rules` adds the checks and derived values of the kind. */
export function setCrud<In extends Item, Out extends Stored, T extends TableName, Before>(
  declared: RecordType<In, Out, T>,
  rules: Rules<In, Before>,
): SetCrud<In, Out, T> {
  const record = withLinkFields(declared)
  const save = setWriter(record, rules)

  const find = compiled(
    (ctx, args: { id: string }) => sql<Out>`select ${selectList(ctx, record, ofOne(ctx, record))}
      from ${sql.table(record.table)} r
      where r.account_id = ${ctx.account} and r.id = ${args.id} and ${isShown(ctx, record)}`,
  )
  const findSet = compiled(
    (ctx, args: { ids: readonly string[] }) => sql<Out>`select ${selectList(ctx, record, ofOne(ctx, record))},
        r.id as ${sql.ref(KEY_COLUMN)}
      from ${sql.table(record.table)} r
      where r.account_id = ${ctx.account} and r.id = any(${args.ids}::uuid[]) and ${isShown(ctx, record)}`,
  )

  const created = (ctx: Ctx, input: In, set: Row = {}, author = ctx.user): Write<In, Before> => {
    const id = typeof set.id === 'string' ? set.id : newId()
    const by = rules.author ? { [rules.author]: author } : {}
    return { id, isNew: true, input, values: { ...input }, set: { ...by, ...set } }
  }
  const changed = (id: string, input: Partial<In>, set: Row = {}): Write<In, Before> => ({
    ...{ id, isNew: false, input, values: { ...input }, set },
  })

  /** A transaction may be retried, so each attempt builds new writes, which no rule has modified. */
  const saveMany = (ctx: Ctx, writesOf: () => Write<In, Before>[], options?: SetOptions): Promise<Saved[]> =>
    transaction(ctx, async tx => {
      const writes = writesOf()
      await save(tx, writes, undefined, options)
      return writes
    })

  const pointers = [...Object.keys(record.references ?? {}), ...Object.keys(record.links ?? {})]

  /** Whether only one row is inserted, which needs no transaction. */
  const isOneInsert = (input: In): boolean =>
    (rules.isOneInsert?.(input) ?? true) && pointers.every(name => input[name] == null)

  /** Whether a change is one UPDATE: no rule reads the record first, and it need not be read again. */
  const isOneUpdate = (input: Partial<In>): boolean =>
    !record.visible && [...pointers, ...(rules.dependent ?? [])].every(name => input[name] === undefined)

  /** The operations on one record, which return what `reader` reads of it. */
  function operationsWith<R>(reader: Reader<Out, R>) {
    interface WriteCall extends Call {
      /** each attempt builds a new write, which no rule has modified */
      write(): Write<In, Before>
    }

    async function getAlone({ ctx, id }: Pick<Call, 'ctx' | 'id'>): Promise<R> {
      const item = await reader.one(find, ctx, { id })
      if (item === undefined) throw errors.notFound(record.label)
      return item
    }
    const getGathered = gathered<Call, R>({
      alone: getAlone,
      async together(calls) {
        const items = await reader.byKey(findSet, calls[0].ctx, { ids: calls.map(({ id }) => id) })
        return new Map(
          calls.flatMap(call => {
            const item = items.get(call.id)
            return item === undefined ? [] : [[call, item]]
          }),
        )
      },
    })

    /** What was saved of a write, or why it was refused. */
    async function saved(
      tx: Ctx,
      { id, error }: Write,
      rows: ReadonlyMap<string, R> | undefined,
    ): Promise<R> {
      if (error) throw error
      return rows?.get(id) ?? getAlone({ ctx: tx, id })
    }
    const saveOne = async (tx: Ctx, write: Write<In, Before>): Promise<R> =>
      saved(tx, write, await save(tx, [write], reader))
    /** Calls that take a single statement, without a transaction. */
    const writeGathered = gathered<WriteCall, R>({
      alone: ({ ctx, write }) => oneStatement(ctx, tx => saveOne(tx, write())),
      async together(calls) {
        const [{ ctx }] = calls
        const writes = calls.map(call => call.write())
        const rows = await save(ctx, writes, reader)
        const isDone = ({ id, error }: Write) => error !== undefined || !rows || rows.has(id)
        return new Map(
          zip(calls, writes).flatMap(([call, write]) =>
            isDone(write) ? [[call, saved(ctx, write, rows)]] : [],
          ),
        )
      },
    })

    return {
      get: (ctx: Ctx, id: string): Promise<R> => getGathered({ ctx, id, shape: '' }),
      create(ctx: Ctx, input: In, { set }: Writing<T> = {}): Promise<R> {
        if (!isOneInsert(input)) return transaction(ctx, tx => saveOne(tx, created(tx, input, set)))
        const { id } = created(ctx, input, set)
        const write = () => created(ctx, input, { ...set, id })
        return writeGathered({ ctx, id, shape: `create ${shapeOf(input, set)}`, write })
      },
      update(ctx: Ctx, id: string, input: Partial<In>, { set }: Writing<T> = {}): Promise<R> {
        if (!isOneUpdate(input)) return transaction(ctx, tx => saveOne(tx, changed(id, input, set)))
        const write = () => changed(id, input, set)
        return writeGathered({ ctx, id, shape: `update ${shapeOf(input, set)}`, write })
      },
    }
  }
  const [records, texts] = [operationsWith(asRecords<Out>()), operationsWith(asText<Out>())]

  async function remove(ctx: Ctx, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0
    const removed = await updateAny(
      ctx,
      record.table,
      TO_TRASH,
      sql`r.id = any(${ids}::uuid[]) and ${isShown(ctx, record)}`,
      sql`r.id`,
    )
    return removed.length
  }

  async function restore(ctx: Ctx, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0
    const restored = await updateAny(
      ctx,
      record.table,
      FROM_TRASH,
      sql`r.id = any(${ids}::uuid[]) and r.deleted_at is not null ${record.visible ? sql`and ${record.visible(ctx)}` : sql``}`,
      sql`r.id`,
    ).catch(error => {
      if (!isUniqueViolation(error)) throw error
      throw errors.conflict(takenSentence(error, `Another ${record.label.toLowerCase()}`))
    })
    return restored.length
  }

  return {
    record,
    list: withJson(
      (ctx, params: ListQuery) => listRecords(ctx, record, params),
      (ctx, params) => listJson(ctx, record, params),
    ),
    get: withJson(records.get, texts.get),
    create: withJson(records.create, texts.create),
    update: withJson(records.update, texts.update),
    createMany: (ctx, inputs, options) =>
      saveMany(
        ctx,
        () =>
          inputs.map(({ input, set, author, linked }) =>
            created(ctx, input, linked ? { ...set, linked } : { ...set }, author),
          ),
        options,
      ),
    updateMany: (ctx, changes, options) =>
      saveMany(ctx, () => changes.map(({ id, input }) => changed(id, input)), options),
    remove,
    restore,
  }
}

/** The names of the values that are written. */
const shapeOf = (...values: (Row | undefined)[]): string =>
  values
    .flatMap(row => Object.entries(row ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [name])))
    .join()

/** Adds a computed field for each link: the linked records outside the trash. */
function withLinkFields<In extends Item, Out extends Stored, T extends TableName>(
  record: RecordType<In, Out, T>,
): RecordType<In, Out, T> {
  const linked = Object.entries(record.links ?? {}).filter(([name]) => !record.computed?.[name])
  const items = linked.map(([name, link]) => [name, (ctx: Ctx) => linkedItems(ctx, link)])
  const ofOne = linked.flatMap(([name, { bit, ...link }]) =>
    bit === undefined ? [] : [[name, (ctx: Ctx) => linkedItemsOfOne(ctx, { ...link, bit })]],
  )
  return {
    ...record,
    computed: { ...Object.fromEntries(items), ...record.computed },
    ofOne: { ...Object.fromEntries(ofOne), ...record.ofOne },
  }
}

/**
 * Locks the records until the transaction ends, so that values read from them cannot change. Returns the existing ids.
 */
export async function lockRecords(tx: Ctx, table: TableName, ids: readonly string[]): Promise<string[]> {
  const locked = await query(
    tx,
    sql<{ id: string }>`select r.id from ${sql.table(table)} r where r.account_id = ${tx.account}
      and r.id = any(${ids}::uuid[]) and r.deleted_at is null order by r.id for update`,
  )
  return locked.map(row => row.id)
}
