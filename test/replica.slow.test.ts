/** A real streaming replica serves reads, and no caller misses a write that was acknowledged (decision 46). */
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createService, type Service } from '../src/service.ts'
import { newDatabase, type OwnPostgresServer, startOwnPostgresServer } from './support/postgres-server.ts'
import { SLOW, waitFor } from './support/process.ts'
import { type Account, accountOn, engines, testConfig } from './support/service.ts'

describe.runIf(engines.includes('server'))('a replica', SLOW, () => {
  let primary: OwnPostgresServer
  let replica: OwnPostgresServer
  let database: string
  let account: Account
  let services: Service[] = []

  const replicaUrl = (server = replica) => {
    const url = new URL(server.url)
    url.pathname = new URL(database).pathname
    return url.href
  }

  const start = async (readUrl = replicaUrl()): Promise<Service & { url: string }> => {
    const service = await createService(
      await testConfig('server', { databaseUrl: database, databaseReadUrl: readUrl }),
    )
    services.push(service)
    return { ...service, url: await service.app.listen({ port: 0, host: '127.0.0.1' }) }
  }

  beforeAll(async () => {
    // A commit is acknowledged when it is flushed, as on every server with its default settings.
    primary = await startOwnPostgresServer({ durable: true })
    database = await newDatabase(primary.url)
    replica = await primary.replicate()
    const service = await start()
    account = await accountOn(service, service.url)
  }, 240_000)
  afterEach(async () => {
    await onServer(replicaUrl(), 'select pg_wal_replay_resume()').catch(() => {})
    const [first, ...others] = services
    services = first ? [first] : []
    for (const service of others) await service.close()
  })
  afterAll(async () => {
    for (const service of services) await service.close()
    await replica?.stop()
    await primary?.stop()
  })

  const served = (service: Service) => service.services.engine.stats().onReplica
  /** The result of a call, and whether the replica served statements of it. */
  const asked = async <T>(service: Service, call: () => Promise<T>): Promise<[T, boolean]> => {
    const before = served(service)
    const result = await call()
    return [result, served(service) > before]
  }
  const list = async (of: Account, path = '/api/companies?page_size=100') => {
    const { status, body } = await of.get(path)
    expect(status).toBe(200)
    return body.items.map((item: { name: string }) => item.name)
  }
  const fromReplica = (of: Account, path?: string) =>
    waitFor(async () => {
      const [names, isFromReplica] = await asked(of.service, () => list(of, path))
      return isFromReplica ? names : undefined
    })

  it('serves lists, searches and exports, but no record by id and no write', async () => {
    const { id } = await account.create('/api/companies', { name: 'Aldgate Pumps' })
    expect(await fromReplica(account)).toContain('Aldgate Pumps')
    expect(await fromReplica(account, '/api/companies?search=gate')).toEqual(['Aldgate Pumps'])
    await waitFor(async () => {
      const [answer, isFromReplica] = await asked(account.service, () => account.get('/api/search?q=aldgate'))
      expect(answer.status).toBe(200)
      return isFromReplica
    })
    const [, writes] = await asked(account.service, async () => {
      await account.get(`/api/companies/${id}`)
      await account.put(`/api/companies/${id}`, { industry: 'Pumps' })
    })
    expect(writes).toBe(false)
    await waitFor(async () => {
      const [text, isFromReplica] = await asked(account.service, () => exported(account))
      expect(text).toContain('Aldgate Pumps')
      return isFromReplica
    })
  })

  it('shows a caller only its own account', async () => {
    await account.create('/api/companies', { name: 'Ours' })
    const other = await accountOn(account.service, account.url)
    await other.create('/api/companies', { name: 'Theirs' })
    expect(await fromReplica(other)).toEqual(['Theirs'])
    expect(await fromReplica(account)).not.toContain('Theirs')
    // the wall itself, not the condition in the statement
    const { accountId, userId } = other
    const scope = { accountId, actorKind: 'user', actorId: userId, userId }
    const reads = await account.service.services.engine.reading(scope)
    const { rows } = await sql<{ name: string }>`select name from companies`.execute(reads)
    expect(rows).toEqual([{ name: 'Theirs' }])
  })

  it('does not serve a read while it lacks an acknowledged write, of this process or another', async () => {
    await fromReplica(account)
    const elsewhere = await start()
    const there: Account = { ...account, ...clientAt(elsewhere, account) }
    await fromReplica(there)
    await onServer(replicaUrl(), 'select pg_wal_replay_pause()')
    await waitFor(async () => {
      const [row] = await onServer(replicaUrl(), 'select pg_get_wal_replay_pause_state() as state')
      return row?.state === 'paused'
    })
    for (const [writer, reader] of [
      [account, account],
      [account, there],
      [there, account],
    ] as const) {
      const name = `Written ${writer.url} read ${reader.url}`
      await writer.create('/api/companies', { name })
      const [names, isFromReplica] = await asked(reader.service, () => list(reader))
      expect(names).toContain(name)
      expect(isFromReplica).toBe(false)
    }
    await onServer(replicaUrl(), 'select pg_wal_replay_resume()')
    expect(await fromReplica(there)).toEqual(await list(account))
  })

  it('shows every write at once while many are written and read through two processes', async () => {
    const elsewhere = await start()
    const there: Account = { ...account, ...clientAt(elsewhere, account) }
    await fromReplica(account)
    await fromReplica(there)
    const rounds = async (writer: Account, reader: Account, label: string) => {
      for (let round = 0; round < 25; round++) {
        const name = `${label} ${round}`
        await writer.create('/api/contacts', { first_name: name, last_name: 'Round' })
        const { body } = await reader.get(`/api/contacts?search=${encodeURIComponent(`${name} Round`)}`)
        expect(body.items).toHaveLength(1)
      }
    }
    await Promise.all([
      rounds(account, there, 'a'),
      rounds(there, account, 'b'),
      rounds(account, account, 'c'),
    ])
  })

  it('is replaced by the primary while it is away, and serves again when it is back', async () => {
    await fromReplica(account)
    const calls = Array.from({ length: 20 }, () => account.get('/api/companies'))
    await replica.shutDown('immediate')
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
    const [names, isFromReplica] = await asked(account.service, () => list(account))
    expect(names.length).toBeGreaterThan(0)
    expect(isFromReplica).toBe(false)
    // a process starts without it
    const started = await start()
    expect(await list({ ...account, ...clientAt(started, account) })).toEqual(names)
    await replica.revive()
    await fromReplica(account)
  })

  it('must be of the same database', async () => {
    const other = await start(`${primary.url.replace(/\/postgres$/, '')}/postgres`)
    const [names, isFromReplica] = await asked(other, () => list({ ...account, ...clientAt(other, account) }))
    expect(names).toEqual(await list(account))
    expect(isFromReplica).toBe(false)
  })

  it('serves nothing after it was promoted', async () => {
    const promoted = await primary.replicate()
    try {
      const service = await start(replicaUrl(promoted))
      const reader: Account = { ...account, ...clientAt(service, account) }
      await fromReplica(reader)
      await onServer(replicaUrl(promoted), 'select pg_promote()')
      await account.create('/api/companies', { name: 'After the promotion' })
      const [names, isFromReplica] = await asked(service, () => list(reader))
      expect(names).toContain('After the promotion')
      expect(isFromReplica).toBe(false)
    } finally {
      await promoted.stop()
    }
  })
})

/** The same key at another process. */
function clientAt(service: Service & { url: string }, { key }: Account) {
  const call = async (path: string) => {
    const response = await fetch(service.url + path, { headers: { 'x-api-key': key } })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  }
  const create = async (path: string, body: unknown) => {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(201)
    return response.json()
  }
  return { service, url: service.url, get: call, create }
}

async function exported(account: Account): Promise<string> {
  const { body } = await account.post('/api/exports', { entity_type: 'company', format: 'csv' })
  const done = await waitFor(async () => {
    const { body: current } = await account.get(`/api/exports/${body.id}`)
    return ['completed', 'failed'].includes(current.status) ? current : undefined
  })
  expect(done.status).toBe('completed')
  return (await account.get(`/api/exports/${body.id}/download`)).text
}

async function onServer(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
