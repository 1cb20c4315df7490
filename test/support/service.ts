/**
 * The real service on a real database, called over HTTP. Each test process runs one service per engine; each
 * test gets an account of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, inject, it } from 'vitest'
import { type Config, loadConfig } from '../../src/config.ts'
import { type Ctx, contextFor, type Role, systemDb } from '../../src/kernel/context.ts'
import { newId } from '../../src/kernel/ids.ts'
import { keyHash, keyPrefix, newKey, seedAccount } from '../../src/resources/accounts/first-account.ts'
import { createService, type Service } from '../../src/service.ts'
import { newDatabase } from './postgres-server.ts'
import { type Answer, request } from './request.ts'

export { type Answer, request } from './request.ts'

const ALL_ENGINES = ['embedded', 'server'] as const
export type EngineKind = (typeof ALL_ENGINES)[number]
/** Both, unless KITH_TEST_ENGINE names one. */
export const engines = ALL_ENGINES.filter(kind => (process.env.KITH_TEST_ENGINE ?? kind) === kind)
/** One of them, the server if there is a choice; both with `npm run test:all`. */
export const anyEngine = process.env.KITH_TEST_ALL === 'true' ? engines : engines.slice(-1)

interface Running {
  service: Service
  url: string
}

const running = new Map<EngineKind, Promise<Running>>()

/** The service of this process on that engine, started on first need and ended with the process. */
export function serviceOn(kind: EngineKind): Promise<Running> {
  let started = running.get(kind)
  if (!started) {
    started = start(kind)
    running.set(kind, started)
  }
  return started
}

export async function testConfig(kind: EngineKind, overrides: Partial<Config> = {}): Promise<Config> {
  // on the disk: a test process that is ended leaves it behind
  const dataDir = mkdtempSync(join(tmpdir(), 'kith-test-'))
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  return {
    ...loadConfig({
      KITH_DATA_DIR: dataDir,
      KITH_LOG_LEVEL: process.env.KITH_LOG_LEVEL ?? 'error',
      PORT: '0',
      // the data is thrown away; the fault runs test it
      KITH_FSYNC: 'false',
      // the tests of the search start it themselves
      KITH_INDEXER: 'false',
      // many tests register people of their own
      KITH_REGISTRATION: 'open',
    }),
    databaseUrl: kind === 'server' ? await freshDatabase() : undefined,
    ...overrides,
  }
}

async function start(kind: EngineKind): Promise<Running> {
  const service = await createService(await testConfig(kind))
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  return { service, url }
}

/** A new database on the test run's PostgreSQL server as a first start finds it: with nothing in it. */
export const emptyDatabase = (): Promise<string> => newDatabase(inject('postgresUrl'))

/** A new database that is migrated already, which saves whoever starts on it most of the time. */
export const freshDatabase = (): Promise<string> =>
  newDatabase(inject('postgresUrl'), inject('migratedDatabase'))

// biome-ignore lint/suspicious/noExplicitAny: whatever a test looks at in a body
export type Item = Record<string, any>

export interface Account {
  accountId: string
  userId: string
  key: string
  service: Service
  url: string
  /** A call with this account's key. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(path: string, headers?: Record<string, string>): Promise<Answer>
  /** A POST that must answer 201; returns the record. */
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  create(path: string, body?: unknown): Promise<any>
}

export async function newAccount(
  kind: EngineKind,
  options: { role?: Role; scopes?: string[] } = {},
): Promise<Account> {
  const { service, url } = await serviceOn(kind)
  return accountOn(service, url, options)
}

/** A new account of a service that a test has started itself. */
export async function accountOn(
  service: Service,
  url: string,
  options: { role?: Role; scopes?: string[] } = {},
): Promise<Account> {
  const accountId = newId()
  await sql`insert into accounts (id, name, slug) values (${accountId}, 'Test', ${accountId})`.execute(
    systemDb(service.services),
  )
  const owner = await newMember(service, accountId, options.role ?? 'owner', options.scopes ?? ['*'])
  const ctx = contextFor(service.services, {
    kind: 'user',
    id: owner.userId,
    userId: owner.userId,
    accountId,
    role: 'owner',
    scopes: ['*'],
  })
  await seedAccount(ctx)
  return checked(accountClient(service, url, accountId, owner))
}

/** Another person of the same account, with a key of their own. */
export async function anotherMember(
  account: Account,
  options: { role?: Role; scopes?: string[] } = {},
): Promise<Account> {
  const member = await newMember(
    account.service,
    account.accountId,
    options.role ?? 'member',
    options.scopes ?? ['*'],
  )
  return accountClient(account.service, account.url, account.accountId, member)
}

