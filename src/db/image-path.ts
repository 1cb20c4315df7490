import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { functionsChecksum } from './functions.ts'
import { migrations } from './migrate.ts'

const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))

const hash = createHash('sha256').update(version)
for (const migration of migrations()) hash.update(migration.checksum)
hash.update(functionsChecksum)

/**
 * The name contains a hash of the engine's version, the migrations and the functions. A build with others does not find
 * the image and runs initdb and the migrations instead.
 */
export const imagePath = fileURLToPath(
  new URL(`./image-${hash.digest('hex').slice(0, 12)}.tar.gz`, import.meta.url),
)
