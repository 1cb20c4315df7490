/**
 * `npm run image`: packs a database that is set up and migrated but still empty. A first start unpacks it in a
 * fraction of the time that initdb and the migrations take. PostgreSQL writes times and random numbers into it, so it
 * is made again only when what it is made from has changed, which its name shows; `npm run image -- --force` makes it
 * in any case.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { migrationProblems } from './check-migrations.ts'
import { openEngine } from './engine.ts'
import { packDatabase } from './image.ts'
import { imagePath } from './image-path.ts'
import { migrate, migrations } from './migrate.ts'

const problems = migrationProblems(migrations())
if (problems.length > 0) throw new Error(problems.join('\n'))

for (const name of readdirSync(dirname(imagePath))) {
  const isStale = /^image-.*\.tar\.gz$/.test(name) && name !== basename(imagePath)
  if (isStale) rmSync(join(dirname(imagePath), name))
}
if (!existsSync(imagePath) || process.argv.includes('--force')) await make()

async function make(): Promise<void> {
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
    await packDatabase(dataDir, imagePath)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