/** With KITH_TEST_CONFORM every answer is compared with the published document. */
const checked = async (account: Account): Promise<Account> =>
  process.env.KITH_TEST_CONFORM ? (await import('./conforming.ts')).conforming(account) : account

async function newMember(service: Service, accountId: string, role: Role, scopes: string[]) {
  const db = systemDb(service.services)
  const userId = newId()
  const key = newKey()
  await sql`insert into users (id, email, name) values (${userId}, ${`${userId}@people.test`}, 'Test Person')`.execute(
    db,
  )
  await sql`insert into members (account_id, user_id, role) values (${accountId}, ${userId}, ${role})`.execute(
    db,
  )
  await sql`insert into api_keys (account_id, id, name, prefix, key_hash, scopes, created_by)
    values (${accountId}, ${newId()}, 'test', ${keyPrefix(key)}, ${keyHash(key)}, ${scopes}, ${userId})`.execute(
    db,
  )
  return { userId, key }
}

/**
 * Prints what the database is doing when a request has no answer after half a minute. On a machine that shows only the
 * log of a run, a test that timed out says nothing about the cause.
 */
async function reportedIfSlow(service: Service, what: string, answer: Promise<Answer>): Promise<Answer> {
  const { engine } = service.services
  const startedAt = Date.now()
  const timer = setTimeout(async () => {
    const sessions = engine.kind === 'server' ? await activeSessions().catch(String) : ''
    console.warn(`${what}: no answer for ${Date.now() - startedAt} ms`, engine.kind, engine.stats(), sessions)
  }, 30_000)
  return answer.finally(() => clearTimeout(timer))
}

/** Of all databases of the server: its locks and snapshots are shared. */
async function activeSessions(): Promise<string> {
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  try {
    const { rows } = await admin.query<{ line: string }>(`select concat_ws(' | ', datname, pid,
        pg_blocking_pids(pid)::text, state, wait_event_type, wait_event, now() - xact_start, left(query, 300)) as line
      from pg_stat_activity where pid <> pg_backend_pid() and (state <> 'idle' or backend_type like 'autovacuum%')`)
    return rows.map(({ line }) => `\n${line}`).join('')
  } finally {
    await admin.end()
  }
}

function accountClient(
  service: Service,
  url: string,
  accountId: string,
  { userId, key }: { userId: string; key: string },
): Account {
  const call: Account['call'] = (method, path, body, headers) =>
    reportedIfSlow(
      service,
      `${method} ${path}`,
      request(url + path, method, body, { 'x-api-key': key, ...headers }),
    )
  return {
    accountId,
    userId,
    key,
    service,
    url,
    call,
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body, headers) => call('PUT', path, body, headers),
    delete: (path, headers) => call('DELETE', path, undefined, headers),
    async create(path, body) {
      const answer = await call('POST', path, body)
      if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`)
      return answer.body
    },
  }
}

/** What a request of the account's owner is carried out with, for what is tested below HTTP. */
export const contextOf = (account: Account, services = account.service.services): Ctx =>
  contextFor(services, {
    kind: 'user',
    id: account.userId,
    userId: account.userId,
    accountId: account.accountId,
    role: 'owner',
    scopes: ['*'],
  })

type Tests = (
  account: (options?: { role?: Role; scopes?: string[] }) => Promise<Account>,
  kind: EngineKind,
  /** instead of `it`, for a case beside others on both engines that cannot differ: it runs as with `onAnyEngine` */
  onOne: ReturnType<typeof it.runIf>,
) => void

function onEngines(kinds: readonly EngineKind[], name: string, tests: Tests): void {
  for (const kind of kinds) {
    describe(`${name} (${kind})`, () => {
      beforeAll(() => serviceOn(kind))
      tests(options => newAccount(kind, options), kind, it.runIf(anyEngine.includes(kind)))
    })
  }
}

/** Declares tests of what can differ between the engines; `account()` makes a new account on the engine at hand. */
export const onBothEngines = (name: string, tests: Tests): void => onEngines(engines, name, tests)

/**
 * Declares tests of what cannot differ, because it happens before or after the database or in statements that a test on
 * both engines runs too: on the server, and on both engines with `npm run test:all`.
 */
export const onAnyEngine = (name: string, tests: Tests): void => onEngines(anyEngine, name, tests)
