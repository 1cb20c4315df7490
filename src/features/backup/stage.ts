/** Collects the contents of a backup in a folder: the database, and links to the files of accounts. */
import { copyFile, link, mkdir, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Config } from '../../config.ts'
import { codeOf } from '../../lib/thrown.ts'

/** The folders that hold files of accounts, by the names that they have in a backup. */
export const fileFolders = ({ files }: Config): Map<string, string> =>
  new Map(
    [files.dir, files.audioDir, files.attachmentDir, files.recordFileDir].map(path => [basename(path), path]),
  )

/**
 * Files before and after the database: one that is deleted after the database was copied is there from before, one that
 * was added until then from after. Files that no record refers to are removed by the service in time.
 */
export async function stage(
  config: Config,
  folder: string,
  dump: (folder: string) => Promise<void>,
): Promise<void> {
  await linkFiles(config, folder)
  await dump(join(folder, 'database'))
  await linkFiles(config, folder)
}

async function linkFiles(config: Config, folder: string): Promise<void> {
  for (const [kind, path] of fileFolders(config)) {
    for (const account of await readdir(path).catch(() => [])) {
      const names = await readdir(join(path, account)).catch(() => [])
      const target = join(folder, 'files', kind, account)
      const whole = names.filter(name => /^[0-9a-f-]{36}$/.test(name))
      if (whole.length > 0) await mkdir(target, { recursive: true, mode: 0o700 })
      for (const name of whole) await linkFile(join(path, account, name), join(target, name))
    }
  }
}

/** A link needs no room and no time; a file is never changed once it has its name. */
async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST' || code === 'ENOENT') return
    await copyFile(from, to)
  }
}
