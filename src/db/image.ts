import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Embedded, openEmbedded } from './embedded.ts'

/**
 * Writes the image that `imagePath` loads: a new database as `prepare` leaves it, typically migrated. A lower `level`
 * makes a larger file in less time.
 */
export async function makeImage(
  outPath: string,
  prepare?: (embedded: Embedded) => Promise<void>,
  level = 9,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kith-image-'))
  try {
    const embedded = await openEmbedded({ dataDir, statementTimeoutMs: 0, fsync: false })
    try {
      await prepare?.(embedded)
    } finally {
      await embedded.close()
    }
    await packDatabase(dataDir, outPath, level)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Packs the database of a data folder that no process has open. */
export async function packDatabase(dataDir: string, outPath: string, level = 9): Promise<void> {
  const { PGlite } = await import('@electric-sql/pglite')
  // Without starting it: files of a database that was closed need no recovery when they are loaded.
  const files = await PGlite.create({ dataDir: join(dataDir, 'db'), noInitDb: true })
  const tar = await files.dumpDataDir('none')
  await files.close()
  writeFileSync(`${outPath}.new`, gzipSync(await tar.arrayBuffer(), { level }))
  renameSync(`${outPath}.new`, outPath)
}
