import { readFileSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { newDatabase } from '../../test/support/postgres-server.ts'
import { openEngine, SYSTEM } from './engine.ts'
import { triggerList } from './trigger-list.ts'

it('docs/triggers.md lists this build’s triggers (npm run triggers)', async () => {
  const engine = await openEngine({
    databaseUrl: await newDatabase(inject('postgresUrl'), inject('migratedDatabase')),
    dataDir: '',
    poolSize: 1,
    statementTimeoutMs: 60_000,
    log: () => {},
  })
  try {
    const committed = readFileSync(new URL('../../docs/triggers.md', import.meta.url), 'utf8')
    expect(await triggerList(engine.as(SYSTEM))).toBe(committed)
  } finally {
    await engine.close()
  }
})
