/**
 * `npm run bench:records`: lists, deep pages, the board and search in one account with 100,000 contacts, 100,000
 * companies, 20,000 deals and 300,000 activities, on a PostgreSQL server, on one connection.
 */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import { AS_STARTED } from './as-started.ts'
import { type Load, load } from './load.ts'
import { seedRecords } from './seed-records.ts'

const PORT = 18_711
const KEY = 'sk_bench_0123456789abcdef'
const SECONDS = Number(process.env.KITH_BENCH_SECONDS ?? 3)
const SHARE = Number(process.env.KITH_BENCH_SHARE ?? 1)

const server = await startPostgresServer()
const dataDir = mkdtempSync(join(tmpdir(), 'kith-bench-'))
const admin = new pg.Client({ connectionString: server.url })
await admin.connect()
await admin.query('create database kith_bench')
await admin.end()
const url = new URL(server.url)
url.pathname = '/kith_bench'

const kith = spawn(process.execPath, AS_STARTED, {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    PORT: String(PORT),
    DATABASE_URL: url.href,
    KITH_API_KEY: KEY,
    KITH_DATA_DIR: dataDir,
    KITH_LOG_LEVEL: 'warn',
    KITH_RATE_LIMIT: '0',
    // What is seeded goes around the service; indexing it all would only take the cores from what is measured.
    KITH_INDEXER: 'false',
  },
})
try {
  await ready()
  const began = performance.now()
  const seeded = await seedRecords(url.href, {
    contacts: 100_000 * SHARE,
    companies: 100_000 * SHARE,
    deals: 20_000 * SHARE,
    activities: 300_000 * SHARE,
  })
  console.log(`seeded in ${((performance.now() - began) / 1000).toFixed(0)} s\n`)
  const path = (text: string): Load => ({ path: () => text, headers: { 'x-api-key': KEY } })
  const works: Record<string, Load> = {
    'contacts, page 1 of 50': path('/api/contacts'),
    'contacts, 1 row': path('/api/contacts?page_size=1'),
    'contacts, page 1000': path('/api/contacts?page=1000'),
    'contacts, sorted by name': path('/api/contacts?sort_by=full_name&sort_order=asc'),
    'contacts, status=lead': path('/api/contacts?status=lead'),
    'contacts, search': path('/api/contacts?search=person%2077'),
    'contact by id': path(`/api/contacts/${seeded.contact}`),
    'companies, page 1 of 50': path('/api/companies'),
    'companies, page 1000': path('/api/companies?page=1000'),
    'deals, page 1 of 50': path('/api/deals'),
    'activities, page 1 of 50': path('/api/activities'),
    'activities of a contact': path(`/api/contacts/${seeded.contact}/activities`),
    'board of all deals': path('/api/deals/board'),
    'forecast by month': path('/api/deals/forecast?group_by=month'),
    timeline: path(`/api/contacts/${seeded.contact}/timeline`),
  }
  console.log('                             median ms   p99 ms   per second')
  for (const [name, work] of Object.entries(works)) {
    await load(PORT, work, 1, 500)
    const { median, p99, perSecond } = await load(PORT, work, 1, SECONDS * 1000)
    console.log(
      `${name.padEnd(28)}${median.toFixed(2).padStart(10)}${p99.toFixed(2).padStart(9)}${perSecond.toFixed(0).padStart(13)}`,
    )
  }
} finally {
  kith.kill('SIGTERM')
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function ready(): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${PORT}/ready`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('Kith did not become ready')
}
