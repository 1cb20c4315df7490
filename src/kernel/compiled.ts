/**
 * Compiles frequent statements once and binds new values on each call. Building and compiling a select of forty fields
 * takes longer than PostgreSQL needs to run it.
 */
import { CompiledQuery, type QueryResult, type RawBuilder } from 'kysely'
import type { JsonQuery } from '../db/dialect.ts'
import type { JsonRows } from '../db/json-rows.ts'
import { besideKey } from '../db/row-shapes.ts'
import { property } from '../lib/values.ts'
import { type Ctx, one } from './context.ts'

/** A placeholder in the compiled statement for a value of the call. */
class Slot {
  readonly kind: 'account' | 'user' | 'argument'
  readonly name: string

  constructor(kind: Slot['kind'], name = '') {
    this.kind = kind
    this.name = name
  }
}

interface Plan {
  compiledQuery: CompiledQuery
  parameters: readonly unknown[]
}

const MAX_SHAPES = 300

export interface Compiled<A, R> {
  (ctx: Ctx, args: A): Promise<R[]>
  /** the rows as JSON text */
  json(ctx: Ctx, args: A): Promise<JsonRows<R>>
}

/**
 * `build` runs once for each set of argument names and gets placeholders instead of values. It may use `ctx.account`,
 * `ctx.user` and the arguments as parameters of the statement, but must not branch on them. If it reads `ctx.caller`, it
 * runs once for each set of scopes: a statement that shows less to some keys must not be reused for others.
 */
export function compiled<A extends object, R>(build: (ctx: Ctx, args: A) => RawBuilder<R>): Compiled<A, R> {
  const plans = new Map<string, Plan>()
  let readsCaller = false
  const shapeOf = ({ caller }: Ctx, args: A): string => {
    const names = Object.keys(args).join()
    return readsCaller ? `${names} ${caller.role} ${caller.scopes.join()}` : names
  }

  function plan(ctx: Ctx, args: A): Plan {
    // `never` fits every parameter type; `build` does not read the value.
    const slot = (kind: Slot['kind'], name?: string): never => new Slot(kind, name) as never
    const slots = Object.fromEntries(Object.keys(args).map(name => [name, slot('argument', name)]))
    const fake = {
      ...ctx,
      account: slot('account'),
      user: slot('user'),
      get caller() {
        readsCaller = true
        return ctx.caller
      },
    }
    const statement = build(fake, slots as A).compile(ctx.db)
    const { sql, parameters } = withEachSlotOnce(statement)
    const compiledPlan = { compiledQuery: CompiledQuery.raw(sql), parameters }
    if (plans.size >= MAX_SHAPES) plans.clear()
    plans.set(shapeOf(ctx, args), compiledPlan)
    return compiledPlan
  }

  function bound(ctx: Ctx, args: A): CompiledQuery<R> {
    const { compiledQuery, parameters } = plans.get(shapeOf(ctx, args)) ?? plan(ctx, args)
    const values = parameters.map(parameter => {
      if (!(parameter instanceof Slot)) return parameter
      if (parameter.kind === 'argument') return property(args, parameter.name)
      return parameter.kind === 'account' ? ctx.account : ctx.user
    })
    return { ...compiledQuery, parameters: values }
  }

  const rows = async (ctx: Ctx, args: A): Promise<R[]> => (await execute<R>(ctx, bound(ctx, args))).rows
  return Object.assign(rows, { json: (ctx: Ctx, args: A) => jsonRows(ctx, bound(ctx, args)) })
}

/** How the rows of a statement are read: as records, or as their JSON text. */
export interface Reader<Out, R> {
  name: string
  /** the only row */
  one<A>(statement: Compiled<A, Out>, ctx: Ctx, args: A): Promise<R | undefined>
  /** the rows by their column `#key` */
  byKey<A>(statement: Compiled<A, Out>, ctx: Ctx, args: A): Promise<Map<string, R>>
}

/** A column beside the record, by which `byKey` finds its row. */
export const KEY_COLUMN = '#key'
const KEY: unique symbol = besideKey('key') as never

export const asRecords = <Out extends object>(): Reader<Out, Out> => ({
  name: 'records',
  one: async (statement, ctx, args) => (await statement(ctx, args))[0],
  byKey: async (statement, ctx, args) =>
    new Map((await statement(ctx, args)).map(row => [String(property(row, KEY)), row])),
})

export const asText = <Out>(): Reader<Out, Buffer> => ({
  name: 'text',
  async one(statement, ctx, args) {
    const rows = await statement.json(ctx, args)
    return rows.length === 0 ? undefined : rows.text
  },
  async byKey(statement, ctx, args) {
    const rows = await statement.json(ctx, args)
    return new Map(
      Array.from({ length: rows.length }, (_, i) => [
        String(property(rows.at(i), KEY)),
        rows.slice(i, i + 1).text,
      ]),
    )
  },
})

/** The rows of a statement as JSON text. */
export async function jsonRows<R>(ctx: Pick<Ctx, 'db'>, statement: CompiledQuery<R>): Promise<JsonRows<R>> {
  const asJson: JsonQuery<R> = { ...statement, asJson: true }
  return one((await execute<JsonRows<R>>(ctx, asJson)).rows)
}

/** Without the promise that `db.executeQuery` adds. */
const execute = <R>({ db }: Pick<Ctx, 'db'>, statement: CompiledQuery): Promise<QueryResult<R>> =>
  db.getExecutor().executeQuery<R>(statement)

/** The account occurs eight times in a select of a company: it becomes one parameter, which is sent and parsed once. */
function withEachSlotOnce({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): {
  sql: string
  parameters: unknown[]
} {
  // Values and arguments stay apart: PostgreSQL may give each occurrence another type.
  const isShared = (value: unknown) => value instanceof Slot && value.kind !== 'argument'
  const distinct: unknown[] = []
  const numbers = parameters.map(value => {
    const before = isShared(value) ? distinct.indexOf(value) : -1
    return before >= 0 ? before + 1 : distinct.push(value)
  })
  return {
    sql: sql.replace(/\$(\d+)/g, (_, number) => `$${numbers[Number(number) - 1]}`),
    parameters: distinct,
  }
}
