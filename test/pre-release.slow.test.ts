/** Data folders and databases of builds from before the first release, which had 35 migrations. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Db, type Engine, openEngine, SYSTEM } from '../src/db/engine.ts'
import { imagePath as migratedImage } from '../src/db/image-path.ts'
import { migrate, versionOf } from '../src/db/migrate.ts'
import { newId } from '../src/kernel/ids.ts'
import { keyHash } from '../src/resources/accounts/first-account.ts'
import { catalogue } from './support/catalogue.ts'
import { emptyImage } from './support/empty-image.ts'
import { clientOf, run, SLOW, startKith, tempFolder } from './support/process.ts'
import { anyEngine, type EngineKind, emptyDatabase, freshDatabase } from './support/service.ts'

interface Schema {
  migrations: { name: string; text: string }[]
  /** applied after the migrations, the first also before them */
  functions: { name: string; text: string }[]
}

const file = new URL('./fixtures/pre-release-schema.json.gz', import.meta.url)
const old = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Schema

interface Location {
  databaseUrl: string | undefined
  dataDir: string
}

const newLocation = async (kind: EngineKind): Promise<Location> => ({
  databaseUrl: kind === 'server' ? await emptyDatabase() : undefined,
  dataDir: tempFolder(),
})

async function withEngine<T>(
  location: Location,
  work: (engine: Engine) => Promise<T>,
  image?: string,
): Promise<T> {
  const engine = await openEngine({
    ...location,
    // initdb takes 6 s of processor time
    ...(location.databaseUrl === undefined ? { imagePath: image ?? (await emptyImage()) } : {}),
    poolSize: 2,
    statementTimeoutMs: 60_000,
    fsync: false,
    log: () => {},
  })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** What the old build's `migrate` did with its first `count` files. */
const migrateAsBefore = (engine: Engine, count = old.migrations.length): Promise<void> =>
  engine
    .as(SYSTEM)
    .transaction()
    .execute(async tx => {
      const execute = (text: string) => sql.raw(text).execute(tx)
      await execute(`create schema kith;
        create table kith.migrations (version int primary key, name text not null, checksum text not null,
          applied_at timestamptz(3) not null default now());
        create table kith.applied_functions (checksum text not null)`)
      await execute(old.functions[0]!.text)
      for (const [i, { name, text }] of old.migrations.slice(0, count).entries()) {
        await execute(text)
        await sql`insert into kith.migrations (version, name, checksum) values (${i + 1}, ${name}, ${sha256(text)})`.execute(
          tx,
        )
      }
      if (count < old.migrations.length) return
      for (const { text } of old.functions) await execute(text)
      await sql`insert into kith.applied_functions values (${sha256(JSON.stringify(old.functions))})`.execute(
        tx,
      )
    })

const KEY = 'sk_pre_release_0123456789'

/** An account with a company, a contact who works there, and a deal with a product. */
async function fill(db: Db) {
  const id = {
    account: newId(),
    user: newId(),
    company: newId(),
    contact: newId(),
    pipeline: newId(),
    stage: newId(),
    deal: newId(),
    product: newId(),
  }
  const insert = (table: string, row: Record<string, unknown>) =>
    sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map(name => sql.ref(name)))})
      values (${sql.join(Object.values(row))})`.execute(db)
  const account_id = id.account
  await insert('accounts', { id: id.account, name: 'Old', slug: 'old' })
  await insert('users', { id: id.user, email: 'ann@old.example', name: 'Ann' })
  await insert('members', { account_id, user_id: id.user, role: 'owner' })
  await insert('api_keys', {
    account_id,
    id: newId(),
    name: 'Key',
    prefix: 'sk_pre',
    key_hash: keyHash(KEY),
    created_by: id.user,
  })
  await insert('companies', {
    account_id,
    id: id.company,
    name: 'Acme GmbH',
    domains: '["acme.example"]',
    created_by: id.user,
  })
  await insert('contacts', {
    account_id,
    id: id.contact,
    first_name: 'Zoë',
    email: 'zoe@acme.example',
    company_id: id.company,
  })
  await insert('company_people', { account_id, id: newId(), company_id: id.company, person_id: id.contact })
  await insert('pipelines', { account_id, id: id.pipeline, name: 'Sales', is_default: true })
  await insert('stages', {
    account_id,
    id: id.stage,
    pipeline_id: id.pipeline,
    name: 'New',
    type: 'open',
    probability: 10,
  })
  await insert('deals', {
    account_id,
    id: id.deal,
    name: 'Deal',
    pipeline_id: id.pipeline,
    stage_id: id.stage,
    company_id: id.company,
    external_ids: '{"hubspot": "151"}',
  })
  await insert('products', { account_id, id: id.product, name: 'Licence', sku: 'L-1', currency: 'USD' })
  await insert('deal_line_items', {
    account_id,
    id: newId(),
    deal_id: id.deal,
    product_id: id.product,
    name: 'Licence',
    quantity: 2,
    unit_price: 50,
  })
  for (const [kind, last] of Object.entries({ companies: id.company, deals: id.deal, notes: id.company }))
    await insert('search_text_segments', { account_id, kind, above: NO_ID, ends: [last], is_complete: true })
  return id
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Migration 15 looks up when the records of a segment were created. */
async function checkSegments(db: Db): Promise<void> {
  const { rows } =
    await sql`select s.kind, s.first_created = r.created_at as first, s.last_created = r.created_at as last,
      isfinite(s.first_created) or isfinite(s.last_created) as "isKnown"
    from kith.search_text_segments s left join (
      select id, created_at, 'companies' as kind from kith.companies union all select id, created_at, 'deals' from kith.deals
    ) r on r.id = s.ends[1] and r.kind = s.kind order by s.kind`.execute(db)
  expect(rows).toEqual([
    { kind: 'companies', first: true, last: true, isKnown: true },
    { kind: 'deals', first: true, last: true, isKnown: true },
    { kind: 'notes', first: null, last: null, isKnown: false },
  ])
  // They have no masks: a search would find nothing in them.
  await sql`delete from kith.search_text_segments`.execute(db)
}

const COUNTS = sql`(select account_id, kind, sum(living) as living, sum(trashed) as trashed
  from kith.record_counts group by account_id, kind)`

/** The values by which records are counted, with their numbers, and the same from the records. */
async function countsByValue(db: Db) {
  const { rows: stored } = await sql`select kind, value, sum(living) as living, sum(trashed) as trashed
    from kith.record_counts where kind in ('companies', 'contacts', 'deals') group by 1, 2 order by 1`.execute(
    db,
  )
  const numbers = sql`count(*) filter (where deleted_at is null) as living, count(deleted_at) as trashed`
  const { rows: counted } = await sql`select * from (
    select 'companies' as kind, status as value, ${numbers} from kith.companies group by 2
    union all select 'contacts', status, ${numbers} from kith.contacts group by 2
    union all select 'deals', stage_id::text, ${numbers} from kith.deals group by 2) c order by 1`.execute(db)
  return { stored, counted }
}

/**
 * The rows of every table, without the order of their columns and without those that later migrations add: `linked`,
 * which test/linked.test.ts checks, `moves` (test/deep-pages.test.ts) and those of segments. Counts are added up by kind, because they are
 * counted by value since.
 */
async function contents(db: Db): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'kith'::regnamespace and relkind = 'r'
    and relname not in ('migrations', 'applied_functions') order by relname`.execute(db)
  const all: Record<string, unknown[]> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{
      row: unknown
    }>`select to_jsonb(r) - array['linked', 'read_after', 'first_created', 'last_created', 'merged_external_ids'] as row from ${name === 'record_counts' ? COUNTS : sql.table(`kith.${name}`)} r
      order by 1`.execute(db)
    all[name] = rows.map(({ row }) => row)
  }
  return all
}

