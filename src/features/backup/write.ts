/** A backup of the whole installation as one file: a compressed tar of the database and the files of all accounts. */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { createGzip, type Gzip } from 'node:zlib'
import type { Config } from '../../config.ts'
import { migrations } from '../../db/migrate.ts'
import { last } from '../../lib/values.ts'
import { tarEnd, tarHeader, tarPadding } from '../transfer/exports/tar.ts'
import { END, MANIFEST, type Manifest } from './manifest.ts'
import { stage } from './stage.ts'

export interface BackupSource {
  config: Config
  /** puts the database into a folder that does not exist yet */
  dump(folder: string): Promise<void>
}

/** A tar entry has at most 8 GB; larger files go in parts. */
const PART_BYTES = 4 * 1024 ** 3

/** The backup as a stream. What it needs on disk is removed when the stream ends or is destroyed. */
export async function openBackup(source: BackupSource): Promise<Gzip> {
  const { config } = source
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  // In the data folder, so that files are linked and not copied.
  const folder = join(config.dataDir, `.backup-${randomBytes(6).toString('hex')}`)
  await mkdir(folder, { mode: 0o700 })
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await stage(config, folder, source.dump)
    const packed = createGzip({ level: 5 })
    const entries = Readable.from(entriesOf(config, folder))
    entries.once('close', () => void remove())
    entries.once('error', error => packed.destroy(error))
    packed.once('close', () => entries.destroy())
    return entries.pipe(packed)
  } catch (error) {
    await remove()
    throw error
  }
}

async function* entriesOf(config: Config, folder: string): AsyncGenerator<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const pathOf = (entry: (typeof entries)[number]) =>
    relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/')
  const files = entries
    .filter(entry => entry.isFile())
    .map(pathOf)
    .sort()
  const manifest: Manifest = {
    format: 'kith backup',
    version: 2,
    engine: config.databaseUrl === undefined ? 'embedded' : 'server',
    schema_version: last(migrations()).version,
    taken_at: new Date().toISOString(),
    files: files.filter(name => name.startsWith('files/')).length,
    folders: entries
      .filter(entry => entry.isDirectory())
      .map(pathOf)
      .filter(name => name.startsWith('database'))
      .sort(),
  }
  const content = Buffer.from(JSON.stringify(manifest, null, 2))
  yield Buffer.concat([tarHeader(MANIFEST, content.length), content, tarPadding(content.length)])
  for (const name of files) yield* fileOf(join(folder, name), name)
  yield Buffer.concat([tarHeader(END, 0), tarEnd()])
}

async function* fileOf(path: string, name: string): AsyncGenerator<Buffer> {
  const { size } = await stat(path)
  for (let part = 0, start = 0; part === 0 || start < size; part++, start += PART_BYTES) {
    const length = Math.min(PART_BYTES, size - start)
    yield tarHeader(size > PART_BYTES ? `${name}.part${String(part).padStart(4, '0')}` : name, length)
    if (length > 0)
      yield* createReadStream(path, { start, end: start + length - 1, highWaterMark: 1024 ** 2 })
    yield tarPadding(length)
  }
}
