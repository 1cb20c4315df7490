/** Opens the database of the installation, for commands that work on it. */
import type { Config } from '../config.ts'
import { type Engine, openEngine } from '../db/engine.ts'
import { imagePath } from '../db/image-path.ts'

/** A migration or a restore takes longer than a request may. */
const TIMEOUT_MS = 6 * 3_600_000

export async function withEngine<T>(config: Config, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    imagePath,
    poolSize: 1,
    statementTimeoutMs: TIMEOUT_MS,
    log: message => console.error(message),
  })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}
