import type { TestProject } from 'vitest/node'
import { openEngine } from '../src/db/engine.ts'
import { migrate } from '../src/db/migrate.ts'
import { newDatabase, startPostgresServer } from './support/postgres-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    /** the name of a database that is migrated and empty, to be copied */
    migratedDatabase: string
  }
}

/** One PostgreSQL server for the whole run, which migrates one database; tests ask for them with inject. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresServer()
  project.provide('postgresUrl', server.url)
  const databaseUrl = await newDatabase(server.url)
  await migrated(databaseUrl)
  project.provide('migratedDatabase', new URL(databaseUrl).pathname.slice(1))
  return () => server.stop()
}

async function migrated(databaseUrl: string): Promise<void> {
  const engine = await openEngine({
    databaseUrl,
    dataDir: '',
    poolSize: 1,
    statementTimeoutMs: 60_000,
    log: () => {},
  })
  try {
    await migrate(engine)
  } finally {
    await engine.close()
  }
}
