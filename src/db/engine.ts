/**
 * One interface to the database for both engines: node-postgres over TCP for a server, over a worker's message port
 * for the embedded one. Every statement runs under a scope: the account's, behind row-level security, or the
 * system's.
 */
import type { Kysely } from 'kysely'
import pg from 'pg'
import { handleFor, type Scope, SYSTEM, scopeKey } from './dialect.ts'
import { type Embedded, openEmbedded } from './embedded.ts'
import { listenApart, listenOnPool } from './listen.ts'
import { refuseUnfitPooler, SESSION_TIMEOUT_MS } from './pooler.ts'
import { RawRowClient } from './raw-rows.ts'
import { openReplica } from './replica.ts'
import { statementCount } from './statement-count.ts'
import { typeParsers } from './types.ts'

export { type Scope, SYSTEM } from './dialect.ts'

export type Db = Kysely<unknown>

export interface Engine {
  readonly kind: 'embedded' | 'server'
  /** Statements of one scope. Cheap to call: the handles are cached. */
  as(scope: Scope): Db
  /**
   * The same for the reads of one request: the replica serves them, if there is one and it has replayed every write that
   * was acknowledged before this call. The first statement that fails there, and all after it, run on the primary.
   */
  reading(scope: Scope): Promise<Db>
  /** Calls back when `channel` is notified, and with `undefined` whenever notifications may have been missed. */
  listen(channel: string, callback: (payload: string | undefined) => void): Promise<void>
  /** Runs `work` without the embedded engine's limit on how long a statement may take: a migration, VACUUM. */
  withoutTimeout<T>(work: () => Promise<T>): Promise<T>
  /** On a server: runs `work` on a connection of its own without a statement timeout, for what takes minutes. */
  apart<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Copies the files of the embedded database into a new folder, between two transactions. */
  copyFiles(folder: string): Promise<void>
  /** The numbers of open and idle connections, of waiting requests, and of statements so far, with the replica's. */
  stats(): { total: number; idle: number; waiting: number; statements: number; onReplica: number }
  /** Resolves when this process has run more statements than `count`, or when the signal is aborted. */
  statementsAbove(count: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface EngineOptions {
  databaseUrl: string | undefined
  /** a streaming replica of that server */
  readUrl?: string | undefined
  dataDir: string
  imagePath?: string
  /** Embedded: whether a commit waits until it is on the disk. Unless set it does. */
  fsync?: boolean
  poolSize: number
  statementTimeoutMs: number
  log: (message: string, detail?: unknown) => void
}

export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { databaseUrl } = options
  const embedded = databaseUrl === undefined ? await openEmbeddedFor(options) : undefined
  const connection: pg.ClientConfig = embedded
    ? { ...embedded.connection, stream: () => embedded.stream(), types: typeParsers }
    : {
        connectionString: databaseUrl,
        types: typeParsers,
        keepAlive: true,
        connectionTimeoutMillis: 10_000,
      }
  // one session more than the pool has, for the notifications, and one for the position of a replica
  if (!embedded) await refuseUnfitPooler(connection, options.poolSize + (options.readUrl ? 2 : 1))
  const pool = new pg.Pool({
    ...connection,
    Client: RawRowClient,
    max: embedded ? 1 : options.poolSize,
    // the scope of a statement is set on the wire just before it, without waiting for the answer
    pipeline: true,
    idleTimeoutMillis: embedded ? 0 : 30_000,
    onConnect: (client: pg.ClientBase) => prepareSession(client, options),
  })
  pool.on('error', error => options.log('a database connection was lost', error))
  // A connection that breaks in use fails its query; without a listener its event would also end the process.
  pool.on('connect', client => client.on('error', () => {}))

  const replica = options.readUrl
    ? await openReplica({
        ...{ primary: connection, readUrl: options.readUrl, poolSize: options.poolSize, log: options.log },
        statementTimeoutMs: options.statementTimeoutMs,
        prepareSession: client => prepareSession(client, options),
      })
    : undefined
  const counted = statementCount()
  const handles = new Map<string, Db>()
  const as = (scope: Scope): Db => {
    const key = scopeKey(scope)
    let db = handles.get(key)
    if (!db) {
      if (handles.size > 5000) handles.clear()
      db = handleFor(pool, scope, key, counted)
      handles.set(key, db)
    }
    return db
  }
  const listeners = new Map<string, ((payload: string | undefined) => void)[]>()
  const hear = (channel: string, payload: string | undefined) => {
    for (const callback of listeners.get(channel) ?? []) callback(payload)
  }
  const listening = embedded
    ? listenOnPool(pool, () => listeners.keys(), hear)
    : listenApart(connection, () => listeners.keys(), hear, options.log)

  return {
    kind: embedded ? 'embedded' : 'server',
    as,
    async reading(scope) {
      if (!replica || !(await replica.isCurrent())) return as(scope)
      const key = scopeKey(scope)
      const other = replica.serving(handleFor(replica.pool, scope, key, counted))
      return handleFor(pool, scope, key, counted, other)
    },
    async listen(channel, callback) {
      const existing = listeners.get(channel)
      if (existing) existing.push(callback)
      else listeners.set(channel, [callback])
      await listening.renew()
    },
    async withoutTimeout(work) {
      embedded?.setStatementTimeout(0)
      try {
        return await work()
      } finally {
        embedded?.setStatementTimeout(options.statementTimeoutMs)
      }
    },
    async apart(work) {
      if (embedded) throw new Error('The embedded database has one connection.')
      const unlimited = { ...options, statementTimeoutMs: 0 }
      const single = new pg.Pool({
        ...connection,
        Client: RawRowClient,
        max: 1,
        pipeline: true,
        // The session has a lock; it must not end between two statements.
        idleTimeoutMillis: 0,
        onConnect: (client: pg.ClientBase) => prepareSession(client, unlimited),
      })
      single.on('error', () => {})
      single.on('connect', client => client.on('error', () => {}))
      try {
        return await work(handleFor(single, SYSTEM, scopeKey(SYSTEM), counted))
      } finally {
        await single.end()
      }
    },
    async copyFiles(folder) {
      if (!embedded) throw new Error('Only the embedded database is copied as files.')
      // This is the only connection, so no transaction is open while it is taken.
      const client = await pool.connect()
      try {
        await embedded.copyTo(folder)
      } finally {
        client.release()
      }
    },
    stats: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      statements: counted.value,
      onReplica: replica?.served ?? 0,
    }),
    statementsAbove: counted.above,
    async close() {
      await listening.stop()
      await replica?.close()
      await pool.end()
      await embedded?.close()
    },
  }
}

function openEmbeddedFor(options: EngineOptions): Promise<Embedded> {
  return openEmbedded({
    dataDir: options.dataDir,
    statementTimeoutMs: options.statementTimeoutMs,
    fsync: options.fsync ?? true,
    ...(options.imagePath === undefined ? {} : { imagePath: options.imagePath }),
    onRestart: reason => options.log(`the embedded database was restarted: ${reason}`),
  })
}

async function prepareSession(client: pg.ClientBase, options: EngineOptions): Promise<void> {
  const settings = `set search_path = kith; set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601';
     set jit = off; set statement_timeout = ${options.statementTimeoutMs}; set idle_in_transaction_session_timeout = 60000`
  // A pooler without a free session accepts the connection and leaves its first statement waiting.
  const statement = { text: settings, query_timeout: SESSION_TIMEOUT_MS }
  await client.query(options.databaseUrl === undefined ? settings : statement)
}
