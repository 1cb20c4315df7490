/** A service of its own to measure on, as a process, on either engine. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { currentBundle, ROOT } from '../bin/bundle.mjs'
import { type PostgresServer, startPostgresServer } from '../test/support/postgres-server.ts'
import { AS_STARTED } from './as-started.ts'

const KEY = 'sk_bench_0123456789abcdef'

export interface BenchService {
  port: number
  databaseUrl: string | undefined
  /** what runs: the bundle, as in an installation, or the sources where no bundle can be made */
  code: 'bundle' | 'sources'
  headers: Record<string, string>
  call(method: string, path: string, body?: string | FormData, type?: string): Promise<Response>
  /** Waits for a job as clients do, by its stream of events. */
  ended(jobId: string): Promise<void>
  /** Megabytes that the process holds now. */
  memory(): number
  /** Milliseconds of processor time that the process has used; the embedded database is part of it. */
  cpu(): number
  /** Ends the process and starts it again; returns the milliseconds until the new one answered. */
  restart(): Promise<number>
  stop(): Promise<void>
}

export async function benchService(
  engine: 'server' | 'embedded',
  port: number,
  env: Record<string, string> = {},
  /** `durable`: PostgreSQL with its own settings; else a commit does not wait for the disk, as in the tests */
  options: { durable?: boolean } = {},
): Promise<BenchService> {
  const code = prepare()
  const dataDir = mkdtempSync(join(tmpdir(), 'kith-bench-'))
  const server = engine === 'server' ? await startPostgresServer(options) : undefined
  const databaseUrl = server && (await emptyDatabase(server))
  const launch = () =>
    spawn(process.execPath, AS_STARTED, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        PORT: String(port),
        KITH_API_KEY: KEY,
        KITH_DATA_DIR: dataDir,
        KITH_LOG_LEVEL: 'warn',
        KITH_RATE_LIMIT: '0',
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
        ...env,
      },
    })
  const base = `http://127.0.0.1:${port}`
  let child = launch()
  await ready(base, child)
  const headers = { 'x-api-key': KEY }
  const call: BenchService['call'] = (method, path, body, type) =>
    fetch(base + path, {
      method,
      headers: type === undefined ? headers : { ...headers, 'content-type': type },
      ...(body === undefined ? {} : { body }),
    })
  return {
    port,
    databaseUrl,
    code,
    headers,
    call,
    async ended(jobId) {
      const response = await call('GET', `/api/jobs/${jobId}/events`)
      for await (const _ of response.body!) void _
    },
    memory: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    cpu() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      // utime and stime, in hundredths of a second
      return (Number(fields[11]) + Number(fields[12])) * 10
    },
    async restart() {
      await ended(child)
      const began = performance.now()
      child = launch()
      await ready(base, child)
      return performance.now() - began
    },
    async stop() {
      await ended(child)
      await server?.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Builds what `npm ci` builds, where it is older than the sources: an installation runs the bundle, which takes a third
 * less memory than the sources, and a service builds a missing web client in the background while it is measured.
 */
function prepare(): BenchService['code'] {
  for (const args of [['bin/kith.mjs', 'web'], ['tools/bundle.mjs']])
    execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  return currentBundle(ROOT) === undefined ? 'sources' : 'bundle'
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await new Promise(resolve => child.once('exit', resolve))
}

async function emptyDatabase(server: PostgresServer): Promise<string> {
  const url = new URL(server.url)
  const name = `kith_bench_${Date.now()}`
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  url.pathname = `/${name}`
  return url.href
}

async function ready(base: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) break
    const answer = await fetch(`${base}/ready`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('Kith did not become ready')
}

/** The most memory that is held while `work` goes on, beyond what was held before it. */
export async function growth<T>(
  service: BenchService,
  work: () => Promise<T>,
): Promise<{ result: T; grown: number }> {
  const before = service.memory()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, service.memory())
  }, 100)
  const result = await work().finally(() => clearInterval(timer))
  return { result, grown: most - before }
}
