/**
 * One way to the database for both engines: node-postgres over TCP for a server, over a worker's message port
 * for the embedded one. Every statement runs under a scope: the account's, behind row-level security, or the
 * system's.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import { type Embedded, openEmbedded } from './embedded.ts'
import { typeParsers } from './types.ts'

export type Db = Kysely<unknown>

/** Who the statements are for. `accountId: null` is the service itself, which sees all accounts. */
export interface Scope {
  accountId: string | null
  actorKind: string
  actorId: string | null
  userId: string | null
}

export const SYSTEM: Scope = { accountId: null, actorKind: 'system', actorId: null, userId: null }

export interface Engine {
  readonly kind: 'embedded' | 'server'
  /** Statements of one scope. Cheap to call: the handles are kept. */
  as(scope: Scope): Db
  /** Calls back when `channel` is notified, and with `undefined` whenever notices may have been missed. */
  listen(channel: string, heard: (payload: string | undefined) => void): Promise<void>
  /** Connections in use and waiting, for the metrics. */
  stats(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

export interface EngineOptions {
  databaseUrl: string | undefined
  dataDir: string
  imagePath?: string
  poolSize: number
  statementTimeoutMs: number
  log: (message: string, detail?: unknown) => void
}

export async function openEngine(options: EngineOptions): Promise<Engine> {
  const embedded = options.databaseUrl === undefined ? await openEmbeddedFor(options) : undefined
  const connection: pg.ClientConfig = embedded
    ? { ...embedded.connection, stream: () => embedded.stream() as never, types: typeParsers }
    : {
        connectionString: options.databaseUrl!,
        types: typeParsers,
        keepAlive: true,
        connectionTimeoutMillis: 10_000,
      }
  const pool = new pg.Pool({
    ...connection,
    max: embedded ? 1 : options.poolSize,
    // the scope of a statement is set on the wire just before it, without waiting for the answer
    pipeline: true,
    idleTimeoutMillis: embedded ? 0 : 30_000,
    onConnect: (client: pg.ClientBase) => prepareSession(client, options),
  } as pg.PoolConfig)
  pool.on('error', error => options.log('a database connection was lost', error))

  const handles = new Map<string, Db>()
  const listeners = new Map<string, ((payload: string | undefined) => void)[]>()
  const hear = (channel: string, payload: string | undefined) => {
    for (const heard of listeners.get(channel) ?? []) heard(payload)
  }
  const stopListening = embedded
    ? listenOnPool(pool, listeners, hear)
    : listenApart(connection, listeners, hear, options.log)

  return {
    kind: embedded ? 'embedded' : 'server',
    as(scope) {
      const key = scopeKey(scope)
      let db = handles.get(key)
      if (!db) {
        if (handles.size > 5000) handles.clear()
        db = new Kysely<unknown>({ dialect: dialectFor(pool, scope, key) })
        handles.set(key, db)
      }
      return db
    },
    async listen(channel, heard) {
      const known = listeners.get(channel)
      if (known) known.push(heard)
      else listeners.set(channel, [heard])
      await stopListening.renew()
    },
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await stopListening.stop()
      await pool.end()
      await embedded?.close()
    },
  }
}

function openEmbeddedFor(options: EngineOptions): Promise<Embedded> {
  return openEmbedded({
    dataDir: options.dataDir,
    statementTimeoutMs: options.statementTimeoutMs,
    ...(options.imagePath === undefined ? {} : { imagePath: options.imagePath }),
    onRestart: reason => options.log(`the embedded database was restarted: ${reason}`),
  })
}

async function prepareSession(client: pg.ClientBase, options: EngineOptions): Promise<void> {
  await client.query(
    `set search_path = kith; set timezone = 'UTC'; set intervalstyle = 'iso_8601'; set jit = off;
     set statement_timeout = ${options.statementTimeoutMs}; set idle_in_transaction_session_timeout = 60000`,
  )
}

const scopeKey = (s: Scope) => `${s.accountId ?? ''}|${s.actorKind}|${s.actorId ?? ''}|${s.userId ?? ''}`

/** The scope that a connection is in at present. */
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

/** Statement texts are few (values are parameters), so each is prepared once a connection, up to this many. */
const MAX_PREPARED = 500
const preparedNames = new Map<string, string>()

function preparedName(text: string): string | undefined {
  let name = preparedNames.get(text)
  if (name === undefined && preparedNames.size < MAX_PREPARED) {
    name = `k${preparedNames.size}`
    preparedNames.set(text, name)
  }
  return name
}

interface ScopedConnection extends DatabaseConnection {
  readonly client: pg.PoolClient
}

function dialectFor(pool: pg.Pool, scope: Scope, key: string) {
  const connectionOf = (client: pg.PoolClient): ScopedConnection => ({
    client,
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      // Without parameters it goes by the simple protocol, which takes several statements: migrations need that.
      const name = query.parameters.length > 0 ? preparedName(query.sql) : undefined
      const entering = enterScope(client, scope, key)
      const running = client.query<Record<string, unknown>>({
        ...(name === undefined ? {} : { name }),
        text: query.sql,
        values: query.parameters as unknown[],
      })
      if (entering) {
        const [entered, ran] = await Promise.allSettled([entering, running])
        if (entered.status === 'rejected') {
          scopeOf.delete(client)
          throw entered.reason
        }
        if (ran.status === 'rejected') throw ran.reason
      }
      // several statements at once (a migration) give an array of results, which nobody reads
      return { rows: (await running).rows as R[] }
    },
    streamQuery() {
      throw new Error('streamQuery is not supported; read in pages by key')
    },
  })

