/** The file system of the embedded database with fsync: PGlite's own ignores PostgreSQL's calls. */
import { fsyncSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** PostgreSQL ignores this error for folders, which some systems cannot flush. */
const EINVAL = 28
/** PostgreSQL treats this error as lost writes: it stops, and the next start recovers from the log. */
const EIO = 29

interface OpenFile {
  nfd: number
  node: { mode: number }
}

export class SyncedFiles extends NodeFS {
  override async init(...[pglite, options]: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(pglite, options)
    const addFsync: NonNullable<typeof emscriptenOpts.preRun>[number] = ({ FS, NODEFS }) => {
      const fsync = ({ nfd, node }: OpenFile) => {
        try {
          fsyncSync(nfd)
        } catch {
          throw new FS.ErrnoError(FS.isDir(node.mode) ? EINVAL : EIO)
        }
      }
      Object.assign(NODEFS, { stream_ops: Object.assign(NODEFS.stream_ops, { fsync }) })
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } }
  }
}

/** PGlite turns fsync off with -F. Its C library has fsync, but fdatasync, the default for the log, does nothing. */
export const syncedStartParams = [
  ...PGlite.defaultStartParams.filter(param => param !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
]
