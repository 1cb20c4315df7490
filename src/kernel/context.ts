/** Who is calling, for which account, in which transaction. It comes first in every operation. */
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../config.ts'
import { type Db, type Engine, type Scope, SYSTEM } from '../db/engine.ts'
import { isTransient } from '../db/sqlstate.ts'
import type { Log } from './log.ts'

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

export interface Caller {
  kind: 'key' | 'user'
  /** the key's id, or the user's */
  id: string
  /** under a key, the person who made it */
  userId: string
  accountId: string
  role: Role
  scopes: readonly string[]
}

/** What the whole process shares. */
export interface Services {
  engine: Engine
  config: Config
  log: Log
}

export interface Ctx {
  readonly account: string
  readonly user: string
  readonly caller: Caller
  readonly services: Services
  /** Statements of this caller; inside `transaction` those of the transaction. */
  readonly db: Db
  readonly inTransaction: boolean
}

export function contextFor(services: Services, caller: Caller): Ctx {
  const scope: Scope = {
    accountId: caller.accountId,
    actorKind: caller.kind,
    actorId: caller.id,
    userId: caller.userId,
  }
  return {
    account: caller.accountId,
    user: caller.userId,
    caller,
    services,
    db: services.engine.as(scope),
    inTransaction: false,
  }
}

/** Statements of the service itself, which sees every account: sign-in, clean-up, set-up. */
export const systemDb = (services: Services): Db => services.engine.as(SYSTEM)

const ATTEMPTS = 4

/**
 * Runs `work` in a transaction, or in the one that `ctx` is in already. A transaction that the database broke
 * off because it stood in another's way is run again, so `work` must touch nothing but the database.
 */
export async function transaction<T>(ctx: Ctx, work: (tx: Ctx) => Promise<T>): Promise<T> {
  if (ctx.inTransaction) return work(ctx)
  for (let attempt = 1; ; attempt++) {
    try {
      return await ctx.db.transaction().execute(db => work({ ...ctx, db, inTransaction: true }))
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error
      await new Promise(resolve => setTimeout(resolve, 5 * attempt * Math.random() * attempt))
    }
  }
}

/** The rows of a statement. */
export async function query<R>(ctx: { db: Db }, statement: RawBuilder<R>): Promise<R[]> {
  return (await statement.execute(ctx.db)).rows
}

/** The first row of a statement, if there is one. */
export async function queryOne<R>(ctx: { db: Db }, statement: RawBuilder<R>): Promise<R | undefined> {
  return (await statement.execute(ctx.db)).rows[0]
}

/** Marks everything that this transaction changes as one operation, which can then be undone as one. */
export async function markOperation(tx: Ctx, operationId: string): Promise<void> {
  await query(tx, sql`select set_config('kith.operation_id', ${operationId}, true)`)
}
