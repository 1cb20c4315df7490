import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { lockDataDir } from './data-dir-lock.ts'
import type { WorkerInput, WorkerReply, WorkerRequest } from './embedded-worker.ts'

export interface EmbeddedOptions {
  /** Kith's data folder; the database lives in <dataDir>/db. */
  dataDir: string
  /** How long one request to the database may take; 0 waits for ever. */
  statementTimeoutMs: number
  /** A packed, already initialised database for the first start, where initdb would take seconds. */
  imagePath?: string
  onRestart?: (reason: string) => void
}

export interface Embedded {
  /** For the `stream` option of pg.Pool or pg.Client: a fresh session on the one backend. */
  stream(): Duplex
  /** For pg. ssl stands here because pg would otherwise take it from PGSSLMODE. */
  readonly connection: { user: string; database: string; ssl: false }
  /** For what must take longer than a request may: a migration, VACUUM. 0 waits for ever. */
  setStatementTimeout(ms: number): void
  /** Ends the worker after a clean close of the database and frees the lock. */
  close(): Promise<void>
}

/** How long a close waits for a statement that still runs. */
const CLOSE_PATIENCE_MS = 10_000

/** What a session may ask of the engine. */
interface Engine {
  begin(session: Session): Promise<void>
  end(session: Session): void
  send(session: Session, request: Uint8Array<ArrayBuffer>): void
}

/** Takes the lock on the data folder, starts the worker, opens (or creates) the database. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
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
    async close() {
      await engine.stop()
      lock.release()
    },
  }
}

/** Keeps one worker running and passes requests and answers between it and the live session. */
function createEngine(options: EmbeddedOptions) {
  let worker: Worker | undefined
  let ready: Promise<void>
  let live: Session | undefined
  let timeoutMs = options.statementTimeoutMs
  let timer: NodeJS.Timeout | undefined
  let stopping: Promise<void> | undefined
  // Answers come in the order of the requests; one meant for a session that has gone is dropped.
  let unanswered: { session: Session }[] = []

  function start(): Promise<void> {
    ready = new Promise((resolve, reject) => {
      const started = newWorker(options)
      worker = started
      let reason = 'its thread ended'
      let up = false
      started.on('message', (reply: WorkerReply) => {
        if (reply === 'ready') {
          up = true
          resolve()
        } else if ('crash' in reply) reason = reply.crash
        else if (started === worker) receive(reply.data, reply.done)
      })
      started.on('error', error => {
        reason = error.message
        reject(error)
      })
      started.on('exit', () => {
        reject(new Error(`The embedded database did not start: ${reason}.`))
        if (started !== worker) return
        worker = undefined
        if (up && !stopping) restart(crashed(reason))
      })
    })
    return ready
  }

  function receive(data: Uint8Array, done: boolean): void {
    const { session } = unanswered[0]!
    if (data.length > 0 && !session.destroyed) {
      session.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength))
    }
    if (!done) return
    unanswered.shift()
    watch()
  }

  function watch(): void {
    clearTimeout(timer)
    const request = unanswered[0]
    if (!request || timeoutMs <= 0) return
    // When this event loop itself stood still, the answer may lie unread: look once more before killing.
    const recheck = () => unanswered[0] === request && restart(timedOut())
    timer = setTimeout(() => setImmediate(recheck), timeoutMs)
  }

  function restart(error: Error): void {
    clearTimeout(timer)
    const lost = new Set([live, ...unanswered.map(request => request.session)])
    const broken = worker
    worker = undefined
    live = undefined
    unanswered = []
    // Two workers must never have the folder open together, so the old thread has to be gone first.
    ready = Promise.resolve(broken?.terminate()).then(start)
    ready.catch(() => {}) // told to the next session, which tries again
    for (const session of lost) session?.destroy(error)
    options.onRestart?.(error.message)
  }

  async function stop(): Promise<void> {
    live?.destroy()
    await ready.catch(() => {})
    clearTimeout(timer)
    if (!worker) return
    const ended = once(worker, 'exit')
    worker.postMessage('close' satisfies WorkerRequest)
    const patience = setTimeout(() => worker?.terminate(), CLOSE_PATIENCE_MS)
    await ended
    clearTimeout(patience)
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
      worker!.postMessage(request satisfies WorkerRequest, [request.buffer])
      if (unanswered.length === 1) watch()
    },
  } satisfies Engine & Record<string, unknown>
}

