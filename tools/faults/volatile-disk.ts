/**
 * Loaded into the service by --import: a disk that forgets what was not flushed. A second folder, the platters, gets the
 * bytes of the embedded database's files only when they are flushed. After a kill -9 it is what a power failure leaves.
 *
 * As with the file systems in use, a flush of any file also makes earlier changes of names and lengths durable, in their
 * order. Between two flushes random blocks and changes of names may reach the platters, as they do in reality: a page of
 * PostgreSQL is two blocks, so pages tear.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join, relative } from 'node:path'
import workerThreads, { isMainThread, type WorkerOptions } from 'node:worker_threads'

const root = process.env.KITH_FAULTS_DISK ?? ''
const platters = process.env.KITH_FAULTS_PLATTERS ?? ''
const BLOCK = 4096
const EARLY = 1 / 8

/** The functions as they are before they are replaced. */
const real = { ...fs }
const realPromises = { ...fs.promises }
const realWorker = workerThreads.Worker

interface Entry {
  path: string
  /** numbers of the blocks that are not on the platters */
  dirty: Set<number>
}

const entries = new Map<string, Entry>()
const opened = new Map<number, Entry>()
/** Changes of names and lengths that are not on the platters. */
const changes: (() => void)[] = []

const isInside = (path: unknown): path is string => typeof path === 'string' && path.startsWith(`${root}/db`)
const platterOf = (path: string) => join(platters, relative(root, path))

function entryOf(path: string): Entry {
  const entry = entries.get(path) ?? { path, dirty: new Set() }
  entries.set(path, entry)
  return entry
}

/** Not removed or replaced while it was open. */
const isThere = (entry: Entry) => entries.get(entry.path) === entry

function change(path: string, apply: (platter: string) => void): void {
  changes.push(() => apply(platterOf(path)))
  if (Math.random() < EARLY) flushChanges()
}

function flushChanges(): void {
  for (const apply of changes.splice(0)) apply()
}

function flushBlocks(entry: Entry, blocks: Iterable<number>): void {
  if (!isThere(entry)) return
  const from = real.openSync(entry.path, 'r')
  const to = real.openSync(platterOf(entry.path), 'r+')
  const buffer = Buffer.alloc(BLOCK)
  for (const block of blocks) {
    const length = real.readSync(from, buffer, 0, BLOCK, block * BLOCK)
    real.writeSync(to, buffer, 0, length, block * BLOCK)
    entry.dirty.delete(block)
  }
  real.closeSync(from)
  real.closeSync(to)
}

function flush(fd: number): void {
  try {
    flushChanges()
    const entry = opened.get(fd)
    if (entry && entry.dirty.size > 0) flushBlocks(entry, [...entry.dirty])
  } catch (error) {
    // The database would take it for a broken disk and the run for a loss; it is an error of this file.
    console.error('volatile-disk:', error)
    throw error
  }
}

function written(entry: Entry, from: number, length: number): void {
  const blocks: number[] = []
  for (let block = Math.floor(from / BLOCK); block * BLOCK < from + length; block++) blocks.push(block)
  for (const block of blocks) entry.dirty.add(block)
  if (changes.length === 0 && Math.random() < EARLY) flushBlocks(entry, blocks)
}

function created(path: string): void {
  change(path, platter => real.closeSync(real.openSync(platter, 'a')))
}

function renamed(from: string, to: string): void {
  for (const [path, entry] of [...entries]) {
    if (path !== from && !path.startsWith(`${from}/`)) continue
    entries.delete(path)
    entry.path = to + path.slice(from.length)
    entries.set(entry.path, entry)
  }
  change(from, platter => real.renameSync(platter, platterOf(to)))
}

function cut(path: string, length: number): void {
  const { dirty } = entryOf(path)
  for (const block of dirty) if (block * BLOCK >= length) dirty.delete(block)
  change(path, platter => {
    // Node's truncateSync calls openSync and ftruncateSync, as they are now.
    const fd = real.openSync(platter, 'r+')
    real.ftruncateSync(fd, length)
    real.closeSync(fd)
  })
}

function removed(path: string): void {
  for (const one of [...entries.keys()]) if (one === path || one.startsWith(`${path}/`)) entries.delete(one)
  change(path, platter => real.rmSync(platter, { recursive: true, force: true }))
}

/** Replaces a function by one that does the same and then calls `after`. */
function follow<K extends keyof typeof fs>(name: K, after: (args: unknown[], result: unknown) => void): void {
  const original = real[name] as (...args: unknown[]) => unknown
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      const result = original.apply(fs, args)
      after(args, result)
      return result
    },
  })
}

function writeFileSync(path: string, data: string | Uint8Array, options?: { mode?: number }): void {
  const fd = real.openSync(path, 'w', options?.mode)
  const bytes = Buffer.from(data)
  for (let at = 0; at < bytes.length; ) at += real.writeSync(fd, bytes, at)
  real.closeSync(fd)
  if (!isInside(path)) return
  created(path)
  cut(path, 0)
  written(entryOf(path), 0, bytes.length)
}

function replaceFileFunctions(): void {
  follow('openSync', ([path], fd) => {
    if (isInside(path)) opened.set(fd as number, entryOf(path))
    else opened.delete(fd as number)
  })
  follow('closeSync', ([fd]) => opened.delete(fd as number))
  follow('fsyncSync', ([fd]) => flush(fd as number))
  follow('writeSync', ([fd, , , , position], length) => {
    const entry = opened.get(fd as number)
    if (entry) written(entry, position as number, length as number)
  })
  // Node's own calls openSync and writeSync, as they are now.
  Object.assign(fs, { writeFileSync })
  follow('ftruncateSync', ([fd, length]) => {
    const entry = opened.get(fd as number)
    if (entry && isThere(entry)) cut(entry.path, (length ?? 0) as number)
  })
  follow('truncateSync', ([path, length]) => isInside(path) && cut(path, (length ?? 0) as number))
  follow('renameSync', ([from, to]) => isInside(from) && renamed(from, to as string))
  for (const name of ['unlinkSync', 'rmdirSync', 'rmSync'] as const)
    follow(name, ([path]) => isInside(path) && removed(path))
  follow('mkdirSync', ([path]) => {
    if (isInside(path)) change(path, platter => real.mkdirSync(platter, { recursive: true }))
  })
  Object.assign(fs.promises, {
    async open(...args: Parameters<typeof realPromises.open>) {
      const handle = await realPromises.open(...args)
      if (isInside(args[0])) opened.set(handle.fd, entryOf(args[0]))
      const sync = handle.sync.bind(handle)
      handle.sync = async () => {
        await sync()
        flush(handle.fd)
      }
      const close = handle.close.bind(handle)
      handle.close = () => {
        opened.delete(handle.fd)
        return close()
      }
      return handle
    },
    async rename(from: string, to: string) {
      await realPromises.rename(from, to)
      if (isInside(from)) renamed(from, to)
    },
  })
}

/** The database runs in a thread, which does not load what its process has loaded. */
class WorkerWithThisDisk extends realWorker {
  constructor(file: string | URL, options: WorkerOptions = {}) {
    const isDatabase = String(file).endsWith('embedded-worker.ts')
    super(file, isDatabase ? { ...options, execArgv: ['--import', import.meta.url] } : options)
  }
}

if (root !== '' && isMainThread) Object.assign(workerThreads, { Worker: WorkerWithThisDisk })
else if (root !== '') {
  real.mkdirSync(dirname(platterOf(join(root, 'db'))), { recursive: true })
  replaceFileFunctions()
}
syncBuiltinESMExports()
