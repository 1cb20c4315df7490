/** A data folder or database of a build from before the first release, when there were 22 migrations. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Db, type Engine, openEngine, SYSTEM } from '../src/db/engine.ts'
import { imagePath as migratedImage } from '../src/db/image-path.ts'
import { migrate } from '../src/db/migrate.ts'
import { newId } from '../src/kernel/ids.ts'
import { keyHash } from '../src/resources/accounts/first-account.ts'
import { catalogue } from './support/catalogue.ts'
import { emptyImage } from './support/empty-image.ts'
import { clientOf, run, SLOW, startKith, tempFolder } from './support/process.ts'
import { anyEngine, type EngineKind, emptyDatabase, engines, freshDatabase } from './support/service.ts'

interface Schema {
  migrations: { version: number; name: string; text: string }[]
  protect: string
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
    imagePath: image ?? (await emptyImage()),
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

/** What the old build's `migrate` did with its first `count` files. */
async function migrateAsBefore(db: Db, count = old.migrations.length): Promise<void> {
  await sql
    .raw(`create schema kith; create table kith.migrations (version int primary key, name text not null,
    checksum text not null, applied_at timestamptz(3) not null default now())`)
    .execute(db)
  for (const { version, name, text } of old.migrations.slice(0, count)) {
    const checksum = createHash('sha256').update(text).digest('hex')
    await sql.raw(text).execute(db)
    await sql`insert into kith.migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`.execute(
      db,
    )
  }
  await sql.raw(old.protect).execute(db)
}

const KEY = 'sk_pre_release_0123456789'

/** An account with a company, a contact who works there, and a deal. */
async function fill(db: Db) {
  const id = {
    account: newId(),
    user: newId(),
    company: newId(),
    contact: newId(),
    pipeline: newId(),
    stage: newId(),
    deal: newId(),
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
  })
  return id
}

describe.each(engines)('data from before the first release (%s)', SLOW, kind => {
  it('is served by this build with all its records and rules, on the schema that a new database has', async () => {
    const location = await newLocation(kind)
    const id = await withEngine(location, async engine => {
      await engine
        .as(SYSTEM)
        .connection()
        .execute(db => migrateAsBefore(db))
      return fill(engine.as(SYSTEM))
    })
    const env = {
      KITH_DATA_DIR: location.dataDir,
      KITH_LOG_LEVEL: 'warn',
      ...(location.databaseUrl === undefined ? {} : { DATABASE_URL: location.databaseUrl }),
    }
    const kith = await startKith({ env })
    const { contacts, companies, deals } = clientOf(kith.url, KEY)
    expect((await contacts.list({ search: 'zoe' })).items).toMatchObject([
      { id: id.contact, company_id: id.company },
    ])
    await companies.update(id.company, { name: 'Acme AG' })
    const { items } = await companies.timeline(id.company)
    expect(items.map(({ type }) => type)).toContain('updated')
    expect((await deals.list()).total).toBe(1)
    expect(kith.stderr()).toBe('')
    expect(await kith.stop()).toBe(0)

    const upgraded = await withEngine(location, async engine => {
      await migrate(engine)
      return catalogue(engine.as(SYSTEM))
    })
    const databaseUrl = kind === 'server' ? await freshDatabase() : undefined
    const fresh = await withEngine(
      { databaseUrl, dataDir: tempFolder() },
      engine => catalogue(engine.as(SYSTEM)),
      migratedImage,
    )
    expect(upgraded).toEqual(fresh)
  })

  it.runIf(anyEngine.includes(kind))(
    'of any other version is refused with one sentence that says how to move',
    async () => {
      const location = await newLocation(kind)
      await withEngine(location, engine =>
        engine
          .as(SYSTEM)
          .connection()
          .execute(db => migrateAsBefore(db, 21)),
      )
      const env = {
        KITH_DATA_DIR: location.dataDir,
        ...(location.databaseUrl === undefined ? {} : { DATABASE_URL: location.databaseUrl }),
      }
      const kith = run({ env })
      expect(await kith.exited).toBe(1)
      expect(kith.stderr()).toBe(
        'Kith could not start: This data was written by a build of Kith from before its first release, and this build ' +
          'cannot upgrade it: export each account with that build (POST /api/exports with entity_type "account"), then ' +
          'load the archive into a new data folder or database with `kith restore <archive>`.\n',
      )
    },
  )
})
