import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeImage } from '../../src/db/image.ts'

let made: Promise<string> | undefined

/** An image of an embedded database without a schema, made once for each test process. That of the build is migrated. */
export function emptyImage(): Promise<string> {
  made ??= make()
  return made
}

async function make(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kith-empty-image-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'image.tar.gz')
  await makeImage(path, undefined, 1)
  return path
}
