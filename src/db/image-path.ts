import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }

/** Named after the engine's version: a build with another PGlite does not find it and runs initdb instead. */
export const imagePath = fileURLToPath(new URL(`./image-pglite-${version}.tar.gz`, import.meta.url))
