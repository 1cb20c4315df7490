/**
 * Refuses a transaction pooler (PgBouncer with pool_mode = transaction). The account and the actor of a statement are
 * settings of its session; such a pooler hands the session to another client between two statements, and the journal
 * would name the wrong person. Decision 24 has the figures. Also refuses a pooler with fewer sessions than this process
 * opens: a request waited 30 s for the session of an idle connection of the same process.
 */
import pg from 'pg'

export class TransactionPooler extends Error {
  constructor() {
    super(
      'DATABASE_URL leads to a pooler that shares a session between clients (PgBouncer with pool_mode = transaction or ' +
        'statement), where changes could be recorded under another person’s name. Connect to PostgreSQL directly, or set ' +
        'pool_mode = session for this database; Kith pools its connections itself (KITH_POOL_SIZE).',
    )
  }
}

export class TooFewSessions extends Error {
  constructor(needed: number) {
    super(
      `The pooler at DATABASE_URL gave fewer than ${needed} sessions at once, and requests would wait for one that never ` +
        'comes. Kith needs KITH_POOL_SIZE sessions and one for notifications: raise default_pool_size of PgBouncer, or ' +
        'lower KITH_POOL_SIZE.',
    )
  }
}

/** How long a pooler may take to give a session; a direct server needs milliseconds. */
export const SESSION_TIMEOUT_MS = 10_000

/** With several clients at a pooler its choice of sessions varies, so one check is not enough. */
const ROUNDS = 5

/** The process that the server announced; a pooler announces another one than serves the statements. */
export const announcedProcess = (client: pg.ClientBase): number =>
  (client as unknown as { processID: number }).processID

/** The process that serves a statement of this client. */
async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/**
 * Throws TransactionPooler or TooFewSessions. A direct connection costs one statement: the process id that the server
 * announced is the one that answers. A pooler announces another one; behind it, two clients show whether they share a session.
 */
export async function refuseUnfitPooler(config: pg.ClientConfig, sessions: number): Promise<void> {
  const client = await connected(config)
  try {
    const first = await backendOf(client)
    if (first === announcedProcess(client)) return
    const other = await connected(config)
    try {
      for (let round = 0; round < ROUNDS; round++)
        if (await isShared(client, other)) throw new TransactionPooler()
    } finally {
      await other.end()
    }
    await requireSessions(config, sessions)
  } finally {
    await client.end()
  }
}

/** PgBouncer accepts a client before it has a session for it, so that only a statement shows whether there is one. */
async function requireSessions(config: pg.ClientConfig, count: number): Promise<void> {
  const clients: pg.Client[] = []
  try {
    for (let opened = 1; opened < count; opened++) clients.push(await connected(config))
    const statement = { text: 'select 1', query_timeout: SESSION_TIMEOUT_MS }
    await Promise.all(clients.map(client => client.query(statement)))
  } catch {
    throw new TooFewSessions(count)
  } finally {
    await Promise.all(clients.map(client => client.end()))
  }
}

/** Whether the session of `client` serves `other`, or changes while `other` is in a transaction. */
async function isShared(client: pg.Client, other: pg.Client): Promise<boolean> {
  const before = await backendOf(client)
  // In statement mode there is no transaction to begin.
  const isBegun = await other.query('begin').then(
    () => true,
    () => false,
  )
  if (!isBegun) return true
  try {
    return (await backendOf(other)) === before || (await backendOf(client)) !== before
  } finally {
    await other.query('rollback')
  }
}

async function connected(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  // A connection that breaks fails its query; without a listener the event would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}
