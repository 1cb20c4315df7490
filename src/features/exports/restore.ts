/** `kith restore`: an archive of an account → an account of its own, all of it or nothing. */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { type Db, openEngine, SYSTEM } from '../../db/engine.ts'
import { imagePath } from '../../db/image-path.ts'
import { migrate, migrations } from '../../db/migrate.ts'
import { newId } from '../../kernel/ids.ts'
import { keyHash, keyPrefix, newKey } from '../../resources/accounts/first-account.ts'
import { slugOf } from '../../resources/accounts/slug.ts'
import { type AccountTable, accountTables } from './account-tables.ts'
import { restoreTable, run, type Work } from './restore-rows.ts'
import type { Manifest } from './takeout.ts'
import { extract } from './tar.ts'

/** An account of this size takes longer than a request may. */
const TIMEOUT_MS = 6 * 3_600_000

const USAGE = 'Usage: kith restore <archive.tar.gz> [--account <id or slug of an empty account>]'

export async function restoreCommand(config: Config, args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    options: { account: { type: 'string' } },
    allowPositionals: true,
  })
  const [archive] = positionals
  if (!archive || positionals.length > 1) throw new Error(USAGE)
  const folder = await mkdtemp(join(tmpdir(), 'kith-restore-'))
  try {
    await extract(archive, folder)
    return await restore(config, folder, values.account)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function restore(config: Config, folder: string, wanted: string | undefined): Promise<string> {
  const manifest = await manifestOf(folder)
  const engine = await openEngine({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    imagePath,
    poolSize: 1,
    statementTimeoutMs: TIMEOUT_MS,
    log: message => console.error(message),
  })
  try {
    await migrate(engine)
    const { account, key, counts } = await engine
      .as(SYSTEM)
      .transaction()
      .execute(db => restoreInto(db, folder, manifest, wanted))
    await restoreFiles(config, folder, account.id)
    const { restored, skipped } = counts
    return [
      `Restored ${restored} rows into the account "${account.name}" (${account.slug}).`,
      ...(skipped > 0
        ? [`${skipped} rows referred to what had been erased meanwhile, and were left out.`]
        : []),
      ...(key === undefined ? [] : ['', 'An API key for it, shown this once:', `  ${key}`]),
    ].join('\n')
  } finally {
    await engine.close()
  }
}

async function manifestOf(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => '{}')
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== 'kith account') throw new Error('This is not an archive of an account.')
  if (manifest.schema_version > migrations().at(-1)!.version) {
    throw new Error('The archive was made by a newer build: run that one.')
  }
  return manifest
}

interface Account {
  id: string
  name: string
  slug: string
}

async function restoreInto(db: Db, folder: string, manifest: Manifest, wanted: string | undefined) {
  const tables = await accountTables(db)
  const account = await targetAccount(db, manifest, tables, wanted)
  const { ids, key } = await restorePeople(db, manifest, account.id)
  const renamed = new Map([[manifest.account.id, account.id], ...ids])
  const work: Work = {
    db,
    folder,
    accountId: account.id,
    renamed,
    people: [...ids.values()],
    counts: { restored: 0, skipped: 0 },
  }
  // The journal comes last: until then it is written by the triggers of the other tables.
  const isJournal = ({ name }: AccountTable) => name === 'changes'
  for (const table of tables.filter(table => !isJournal(table))) await restoreTable(work, table)
  for (const table of tables.filter(isJournal)) await restoreTable(work, table)
  return { account, key, counts: work.counts }
}

