import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { migrations } from './migrate.ts'

const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }

const hash = createHash('sha256').update(version)
for (const migration of migrations()) hash.update(migration.checksum)
hash.update(readFileSync(new URL('./protect.sql', import.meta.url)))

/**
 * Named after the engine's version and the migrations: a build that has others does not find it, and sets its
 * first database up step by step instead.
 */
export const imagePath = fileURLToPath(
  new URL(`./image-${hash.digest('hex').slice(0, 12)}.tar.gz`, import.meta.url),
)
