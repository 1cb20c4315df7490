import { readFileSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { newDatabase } from '../../test/support/postgres-server.ts'
import { openEngine, SYSTEM } from './engine.ts'
import { tableTypes } from './table-types.ts'

it('has row types of this build’s schema (npm run tables)', async () => {
  const engine = await openEngine({
    databaseUrl: await newDatabase(inject('postgresUrl'), inject('migratedDatabase')),
    dataDir: '',
    poolSize: 1,
    statementTimeoutMs: 60_000,
    log: () => {},
  })
  try {
    const committed = readFileSync(new URL('./tables.ts', import.meta.url), 'utf8')
    expect(await tableTypes(engine.as(SYSTEM))).toBe(committed)
  } finally {
    await engine.close()
  }
})
