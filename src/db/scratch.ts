/** A migrated, empty embedded database in a temporary folder, for the programs that generate files from the schema. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Engine, openEngine } from './engine.ts'
import { imagePath } from './image-path.ts'
import { migrate } from './migrate.ts'

export async function withScratchDatabase<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kith-scratch-'))
  const engine = await openEngine({
    databaseUrl: undefined,
    dataDir,
    imagePath,
    fsync: false,
    poolSize: 1,
    statementTimeoutMs: 600_000,
    log: console.error,
  })
  try {
    await migrate(engine)
    return await work(engine)
  } finally {
    await engine.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
