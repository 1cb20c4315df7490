/** Archives come from anywhere: what one may do to the account that it is restored into, and to no other. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { anyEngine, type EngineKind, request, testConfig } from '../../../../test/support/service.ts'
import type { Config } from '../../../config.ts'
import { type Db, openEngine, SYSTEM } from '../../../db/engine.ts'
import { migrations } from '../../../db/migrate.ts'
import { newId } from '../../../kernel/ids.ts'
import { tokenHash } from '../../../resources/chats/shares.ts'
import { createService } from '../../../service.ts'
import { restoreArchive } from './restore.ts'
import { extract, tarEnd, tarHeader, tarPadding, unpackLimits } from './tar.ts'

const KEY = 'sk_victim_0123456789abcdef'
const TOKEN = 'a-share-token-that-i-chose'
const NOW = '2026-01-01T00:00:00Z'

type Row = Record<string, unknown>

function packed(files: Record<string, string | Buffer>): string {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const bytes = Buffer.from(content)
    return [tarHeader(name, bytes.length), bytes, tarPadding(bytes.length)]
  })
  const path = join(mkdtempSync(join(tmpdir(), 'kith-hostile-')), 'x.tar.gz')
  writeFileSync(path, gzipSync(Buffer.concat([...parts, tarEnd()])))
  return path
}

interface Content {
  version?: number
  schemaVersion?: number
  accountId?: string
  people?: Row[]
  tables?: Record<string, Row[] | string>
  files?: Record<string, string>
}

const mallory = (): Row => ({
  id: newId(),
  email: `${newId()}@mallory.test`,
  name: 'Mallory',
  role: 'owner',
})

function archiveOf({
  version = 3,
  schemaVersion = migrations().length,
  accountId = newId(),
  people = [mallory()],
  tables = {},
  files = {},
}: Content): string {
  const manifest = {
    format: 'kith account',
    version,
    schema_version: schemaVersion,
    taken_at: NOW,
    account: { id: accountId, name: 'Innocent Ltd', currency: 'USD' },
    people,
  }
  const lines = Object.entries(tables).map(([name, rows]) => [
    `tables/${name}/000001.jsonl`,
    typeof rows === 'string' ? rows : rows.map(row => JSON.stringify(row)).join('\n'),
  ])
  return packed({ 'manifest.json': JSON.stringify(manifest), ...Object.fromEntries(lines), ...files })
}

const company = (account_id: string, id: string, name: string): Row => ({
  account_id,
  id,
  name,
  created_at: NOW,
  updated_at: NOW,
  metadata: {},
  enrichment: {},
  categories: [],
})

const chat = (account_id: string, id: string, created_by: unknown): Row => ({
  account_id,
  id,
  created_by,
  created_at: NOW,
  updated_at: NOW,
  title: 'Chat',
  is_pinned: false,
  is_archived: false,
  settings: {},
  metadata: {},
})

const share = (account_id: string, chat_id: string, created_by: unknown): Row => ({
  account_id,
  id: newId(),
  chat_id,
  created_by,
  created_at: NOW,
  updated_at: NOW,
  token_hash: `\\x${tokenHash(TOKEN).toString('hex')}`,
  is_public: true,
  include_later: true,
})

async function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  const engine = await openEngine({
    ...{ databaseUrl: config.databaseUrl, dataDir: config.dataDir, poolSize: 1 },
    ...{ statementTimeoutMs: 30_000, log: () => {} },
  })
  try {
    return await work(engine.as(SYSTEM))
  } finally {
    await engine.close()
  }
}

/** An instance with an account that has a company and a private chat. */
async function victimOn(kind: EngineKind) {
  const config = await testConfig(kind, { apiKey: KEY })
  const running = async <T>(
    work: (call: (method: string, path: string, body?: unknown) => ReturnType<typeof request>) => Promise<T>,
  ): Promise<T> => {
    const service = await createService(config)
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    try {
      return await work((method, path, body) => request(url + path, method, body, { 'x-api-key': KEY }))
    } finally {
      await service.close()
    }
  }
  const ids = await running(async call => {
    const { body: me } = await call('GET', '/api/auth/me')
    const { body: made } = await call('POST', '/api/companies', { name: 'Victim' })
    const { body: secret } = await call('POST', '/api/chats', { title: 'Private' })
    return { user: me.id, email: me.email, account: made.account_id, company: made.id, chat: secret.id }
  })
  const untouched = () =>
    running(async call => {
      expect((await call('GET', '/api/companies')).body).toMatchObject({
        total: 1,
        items: [{ id: ids.company, name: 'Victim' }],
      })
      expect((await call('GET', `/api/chats/${ids.chat}/shares`)).body.total).toBe(0)
      expect((await call('GET', `/api/chats/shares/${TOKEN}`)).status).toBe(404)
      expect((await call('GET', '/api/accounts')).body.total).toBe(1)
    })
  return { config, ids, untouched }
}

