/** The schema: brought up once by whoever comes first, whole or not at all, and never by the wrong build. */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrationProblems } from '../src/db/check-migrations.ts'
import { type Engine, openEngine, SYSTEM } from '../src/db/engine.ts'
import { imagePath as migratedImage } from '../src/db/image-path.ts'
import { type Migration, migrate, migrations } from '../src/db/migrate.ts'
import { catalogue } from './support/catalogue.ts'
import { clientOf, run, SLOW, startKith, statusOf, tempFolder } from './support/process.ts'
import {
  anyEngine,
  type EngineKind,
  emptyDatabase,
  engines,
  freshDatabase,
  request,
  serviceOn,
} from './support/service.ts'

const all = migrations()

/** An engine on an empty database if it is embedded; on the server every run begins with all migrations. */
const emptyEngine = async (kind: EngineKind): Promise<Engine> =>
  kind === 'server' ? migratedEngine(kind) : engineOn(undefined, undefined)

/** An engine on a database at this build's version, which saves most of a test's time. */
const migratedEngine = async (kind: EngineKind, statementTimeoutMs?: number): Promise<Engine> =>
  engineOn(kind === 'server' ? await freshDatabase() : undefined, migratedImage, statementTimeoutMs)

/** Without an image the embedded engine runs initdb. */
const open = (
  databaseUrl: string | undefined,
  imagePath: string | undefined,
  dataDir: string,
  statementTimeoutMs = 60_000,
) =>
  openEngine({
    databaseUrl,
    dataDir,
    ...(imagePath === undefined ? {} : { imagePath }),
    poolSize: 4,
    statementTimeoutMs,
    fsync: false,
    log: () => {},
  })

async function engineOn(
  databaseUrl: string | undefined,
  image: string | undefined,
  statementTimeoutMs?: number,
): Promise<Engine> {
  const engine = await open(databaseUrl, image, tempFolder(), statementTimeoutMs)
  onTestFinished(() => engine.close())
  return engine
}

const migration = (version: number, text: string): Migration => ({
  version,
  name: `${version}_test.sql`,
  text,
  checksum: createHash('sha256').update(text).digest('hex'),
})

async function rows<R>(engine: Engine, text: string): Promise<R[]> {
  return (await sql.raw<R>(text).execute(engine.as(SYSTEM))).rows
}
const versions = async (engine: Engine) =>
  (await rows<{ version: number }>(engine, 'select version from kith.migrations order by version')).map(
    r => r.version,
  )
const exists = async (engine: Engine, name: string) =>
  (await rows<{ found: boolean }>(engine, `select to_regclass('kith.${name}') is not null as found`))[0]!
    .found

describe('migration files', () => {
  it('are numbered without gaps and hold no functions or triggers', () => {
    expect(migrationProblems(all)).toEqual([])
  })

  it.each([
    ['0004_gap.sql', 'create table x ()', /rename it to 0003_gap.sql/],
    ['0003_function.sql', 'create function f() returns int', /belongs in src\/db\/functions/],
    ['0003_trigger.sql', 'create constraint trigger t after insert on x', /belongs in src\/db\/functions/],
    ['0003_journal.sql', "call journal_records('x')", /belongs in src\/db\/functions/],
  ])('%s is refused with what to do', (name, text, problem) => {
    const file = { version: Number(name.slice(0, 4)), name, text, checksum: '' }
    expect(migrationProblems([...all.slice(0, 2), file])).toEqual([expect.stringMatching(problem)])
  })
})

