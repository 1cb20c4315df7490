/** Backups of the whole installation: hot, consistent, and the same when they are restored. */
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  newDatabase,
  type OwnPostgresServer,
  startOwnPostgresServer,
} from '../../../test/support/postgres-server.ts'
import { clientOf, run, SLOW, startKith, tempFolder } from '../../../test/support/process.ts'
import { type Account, accountOn, engines, serviceOn, testConfig } from '../../../test/support/service.ts'
import { type Config, loadConfig } from '../../config.ts'
import { type Engine, openEngine, SYSTEM } from '../../db/engine.ts'
import { migrations } from '../../db/migrate.ts'
import { createService, type Service } from '../../service.ts'
import { firstName } from '../transfer/exports/tar.ts'
import { MANIFEST, type Manifest, readManifest } from './manifest.ts'
import { findTool } from './pg-tools.ts'
import { restoreBackup } from './restore.ts'
import { backUpIfDue, saveBackup } from './schedule.ts'
import { embeddedSource, serverMajor, serverSource } from './sources.ts'
import { openBackup } from './write.ts'

type Sums = Record<string, [rows: number, sum: string]>

/** Number of rows and checksum of every table. */
async function sumsOf(engine: Engine): Promise<Sums> {
  const db = engine.as(SYSTEM)
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'kith' and table_type = 'BASE TABLE' order by 1`.execute(db)
  const sums: Sums = {}
  for (const { name } of rows) {
    const found = await sql<{ count: number; sum: string }>`select count(*)::int as count,
      md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as sum
      from ${sql.table(`kith.${name}`)} t`.execute(db)
    sums[name] = [found.rows[0]!.count, found.rows[0]!.sum]
  }
  return sums
}

async function opened<T>(config: Config, work: (engine: Engine) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = config
  const engine = await openEngine({
    databaseUrl,
    dataDir,
    poolSize: 2,
    statementTimeoutMs: 60_000,
    log: () => {},
  })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** A service that writes nothing by itself. */
async function quiet(config: Config): Promise<{ service: Service; account: Account }> {
  const service = await createService({ ...config, jobs: { ...config.jobs, inServer: false } })
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  return { service, account: await accountOn(service, url) }
}

/** Records, links, a file and a deleted record. */
async function fill(account: Account): Promise<string> {
  const acme = await account.create('/api/companies', { name: 'Acme', metadata: { tier: 'gold' } })
  await account.create('/api/contacts', { first_name: 'Änn', company_id: acme.id })
  await account.create('/api/notes', { content: 'x'.repeat(20_000) })
  const gone = await account.create('/api/companies', { name: 'Gone' })
  await account.delete(`/api/companies/${gone.id}`)
  const form = new FormData()
  form.append('entity_type', 'company')
  form.append('entity_id', acme.id)
  form.append('file', new File(['signed'], 'contract.txt'))
  const file = await account.post('/api/files', form)
  return file.body.id
}

/** Where the file of a record is under a data folder. */
const fileIn = (dataDir: string, { accountId }: Account, id: string) =>
  readFileSync(join(dataDir, 'record-files', accountId, id), 'utf8')

const emptyConfig = (databaseUrl?: string): Config => {
  const config = loadConfig({ KITH_DATA_DIR: join(tempFolder(), 'data'), KITH_LOG_LEVEL: 'error', PORT: '0' })
  return { ...config, databaseUrl }
}

const hiddenIn = (folder: string) => readdirSync(folder).filter(name => name.startsWith('.'))

/** Makes the backup that is due at a time, if one is: every hour, of which two remain. */
const scheduler = ({ services }: Service, dir: string) => {
  const config = { ...services.config, backup: { dir, everyMs: 3_600_000, keep: 2 } }
  return (time: string) => backUpIfDue({ ...services, config }, new Date(time))
}

describe('the manifest of a backup', () => {
  const read = (fields: Pick<Manifest, 'version' | 'schema_version'>) => {
    const folder = tempFolder()
    const manifest: Manifest = {
      format: 'kith backup',
      engine: 'embedded',
      taken_at: '2026-01-01T00:00:00Z',
      files: 0,
      folders: [],
      ...fields,
    }
    writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest))
    return readManifest(folder)
  }

  it.each([
    ['cannot upgrade it', 1, 34],
    ['made by a newer build', 1, 36],
    ['made by a newer build', 2, migrations().length + 1],
  ])('is refused (%s) at version %d with schema %d', async (problem, version, schema_version) => {
    await expect(read({ version, schema_version })).rejects.toThrow(problem)
  })

  it.each([
    [1, 35],
    [2, migrations().length],
  ])('is accepted at version %d with schema %d', async (version, schema_version) => {
    expect(await read({ version, schema_version })).toMatchObject({ version, schema_version })
  })
})

describe('a backup of the embedded engine', SLOW, () => {
  let config: Config
  let service: Service
  let account: Account
  beforeAll(async () => {
    config = await testConfig('embedded')
    const started = await quiet(config)
    service = started.service
    account = started.account
    return () => service.close()
  }, SLOW.timeout)

  it.each(engines)(
    'is made on schedule on this engine alone, and restores every table and file (%s)',
    async kind => {
      const dir = join(tempFolder(), 'backups')
      if (kind === 'server') {
        await scheduler((await serviceOn(kind)).service, dir)('2026-01-01T10:00:00Z')
        return expect(existsSync(dir)).toBe(false)
      }
      const fileId = await fill(account)
      const due = scheduler(service, dir)
      await due('2026-01-01T10:00:00Z')
      const others = ['kith-20260101T090000Z.tar.gz', 'notes.txt']
      for (const name of others) writeFileSync(join(dir, name), 'not a backup')
      await due('2026-01-01T10:59:59Z')
      expect(readdirSync(dir).sort()).toEqual([others[0], 'kith-20260101T100000Z.tar.gz', others[1]])
      await due('2026-01-01T11:00:00Z')
      const left = ['kith-20260101T100000Z.tar.gz', 'kith-20260101T110000Z.tar.gz', 'notes.txt']
      expect(readdirSync(dir).sort()).toEqual(left)

      const path = join(dir, left[1]!)
      const before = await sumsOf(service.services.engine)
      expect(before.companies?.[0]).toBe(2)
      await expect.poll(() => hiddenIn(config.dataDir)).toEqual([])
      expect(await firstName(path)).toBe(MANIFEST)

      const target = emptyConfig()
      expect(await restoreBackup(target, path)).toMatchObject({ engine: 'embedded', files: 1 })
      expect(await opened(target, sumsOf)).toEqual(before)
      expect(fileIn(target.dataDir, account, fileId)).toBe('signed')
      expect(hiddenIn(target.dataDir)).toEqual([])

      await expect(restoreBackup(target, path)).rejects.toThrow('is not empty')
      truncateSync(path, Math.floor(readFileSync(path).length / 2))
      await expect(restoreBackup(emptyConfig(), path)).rejects.toThrow()
      expect(await firstName(join(dir, 'notes.txt'))).toBeUndefined()
    },
  )

  it('is consistent while others write', async () => {
    const me = await accountOn(service, account.url)
    let isDone = false
    const writer = (async () => {
      let count = 0
      for (; !isDone; count++) await me.create('/api/companies', { name: `Company ${count}` })
      return count
    })()
    await expect.poll(async () => (await me.get('/api/companies')).body.total).toBeGreaterThan(3)
    const path = join(tempFolder(), 'kith.tar.gz')
    await saveBackup(await openBackup(embeddedSource(config, service.services.engine)), path)
    isDone = true
    const written = await writer
    const target = emptyConfig()
    await restoreBackup(target, path)
    const { names, counted } = await opened(target, async engine => {
      const db = engine.as(SYSTEM)
      const found = await sql<{ name: string }>`select name from kith.companies
        where account_id = ${me.accountId} order by id`.execute(db)
      const journal = await sql<{ n: number }>`select count(*)::int as n from kith.changes
        where kind = 'companies' and account_id = ${me.accountId}`.execute(db)
      return { names: found.rows.map(({ name }) => name), counted: journal.rows[0]!.n }
    })
    expect(names).toEqual(names.map((_, at) => `Company ${at}`))
    expect(names.length).toBeGreaterThan(3)
    expect(names.length).toBeLessThanOrEqual(written)
    expect(counted).toBe(names.length)
  })

  it('is taken from a running service by the command line, and started elsewhere', async () => {
    const dataDir = join(tempFolder(), 'data')
    const key = 'sk_automation_0123456789'
    const env = { KITH_DATA_DIR: dataDir, KITH_API_KEY: key, KITH_LOG_LEVEL: 'error' }
    const running = await startKith({ env })
    await running.client.companies.create({ name: 'Acme' })
    const path = join(tempFolder(), 'kith.tar.gz')
    const backup = run({ args: ['backup', path, '--json'], env })
    expect([await backup.exited, backup.stderr()]).toEqual([0, ''])
    expect(JSON.parse(backup.stdout())).toMatchObject({ path, bytes: expect.any(Number) })
    const again = run({ args: ['backup', path], env })
    expect([await again.exited, again.stderr()]).toEqual([2, `${path} exists already: name another file.\n`])
    expect(await running.stop()).toBe(0)

    const elsewhere = { ...env, KITH_DATA_DIR: join(tempFolder(), 'data') }
    const restore = run({ args: ['restore', path, '--json'], env: elsewhere })
    expect([await restore.exited, restore.stderr()]).toEqual([0, ''])
    expect(JSON.parse(restore.stdout())).toMatchObject({ engine: 'embedded', files: 0 })
    const restored = await startKith({ env: elsewhere })
    expect(await restored.client.companies.list()).toMatchObject({ items: [{ name: 'Acme' }], total: 1 })
  })
})

/** The folder of a pg_restore that reports errors as that of 17 does with a server of 16, which this machine need not have. */
function newerRestore(tool: string, errors: number): string {
  const folder = tempFolder()
  const lines = [
    '#!/bin/sh',
    // without the folder of this script
    `PATH='${process.env.PATH}'`,
    `case "$*" in --version) echo 'pg_restore (PostgreSQL) 99.1'; exit;; --list*) exec ${tool} "$@";; esac`,
    `fail() { echo 'ERROR:  unrecognized configuration parameter "transaction_timeout"' >&2; }`,
    'case "$*" in *--exit-on-error*) fail; exit 1;; esac',
    `${tool} "$@"; fail; echo 'pg_restore: warning: errors ignored on restore: ${errors}' >&2; exit 1`,
  ]
  writeFileSync(join(folder, 'pg_restore'), `${lines.join('\n')}\n`, { mode: 0o755 })
  return folder
}

async function restoreByNewer(server: OwnPostgresServer, path: string, before: Sums): Promise<void> {
  const tool = await findTool('pg_restore', 1)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { PATH } = process.env
  vi.stubEnv('PATH', `${newerRestore(tool, 1)}:${PATH}`)
  const target = emptyConfig(await newDatabase(server.url))
  await restoreBackup(target, path)
  expect(await opened(target, sumsOf)).toEqual(before)
  vi.unstubAllEnvs()
  vi.stubEnv('PATH', `${newerRestore(tool, 2)}:${PATH}`)
  const withErrors = restoreBackup(emptyConfig(await newDatabase(server.url)), path)
  await expect(withErrors).rejects.toThrow('pg_restore failed')
  vi.unstubAllEnvs()
}

describe('a backup of a server', SLOW, () => {
  let server: OwnPostgresServer | undefined
  let config: Config & { databaseUrl: string }
  let service: Service
  let account: Account
  beforeAll(async () => {
    // pg_dump works with servers up to its own version, so the server is one that was installed with it.
    server = await startOwnPostgresServer({ tool: 'pg_dump' }).catch(() => undefined)
    if (!server) return
    config = { ...(await testConfig('embedded')), databaseUrl: await newDatabase(server.url) }
    const started = await quiet(config)
    service = started.service
    account = started.account
    return async () => {
      await service.close()
      await server?.stop()
    }
  }, SLOW.timeout)

  it('restores every table and file into an empty database (with pg_dump installed)', async () => {
    if (!server) return expect(findTool('pg_dump', 1)).rejects.toThrow('none is installed')
    const fileId = await fill(account)
    const path = join(tempFolder(), 'kith.tar.gz')
    await saveBackup(await openBackup(serverSource(config, config.databaseUrl)), path)
    const before = await sumsOf(service.services.engine)

    await expect(restoreBackup(emptyConfig(), path)).rejects.toThrow('backup of the server engine')
    const target = emptyConfig(await newDatabase(server.url))
    expect(await restoreBackup(target, path)).toMatchObject({ engine: 'server', files: 1 })
    expect(await opened(target, sumsOf)).toEqual(before)
    expect(fileIn(target.dataDir, account, fileId)).toBe('signed')
    await expect(restoreBackup(emptyConfig(target.databaseUrl), path)).rejects.toThrow('kith already')

    if ((await serverMajor(server.url)) < 17) await restoreByNewer(server, path, before)

    const restored = await createService(target)
    const url = await restored.app.listen({ port: 0, host: '127.0.0.1' })
    const companies = await clientOf(url, account.key).companies.list()
    expect(companies).toMatchObject({ total: 1, items: [{ name: 'Acme' }] })
    await restored.close()
  })

  it('is read by a server that has counted fewer transactions', async () => {
    if (!server) return
    await account.create('/api/companies', { name: 'Later' })
    const later = sql`update kith.changes set xid = '90000000000'`
    await later.execute(service.services.engine.as(SYSTEM))
    await sql`update kith.search_feed set xid = '90000000000'`.execute(service.services.engine.as(SYSTEM))
    const path = join(tempFolder(), 'kith.tar.gz')
    await saveBackup(await openBackup(serverSource(config, config.databaseUrl)), path)
    const target = emptyConfig(await newDatabase(server.url))
    await restoreBackup(target, path)
    const unread = await opened(target, engine =>
      sql<{
        n: number
      }>`select (select count(*)::int from kith.changes where xid >= pg_snapshot_xmin(pg_current_snapshot()))
        + (select count(*)::int from kith.search_feed where xid > '0') as n`.execute(engine.as(SYSTEM)),
    )
    expect(unread.rows).toEqual([{ n: 0 }])
  })

  it('says which pg_dump is needed', async () => {
    await expect(findTool('pg_dump', 9999)).rejects.toThrow(
      /^pg_dump of PostgreSQL 9999 or newer is needed and /,
    )
  })
})
