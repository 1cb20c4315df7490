import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { PGlite, type PGliteOptions, protocol } from '@electric-sql/pglite'
import { renameDurably, syncTree } from '../lib/durable.ts'
import { messageOf } from '../lib/thrown.ts'
import { present, property } from '../lib/values.ts'
import { SyncedFiles, syncedStartParams } from './synced-files.ts'

export interface WorkerInput {
  databaseDir: string
  imagePath: string | undefined
  /** Whether a commit waits for the disk. */
  fsync: boolean
  /** PGlite's WebAssembly module, compiled. */
  pgliteWasmModule: NonNullable<PGliteOptions['pgliteWasmModule']>
}
/** A request is one or more complete protocol messages, the last of which requires an answer. */
export type WorkerRequest = Uint8Array | 'close' | { copyTo: string }
export type WorkerReply =
  | 'ready'
  | { data: Uint8Array; done: boolean }
  | { crash: string }
  /** of `copyTo`: why it failed, or null */
  | { copied: string | null }

const port = present(parentPort, 'the port to the main thread')
const { databaseDir, imagePath, fsync, pgliteWasmModule }: WorkerInput = workerData

// Large results are sent in pieces while the query runs, so that no whole result is in memory here.
const REPLY_CHUNK = 256 * 1024
const CHECKPOINT_EVERY_MS = 30_000
const CHECKPOINT_AFTER_WAL_BYTES = 32 * 1024 * 1024

// Recycling and zero-filling WAL segments was not faster (3,000 inserts: 0.95 s against 0.98 s) and took 65 MB on disk
// instead of 1 MB.
const wal = ['--wal-segsize=1', '-c', 'wal_recycle=off', '-c', 'wal_init_zero=off']
// The locale that a server (17 and later) has built in too: code-point order, Unicode's upper and lower case.
const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
const initDbStartParams = [...wal, ...locale]

/** All sessions share one backend, so a new session ends what the last one left open, even without its Sync. */
const resetSession = Buffer.concat([
  protocol.serialize.sync(),
  protocol.serialize.query('ROLLBACK'),
  protocol.serialize.query('DISCARD ALL'),
])

/** The last error output of PostgreSQL, which PGlite's own errors do not include. */
let lastError = ''
// Even without fsync every write reaches the operating system before a commit is acknowledged: a killed process
// loses nothing, but a power failure may.
const baseOptions: PGliteOptions = {
  pgliteWasmModule,
  relaxedDurability: false,
  onStderr: line => {
    const fatal = /(?:FATAL:|PANIC:|^postgres:).*/.exec(line)?.[0]
    const detail = /DETAIL:.*/.exec(line)?.[0]
    if (fatal) lastError = fatal
    else if (lastError && detail) lastError += ` ${detail}`
    return true
  },
}

if (!existsSync(databaseDir)) await createDatabase()
const db = await open(databaseDir)
reportCrashes()
port.on('message', answer)
const checkpoints = setInterval(checkpointIfDue, CHECKPOINT_EVERY_MS).unref()
port.postMessage('ready' satisfies WorkerReply)

async function open(dir: string, options: PGliteOptions = {}): Promise<PGlite> {
  try {
    const synced = fsync ? { fs: new SyncedFiles(dir), startParams: syncedStartParams } : {}
    return await PGlite.create(dir, { ...baseOptions, ...synced, ...options })
  } catch (error) {
    const reason = lastError || messageOf(error)
    throw new Error(`The embedded database in ${dir} does not open: ${reason}`, { cause: error })
  }
}

/** Created in a temporary folder and then renamed: a crash leaves no folder that looks like a database. */
async function createDatabase(): Promise<void> {
  const newDir = `${databaseDir}.new`
  rmSync(newDir, { recursive: true, force: true })
  // PGlite makes its files readable and writable for everyone; the folder's mode protects them.
  mkdirSync(newDir, { mode: 0o700 })
  if (imagePath !== undefined && existsSync(imagePath)) unpack(gunzipSync(readFileSync(imagePath)), newDir)
  else await initialise(newDir)
  if (!fsync) return renameSync(newDir, databaseDir)
  // PostgreSQL flushes only its own later changes.
  await syncTree(newDir)
  await renameDurably(newDir, databaseDir)
}

