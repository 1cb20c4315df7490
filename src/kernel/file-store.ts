/** A store for one kind of file: a folder for each account, names are ids. Nothing a client sends becomes a path. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../config.ts'
import { publishFile } from '../lib/durable.ts'
import { type Ctx, type Services, systemDb } from './context.ts'
import type { Chore } from './jobs.ts'
import { countAsStorage } from './storage.ts'

export type FileOwner = Pick<Ctx, 'account' | 'services'>

export interface FileStore {
  path(at: FileOwner, id: string): string
  /** The path of an incomplete file. It differs from the final path, so an incomplete file is never read. */
  partPath(at: FileOwner, id: string): string
  makeFolder(at: FileOwner): Promise<unknown>
  /** Renames the complete part to the file and flushes it to the disk. Call it before a record refers to the file. */
  publish(at: FileOwner, id: string): Promise<void>
  /** Runs `write`, which writes the part, and publishes the file. If either fails, the part is removed. */
  receive<T>(at: FileOwner, id: string, write: (partPath: string) => Promise<T>): Promise<T>
  remove(at: FileOwner, ids: readonly string[]): Promise<void>
  /** Removes files without a record, left by a crash, a purge or an erased account. */
  sweep: Chore
}

/** Younger files are not removed: during an upload, the file exists before its record. */
const GRACE_MS = 6 * 3_600_000

/** The account's folder, one function per store. */
const foldersOf: ((at: FileOwner) => string)[] = []

/** Removes every file of the account. */
export async function removeAllFiles(at: FileOwner): Promise<void> {
  for (const folderOf of foldersOf) await rm(folderOf(at), { recursive: true, force: true })
}

const idOf = (name: string): string => name.replace(/\..*$/s, '')

/** `claimed` selects those of the given ids whose file still belongs to a record of the account. */
export function fileStore(
  name: string,
  dirOf: (files: Config['files']) => string,
  claimed: (account: string, ids: string[]) => RawBuilder<{ id: string }>,
): FileStore {
  const folderOf = ({ services, account }: FileOwner) => join(dirOf(services.config.files), account)
  const path = (at: FileOwner, id: string) => join(folderOf(at), id)
  const partPath = (at: FileOwner, id: string) => `${path(at, id)}.part`

  async function sweep(services: Services): Promise<void> {
    const dir = dirOf(services.config.files)
    for (const account of await readdir(dir).catch(() => [])) {
      const names = await readdir(join(dir, account)).catch(() => [])
      const ids = names.map(idOf).filter(id => /^[0-9a-f-]{36}$/.test(id))
      const { rows } = await claimed(account, ids).execute(systemDb(services))
      const claimedIds = new Set(rows.map(({ id }) => id))
      for (const orphan of names.filter(one => !claimedIds.has(idOf(one))))
        await removeOld(join(dir, account, orphan))
    }
  }

  foldersOf.push(folderOf)
  countAsStorage(async ctx => {
    const folder = folderOf(ctx)
    const names = await readdir(folder).catch(() => [])
    const files = await Promise.all(names.map(one => stat(join(folder, one)).catch(() => undefined)))
    return files.reduce((sum, file) => sum + (file?.size ?? 0), 0)
  })

  const makeFolder = (at: FileOwner) => mkdir(folderOf(at), { recursive: true, mode: 0o700 })
  const publish = (at: FileOwner, id: string) => publishFile(partPath(at, id), path(at, id))
  const remove = async (at: FileOwner, ids: readonly string[]) => {
    for (const id of ids) {
      await rm(path(at, id), { force: true })
      await rm(partPath(at, id), { force: true })
    }
  }

  return {
    path,
    partPath,
    makeFolder,
    publish,
    remove,
    async receive(at, id, write) {
      await makeFolder(at)
      try {
        const written = await write(partPath(at, id))
        await publish(at, id)
        return written
      } catch (error) {
        await remove(at, [id])
        throw error
      }
    },
    sweep: { name, everyMinutes: 60, run: sweep },
  }
}

async function removeOld(path: string): Promise<void> {
  const file = await stat(path).catch(() => undefined)
  if (file && Date.now() - file.mtimeMs > GRACE_MS) await rm(path, { force: true })
}

/** Compares the account as text, because a folder name need not be a UUID. */
export const inAccount = (account: string): RawBuilder<unknown> => sql`account_id::text = ${account}`
