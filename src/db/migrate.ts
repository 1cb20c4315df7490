/**
 * Brings the schema to this build's version: numbered SQL files, each in a transaction, under a lock, so that
 * of several processes that start together one does the work and the others wait for it.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type RawBuilder, sql } from 'kysely'
import { type Engine, SYSTEM } from './engine.ts'

const directory = new URL('./migrations/', import.meta.url)

interface Migration {
  version: number
  name: string
  text: string
  checksum: string
}

export function migrations(): Migration[] {
  return readdirSync(directory)
    .filter(name => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map(name => {
      const text = readFileSync(new URL(name, directory), 'utf8')
      return { version: Number(name.slice(0, 4)), name, text, checksum: sha256(text) }
    })
}

export const schemaVersion = (): number => migrations().at(-1)!.version

/** Any number will do, as long as no other program on the database uses it. */
const LOCK = 7_243_001_908

export async function migrate(engine: Engine): Promise<void> {
  await engine
    .as(SYSTEM)
    .connection()
    .execute(async db => {
      const run = <R>(query: RawBuilder<R>) => query.execute(db)
      await run(sql`select pg_advisory_lock(${sql.lit(LOCK)})`)
      try {
        await run(sql`create schema if not exists kith`)
        await run(sql`create table if not exists kith.migrations (
          version int primary key, name text not null, checksum text not null,
          applied_at timestamptz(3) not null default now())`)
        const applied = await run(sql<{ version: number; name: string; checksum: string }>`
          select version, name, checksum from kith.migrations order by version`)
        const pending = pendingOf(applied.rows)
        for (const migration of pending) {
          await db.transaction().execute(async tx => {
            await sql.raw(migration.text).execute(tx)
            await sql`insert into kith.migrations (version, name, checksum)
              values (${migration.version}, ${migration.name}, ${migration.checksum})`.execute(tx)
          })
        }
        if (pending.length > 0) await protect(run)
      } finally {
        await run(sql`select pg_advisory_unlock(${sql.lit(LOCK)})`)
      }
    })
}

function pendingOf(applied: { version: number; name: string; checksum: string }[]): Migration[] {
  const known = new Map(migrations().map(m => [m.version, m]))
  for (const { version, name, checksum } of applied) {
    const here = known.get(version)
    if (!here) {
      throw new Error(
        `The database is at schema version ${version} (${name}), which this build does not know: run a newer build.`,
      )
    }
    if (here.checksum !== checksum) {
      throw new Error(`Migration ${name} was changed after it had been applied to this database.`)
    }
    known.delete(version)
  }
  return [...known.values()]
}

/**
 * The second lock on the accounts' data. Every table with an account_id gets forced row-level security: the
 * role that serves requests sees the current account's rows and nothing else, whatever the statement says.
 */
async function protect(run: (query: RawBuilder<unknown>) => Promise<unknown>): Promise<void> {
  await run(sql.raw(readFileSync(new URL('./protect.sql', import.meta.url), 'utf8')))
}

/** The version the database is at, for the readiness check. */
export async function currentVersion(engine: Engine): Promise<number> {
  const { rows } = await sql<{
    version: number
  }>`select max(version) as version from kith.migrations`.execute(engine.as(SYSTEM))
  return rows[0]?.version ?? 0
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