const asApplied = async (db: Db) =>
  (await sql`select version, name, checksum from kith.migrations order by version`.execute(db)).rows

const environment = ({ dataDir, databaseUrl }: Location) => ({
  KITH_DATA_DIR: dataDir,
  KITH_LOG_LEVEL: 'warn',
  ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
})

/** What `kith doctor` says about the schema of a server. */
async function schemaFinding(location: Location): Promise<unknown> {
  const doctor = run({ env: environment(location), args: ['doctor', '--json'] })
  await doctor.exited
  const findings = JSON.parse(doctor.stdout()) as { subject: string }[]
  return findings.find(({ subject }) => subject === 'schema')
}

describe.each(anyEngine)('data from before the first release (%s)', SLOW, kind => {
  it('gets this build’s list of migrations and changes in nothing else', async () => {
    const location = await newLocation(kind)
    const [id, upgraded] = await withEngine(location, async engine => {
      const db = engine.as(SYSTEM)
      await migrateAsBefore(engine)
      const ids = await fill(db)
      const before = await contents(db)
      expect(before.changes).not.toEqual([])
      expect(await versionOf(engine)).toBe(9)
      if (kind === 'server')
        expect(await schemaFinding(location)).toMatchObject({ text: expect.stringMatching(/^version 9\b/) })
      await migrate(engine)
      expect(await contents(db)).toEqual(before)
      const { stored, counted } = await countsByValue(db)
      expect(stored).toEqual(counted)
      await checkSegments(db)
      return [ids, { catalogue: await catalogue(db), applied: await asApplied(db), rows: before }]
    })
    const fresh = await withEngine(
      { databaseUrl: kind === 'server' ? await freshDatabase() : undefined, dataDir: tempFolder() },
      async engine => {
        const db = engine.as(SYSTEM)
        return { catalogue: await catalogue(db), applied: await asApplied(db), rows: await contents(db) }
      },
      migratedImage,
    )
    expect(upgraded.catalogue).toEqual(fresh.catalogue)
    expect(upgraded.applied).toEqual(fresh.applied)
    expect(upgraded.rows.kinds).toEqual(fresh.rows.kinds)
    expect(upgraded.rows.search_feed).toEqual(fresh.rows.search_feed)

    const kith = await startKith({ env: environment(location) })
    const { contacts, companies, deals } = clientOf(kith.url, KEY)
    expect((await contacts.list({ search: 'zoe' })).items).toMatchObject([
      { id: id.contact, company_id: id.company },
    ])
    await companies.update(id.company, { name: 'Acme AG' })
    const { items } = await companies.timeline(id.company)
    expect(items.map(({ type }) => type)).toContain('updated')
    expect((await deals.list()).items).toMatchObject([
      { id: id.deal, amount: 100, amount_source: 'line_items', external_ids: { hubspot: '151' } },
    ])
    expect(kith.stderr()).toBe('')
    expect(await kith.stop()).toBe(0)
  })

  it.each([
    ['that lacks the last of its migrations', 34, undefined],
    ['of the first builds', 0, '2ad3ab4154a43e4614f8fc4ad6963c0e448c2facd41a16f60a5f8f3c1f4f8a1e'],
  ])('%s is refused with one sentence that says how to move', async (_, count, checksum) => {
    const location = await newLocation(kind)
    await withEngine(location, async engine => {
      await migrateAsBefore(engine, count)
      if (checksum !== undefined)
        await sql`insert into kith.migrations (version, name, checksum) values (1, 'x', ${checksum})`.execute(
          engine.as(SYSTEM),
        )
      await expect(versionOf(engine)).rejects.toThrow('cannot upgrade it')
    })
    if (kind === 'server')
      expect(await schemaFinding(location)).toMatchObject({
        state: 'failure',
        text: 'of a build before the first release',
      })
    const kith = run({ env: environment(location) })
    expect(await kith.exited).toBe(1)
    expect(kith.stderr()).toBe(
      'Kith could not start: This data was written by a build of Kith from before its first release, and this build ' +
        'cannot upgrade it: export each account with that build (POST /api/exports with entity_type "account"), then ' +
        'load the archive into a new data folder or database with `kith restore <archive>`.\n',
    )
  })
})
