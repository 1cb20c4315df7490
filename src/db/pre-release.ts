/**
 * Databases of builds before the first release, which had other migrations: 22 files at first, later 35, which are now 9.
 * A database with all 35 has the tables of the 9, some with their columns in another order, so it needs only their names
 * in the list of applied migrations. Any other is refused with a sentence that says how to move.
 */
import { createHash } from 'node:crypto'

interface Applied {
  version: number
  checksum: string
}

/** The checksums of the first of the 22 and of the first of the 35; every such database has one of them. */
const FIRST = [
  '2ad3ab4154a43e4614f8fc4ad6963c0e448c2facd41a16f60a5f8f3c1f4f8a1e',
  '0eb5037a64e630bb7e729e4a7310de84cf9affb7ead4957b900adfef1f595940',
]
/** The fingerprint of all 35. */
const LAST = 'aea0c46b41ae2944ce3ecd1e57e500d38c01ac5dea8aeb3dff8ff9d9137e7482'
export const LAST_VERSION = 35
/** How many files the 35 became. */
export const SQUASHED = 9

export function preReleaseState(applied: readonly Applied[]): 'none' | 'complete' | 'too old' {
  if (!FIRST.includes(applied[0]?.checksum ?? '')) return 'none'
  return fingerprint(applied) === LAST ? 'complete' : 'too old'
}

export const MOVE =
  'This data was written by a build of Kith from before its first release, and this build cannot upgrade it: ' +
  'export each account with that build (POST /api/exports with entity_type "account"), then load the archive into a new data folder or ' +
  'database with `kith restore <archive>`.'

/** The version in this build's numbers; 0 for an empty database. */
export function versionAmong(applied: readonly Applied[]): number {
  const state = preReleaseState(applied)
  if (state === 'too old') throw new Error(MOVE)
  return state === 'complete' ? SQUASHED : (applied.at(-1)?.version ?? 0)
}

const fingerprint = (applied: readonly Applied[]): string =>
  createHash('sha256')
    .update(applied.map(({ version, checksum }) => `${version} ${checksum}`).join('\n'))
    .digest('hex')
