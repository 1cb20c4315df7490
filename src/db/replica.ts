/**
 * A streaming replica that serves reads (decision 46). It is asked only after it has replayed all that the primary had
 * acknowledged when the read began, so a caller sees every acknowledged write, also of other processes. Otherwise, and
 * after any failure, the primary serves the read.
 */
import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import pg from 'pg'
import { first } from '../lib/values.ts'
import { ResultTooLarge } from './bounded-query.ts'
import { type OtherServer, TooManyParameters } from './dialect.ts'
import { announcedProcess } from './pooler.ts'
import { RawRowClient } from './raw-rows.ts'
import { positionFrom } from './replica-position.ts'
import { isReadOnly, isStatementTimeout, isTransient, isUnstorable } from './sqlstate.ts'

export interface Replica {
  readonly pool: pg.Pool
  /** How many statements it has served. */
  readonly served: number
  /** Whether it has replayed every write that was acknowledged before this call. */
  isCurrent(): Promise<boolean>
  /** Serves the statements of one request, until the request opens a transaction or a statement fails. */
  serving(handle: Kysely<unknown>): OtherServer
  close(): Promise<void>
}

export interface ReplicaOptions {
  /** sessions on the primary */
  primary: pg.ClientConfig
  readUrl: string
  poolSize: number
  statementTimeoutMs: number
  prepareSession(client: pg.ClientBase): Promise<void>
  log(message: string, detail?: unknown): void
}

/** A replica on a machine that no longer responds must not delay requests for longer. */
const RESPONSE_MS = 1000
/** While replay is paused or waits for a query, it can hold a table's lock. */
const LOCK_MS = 1000
/** How long a read waits for the replica to catch up; its usual delay is a few milliseconds. */
const PATIENCE_MS = 20
const POLL_MS = 2
/** After a failure the replica is not asked for this long. */
const AWAY_MS = 5000

export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  const { primary, log } = options
  // Of their own: a check must not wait for the statements of requests.
  const single = { max: 1, idleTimeoutMillis: 30_000, query_timeout: RESPONSE_MS }
  const atPrimary = new pg.Pool({ ...primary, ...single })
  const cluster = await clusterOf(atPrimary)
  const config: pg.PoolConfig = {
    ...primary,
    connectionString: options.readUrl,
    connectionTimeoutMillis: RESPONSE_MS,
    onConnect: (client: pg.ClientBase) => prepareReader(client, cluster, options),
  }
  const atReplica = new pg.Pool({ ...config, ...single })
  const pool = new pg.Pool({
    ...config,
    Client: RawRowClient,
    max: options.poolSize,
    pipeline: true,
    idleTimeoutMillis: 30_000,
    query_timeout: options.statementTimeoutMs + RESPONSE_MS,
  })
  const pools = [atPrimary, atReplica, pool]
  // A connection that breaks fails its statement; without listeners its event would end the process.
  for (const some of pools) {
    some.on('error', () => {})
    some.on('connect', client => client.on('error', () => {}))
  }

  let awaySince: number | undefined
  let served = 0
  const fail = (error: unknown) => {
    if (awaySince === undefined) log('the replica does not serve reads; the primary does', error)
    awaySince = performance.now()
  }
  const isReplayed = positionFrom(atPrimary, atReplica, { patienceMs: PATIENCE_MS, pollMs: POLL_MS })
  const check = shared(async () => {
    try {
      const replayed = await isReplayed()
      awaySince = undefined
      return replayed
    } catch (error) {
      fail(error)
      return false
    }
  })

  // so that a start reports what is wrong with it
  await check()

  return {
    pool,
    get served() {
      return served
    },
    async isCurrent() {
      if (awaySince === undefined) return check()
      // Whether it is back is checked beside the requests, which do not wait for the answer.
      if (performance.now() - awaySince > AWAY_MS) {
        awaySince = performance.now()
        check()
      }
      return false
    },
    serving(handle) {
      let hasLeft = false
      return {
        leave() {
          hasLeft = true
        },
        async execute<R>(query: CompiledQuery): Promise<QueryResult<R> | undefined> {
          if (hasLeft) return undefined
          try {
            const result = await handle.executeQuery<R>(query)
            served++
            return result
          } catch (error) {
            if (isOfStatement(error)) throw error
            hasLeft = true
            // Replaying a change can abort a read of what it changes.
            if (!isReadOnly(error) && !isTransient(error))
              log('a read failed on the replica; the primary repeats it', error)
            return undefined
          }
        },
      }
    },
    async close() {
      await Promise.all(pools.map(some => some.end()))
    },
  }
}

/** Errors that the primary would return too. */
const isOfStatement = (error: unknown): boolean =>
  isUnstorable(error) ||
  isStatementTimeout(error) ||
  error instanceof ResultTooLarge ||
  error instanceof TooManyParameters

interface Cluster {
  system: string
  database: string
}

async function clusterOf(client: pg.Pool | pg.ClientBase): Promise<Cluster & { pid: number }> {
  const { rows } = await client.query<Cluster & { pid: number }>(
    `select system_identifier::text as system, current_database() as database, pg_backend_pid() as pid
       from pg_control_system()`,
  )
  return first(rows)
}

/**
 * The scope is a setting of the session, as on the primary, so a pooler is refused (decision 24). The session is
 * read-only by itself: a replica may be promoted at any time, and a write there would be lost.
 */
async function prepareReader(
  client: pg.ClientBase,
  primary: Cluster,
  options: ReplicaOptions,
): Promise<void> {
  await options.prepareSession(client)
  await client.query(`set default_transaction_read_only = on; set lock_timeout = ${LOCK_MS}`)
  const { system, database, pid } = await clusterOf(client)
  if (system !== primary.system || database !== primary.database)
    throw new Error('DATABASE_READ_URL is not a replica of the database at DATABASE_URL.')
  if (pid !== announcedProcess(client))
    throw new Error('DATABASE_READ_URL must lead to PostgreSQL directly, not through a pooler.')
}

/** Calls that arrive during a run share the next one: each result is that of a run that began after the call. */
function shared(work: () => Promise<boolean>): () => Promise<boolean> {
  let running: Promise<boolean> | undefined
  let next: Promise<boolean> | undefined
  const start = async () => {
    next = undefined
    const run = work()
    running = run
    const result = await run
    if (running === run) running = undefined
    return result
  }
  return () => {
    if (!running) return start()
    next ??= running.then(start)
    return next
  }
}
