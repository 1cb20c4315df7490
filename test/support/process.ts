/** The service as its users run it: a process of its own, known by what it prints and answers. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { Kith as Client, KithError } from '#client'
import { scratchFolder } from './scratch-folder.ts'

const launcher = fileURLToPath(new URL('../../bin/kith.mjs', import.meta.url))

export interface RunOptions {
  env?: Record<string, string>
  /** where `.env` is looked for; an empty folder unless said otherwise */
  cwd?: string
  /** another build's launcher */
  launcher?: string
  args?: string[]
}

export interface Kith {
  child: ChildProcess
  /** everything it has printed so far */
  stdout(): string
  stderr(): string
  /** its log so far: the lines that are JSON */
  log(): Record<string, unknown>[]
  exited: Promise<number | null>
}

export interface RunningKith extends Kith {
  url: string
  /** the key that it printed, if it did */
  key: string | undefined
  /** with the key that it printed or that KITH_API_KEY names */
  client: Client
  /** milliseconds from the spawn to the greeting */
  startMs: number
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** A folder that goes with the test. */
export function tempFolder(): string {
  const folder = scratchFolder('kith-process-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Where a process is started several times: machines with much else to do take their time. */
export const SLOW = { timeout: 240_000 }

/**
 * The embedded database is WebAssembly: compiling it a second time for speed takes a third of the processor time of a
 * process that lives for some seconds.
 */
const FLAGS = ['--liftoff-only']

/** Runs it and does not wait. Of this process's environment it gets PATH alone. */
export function run({ env = {}, cwd = tempFolder(), args = ['start'], ...options }: RunOptions = {}): Kith {
  const child = spawn(process.execPath, [...FLAGS, options.launcher ?? launcher, ...args], {
    cwd,
    // What a killed process has written is with the operating system: it needs no flush to the disk. The tests of the
    // search start the indexer themselves; its model takes half a second of processor time in every process.
    env: { PATH: process.env.PATH, PORT: '0', KITH_FSYNC: 'false', KITH_INDEXER: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout!.on('data', chunk => {
    stdout += chunk
  })
  child.stderr!.on('data', chunk => {
    stderr += chunk
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    child,
    exited,
    stdout: () => stdout,
    stderr: () => stderr,
    log: () => completeLines(stdout).flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : [])),
  }
}

/** Without what follows the last line break: a line may arrive in two chunks. */
const completeLines = (text: string) => text.split('\n').slice(0, -1)

/** The typed client. It sends everything once, so that a test sees each response. */
export const clientOf = (url: string, apiKey: string | undefined): Client =>
  new Client({ url, apiKey, retries: 0 })

/** The status of a call; 200 stands for every success, whose status the client does not return. */
export const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof KithError) return error.status
      throw error
    },
  )

/** Runs it until it says where it is running. */
export async function startKith(options: RunOptions = {}): Promise<RunningKith> {
  const begun = performance.now()
  const kith = run(options)
  const url = await waitFor(() => {
    if (kith.child.exitCode !== null) throw new Error(`it ended: ${kith.stderr()}`)
    return /^Kith is running at (\S+)$/m.exec(kith.stdout())?.[1]
  })
  const key = /^ {2}(sk_\S+)$/m.exec(kith.stdout())?.[1]
  return {
    ...kith,
    url,
    key,
    client: clientOf(url, key ?? options.env?.KITH_API_KEY),
    startMs: performance.now() - begun,
    stop(signal = 'SIGTERM') {
      kith.child.kill(signal)
      return kith.exited
    },
  }
}

/** Looks again and again until there is something. */
export async function waitFor<T>(
  look: () => T | undefined | Promise<T | undefined>,
  ms = 100_000,
): Promise<T> {
  const deadline = Date.now() + ms
  while (Date.now() < deadline) {
    const found = await look()
    if (found) return found
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error('waited in vain')
}
