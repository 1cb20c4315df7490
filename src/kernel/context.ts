/** The context of a call: caller, account and transaction. It is the first argument of every operation. */
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../config.ts'
import { type Db, type Engine, type Scope, SYSTEM } from '../db/engine.ts'
import { isTransient } from '../db/sqlstate.ts'
import type { Caches } from './cache.ts'
import type { Encryption } from './encryption.ts'
import type { Log } from './log.ts'
import type { TableGroups } from './scopes.ts'

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** An authenticated caller, before an account is chosen. */
export interface Person {
  /** `job` and `import`: work that continues after the request of the person who started it */
  kind: 'key' | 'user' | 'job' | 'import'
  /** the id of the key, the user, the job or the import */
  id: string
  /** for an API key, the user who created it */
  userId: string
  /** for an API key, its account */
  accountId?: string
  scopes: readonly string[]
  /** the session of a token that this service issued */
  sessionId?: string
}

export interface Caller extends Person {
  accountId: string
  role: Role
}

/** Shared by the whole process. */
export interface Services {
  engine: Engine
  config: Config
  log: Log
  tokens: Tokens
  encryption: Encryption
  /** the resource part of every permission (`companies` of `companies:read`); the scopes of API keys use these names */
  scopeGroups: ReadonlySet<string>
  caches: Caches
  /** process-wide state of features: process-state.ts */
  state: Map<symbol, unknown>
  /** the groups whose scopes cover a table */
  tableGroups: TableGroups
}

/** Issues and verifies bearer tokens; implemented in http/tokens.ts. */
export interface Tokens {
  /** Issues an access token for a session of this user. */
  sign(userId: string, sessionId: string): Promise<string>
  /** The holder of a token. Throws a 401 for an invalid token. */
  verify(token: string): Promise<TokenHolder>
}

export interface TokenHolder {
  /** undefined: the token is valid, but the outside issuer's subject has no user here */
  userId: string | undefined
  sessionId: string | undefined
  /** the outside issuer's `sub` claim; undefined for a token of this service */
  subject: string | undefined
  /** the e-mail address that the outside issuer has verified */
  verifiedEmail: string | undefined
}

/**
 * The context of an endpoint without credentials. Its statements run as the service itself, which sees every account.
 */
export interface ServiceCtx {
  readonly services: Services
  readonly db: Db
  readonly inTransaction: boolean
}

/** The context of an endpoint about the calling user, independent of an account. */
export interface PersonCtx extends ServiceCtx {
  readonly user: string
  readonly caller: Person
}

/** A caller in an account; its statements can access only that account. */
export interface Ctx extends PersonCtx {
  readonly account: string
  readonly caller: Caller
}

const scopeOf = (caller: Caller): Scope => ({
  accountId: caller.accountId,
  actorKind: caller.kind,
  actorId: caller.id,
  userId: caller.userId,
})

export function contextFor(services: Services, caller: Caller): Ctx {
  return {
    account: caller.accountId,
    user: caller.userId,
    caller,
    services,
    db: services.engine.as(scopeOf(caller)),
    inTransaction: false,
  }
}

/** The context for reads that a replica may serve (decision 46). Not for what continues after a write of the request. */
export async function readingContext(ctx: Ctx): Promise<Ctx> {
  if (ctx.inTransaction) return ctx
  return { ...ctx, db: await ctx.services.engine.reading(scopeOf(ctx.caller)) }
}

/** Statements of the service itself, which sees every account: sign-in, clean-up, set-up. */
export const systemDb = (services: Pick<Services, 'engine'>): Db => services.engine.as(SYSTEM)

const ATTEMPTS = 4

/**
 * Runs `work` in a transaction, or in the one that `ctx` is in already. A transaction that the database
 * aborted because of a deadlock or a conflict is run again, so `work` must touch nothing but the database.
 */
export async function transaction<T, C extends ServiceCtx = Ctx>(
  ctx: C,
  work: (tx: C) => Promise<T>,
): Promise<T> {
  if (ctx.inTransaction) return work(ctx)
  return retried(() => ctx.db.transaction().execute(db => work({ ...ctx, db, inTransaction: true })))
}

/** Runs `work`, which executes a single statement. Outside a transaction it is repeated as a transaction would be. */
export const oneStatement = <T, C extends ServiceCtx = Ctx>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
): Promise<T> => (ctx.inTransaction ? work(ctx) : retried(() => work(ctx)))

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
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

/** The first row. Throws where there is none, because that is a programming error. */
export function one<R>(rows: readonly R[]): R {
  const [row] = rows
  if (row === undefined) throw new Error('a statement that must return a row returned none')
  return row
}

/** Marks everything that this transaction changes as one operation, which can then be undone as one. */
export async function markOperation(tx: Ctx, operationId: string): Promise<void> {
  await query(tx, sql`select set_config('kith.operation_id', ${operationId}, true)`)
}

/** Runs `work` so that it can fail without ending the transaction that it is part of. */
export async function withSavepoint<T>(tx: Ctx, work: () => Promise<T>): Promise<T> {
  await query(tx, sql.raw('savepoint attempt'))
  try {
    const result = await work()
    await query(tx, sql.raw('release savepoint attempt'))
    return result
  } catch (error) {
    await query(tx, sql.raw('rollback to savepoint attempt; release savepoint attempt'))
    throw error
  }
}