describe.each(anyEngine)('kith restore of a hostile archive (%s)', kind => {
  it('refuses rows of another account, and writes none of them', async () => {
    const { config, ids, untouched } = await victimOn(kind)
    const own = newId()
    const companies = [
      company(own, newId(), 'Mine'),
      company(ids.account, ids.company, 'OVERWRITTEN'),
      company(ids.account, newId(), 'PLANTED'),
    ]
    const shares = [share(ids.account, ids.chat, ids.user)]
    for (const tables of [{ companies }, { chat_shares: shares }]) {
      const archive = archiveOf({ accountId: own, tables })
      await expect(restoreArchive(config, archive)).rejects.toThrow('a row of another account')
    }
    const list = archiveOf({ accountId: own, tables: { activities: '[]\n' } })
    await expect(restoreArchive(config, list)).rejects.toThrow('a line of activities is not a JSON object')
    await untouched()
  })

  it('puts every row into the account at hand, whatever account or record it names', async () => {
    const { config, ids, untouched } = await victimOn(kind)
    const own = newId()
    // The same ids as the victim's records, a line that names two accounts, and the victim's account as one's own.
    const twice = JSON.stringify(company(own, newId(), 'Twice')).replace(
      '{',
      `{"account_id":"${ids.account}",`,
    )
    const archives = [
      archiveOf({
        accountId: own,
        tables: {
          companies: `${JSON.stringify(company(own, ids.company, 'OVERWRITTEN'))}\n${twice}`,
          chat_shares: [share(own, ids.chat, ids.user)],
        },
      }),
      archiveOf({
        accountId: ids.account,
        tables: { companies: [company(ids.account, ids.company, 'OVERWRITTEN')] },
      }),
    ]
    expect(await restoreArchive(config, archives[0]!)).toMatch(/^Restored 2 rows .*\n1 rows referred/)
    expect(await restoreArchive(config, archives[1]!)).toMatch(/^Restored 1 rows/)
    await untouched()
    const owners = await withDatabase(config, async db => {
      const found = await sql<{ account_id: string }>`select account_id from companies`.execute(db)
      return found.rows.map(row => row.account_id)
    })
    expect(owners.filter(id => id === ids.account)).toHaveLength(1)
    expect(new Set(owners).size).toBe(3)
    expect(owners).not.toContain(own)
  })

  it('works under the row-level security of the account', async () => {
    const { config } = await victimOn(kind)
    await withDatabase(config, async db => {
      await sql
        .raw(`create function kith.only_as_app() returns trigger language plpgsql as $$
          begin
            if current_user <> 'kith_app' or new.account_id <> kith.current_account() then
              raise exception 'written as %', current_user;
            end if;
            return new;
          end $$`)
        .execute(db)
      for (const [table, when] of [
        ['companies', 'true'],
        ['changes', "new.kind = 'companies'"],
      ]) {
        await sql
          .raw(`create trigger only_as_app before insert on kith.${table} for each row when (${when})
            execute function kith.only_as_app()`)
          .execute(db)
      }
    })
    const own = newId()
    const companies = [company(own, newId(), 'Mine')]
    const changes = [
      { account_id: own, at: NOW, kind: 'companies', entity_id: newId(), action: 'created', actor_kind: 'x' },
    ]
    const archive = archiveOf({ accountId: own, tables: { companies, changes } })
    expect(await restoreArchive(config, archive)).toMatch(/^Restored 2 rows/)
  })

  it('restores shares revoked, under tokens that nobody knows', async () => {
    const { config, untouched } = await victimOn(kind)
    const own = newId()
    const owner = mallory()
    const chatId = newId()
    const archive = archiveOf({
      accountId: own,
      people: [owner],
      tables: { chats: [chat(own, chatId, owner.id)], chat_shares: [share(own, chatId, owner.id)] },
    })
    expect(await restoreArchive(config, archive)).toMatch(/^Restored 2 rows/)
    await untouched()
    const shares = await withDatabase(config, async db => {
      const found = await sql<{ known: boolean; revoked: boolean }>`select revoked_at is not null as revoked,
        token_hash = ${tokenHash(TOKEN)} as known from chat_shares`.execute(db)
      return found.rows
    })
    expect(shares).toEqual([{ known: false, revoked: true }])
  })

  it('makes nobody a member who is registered here, unless the operator says so', async () => {
    const { config, ids, untouched } = await victimOn(kind)
    const victim = { id: newId(), email: ids.email, name: 'x', role: 'owner' }
    const alone = archiveOf({ people: [victim] })
    await expect(restoreArchive(config, alone)).rejects.toThrow('run again with --add-members')
    const both = archiveOf({ people: [mallory(), victim] })
    expect(await restoreArchive(config, both)).toContain(`not made members (invite them, or restore`)
    await untouched()
    const memberships = () =>
      withDatabase(config, async db => {
        const found = await sql`select account_id from members where user_id = ${ids.user}`.execute(db)
        return found.rows.length
      })
    expect(await memberships()).toBe(1)
    await restoreArchive(config, alone, { addMembers: true })
    expect(await memberships()).toBe(2)
  })

  it('restores archives of earlier builds, whose schema had higher numbers, and refuses those of newer ones', async () => {
    const { config } = await victimOn(kind)
    expect(await restoreArchive(config, archiveOf({ version: 1, schemaVersion: 22 }))).toContain('Innocent')
    expect(await restoreArchive(config, archiveOf({ version: 2, schemaVersion: 35 }))).toContain('Innocent')
    const newer = archiveOf({ version: 3, schemaVersion: migrations().length + 1 })
    await expect(restoreArchive(config, newer)).rejects.toThrow('newer build')
  })

  it('refuses a manifest that is not one, and tells which tables it leaves out', async () => {
    const { config } = await victimOn(kind)
    const wrong = archiveOf({ people: [{ ...mallory(), role: 'god' }] })
    await expect(restoreArchive(config, wrong)).rejects.toThrow('manifest is wrong at people.0.role')
    const short = archiveOf({ accountId: 'a' })
    await expect(restoreArchive(config, short)).rejects.toThrow('manifest is wrong at account.id')
    await expect(restoreArchive(config, packed({ 'manifest.json': '{' }))).rejects.toThrow('not an archive')
    const inDatabase = archiveOf({ files: { [`files/db/${newId()}`]: 'x' } })
    await expect(restoreArchive(config, inDatabase)).rejects.toThrow('has files in db')
    const keys = archiveOf({ tables: { api_keys: '{}' } })
    expect(await restoreArchive(config, keys)).toContain('does not restore api_keys')
  })
})

