/**
 * `npm run bench`: get, list with total, search and create on 100,000 companies, beside a bare handler that runs
 * the same SQL with no checks (the floor), in one run. Figures are ratios: a machine's own speed falls out.
 */

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import { AS_STARTED } from './as-started.ts'
import { type Load, load, type Measured } from './load.ts'
import { companyStatements, seedCompanies } from './seed.ts'

const COMPANIES = Number(process.env.KITH_BENCH_RECORDS ?? 100_000)
const SECONDS = Number(process.env.KITH_BENCH_SECONDS ?? 4)
const CONNECTIONS = 10
const KEY = 'sk_bench_0123456789abcdef'
const PORTS = { kith: 18_701, floor: 18_702, locked: 18_703 }

const server = await startPostgresServer()
const dataDir = mkdtempSync(join(tmpdir(), 'kith-bench-'))
const children: ChildProcess[] = []
try {
  await bench()
} finally {
  for (const child of children) child.kill('SIGTERM')
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function bench(): Promise<void> {
  const url = new URL(server.url)
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  await admin.query('create database kith_bench')
  await admin.end()
  url.pathname = '/kith_bench'

  const kith = spawn(process.execPath, AS_STARTED, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(PORTS.kith),
      DATABASE_URL: url.href,
      KITH_API_KEY: KEY,
      KITH_DATA_DIR: dataDir,
      KITH_LOG_LEVEL: 'warn',
      KITH_RATE_LIMIT: '0',
    },
  })
  children.push(kith)
  await untilReady(PORTS.kith)

  const seeded = await seedCompanies(url.href, COMPANIES)
  const statements = JSON.stringify({ ...(await companyStatements(seeded)), account: seeded.account })
  await Promise.all([
    forked(['bench/floor.ts', url.href, String(PORTS.floor), statements]),
    forked(['bench/floor.ts', url.href, String(PORTS.locked), statements, 'locked']),
  ])

  const headers = { 'x-api-key': KEY }
  const id = (n: number) => seeded.ids[(n * 7919) % seeded.ids.length]!
  const company = (n: number) =>
    JSON.stringify({
      name: `Bench ${n}`,
      domains: [`bench-${n}.example`],
      city: 'Rome',
      employee_count: n % 1000,
    })
  const row = (n: number) =>
    JSON.stringify({
      name: `Bench ${n}`,
      domains: `["bench-${n}.example"]`,
      city: 'Rome',
      employee_count: n % 1000,
    })
  const works: Record<string, { kith: Load; floor: Load }> = {
    'get by id': {
      kith: { path: n => `/api/companies/${id(n)}`, headers },
      floor: { path: n => `/get/${id(n)}` },
    },
    'list with total': { kith: { path: () => '/api/companies', headers }, floor: { path: () => '/list' } },
    create: {
      kith: { method: 'POST', path: () => '/api/companies', body: company, headers },
      floor: { method: 'POST', path: () => '/create', body: row },
    },
    search: {
      kith: { path: n => `/api/companies?search=company%20${n % 1000}7`, headers },
      floor: { path: n => `/search?search=company%20${n % 1000}7` },
    },
  }

  console.log(
    `${COMPANIES} companies, ${CONNECTIONS} connections, ${SECONDS} s each, PostgreSQL server engine\n`,
  )
  console.log('                      Kith/s  floor/s  locked/s   Kith:floor  lock costs   Kith p50 / p99 ms')
  for (const [name, work] of Object.entries(works)) {
    const measure = (port: number, what: Load) => load(port, what, CONNECTIONS, SECONDS * 1000)
    // a short turn each first, so that plans are made and code is warm
    await load(PORTS.kith, work.kith, CONNECTIONS, 700)
    await load(PORTS.floor, work.floor, CONNECTIONS, 700)
    await load(PORTS.locked, work.floor, CONNECTIONS, 700)
    const floor = await measure(PORTS.floor, work.floor)
    const ours = await measure(PORTS.kith, work.kith)
    const locked = await measure(PORTS.locked, work.floor)
    console.log(line(name, ours, floor, locked))
  }
}

function line(name: string, ours: Measured, floor: Measured, locked: Measured): string {
  const n = (value: number, width: number) => value.toFixed(0).padStart(width)
  const cost = `${((1 - locked.perSecond / floor.perSecond) * 100).toFixed(1)} %`
  return [
    name.padEnd(20),
    n(ours.perSecond, 8),
    n(floor.perSecond, 9),
    n(locked.perSecond, 10),
    (ours.perSecond / floor.perSecond).toFixed(2).padStart(12),
    cost.padStart(12),
    `   ${ours.median.toFixed(2)} / ${ours.p99.toFixed(2)}`,
  ].join('')
}

function forked(args: string[]): Promise<void> {
  const child = fork(args[0]!, args.slice(1), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  children.push(child)
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', code => reject(new Error(`${args[0]} ended with ${code}`)))
  })
}

async function untilReady(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('Kith did not become ready')
}
