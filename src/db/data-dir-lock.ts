import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../lib/thrown.ts'
import { property } from '../lib/values.ts'

export interface DataDirLock {
  release(): void
}

const SQLITE_BUSY = 5

/**
 * One process per data folder. PGlite takes no lock of its own, and two processes on one folder silently
 * lose each other's rows. Node has no flock, so SQLite's file lock serves: the operating system frees it
 * when the process dies, however it dies, and SQLite also refuses a second handle in the same process.
 */
export function lockDataDir(dir: string): DataDirLock {
  // The pid is in a separate file: POSIX drops a process's lock on a file as soon as any descriptor
  // of that file is closed, so kith.lock must never be opened just to read it.
  const pidFile = join(dir, 'kith.pid')
  const handle = takeLock(dir, join(dir, 'kith.lock'), pidFile)
  writeFileSync(pidFile, `${process.pid}\n`)
  let isHeld = true
  return {
    release() {
      if (!isHeld) return
      isHeld = false
      rmSync(pidFile, { force: true })
      handle.close()
    },
  }
}

function takeLock(dir: string, lockFile: string, pidFile: string): DatabaseSync {
  let handle: DatabaseSync | undefined
  try {
    handle = new DatabaseSync(lockFile, { timeout: 0 })
    handle.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE')
    return handle
  } catch (error) {
    handle?.close()
    if (!isBusy(error)) {
      throw new Error(`The data folder ${dir} cannot be locked: ${messageOf(error)}.`, {
        cause: error,
      })
    }
    throw new Error(
      `The data folder ${dir} is in use by ${holder(pidFile)}; stop it or set KITH_DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

function isBusy(error: unknown): boolean {
  // The low byte is the primary code; extended ones such as SQLITE_BUSY_RECOVERY carry more above it.
  const errcode = property(error, 'errcode')
  return typeof errcode === 'number' && (errcode & 0xff) === SQLITE_BUSY
}

function holder(pidFile: string): string {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
    if (pid > 0) return `process ${pid}`
  } catch {
    // Between taking the lock and writing the pid, the holder's pid is unknown.
  }
  return 'another process'
}