describe('an archive that unpacks to too much', () => {
  const zeros = (bytes: number) => packed({ [`files/files/${newId()}`]: Buffer.alloc(bytes) })
  const into = () => mkdtempSync(join(tmpdir(), 'kith-bomb-'))

  it('is refused by its ratio, with no more written than that', async () => {
    const limits = { ...unpackLimits(1024 ** 3), ratioFrom: 1024 ** 2 }
    await expect(extract(zeros(20 * 1024 ** 2), into(), limits)).rejects.toThrow('200 times its size')
    await extract(zeros(1024 ** 2 / 2), into(), limits)
  })

  it('is refused by its bytes and by its number of files', async () => {
    const few = { ...unpackLimits(1024 ** 2), ratio: 1e9 }
    await expect(extract(zeros(2 * 1024 ** 2), into(), few)).rejects.toThrow('KITH_RESTORE_LIMIT')
    const folder = into()
    const three = packed(Object.fromEntries([1, 2, 3].map(n => [`tables/notes/00000${n}.jsonl`, 'x'])))
    await expect(extract(three, folder, { ...few, entries: 2 })).rejects.toThrow('more than 2 files')
    expect(await readdir(join(folder, 'tables/notes'))).toHaveLength(2)
  })

  it('is refused by KITH_RESTORE_LIMIT', async () => {
    const config = await testConfig('embedded')
    const small = { ...config, limits: { ...config.limits, restoreBytes: 1024 } }
    await expect(restoreArchive(small, zeros(4096))).rejects.toThrow('more than 1024 bytes')
  })
})