/** The account that is named, or the only one if it is empty, or a new one. */
async function targetAccount(
  db: Db,
  manifest: Manifest,
  tables: readonly AccountTable[],
  wanted: string | undefined,
): Promise<Account> {
  const accounts = await run(db, sql<Account>`select id, name, slug from ${sql.table('accounts')}`)
  const named = accounts.find(({ id, slug }) => wanted !== undefined && (id === wanted || slug === wanted))
  if (wanted !== undefined && !named) throw new Error(`There is no account ${wanted}.`)
  const only = accounts.length === 1 && (await isEmpty(db, accounts[0]!.id, tables)) ? accounts[0] : undefined
  const target = named ?? only
  const { name, currency } = manifest.account
  if (!target) {
    const id = newId()
    const isTaken = accounts.some(({ slug }) => slug === slugOf(name))
    const made = { id, name, slug: isTaken ? `${slugOf(name)}-${id.slice(-12)}` : slugOf(name) }
    await run(
      db,
      sql`insert into ${sql.table('accounts')} (id, name, slug, currency) values (${made.id}, ${name}, ${made.slug}, ${currency})`,
    )
    return made
  }
  if (!(await isEmpty(db, target.id, tables))) throw new Error(`The account "${target.name}" is not empty.`)
  await run(
    db,
    sql`update ${sql.table('accounts')} set name = ${name}, currency = ${currency} where id = ${target.id}`,
  )
  // What every new account begins with makes room for the account's own.
  for (const table of ['stages', 'pipelines', 'changes']) {
    await run(db, sql`delete from ${sql.table(table)} where account_id = ${target.id}`)
  }
  return { ...target, name }
}

/** A new account has a pipeline, its stages, and the journal of that. */
const SEEDED = ['pipelines', 'stages', 'changes']

async function isEmpty(db: Db, accountId: string, tables: readonly AccountTable[]): Promise<boolean> {
  for (const { name } of tables.filter(table => !SEEDED.includes(table.name))) {
    const [found] = await run(
      db,
      sql`select 1 from ${sql.table(name)} where account_id = ${accountId} limit 1`,
    )
    if (found) return false
  }
  return true
}

/** People are known by their addresses. Who is not here yet comes along, without a password. */
async function restorePeople(db: Db, { people }: Manifest, accountId: string) {
  const ids = new Map<string, string>()
  for (const { id, email, name, role } of people) {
    const [known] = await run(
      db,
      sql<{ id: string }>`select id from users where lower(email) = lower(${email}) order by id limit 1`,
    )
    const [taken] = known ? [] : await run(db, sql`select id from users where id = ${id}`)
    const userId = known?.id ?? (taken ? newId() : id)
    if (!known) await run(db, sql`insert into users (id, email, name) values (${userId}, ${email}, ${name})`)
    ids.set(id, userId)
    await run(
      db,
      sql`insert into ${sql.table('members')} (account_id, user_id, role) values (${accountId}, ${userId}, ${role})
        on conflict do nothing`,
    )
  }
  return { ids, key: await firstKey(db, accountId) }
}

/** An account that nobody has a key for could be reached by nobody. */
async function firstKey(db: Db, accountId: string): Promise<string | undefined> {
  const [known] = await run(
    db,
    sql`select 1 from ${sql.table('api_keys')} where account_id = ${accountId} limit 1`,
  )
  const [owner] = await run(
    db,
    sql<{ user_id: string }>`select user_id from ${sql.table('members')} where account_id = ${accountId}
      order by role = 'owner' desc, created_at, user_id limit 1`,
  )
  if (known || !owner) return undefined
  const key = newKey()
  await run(
    db,
    sql`insert into ${sql.table('api_keys')} (account_id, id, name, prefix, key_hash, created_by)
      values (${accountId}, ${newId()}, 'Restored', ${keyPrefix(key)}, ${keyHash(key)}, ${owner.user_id})`,
  )
  return key
}

async function restoreFiles(config: Config, folder: string, accountId: string): Promise<void> {
  const files = join(folder, 'files')
  for (const kind of await readdir(files).catch(() => [])) {
    const target = join(config.dataDir, kind, accountId)
    await mkdir(target, { recursive: true, mode: 0o700 })
    for (const name of await readdir(join(files, kind))) {
      await copyFile(join(files, kind, name), join(target, name))
    }
  }
}
