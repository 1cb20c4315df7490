/**
 * Brings the schema to this build's version: numbered SQL files for the tables, each in a transaction, then the
 * functions and triggers (functions.ts). Under a lock: if several processes start together, one does the work and
 * the others wait.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { messageOf } from '../lib/thrown.ts'
import { first } from '../lib/values.ts'
import { type Db, type Engine, SYSTEM } from './engine.ts'
import { applyFunctions, applyValueFunctions, areFunctionsApplied } from './functions.ts'
import { MOVE, preReleaseState, SQUASHED, versionAmong } from './pre-release.ts'

const directory = new URL('./migrations/', import.meta.url)

export interface Migration {
  version: number
  name: string
  text: string
  checksum: string
}

type Applied = Pick<Migration, 'version' | 'name' | 'checksum'>

export function migrations(): Migration[] {
  return readdirSync(directory)
    .filter(name => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map(name => {
      const text = readFileSync(new URL(name, directory), 'utf8')
      return { version: Number(name.slice(0, 4)), name, text, checksum: sha256(text) }
    })
}

/** Any number will do, as long as no other program on the database uses it. */
const LOCK = 7_243_001_908

export function migrate(engine: Engine, files: readonly Migration[] = migrations()): Promise<void> {
  return engine.withoutTimeout(() =>
    engine
      .as(SYSTEM)
      .connection()
      .execute(db => alone(db, () => bringUp(db, files))),
  )
}

/**
 * Holds the lock while `work` runs. Neither waiting for it nor a long migration is subject to the statement timeout.
 */
async function alone(db: Db, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{
    usual: string
  }>`select current_setting('statement_timeout') as usual`.execute(db)
  await sql`set statement_timeout = 0`.execute(db)
  try {
    await sql`select pg_advisory_lock(${sql.lit(LOCK)})`.execute(db)
    await work()
  } finally {
    // If the connection is lost, its lock is released too; report the error that broke it.
    await sql`select pg_advisory_unlock(${sql.lit(LOCK)}), set_config('statement_timeout', ${first(rows).usual}, false)`
      .execute(db)
      .catch(() => {})
  }
}

async function bringUp(db: Db, files: readonly Migration[]): Promise<void> {
  await sql`create schema if not exists kith`.execute(db)
  await sql`create table if not exists kith.migrations (
    version int primary key, name text not null, checksum text not null,
    applied_at timestamptz(3) not null default now())`.execute(db)
  await sql`create table if not exists kith.applied_functions (checksum text not null)`.execute(db)
  await renumberPreRelease(db, files)
  const pending = pendingOf(files, await appliedTo(db))
  for (const migration of pending) {
    await inTransaction(db, `Migration ${migration.name}`, async tx => {
      if (migration === pending[0]) await applyValueFunctions(tx)
      await sql.raw(migration.text).execute(tx)
      await record(tx, migration)
      // In the same transaction: a database at its last version has all its triggers and access rules.
      if (migration === pending.at(-1)) await applyFunctions(tx)
    })
  }
  if (!(await areFunctionsApplied(db))) await inTransaction(db, 'Applying the functions', applyFunctions)
}

async function renumberPreRelease(db: Db, files: readonly Migration[]): Promise<void> {
  const state = preReleaseState(await appliedTo(db))
  if (state === 'too old') throw new Error(MOVE)
  if (state === 'none') return
  await inTransaction(db, 'Renumbering the migrations of an earlier build', async tx => {
    await sql`delete from kith.migrations`.execute(tx)
    for (const migration of files.slice(0, SQUASHED)) await record(tx, migration)
  })
}

const record = (tx: Db, { version, name, checksum }: Migration) =>
  sql`insert into kith.migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`.execute(
    tx,
  )

async function appliedTo(db: Db): Promise<Applied[]> {
  const { rows } =
    await sql<Applied>`select version, name, checksum from kith.migrations order by version`.execute(db)
  return rows
}

/** Rolled back when `work` fails; the error then begins with `what`. */
function inTransaction(db: Db, what: string, work: (tx: Db) => Promise<void>): Promise<void> {
  return db
    .transaction()
    .execute(work)
    .catch(error => {
      throw new Error(`${what} failed: ${messageOf(error)}`, { cause: error })
    })
}

function pendingOf(files: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const pending = new Map(files.map(m => [m.version, m]))
  for (const { version, name, checksum } of applied) {
    const file = pending.get(version)
    if (!file) {
      throw new Error(
        `The database is at schema version ${version} (${name}), which this build does not know: run a newer build.`,
      )
    }
    if (file.checksum !== checksum) {
      throw new Error(`Migration ${name} was changed after it had been applied to this database.`)
    }
    pending.delete(version)
  }
  return [...pending.values()]
}

/** The version of the last migration that was applied; 0 for an empty database. */
export async function versionOf(engine: Engine): Promise<number> {
  const db = engine.as(SYSTEM)
  const { rows } = await sql<{
    exists: boolean
  }>`select to_regclass('kith.migrations') is not null as exists`.execute(db)
  return first(rows).exists ? versionAmong(await appliedTo(db)) : 0
}

/** Which version the database is at, and whether exactly these files have been applied to it. */
export async function schemaState(engine: Engine, files: readonly Migration[]) {
  const rows = await appliedTo(engine.as(SYSTEM))
  const print = (list: readonly Applied[]) =>
    list.map(({ version, checksum }) => `${version} ${checksum}`).join()
  return { version: rows.at(-1)?.version ?? 0, isOurs: print(rows) === print(files) }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
