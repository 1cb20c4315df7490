import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { messageOf } from '../lib/thrown.ts'
import { first, present } from '../lib/values.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { Session, type SessionHost } from './embedded-session.ts'
import type { WorkerInput, WorkerReply, WorkerRequest } from './embedded-worker.ts'

// The V8 of Node 24 can free WebAssembly code that threads share twice, and ends the process then (nodejs/node#64500).
// With this flag no process frees any, including that of the audio decoders. A function is compiled at most twice, so
// this costs little memory.
setFlagsFromString('--no-wasm-code-gc')

export interface EmbeddedOptions {
  /** Kith's data folder; the database is in <dataDir>/db. */
  dataDir: string
  /** How long one request to the database may take; 0: no limit. */
  statementTimeoutMs: number
  /** A packed, already initialised database for the first start, where initdb would take seconds. */
  imagePath?: string
  /** Whether a commit waits until it is on the disk. */
  fsync: boolean
  onRestart?: (reason: string) => void
}

export interface Embedded {
  /** For the `stream` option of pg.Pool or pg.Client: a new session on the one backend. */
  stream(): Duplex
  /** For pg. Sets ssl because pg would otherwise take it from PGSSLMODE. */
  readonly connection: { user: string; database: string; ssl: false }
  /** For work that may take longer than a request: a migration, VACUUM. 0: no limit. */
  setStatementTimeout(ms: number): void
  /** Copies the files of the database into a new folder. No session may be in a transaction. */
  copyTo(folder: string): Promise<void>
  /** Ends the worker after a clean close of the database and frees the lock. */
  close(): Promise<void>
}

/** How long a close waits for a statement that still runs. */
const CLOSE_TIMEOUT_MS = 10_000

