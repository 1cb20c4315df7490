/** Where tests keep databases that are thrown away with the run. */
import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Twice what a whole run fills. */
const ROOM = 8 * 1024 ** 3

/**
 * A new folder, in memory where there is room. A database has a thousand files: a copy takes 0.11 s of processor time on
 * ext4, more right after many files were deleted, and 0.024 s in memory; starting the embedded engine 1.2 and 0.7 s.
 */
export const scratchFolder = (prefix: string): string =>
  mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), prefix))

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, process.availableMemory()) > ROOM
  } catch {
    return false
  }
}
