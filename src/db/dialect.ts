/**
 * Connects kysely with the pool. Every statement runs in a scope: that of an account, under row-level security, or that
 * of the system.
 */
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import { required } from '../lib/values.ts'
import { runBounded } from './bounded-query.ts'
import { idleClient } from './idle-client.ts'
import type { JsonRows } from './json-rows.ts'
import { preparedNames } from './prepared-names.ts'
import type { StatementCount } from './statement-count.ts'

/** Who the statements are for. `accountId: null` is the service itself, which sees all accounts. */
export interface Scope {
  accountId: string | null
  actorKind: string
  actorId: string | null
  userId: string | null
}

export const SYSTEM: Scope = { accountId: null, actorKind: 'system', actorId: null, userId: null }

/** An invalid account, such as an empty text, must never be treated as the system. */
export const scopeKey = (s: Scope) =>
  `${s.accountId ?? 'system'}|${s.actorKind}|${s.actorId ?? ''}|${s.userId ?? ''}`

/** The current scope of each connection. */
const scopeOf = new WeakMap<pg.PoolClient, string>()

const SET_SCOPE = `select set_config('role', $1, false), set_config('kith.account_id', $2, false),
  set_config('kith.actor_kind', $3, false), set_config('kith.actor_id', $4, false), set_config('kith.user_id', $5, false)`

/**
 * Puts the connection into the scope. In pipeline mode the statement that follows travels in the same packet,
 * so a change of scope costs no round trip; a connection that was in this scope already costs nothing.
 */
function enterScope(client: pg.PoolClient, scope: Scope, key: string): Promise<unknown> | undefined {
  if (scopeOf.get(client) === key) return undefined
  scopeOf.set(client, key)
  return client.query({
    name: 'set_scope',
    text: SET_SCOPE,
    values: [
      scope.accountId === null ? 'none' : 'kith_app',
      scope.accountId ?? '',
      scope.actorKind,
      scope.actorId ?? '',
      scope.userId ?? '',
    ],
  })
}

const preparedName = preparedNames()

/** The `begin` of connections that have not answered it yet: the first statements are sent without waiting for it. */
const openings = new WeakMap<pg.PoolClient, Promise<unknown>>()

/** Connections that must not be used again. */
const broken = new WeakSet<pg.PoolClient>()

/** The protocol counts parameters in 16 bits; a larger number would be truncated. */
const MAX_PARAMETERS = 65_535

/** A request needs more values in one statement than the database accepts. */
export class TooManyParameters extends Error {}

/** A statement whose only row is a `JsonRows`. */
export interface JsonQuery<R> extends CompiledQuery<JsonRows<R>> {
  asJson: true
}

type Execute = <R>(query: CompiledQuery) => Promise<QueryResult<R>>

/** Serves statements outside transactions instead of the pool: the replica. */
export interface OtherServer {
  /** undefined: the pool must run the statement */
  execute<R>(query: CompiledQuery): Promise<QueryResult<R> | undefined>
  /** A transaction begins. What follows may depend on its writes. */
  leave(): void
}

/** Runs statements outside a transaction without Kysely's own steps, which wait for a dozen promises. */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #execute: Execute

  constructor(connections: ConnectionProvider, execute: Execute) {
    super(new PostgresQueryCompiler(), new PostgresAdapter(), connections)
    this.#execute = execute
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#execute(query)
  }
}

export function handleFor(
  pool: pg.Pool,
  scope: Scope,
  key: string,
  counted: StatementCount,
  other?: OtherServer,
): Kysely<unknown> {
  const connections = new WeakMap<pg.PoolClient, DatabaseConnection>()
  const clients = new WeakMap<DatabaseConnection, pg.PoolClient>()
  const connectionOf = (client: pg.PoolClient): DatabaseConnection => {
    const connection = connections.get(client) ?? newConnection(client)
    connections.set(client, connection)
    clients.set(connection, client)
    return connection
  }
  const newConnection = (client: pg.PoolClient): DatabaseConnection => ({
    executeQuery: query => run(client, query),
    streamQuery() {
      throw new Error('streamQuery is not supported; read in pages by key')
    },
  })

  async function run<R>(client: pg.PoolClient, query: CompiledQuery): Promise<QueryResult<R>> {
    if (query.parameters.length > MAX_PARAMETERS) throw new TooManyParameters()
    counted.add()
    // Without parameters it uses the simple protocol, which accepts several statements, as migrations need.
    const name = query.parameters.length > 0 ? preparedName(query.sql) : undefined
    const entering = enterScope(client, scope, key) ?? openings.get(client)
    const asJson = 'asJson' in query
    const running = runBounded(client, { name, text: query.sql, values: [...query.parameters], asJson })
    if (entering) {
      const [entered, ran] = await Promise.allSettled([entering, running])
      if (entered.status === 'rejected') {
        scopeOf.delete(client)
        throw entered.reason
      }
      if (ran.status === 'rejected') throw ran.reason
    }
    // several statements at once (a migration) give an array of results, which is not used
    return { rows: (await running).rows }
  }

  const driver: Driver = {
    async init() {},
    async acquireConnection() {
      other?.leave()
      return connectionOf(idleClient(pool) ?? (await pool.connect()))
    },
    async beginTransaction(connection) {
      const client = required(clients, connection)
      // Outside the transaction: a setting made inside would be undone by its rollback.
      const opening = Promise.all([enterScope(client, scope, key), client.query('begin')])
      openings.set(client, opening)
      // If one of the two failed, the state of this connection is unknown; the first statement then fails, too.
      opening.then(
        () => openings.delete(client),
        () => broken.add(client),
      )
    },
    async commitTransaction(connection) {
      const { command } = await required(clients, connection).query('commit')
      // PostgreSQL answers the commit of a transaction in which a statement failed with a rollback, not an error.
      if (command !== 'COMMIT')
        throw new Error('a transaction continued after one of its statements had failed')
    },
    async rollbackTransaction(connection) {
      const client = required(clients, connection)
      // The caller must get the first error; without its connection the transaction ends too.
      await client.query('rollback').catch(() => broken.add(client))
    },
    async releaseConnection(connection) {
      const client = required(clients, connection)
      client.release(broken.has(client))
    },
    async destroy() {},
  }

  const direct = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
    const served = other && (await other.execute<R>(query))
    if (served) return served
    const client = idleClient(pool) ?? (await pool.connect())
    try {
      return await run(client, query)
    } finally {
      client.release(broken.has(client))
    }
  }

  const dialect = {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<never>) => new PostgresIntrospector(db),
  }
  const executor = new DirectExecutor(new DefaultConnectionProvider(driver), direct)
  return new Kysely({ config: { dialect }, dialect, driver, executor })
}