  const driver: Driver = {
    async init() {},
    async acquireConnection() {
      return connectionOf(await pool.connect())
    },
    async beginTransaction(connection) {
      const { client } = connection as ScopedConnection
      // Outside the transaction: a setting made inside would be undone by its rollback.
      await Promise.all([enterScope(client, scope, key), client.query('begin')])
    },
    async commitTransaction(connection) {
      await (connection as ScopedConnection).client.query('commit')
    },
    async rollbackTransaction(connection) {
      await (connection as ScopedConnection).client.query('rollback')
    },
    async releaseConnection(connection) {
      ;(connection as ScopedConnection).client.release()
    },
    async destroy() {},
  }

  return {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<never>) => new PostgresIntrospector(db),
  }
}

type Listeners = Map<string, unknown[]>
type Hear = (channel: string, payload: string | undefined) => void

/** The embedded engine has one connection, so it listens on that one. */
function listenOnPool(pool: pg.Pool, listeners: Listeners, hear: Hear) {
  const listen = async (client: pg.ClientBase) => {
    for (const channel of listeners.keys()) await client.query(`listen "${channel}"`)
  }
  pool.on('connect', client => {
    client.on('notification', n => hear(n.channel, n.payload))
    // A new connection after a restart: what was notified in between is not known.
    listen(client).then(
      () => {
        for (const channel of listeners.keys()) hear(channel, undefined)
      },
      () => {},
    )
  })
  return {
    async renew() {
      const client = await pool.connect()
      try {
        await listen(client)
      } finally {
        client.release()
      }
    },
    async stop() {},
  }
}

/** On a server, a connection of its own listens, and is replaced when it is lost. */
function listenApart(config: pg.ClientConfig, listeners: Listeners, hear: Hear, log: EngineOptions['log']) {
  let client: pg.Client | undefined
  let stopped = false
  let retry: NodeJS.Timeout | undefined

  const connect = async () => {
    const fresh = new pg.Client(config)
    fresh.on('notification', n => hear(n.channel, n.payload))
    fresh.on('error', error => log('the listening connection was lost', error))
    fresh.on('end', () => {
      if (stopped || client !== fresh) return
      client = undefined
      for (const channel of listeners.keys()) hear(channel, undefined)
      again()
    })
    await fresh.connect()
    client = fresh
    for (const channel of listeners.keys()) {
      await fresh.query(`listen "${channel}"`)
      hear(channel, undefined)
    }
  }
  const again = () => {
    retry = setTimeout(() => connect().catch(again), 1000)
    retry.unref()
  }

  return {
    async renew() {
      if (!client) return connect()
      for (const channel of listeners.keys()) await client.query(`listen "${channel}"`)
    },
    async stop() {
      stopped = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
