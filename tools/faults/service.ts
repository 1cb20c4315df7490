/** The service as a process that the fault runs start, kill and restart at the same address. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, newDatabase, type OwnPostgresServer } from '../../test/support/postgres-server.ts'

export type EngineKind = 'embedded' | 'server'
export const KEY = 'sk_fault_runs_0123456789'
const launcher = fileURLToPath(new URL('../../bin/kith.mjs', import.meta.url))
/**
 * Those of `npm start`, the image and the systemd unit. A run in a test is shorter than it takes to optimise the code of
 * the embedded database.
 */
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const FLAGS: string[] = [...scripts.start.match(/--\S+/g), ...(process.env.VITEST ? ['--liftoff-only'] : [])]

export interface Target {
  url: string
  dataDir: string
  /** resolves when the service responds */
  start(): Promise<void>
  kill(signal: NodeJS.Signals): Promise<void>
  /** resident memory in MB */
  memory(): number
  /** what it has printed */
  output(): string
}

export interface TargetOptions {
  env?: Record<string, string>
  dataDir?: string
  /** words before the command, such as faketime and its time */
  wrapper?: string[]
}

const folders: string[] = []
const children = new Set<ChildProcess>()

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kith-faults-'))
  folders.push(folder)
  return folder
}

/** Ends what a fault run that failed has left behind. */
export function cleanUp(): void {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** Settings of a fresh database on that engine. */
export async function databaseFor(
  kind: EngineKind,
  postgres: OwnPostgresServer,
): Promise<Record<string, string>> {
  return kind === 'server' ? { DATABASE_URL: await newDatabase(postgres.url) } : {}
}

export async function newTarget({
  env = {},
  dataDir = newFolder(),
  wrapper = [],
}: TargetOptions = {}): Promise<Target> {
  const port = await freePort()
  let child: ChildProcess | undefined
  let output = ''
  const settings = {
    PATH: process.env.PATH ?? '',
    HOST: '127.0.0.1',
    PORT: String(port),
    KITH_DATA_DIR: dataDir,
    KITH_API_KEY: KEY,
    KITH_LOG_LEVEL: 'error',
    KITH_INDEXER: 'false',
    KITH_RATE_LIMIT: '0',
    ...env,
  }
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    output: () => output,
    memory: () => {
      const status = readFileSync(`/proc/${child?.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
    },
    async start() {
      const [command = process.execPath, ...rest] = [
        ...wrapper,
        process.execPath,
        ...FLAGS,
        launcher,
        'start',
      ]
      const started = spawn(command, rest, {
        cwd: newFolder(),
        env: settings,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: wrapper.length > 0,
      })
      child = started
      children.add(started)
      started.once('exit', () => children.delete(started))
      let isUp = false
      const note = (chunk: Buffer) => {
        output = (output + chunk).slice(-200_000)
        isUp ||= String(chunk).includes('Kith is running at')
      }
      started.stdout?.on('data', note)
      started.stderr?.on('data', note)
      while (!isUp) {
        if (started.exitCode !== null) throw new Error(`it ended: ${output.slice(-1000)}`)
        await pause(20)
      }
    },
    async kill(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      // faketime runs the service as a child of its own
      if (wrapper.length > 0 && child.pid !== undefined) process.kill(-child.pid, signal)
      else child.kill(signal)
      await ended
    },
  }
}

/** KITH_FAULTS_MINUTES: a busy machine does less of each fault, and the table says how much. */
const MINUTES = Number(process.env.KITH_FAULTS_MINUTES ?? 120)

export function timeLimit(): () => boolean {
  const end = performance.now() + MINUTES * 60_000
  return () => performance.now() > end
}

/** Returns how often it was done, which is at least once. */
export async function repeat(count: number, step: (turn: number) => Promise<void>): Promise<number> {
  const isTimeUp = timeLimit()
  let done = 0
  do await step(done++)
  while (done < count && !isTimeUp())
  return done
}

export const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
