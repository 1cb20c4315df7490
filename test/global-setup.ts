import type { TestProject } from 'vitest/node'
import { startPostgresServer } from './support/postgres-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

/** One PostgreSQL server for the whole run; tests ask for it with inject('postgresUrl'). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresServer()
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}