/** PGlite's own loadDataDir also starts the database, which would then have to be closed to move it: 0.4 s. */
function unpack(tar: Buffer, dir: string): void {
  const field = (at: number, length: number) => tar.toString('latin1', at, at + length).replace(/\0.*/s, '')
  for (let at = 0; field(at, 100) !== ''; ) {
    const target = join(dir, field(at, 100))
    const size = Number.parseInt(field(at + 124, 12), 8)
    const isFolder = field(at + 156, 1) === '5'
    at += 512
    if (isFolder) mkdirSync(target, { recursive: true })
    else writeFileSync(target, tar.subarray(at, at + size))
    at += Math.ceil(size / 512) * 512
  }
}

async function initialise(dir: string): Promise<void> {
  const created = await open(dir, { initDbStartParams })
  await dropTemplates(created)
  await created.close()
}

/**
 * Nothing can connect to the template databases here, so nothing could vacuum them, and after two thousand million
 * transactions their age would stop all writes. Without them the image is also a third of its size.
 */
async function dropTemplates(created: PGlite): Promise<void> {
  for (const template of ['template0', 'template1']) {
    await created.query(`ALTER DATABASE ${template} IS_TEMPLATE false`)
    await created.query(`DROP DATABASE ${template}`)
  }
}

/**
 * PGlite ignores every error of its main loop, even a trap or an exit of the WebAssembly module, and continues
 * with a broken backend. Only after status 100 (an ordinary SQL error) may it continue.
 */
function reportCrashes(): void {
  const module = db.Module as unknown as { _PostgresMainLoopOnce: () => void }
  const once = module._PostgresMainLoopOnce
  module._PostgresMainLoopOnce = () => {
    try {
      once()
    } catch (error) {
      if (property(error, 'status') !== 100) die(error)
      throw error
    }
  }
}

/** Ends this thread; a new one recovers from the WAL what was committed. */
function die(error: unknown): never {
  port.postMessage({ crash: lastError || messageOf(error) || String(error) } satisfies WorkerReply)
  process.exit(1)
}

async function answer(request: WorkerRequest): Promise<void> {
  if (request === 'close') {
    clearInterval(checkpoints)
    await db.close()
    port.close()
    return
  }
  if ('copyTo' in request) return copyTo(request.copyTo)
  // A startup message is the only one that begins with its length, whose first byte is 0.
  if (request[0] === 0) await execute(resetSession, () => {})
  let parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const post = (done: boolean) => {
    const [only] = parts
    const data = only && parts.length === 1 ? only : new Uint8Array(Buffer.concat(parts))
    port.postMessage({ data, done } satisfies WorkerReply, [data.buffer])
    parts = []
    size = 0
  }
  await execute(request, bytes => {
    parts.push(new Uint8Array(bytes))
    size += bytes.length
    if (size >= REPLY_CHUNK) post(false)
  })
  post(true)
}

/**
 * A copy of all files after a checkpoint. Nothing is written meanwhile, because this thread does nothing else. File
 * systems that can share blocks between files copy in no time.
 */
async function copyTo(folder: string): Promise<void> {
  await execute(
    protocol.serialize.query("DO $$ BEGIN SET LOCAL ROLE NONE; EXECUTE 'CHECKPOINT'; END $$"),
    () => {},
  )
  let problem: string | null = null
  try {
    cpSync(databaseDir, folder, { recursive: true, mode: constants.COPYFILE_FICLONE, errorOnExist: true })
  } catch (error) {
    problem = messageOf(error)
  }
  port.postMessage({ copied: problem } satisfies WorkerReply)
}

/**
 * The streaming form, because the other one also parses every answer and never frees them. Nothing needs a sync: this
 * file system writes directly.
 */
async function execute(request: Uint8Array, onRawData: (bytes: Uint8Array) => void): Promise<void> {
  try {
    await db.execProtocolRawStream(request, { onRawData, syncToFs: false })
  } catch (error) {
    die(error)
  }
}

/** A single-user backend never checkpoints by itself: the WAL, and the recovery after a kill, would grow without limit. */
async function checkpointIfDue(): Promise<void> {
  if (db.isInTransaction()) return
  await execute(
    // The role that the session has taken may not checkpoint.
    protocol.serialize.query(`DO $$ BEGIN
      SET LOCAL ROLE NONE;
      IF pg_wal_lsn_diff(pg_current_wal_lsn(), (pg_control_checkpoint()).redo_lsn) > ${CHECKPOINT_AFTER_WAL_BYTES}
      THEN EXECUTE 'CHECKPOINT'; END IF; END $$`),
    () => {},
  )
}
