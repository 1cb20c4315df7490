/** `kith restore`: restores the archive of an account into an empty account, all of it or nothing. */
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../../config.ts'
import { type Db, openEngine, SYSTEM } from '../../../db/engine.ts'
import { imagePath } from '../../../db/image-path.ts'
import { migrate } from '../../../db/migrate.ts'
import { unscoped } from '../../../kernel/statements.ts'
import { syncTree } from '../../../lib/durable.ts'
import { type AccountTable, accountTables } from './account-tables.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { firstKey, restorePeople, run, targetAccount } from './restore-account.ts'
import { restoreTable, type Work } from './restore-rows.ts'
import { extract, unpackLimits } from './tar.ts'

/** An account of this size takes longer than a request may. */
const TIMEOUT_MS = 6 * 3_600_000

export interface RestoreOptions {
  /** the id or slug of an empty account; undefined: a new one */
  account?: string | undefined
  /** people who are registered here already become members */
  addMembers?: boolean
}

export async function restoreArchive(
  config: Config,
  archive: string,
  options: RestoreOptions = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-restore-'))
  try {
    await extract(archive, folder, unpackLimits(config.limits.restoreBytes))
    return await restore(config, folder, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function restore(config: Config, folder: string, options: RestoreOptions): Promise<string> {
  const manifest = await readManifest(folder)
  await checkFolders(config, folder)
  const engine = await openEngine({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    imagePath,
    fsync: config.fsync,
    poolSize: 1,
    statementTimeoutMs: TIMEOUT_MS,
    log: message => console.error(message),
  })
  try {
    await migrate(engine)
    const restored = await engine
      .as(SYSTEM)
      .transaction()
      .execute(db => restoreInto(db, folder, manifest, options))
    await restoreFiles(folder, config, restored.account.id)
    return report(restored)
  } finally {
    await engine.close()
  }
}

async function restoreInto(db: Db, folder: string, manifest: Manifest, options: RestoreOptions) {
  const tables = await accountTables(db)
  const account = await targetAccount(db, manifest, tables, options.account)
  const { ids, leftOut, ownerId } = await restorePeople(db, manifest, account.id, options.addMembers ?? false)
  const key = await firstKey(db, account.id, ownerId)
  const work: Work = {
    db,
    folder,
    accountId: account.id,
    archivedId: manifest.account.id,
    renamed: new Map([[manifest.account.id, account.id], ...ids]),
    people: [...ids.values()],
    ownerId,
    counts: { restored: 0, skipped: 0 },
  }
  const unknownTables = await unknownIn(folder, tables)
  // The journal comes last: until then it is written by the triggers of the other tables.
  const isJournal = ({ name }: AccountTable) => name === 'changes'
  for (const table of [...tables.filter(t => !isJournal(t)), ...tables.filter(isJournal)]) {
    // Triggers write histories while the other rows are inserted; the histories of the archive replace them.
    if (table.counted.length > 0) {
      await run(db, sql`delete from ${unscoped(table.name)} where account_id = ${account.id}`)
    }
    await enterAccount(db, account.id)
    await restoreTable(work, table)
    await leaveAccount(db)
  }
  return { account, key, leftOut, unknownTables, ...work.counts }
}

/** The statements that follow in this transaction are subject to the account's row-level security. */
const enterAccount = (db: Db, accountId: string) =>
  run(db, sql`select set_config('role', 'kith_app', true), set_config('kith.account_id', ${accountId}, true)`)

const leaveAccount = (db: Db) =>
  run(db, sql`select set_config('role', 'none', true), set_config('kith.account_id', '', true)`)

async function unknownIn(folder: string, tables: readonly AccountTable[]): Promise<string[]> {
  const names = await readdir(join(folder, 'tables')).catch(() => [])
  return names.filter(name => !tables.some(table => table.name === name)).sort()
}

interface Restored {
  account: { name: string; slug: string }
  key: string | undefined
  leftOut: readonly string[]
  unknownTables: readonly string[]
  restored: number
  skipped: number
}

function report({ account, key, leftOut, unknownTables, restored, skipped }: Restored): string {
  const lines = [`Restored ${restored} rows into the account "${account.name}" (${account.slug}).`]
  if (skipped > 0) lines.push(`${skipped} rows referred to records that are not in the archive: left out.`)
  if (unknownTables.length > 0)
    lines.push(`This build does not restore ${unknownTables.join(', ')}: left out.`)
  if (leftOut.length > 0) {
    lines.push(
      `Registered here already and not made members (invite them, or restore with --add-members): ${leftOut.join(', ')}.`,
    )
  }
  if (key !== undefined) lines.push('', 'An API key for it, shown this once:', `  ${key}`)
  return lines.join('\n')
}

/** The folders that hold files of accounts, by the names that archives give them. */
const fileFolders = ({ files }: Config): Map<string, string> =>
  new Map(
    [files.dir, files.audioDir, files.attachmentDir, files.recordFileDir].map(path => [basename(path), path]),
  )

async function checkFolders(config: Config, folder: string): Promise<void> {
  const allowed = fileFolders(config)
  for (const kind of await readdir(join(folder, 'files')).catch(() => [])) {
    if (!allowed.has(kind)) throw new Error(`The archive has files in ${kind}, which holds none of accounts.`)
  }
}

async function restoreFiles(folder: string, config: Config, accountId: string): Promise<void> {
  for (const [kind, path] of fileFolders(config)) {
    const source = join(folder, 'files', kind)
    const names = await readdir(source).catch(() => [])
    const target = join(path, accountId)
    if (names.length === 0) continue
    await mkdir(target, { recursive: true, mode: 0o700 })
    for (const name of names) await copyFile(join(source, name), join(target, name))
    await syncTree(target)
  }
}
