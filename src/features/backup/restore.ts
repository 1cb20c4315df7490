/** `kith restore` of a backup: the whole installation, into an empty folder or database. */
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../config.ts'
import { openEngine } from '../../db/engine.ts'
import { migrate } from '../../db/migrate.ts'
import { renameDurably, syncTree } from '../../lib/durable.ts'
import { extract, unpackLimits } from '../transfer/exports/tar.ts'
import { END, type Manifest, readManifest } from './manifest.ts'
import { findTool, isTimeoutUnknown, runTool } from './pg-tools.ts'
import { DUMP, serverMajor, withClient } from './sources.ts'
import { fileFolders } from './stage.ts'

/** A migration may take long. */
const TIMEOUT_MS = 6 * 3_600_000

const ID = '[0-9a-f-]{36}'
const PART = /\.part\d{4}$/
/** Access rules, and the indexes of vectors with their function, which only a server with pgvector has. */
const LEFT_OUT = / (POLICY|ROW SECURITY) | (INDEX|FUNCTION) kith search_(vectors_hnsw|halfvec)_/
const NAMES = new RegExp(
  `^(backup\\.json|end|database(/[A-Za-z0-9_.]+)+|files/[a-z-]+/${ID}/${ID}(\\.part\\d{4})?)$`,
)

/** Returns the manifest of the backup when all of it is restored; `onProgress` is called after each of four steps. */
export async function restoreBackup(
  config: Config,
  archive: string,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Manifest> {
  onProgress(0, 4)
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  await refuseUsed(config)
  // In the data folder, so that everything is moved and not copied.
  const folder = join(config.dataDir, `.restore-${randomBytes(6).toString('hex')}`)
  try {
    // It is the operator's own file: only its size is limited.
    const limits = { ...unpackLimits(config.limits.restoreBytes), ratio: Number.POSITIVE_INFINITY }
    await extract(archive, folder, limits, NAMES)
    if (!existsSync(join(folder, END))) throw new Error('The backup was cut off: it has no end.')
    const manifest = await readManifest(folder)
    await joinParts(folder)
    onProgress(1, 4)
    await restoreDatabase(config, folder, manifest)
    onProgress(2, 4)
    await restoreFiles(config, folder)
    onProgress(3, 4)
    await bringUp(config)
    onProgress(4, 4)
    return manifest
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Existing files are never overwritten. */
async function refuseUsed(config: Config): Promise<void> {
  const { databaseUrl, dataDir } = config
  const used = [join(dataDir, 'db'), ...fileFolders(config).values()].filter(path => existsSync(path))
  const full = await Promise.all(used.map(async path => (await readdir(path)).length > 0))
  if (full.includes(true)) {
    throw new Error(
      `The data folder ${dataDir} is not empty: set KITH_DATA_DIR to another one, or move what is there.`,
    )
  }
  if (databaseUrl === undefined) return
  const isUsed = await withClient(databaseUrl, async client => {
    const { rows } = await client.query("select 1 from pg_namespace where nspname = 'kith'")
    return rows.length > 0
  })
  if (isUsed)
    throw new Error('The database has a schema kith already: set DATABASE_URL to an empty database.')
}

async function joinParts(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true })
  for (const name of names.filter(one => PART.test(one)).sort()) {
    const part = join(folder, name)
    await pipeline(
      createReadStream(part),
      createWriteStream(part.replace(PART, ''), { flags: 'a', mode: 0o600 }),
    )
    await rm(part)
  }
}

async function restoreDatabase(config: Config, folder: string, manifest: Manifest): Promise<void> {
  const { databaseUrl, dataDir } = config
  const engine = databaseUrl === undefined ? 'embedded' : 'server'
  if (manifest.engine !== engine) {
    throw new Error(
      `This is a backup of the ${manifest.engine} engine, and ${engine === 'server' ? 'DATABASE_URL is set' : 'DATABASE_URL is not set'}. ` +
        'To move to another engine, export each account (kith export account) and restore those.',
    )
  }
  if (databaseUrl !== undefined) return restoreDump(databaseUrl, folder)
  for (const name of manifest.folders) await mkdir(join(folder, name), { recursive: true, mode: 0o700 })
  await syncTree(join(folder, 'database'))
  await renameDurably(join(folder, 'database'), join(dataDir, 'db'))
}

/**
 * Access rules name the role of the old database user and are left out, and so are the indexes of vectors, which the
 * maintenance creates again; the functions' fingerprint is deleted, so that
 * the migration that follows writes functions, triggers and access rules anew.
 */
async function restoreDump(databaseUrl: string, folder: string): Promise<void> {
  const dump = join(folder, 'database', DUMP)
  const major = await serverMajor(databaseUrl)
  const tool = await findTool('pg_restore', major)
  // Servers before 17 refuse the first statement of a newer pg_restore: there it must go on, and may report only that.
  const isStrict = major >= 17
  const contents = join(folder, 'contents')
  const lines = (await runTool(tool, undefined, ['--list', dump])).split('\n')
  await writeFile(contents, lines.filter(line => !LEFT_OUT.test(line)).join('\n'))
  const restoreSection = (section: string) =>
    runTool(tool, databaseUrl, [
      `--section=${section}`,
      ...(isStrict ? ['--single-transaction', '--exit-on-error'] : []),
      '--no-owner',
      '--no-privileges',
      `--use-list=${contents}`,
      dump,
    ]).catch((error: unknown) => {
      if (isStrict || !isTimeoutUnknown(error)) throw error
    })
  const execute = (statement: string) => withClient(databaseUrl, client => client.query(statement))
  try {
    await restoreSection('pre-data')
    await execute(WITH_SEARCH_PATH)
    await restoreSection('data')
    await execute(WITHOUT_OLD_TRANSACTIONS)
    await restoreSection('post-data')
  } catch (error) {
    // It was not there before.
    await execute('drop schema if exists kith cascade')
    throw error
  }
}

/**
 * pg_restore works with an empty search path, and our functions, which generated columns and indexes call, do not name
 * the schema of those that they call. Writing the functions anew takes this setting away again.
 */
const WITH_SEARCH_PATH = `do $$
  declare routine regprocedure;
  begin
    for routine in select oid from pg_proc where pronamespace = 'kith'::regnamespace and prokind in ('f', 'p') loop
      execute format('alter routine %s set search_path = kith, pg_catalog', routine);
    end loop;
  end $$`

/**
 * Another server counts its transactions anew: readers of the journal would wait for those of the old one for ever. The
 * search feed begins again, since the order of the transactions is gone.
 */
const WITHOUT_OLD_TRANSACTIONS = `
  update kith.changes set xid = pg_current_xact_id() where xid > pg_current_xact_id();
  update kith.search_feed set xid = '0', seq = 0 where xid > pg_current_xact_id();
  delete from kith.applied_functions`

/** Also shows that the database opens. */
async function bringUp({ databaseUrl, dataDir }: Config): Promise<void> {
  const log = (message: string) => console.error(message)
  const engine = await openEngine({ databaseUrl, dataDir, poolSize: 1, statementTimeoutMs: TIMEOUT_MS, log })
  try {
    await migrate(engine)
  } finally {
    await engine.close()
  }
}

async function restoreFiles(config: Config, folder: string): Promise<void> {
  const targets = fileFolders(config)
  for (const kind of await readdir(join(folder, 'files')).catch(() => [])) {
    const target = [...targets.values()].find(path => basename(path) === kind)
    if (target === undefined)
      throw new Error(`The backup has files in ${kind}, which holds none of accounts.`)
    await cp(join(folder, 'files', kind), target, { recursive: true })
  }
}