function newWorker(options: EmbeddedOptions): Worker {
  const input: WorkerInput = { databaseDir: join(options.dataDir, 'db'), imagePath: options.imagePath }
  return new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: input,
    // PostgreSQL's own limit (54001, stack depth limit exceeded) must strike before V8's, which leaves a
    // broken backend: recursion as deep as max_stack_depth allows needs between 8 and 16 MB of native stack.
    resourceLimits: { stackSizeMb: 64 },
  })
}

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code })
// The words and SQLSTATE of a PostgreSQL server, so that callers need one rule for both engines.
const timedOut = () => withCode('57014', 'canceling statement due to statement timeout')
const crashed = (reason: string) => withCode('57P02', `the embedded database stopped unexpectedly: ${reason}`)

const STARTUP = 0
const TERMINATE = 'X'.charCodeAt(0)
/** The messages after which a client waits: Query, Sync, Flush, FunctionCall, CopyDone, CopyFail. */
const AWAITED = new Set([STARTUP, ...Buffer.from('QSHFcf')])

/** One connection as pg sees it: a socket whose other end is the worker. */
class Session extends Duplex {
  #engine: Engine
  #rest: Uint8Array = new Uint8Array(0)
  #started = false

  constructor(engine: Engine) {
    super()
    this.#engine = engine
  }

  connect(): this {
    this.#engine.begin(this).then(
      () => this.destroyed || this.emit('connect'),
      error => this.destroy(error),
    )
    return this
  }

  // pg calls these on its socket; they mean nothing here.
  setNoDelay() {}
  setKeepAlive() {}
  ref() {}
  unref() {}

  override _read() {}

  override _write(chunk: Uint8Array, _encoding: string, done: () => void) {
    this.#feed([chunk])
    done()
  }

  override _writev(chunks: { chunk: Uint8Array }[], done: () => void) {
    this.#feed(chunks.map(({ chunk }) => chunk))
    done()
  }

  override _final(done: () => void) {
    this.#engine.end(this)
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.#engine.end(this)
    done(error)
  }

  /** Sends on what is complete up to the last message that awaits an answer, and keeps the rest. */
  #feed(chunks: Uint8Array[]): void {
    const bytes = joined([this.#rest, ...chunks])
    let at = 0
    let complete = 0
    while (true) {
      // Every message has a type byte before its length, but for the startup message, the first.
      const lengthAt = at + (this.#started ? 1 : 0)
      if (bytes.length < lengthAt + 4) break
      const next = lengthAt + bytes.readUInt32BE(lengthAt)
      if (bytes.length < next) break
      const type = this.#started ? bytes[at]! : STARTUP
      // Terminate ends the session, not the backend, which the next session needs.
      if (type === TERMINATE) {
        this.#engine.end(this)
        break
      }
      at = next
      if (AWAITED.has(type)) complete = at
      this.#started = true
    }
    if (complete === 0) this.#rest = bytes
    else if (complete === bytes.length) {
      this.#rest = new Uint8Array(0)
      this.#engine.send(this, bytes)
    } else {
      this.#rest = bytes.subarray(complete)
      this.#engine.send(this, new Uint8Array(bytes.subarray(0, complete)))
    }
  }
}

/** In memory of its own (pg's small buffers share a pool), so that it can be handed over without a copy. */
function joined(parts: Uint8Array[]): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes as Buffer<ArrayBuffer>
}

/** Writes the image that `imagePath` loads: a new database as `prepare` leaves it, typically migrated. */
export async function makeImage(
  outPath: string,
  prepare?: (embedded: Embedded) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kith-image-'))
  try {
    const embedded = await openEmbedded({ dataDir, statementTimeoutMs: 0 })
    try {
      await prepare?.(embedded)
    } finally {
      await embedded.close()
    }
    const { PGlite } = await import('@electric-sql/pglite')
    // Without starting it: files of a database that was closed need no recovery when they are loaded.
    const files = await PGlite.create({ dataDir: join(dataDir, 'db'), noInitDb: true })
    const tar = await files.dumpDataDir('none')
    await files.close()
    writeFileSync(`${outPath}.new`, gzipSync(await tar.arrayBuffer(), { level: 9 }))
    renameSync(`${outPath}.new`, outPath)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
