/**
 * `npm run image`: packs a database that is set up and migrated but still empty. A first start unpacks it in a
 * fraction of the time that initdb and the migrations take.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { migrationProblems } from './check-migrations.ts'
import { openEngine } from './engine.ts'
import { packDatabase } from './image.ts'
import { imagePath } from './image-path.ts'
import { migrate, migrations } from './migrate.ts'

const problems = migrationProblems(migrations())
if (problems.length > 0) throw new Error(problems.join('\n'))

const dataDir = mkdtempSync(join(tmpdir(), 'kith-image-'))
try {
  const engine = await openEngine({
    databaseUrl: undefined,
    dataDir,
    fsync: false,
    poolSize: 1,
    statementTimeoutMs: 600_000,
    log: console.error,
  })
  await migrate(engine)
  await engine.close()
  for (const name of readdirSync(dirname(imagePath))) {
    if (/^image-.*\.tar\.gz$/.test(name)) rmSync(join(dirname(imagePath), name))
  }
  await packDatabase(dataDir, imagePath)
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