/** Takes the lock on the data folder, starts the worker, opens (or creates) the database. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  makeFolder(options.dataDir)
  const lock = lockDataDir(options.dataDir)
  const engine = createEngine(options)
  try {
    await engine.start()
  } catch (error) {
    lock.release()
    throw error
  }
  return {
    stream: () => new Session(engine),
    connection: { user: 'postgres', database: 'postgres', ssl: false },
    setStatementTimeout: engine.setStatementTimeout,
    copyTo: engine.copyTo,
    async close() {
      await engine.stop()
      lock.release()
    },
  }
}

function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Error(`The data folder ${dir} cannot be created: ${messageOf(error)}.`, { cause: error })
  }
}

/** Keeps one worker running and passes requests and responses between it and the active session. */
function createEngine(options: EmbeddedOptions) {
  let worker: Worker | undefined
  let ready: Promise<void>
  let live: Session | undefined
  let timeoutMs = options.statementTimeoutMs
  let timer: NodeJS.Timeout | undefined
  let stopping: Promise<void> | undefined
  // Answers come in the order of the requests; an answer to a session that was closed is dropped.
  let unanswered: { session: Session }[] = []
  let copying: PromiseWithResolvers<void> | undefined

  function start(): Promise<void> {
    ready = newWorker(options).then(running)
    return ready
  }

  function running(started: Worker): Promise<void> {
    worker = started
    let reason = 'its thread ended'
    let failure: Error | undefined
    let up = false
    return new Promise((resolve, reject) => {
      started.on('message', (reply: WorkerReply) => {
        if (reply === 'ready') {
          up = true
          resolve()
        } else if ('crash' in reply) reason = reply.crash
        else if ('copied' in reply) copied(reply.copied)
        // `node --watch` makes threads post messages of its own
        else if ('data' in reply && started === worker) receive(reply.data, reply.done)
      })
      started.on('error', error => {
        failure = error
        reason = error.message
      })
      started.on('exit', () => {
        reject(failure ?? stopped(reason, 'The embedded database did not start'))
        if (started !== worker) return
        worker = undefined
        if (up && !stopping) restart(stopped(reason, 'the embedded database stopped unexpectedly'))
      })
    })
  }

  function receive(data: Uint8Array, done: boolean): void {
    const { session } = first(unanswered)
    if (data.length > 0 && !session.destroyed) {
      session.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength))
    }
    if (!done) return
    unanswered.shift()
    watch()
  }

  function copied(problem: string | null): void {
    if (problem === null) copying?.resolve()
    else copying?.reject(new Error(`The files of the database cannot be copied: ${problem}.`))
    copying = undefined
  }

  function watch(): void {
    clearTimeout(timer)
    const request = unanswered[0]
    if (!request || timeoutMs <= 0) return
    // If this event loop was blocked, the answer may be unread, so check again before the restart.
    const recheck = () => unanswered[0] === request && !stopping && restart(timedOut())
    timer = setTimeout(() => setImmediate(recheck), timeoutMs)
  }

  function restart(error: Error): void {
    clearTimeout(timer)
    const lostSessions = new Set([live, ...unanswered.map(request => request.session)])
    const broken = worker
    worker = undefined
    live = undefined
    unanswered = []
    // Two workers must never have the folder open together, so the old thread must have ended first.
    ready = Promise.resolve(broken?.terminate()).then(start)
    ready.catch(() => {}) // the next session gets the error and tries again
    for (const session of lostSessions) session?.destroy(error)
    copying?.reject(error)
    copying = undefined
    options.onRestart?.(error.message)
  }

  async function stop(): Promise<void> {
    live?.destroy()
    await ready.catch(() => {})
    clearTimeout(timer)
    const closing = worker
    if (!closing) return
    const ended = new Promise(resolve => closing.once('exit', resolve))
    closing.postMessage('close' satisfies WorkerRequest)
    const killTimer = setTimeout(() => closing.terminate(), CLOSE_TIMEOUT_MS)
    await ended
    clearTimeout(killTimer)
  }

  return {
    start,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
    setStatementTimeout(ms: number) {
      timeoutMs = ms
      watch()
    },
    async copyTo(folder: string) {
      if (copying) throw new Error('The database is being copied already.')
      copying = Promise.withResolvers()
      present(worker, 'the embedded database’s thread').postMessage({
        copyTo: folder,
      } satisfies WorkerRequest)
      await copying.promise
    },
    async begin(session: Session) {
      if (stopping) throw withCode('57P01', 'The embedded database is closed.')
      if (live) throw withCode('53300', 'The embedded database has one connection, and it is in use.')
      live = session
      await ready.catch(start)
    },
    end(session: Session) {
      if (live === session) live = undefined
    },
    send(session: Session, request: Uint8Array<ArrayBuffer>) {
      unanswered.push({ session })
      present(worker, 'the embedded database’s thread').postMessage(request satisfies WorkerRequest, [
        request.buffer,
      ])
      if (unanswered.length === 1) watch()
    },
  } satisfies SessionHost & Record<string, unknown>
}

async function newWorker(options: EmbeddedOptions): Promise<Worker> {
  compiled ??= compile()
  const input: WorkerInput = {
    databaseDir: join(options.dataDir, 'db'),
    imagePath: options.imagePath,
    fsync: options.fsync,
    pgliteWasmModule: await compiled,
  }
  return new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: input,
    // The flags of this process are not meant for the worker, and some are not allowed in one.
    execArgv: [],
    // PostgreSQL's own limit (54001, stack depth limit exceeded) must apply before V8's, which leaves a
    // broken backend: recursion as deep as max_stack_depth allows needs between 8 and 16 MB of native stack.
    resourceLimits: { stackSizeMb: 64 },
  })
}

type WasmModule = WorkerInput['pgliteWasmModule']
// The types of Node lack it.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<WasmModule> }

/** Once for all workers of the process: a restart then takes 0.35 s instead of 0.9. */
let compiled: Promise<WasmModule> | undefined
async function compile(): Promise<WasmModule> {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return WebAssembly.compile(await readFile(join(dirname(main), 'pglite.wasm')))
}

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code })
// The message and SQLSTATE of a PostgreSQL server, so that callers need one rule for both engines.
const timedOut = () => withCode('57014', 'canceling statement due to statement timeout')
/** PostgreSQL stops when it cannot write its log. A full disk then has no code of its own, only this text of the system. */
export const stopped = (reason: string, what: string) =>
  withCode(reason.includes('No space left on device') ? '53100' : '57P02', `${what}: ${reason}`)
