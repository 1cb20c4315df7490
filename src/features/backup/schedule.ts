/** Scheduled backups of the embedded engine: one every so often, and the oldest are deleted. */
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Services } from '../../kernel/context.ts'
import type { Chore } from '../../kernel/jobs.ts'
import { publishFile } from '../../lib/durable.ts'
import { embeddedSource } from './sources.ts'
import { openBackup } from './write.ts'

const OURS = /^kith-\d{8}T\d{6}Z\.tar\.gz$/

/** A file with this name is whole: it is written under another one and renamed. */
export async function saveBackup(stream: NodeJS.ReadableStream, path: string): Promise<number> {
  const part = `${path}.part`
  try {
    await pipeline(stream, createWriteStream(part, { mode: 0o600 }))
    const { size } = await stat(part)
    await publishFile(part, path)
    return size
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

export const scheduledBackups: Chore = { name: 'scheduled backups', everyMinutes: 1, run: backUpIfDue }

export async function backUpIfDue({ config, engine, log }: Services, now = new Date()): Promise<void> {
  const { dir, everyMs, keep } = config.backup
  if (dir === undefined || engine.kind !== 'embedded') return
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const existing = await ownFiles(dir)
  const newest = existing.at(-1)
  if (newest !== undefined && now.getTime() - timeOf(newest) < everyMs) return
  const path = join(dir, `kith-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.gz`)
  const begun = performance.now()
  const bytes = await saveBackup(await openBackup(embeddedSource(config, engine)), path)
  log.info({ path, bytes, ms: Math.round(performance.now() - begun) }, 'backed up')
  for (const name of (await ownFiles(dir)).slice(0, -keep)) await rm(join(dir, name), { force: true })
}

/** The oldest first. Other files in the folder are left alone. */
const ownFiles = async (dir: string) => (await readdir(dir)).filter(name => OURS.test(name)).sort()

function timeOf(name: string): number {
  const [, date = '', time = ''] = /(\d{8})T(\d{6})Z/.exec(name) ?? []
  const parts = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`
  return Date.parse(parts)
}