describe.each(engines)('migrations (%s)', SLOW, kind => {
  // All of ours belong to each test's list: the functions are applied to their tables.
  const base = all
  const own = all.map(({ version }) => version)

  it('that fail are rolled back, and can be corrected', async () => {
    const engine = await emptyEngine(kind)
    if (kind === 'embedded')
      expect(await rows(engine, 'select datname from pg_database')).toEqual([{ datname: 'postgres' }])
    const good = migration(
      9001,
      'create table good_one (account_id uuid, id int, primary key (account_id, id))',
    )
    const bad = migration(
      9002,
      'create table half_done (id int); insert into half_done values (1); select 1 / 0',
    )
    const later = migration(9003, 'create table later_one (id int)')
    await expect(migrate(engine, [...base, good, bad, later])).rejects.toThrow(
      'Migration 9002_test.sql failed: division by zero',
    )
    expect(await versions(engine)).toEqual([...own, 9001])
    expect(await exists(engine, 'good_one')).toBe(true)
    expect(await exists(engine, 'half_done')).toBe(false)
    expect(await exists(engine, 'later_one')).toBe(false)
    // Its lock is free again, also to the other connections, and their usual limits hold.
    const held = `select from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`
    expect(await rows(engine, held)).toEqual([])
    expect(await rows(engine, 'show statement_timeout')).toEqual([{ statement_timeout: '1min' }])

    const mended = migration(
      9002,
      'create table half_done (account_id uuid, id int, primary key (account_id, id))',
    )
    await migrate(engine, [...base, good, mended, later])
    expect(await versions(engine)).toEqual([...own, 9001, 9002, 9003])
    // Tables of the first, broken attempt are protected too.
    const open = `select relname from pg_class c where relname in ('good_one', 'half_done')
      and not (relrowsecurity and relforcerowsecurity)`
    expect(await rows(engine, open)).toEqual([])
  })

  it('refuse a schema of a newer build and a file that was changed', async () => {
    const engine = await migratedEngine(kind)
    const next = migration(9001, 'create table next_one (id int)')
    await migrate(engine, [...base, next])
    await expect(migrate(engine, base)).rejects.toThrow(
      'The database is at schema version 9001 (9001_test.sql), which this build does not know: run a newer build.',
    )
    const changed = migration(9001, 'create table next_one (id bigint)')
    await expect(migrate(engine, [...base, changed])).rejects.toThrow(
      'Migration 9001_test.sql was changed after it had been applied to this database.',
    )
    expect(await versions(engine)).toEqual([...own, 9001])
    await migrate(engine, [...base, next])
  })

  it('apply functions again when their text changed, and drop triggers that no file contains', async () => {
    const engine = await migratedEngine(kind)
    const before = await catalogue(engine.as(SYSTEM))
    await rows(
      engine,
      `create or replace function digits(value text) returns text language sql immutable strict as 'select value';
       create trigger stray after insert on tags for each statement execute function notify_workers();
       drop trigger record_created on companies;
       grant delete on changes to kith_app`,
    )
    // The applied text is this build's, so nothing is looked at.
    await migrate(engine)
    expect(await rows(engine, `select digits('+1')`)).toEqual([{ digits: '+1' }])
    await rows(engine, `update applied_functions set checksum = 'another build'`)
    await migrate(engine)
    expect(await catalogue(engine.as(SYSTEM))).toEqual(before)
  })

  it('may take longer than a request', async () => {
    const engine = await migratedEngine(kind, 2000)
    await migrate(engine, [...base, migration(9001, 'select pg_sleep(2.5)')])
    expect(await versions(engine)).toEqual([...own, 9001])
    await expect(rows(engine, 'select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' })
  })

  it('make /ready fail when the schema is not that of this build', async () => {
    const { url, service } = await serviceOn(kind)
    const { engine } = service.services
    const ready = async () => {
      const { status, body } = await request(`${url}/ready`, 'GET')
      return [status, body]
    }
    const version = all.at(-1)!.version
    expect(await ready()).toEqual([200, { status: 'ready', schema_version: version }])
    const red = { status: 'wrong schema version', wanted: version }
    for (const [change, undo, seen] of [
      [`insert into migrations values (9999, 'x', 'x')`, 'delete from migrations where version = 9999', 9999],
      [
        'update migrations set version = -1 where version = 1',
        'update migrations set version = 1 where version = -1',
        version,
      ],
      [
        `update migrations set checksum = 'x' || checksum`,
        'update migrations set checksum = substr(checksum, 2)',
        version,
      ],
    ] as const) {
      await rows(engine, change)
      try {
        expect(await ready()).toEqual([503, { ...red, schema_version: seen }])
      } finally {
        await rows(engine, undo)
      }
      expect((await ready())[0]).toBe(200)
    }
  })
})

/** The launcher of a build like this one in a folder of its own, with another migration. */
function buildWith(name: string, text: string): string {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const build = tempFolder()
  // with the bundle, if there is one: a migration is none of its sources, whose times it is compared with
  for (const part of ['bin', 'src', 'clients', 'package.json', 'package-lock.json', 'dist'])
    if (existsSync(join(root, part)))
      cpSync(join(root, part), join(build, part), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(root, 'node_modules'), join(build, 'node_modules'))
  writeFileSync(join(build, 'src/db/migrations', name), text)
  return join(build, 'bin/kith.mjs')
}

describe.each(anyEngine)('a process (%s)', SLOW, kind => {
  it('does not start on a migration that fails, nor an older build on a newer schema', async () => {
    const dataDir = tempFolder()
    const databaseUrl = kind === 'server' ? await freshDatabase() : undefined
    const env = {
      KITH_DATA_DIR: dataDir,
      KITH_LOG_LEVEL: 'warn',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    }
    const launcher = buildWith('9001_broken.sql', 'create table x (id int); selec 1')
    const broken = run({ env, launcher })
    expect(await broken.exited).toBe(1)
    expect(broken.stdout()).toBe('')
    expect(broken.stderr()).toBe(
      'Kith could not start: Migration 9001_broken.sql failed: syntax error at or near "selec"\n',
    )

    const newer = await open(databaseUrl, migratedImage, dataDir)
    await migrate(newer, [...all, migration(9001, 'create table x (id int)')])
    await newer.close()
    const older = run({ env })
    expect(await older.exited).toBe(1)
    expect(older.stderr()).toBe(
      'Kith could not start: The database is at schema version 9001 (9001_test.sql), which this build does not know: run a newer build.\n',
    )
  })
})

describe.runIf(engines.includes('server'))('several processes', SLOW, () => {
  it('that start together on an empty database migrate it once and create one account', async () => {
    const env = { DATABASE_URL: await emptyDatabase(), KITH_LOG_LEVEL: 'warn' }
    const started = await Promise.all([startKith({ env }), startKith({ env }), startKith({ env })])
    const keys = started.flatMap(({ key }) => key ?? [])
    expect(keys).toHaveLength(1)
    const [first, other] = started.map(({ url }) => clientOf(url, keys[0]))
    for (const { url, stderr } of started) {
      await clientOf(url, keys[0]).companies.list()
      expect(stderr()).toBe('')
    }
    // What one of them changes, the others see at once: they keep keys in memory.
    const { id, key } = await first!.apiKeys.create({ name: 'Second' })
    const statuses = () =>
      Promise.all(started.map(({ url }) => statusOf(clientOf(url, key).companies.list())))
    expect(await statuses()).toEqual([200, 200, 200])
    await other!.apiKeys.delete(id)
    // without the notice each would keep the key for 30 s
    await expect.poll(statuses, { timeout: 25_000 }).toEqual([401, 401, 401])
    expect(await Promise.all(started.map(kith => kith.stop()))).toEqual([0, 0, 0])
  })
})
