/**
 * Statements that are asked for all the time are put together once. Building and compiling a select of forty
 * fields takes longer than PostgreSQL needs to run it; here only the values are new each time.
 */
import { CompiledQuery, type RawBuilder } from 'kysely'
import type { Ctx } from './context.ts'

/** Stands in the compiled statement where a value of the call goes. */
interface Slot {
  slot: 'account' | 'user' | 'argument'
  name: string
}

interface Plan {
  sql: string
  parameters: readonly unknown[]
}

const MAX_SHAPES = 300

/**
 * `build` is run once for each set of argument names, with placeholders for the values: it may put
 * `ctx.account`, `ctx.user` and the arguments into the statement as parameters, and look at none of them.
 */
export function compiled<A extends object, R>(
  build: (ctx: Ctx, args: A) => RawBuilder<R>,
): (ctx: Ctx, args: A) => Promise<R[]> {
  const plans = new Map<string, Plan>()

  function plan(ctx: Ctx, args: A, shape: string): Plan {
    const slot = (kind: Slot['slot'], name = ''): never => ({ slot: kind, name }) as never
    const slots = Object.fromEntries(Object.keys(args).map(name => [name, slot('argument', name)]))
    const fake = { ...ctx, account: slot('account'), user: slot('user') }
    const { sql, parameters } = build(fake, slots as A).compile(ctx.db)
    const made = { sql, parameters }
    if (plans.size >= MAX_SHAPES) plans.clear()
    plans.set(shape, made)
    return made
  }

  return async (ctx, args) => {
    const shape = Object.keys(args).join()
    const { sql, parameters } = plans.get(shape) ?? plan(ctx, args, shape)
    const values = parameters.map(parameter => {
      const slot = parameter as Partial<Slot> | null
      if (slot?.slot === 'account') return ctx.account
      if (slot?.slot === 'user') return ctx.user
      if (slot?.slot === 'argument') return (args as Record<string, unknown>)[slot.name!]
      return parameter
    })
    return (await ctx.db.executeQuery<R>(CompiledQuery.raw(sql, values))).rows
  }
}
