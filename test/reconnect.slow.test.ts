/** The database server goes away and comes back; the service stays. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KithError } from '#client'
import { type OwnPostgresServer, startOwnPostgresServer } from './support/postgres-server.ts'
import { SLOW, startKith, statusOf, waitFor } from './support/process.ts'
import { engines, request } from './support/service.ts'

describe.runIf(engines.includes('server'))('a database server that is restarted', SLOW, () => {
  let server: OwnPostgresServer
  beforeAll(async () => {
    server = await startOwnPostgresServer()
  })
  afterAll(() => server?.stop())

  it('causes 503 with Retry-After while it is down, and correct responses afterwards', async () => {
    const kith = await startKith({ env: { DATABASE_URL: server.url, KITH_LOG_LEVEL: 'warn' } })
    const { companies } = kith.client
    const { id } = await companies.create({ name: 'Before' })
    // Some are under way when it goes: each is answered, one way or the other.
    const underWay = Array.from({ length: 30 }, () => statusOf(companies.create({ name: 'Meanwhile' })))
    await server.shutDown()
    for (const status of await Promise.all(underWay)) expect([200, 503]).toContain(status)

    for (const call of [
      () => companies.list(),
      () => companies.get(id),
      () => companies.create({ name: 'During' }),
      () => companies.update(id, { name: 'During' }),
      () => companies.bulkDelete([id]),
    ]) {
      const error = await call().catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ status: 503, detail: 'The database cannot be reached at the moment' })
      expect(error instanceof KithError && Number(error.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await request(`${kith.url}/ready`, 'GET')).toMatchObject({
      status: 503,
      body: { status: 'database unreachable' },
    })
    // A line for each, and not a stack.
    const refused = kith.log().filter(({ msg }) => msg === 'temporarily unavailable')
    expect(refused.length).toBeGreaterThanOrEqual(5)
    expect(refused.some(line => JSON.stringify(line).includes('stack'))).toBe(false)
    expect(await request(`${kith.url}/health`, 'GET')).toMatchObject({ status: 200 })

    await server.revive()
    await waitFor(async () => (await request(`${kith.url}/ready`, 'GET')).status === 200)
    expect(await companies.get(id)).toMatchObject({ name: 'Before' })
    await companies.create({ name: 'After' })

    // The key is known by now. That it was revoked elsewhere is heard at once, and not when the memory fades.
    await waitFor(() => listening(server.url))
    await asAdmin(server.url, admin => admin.query('update api_keys set revoked_at = now()'))
    await waitFor(async () => (await statusOf(companies.list())) === 401, 20_000)
    expect(await kith.stop()).toBe(0)
  })

  it('ends a statement that takes too long', async () => {
    const env = {
      DATABASE_URL: server.url,
      KITH_STATEMENT_TIMEOUT_MS: '3000',
      KITH_API_KEY: 'sk_slow_0123456789abcdef',
    }
    const kith = await startKith({ env })
    await asAdmin(server.url, async admin => {
      await admin.query('begin; lock table companies')
      await expect(kith.client.companies.list()).rejects.toMatchObject({
        status: 503,
        detail: 'The request took too long: narrow it down and try again',
      })
    })
    await kith.client.companies.list()
    expect(await kith.stop()).toBe(0)
  })
})

async function asAdmin<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: url, options: '-c search_path=kith' })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

const listening = (url: string) =>
  asAdmin(url, async admin => {
    const { rows } = await admin.query(
      `select from pg_stat_activity where query like 'listen%' and pid <> pg_backend_pid()`,
    )
    return rows.length > 0
  })
