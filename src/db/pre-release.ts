/**
 * Databases of builds before the first release had 22 migrations, which are now 8 files. One at exactly the last of them
 * is upgraded; any other is refused with a sentence that says how to move.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Db } from './engine.ts'
import { applyValueFunctions } from './functions.ts'

interface Applied {
  version: number
  checksum: string
}

/** The checksum of the first of the 22, which every such database has. */
const FIRST = '2ad3ab4154a43e4614f8fc4ad6963c0e448c2facd41a16f60a5f8f3c1f4f8a1e'
/** The fingerprint of all 22. */
const LAST = '1c86514a10671475668e080e1f0764dc6437eefa438c60b0c8e2b232efa0c1a1'
/** How many files the 22 became. */
export const SQUASHED = 8

export function preReleaseState(applied: readonly Applied[]): 'none' | 'upgradable' | 'too old' {
  if (applied[0]?.checksum !== FIRST) return 'none'
  return fingerprint(applied) === LAST ? 'upgradable' : 'too old'
}

export const MOVE =
  'This data was written by a build of Kith from before its first release, and this build cannot upgrade it: ' +
  'export each account with that build (POST /api/exports with entity_type "account"), then load the archive into a new data folder or ' +
  'database with `kith restore <archive>`.'

/** Brings tables to the form of the 8 files. Functions and triggers are applied afterwards, as after any migration. */
export async function upgradePreRelease(tx: Db): Promise<void> {
  await applyValueFunctions(tx)
  await sql.raw(readFileSync(new URL('./pre-release.sql', import.meta.url), 'utf8')).execute(tx)
}

const fingerprint = (applied: readonly Applied[]): string =>
  createHash('sha256')
    .update(applied.map(({ version, checksum }) => `${version} ${checksum}`).join('\n'))
    .digest('hex')
