import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** Operating systems take 103 to 107 bytes. */
const MAX_BYTES = 103

/** Undefined where the data folder's path is too long for a socket. */
export function socketPath(dataDir: string): string | undefined {
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\kith-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  }
  const path = join(dataDir, 'kith.sock')
  return Buffer.byteLength(path) > MAX_BYTES ? undefined : path
}
