import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { currentBundle, entryOf, sourcesOf, stampOf } from '../bin/bundle.mjs'

/** An installation with a bundle of its sources. */
function installation(): { root: string; write: (path: string, text: string) => void } {
  const root = mkdtempSync(join(tmpdir(), 'kith-bundle-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const path of [
    'package.json',
    'package-lock.json',
    'clients/typescript/src/index.ts',
    'src/db/engine.ts',
  ])
    write(path, '1')
  write('dist/kith.mjs', '')
  writeFileSync(stampOf(root), sourcesOf(root))
  return { root, write }
}

it('is used while its sources are unchanged, whatever happens to tests', () => {
  const { root, write } = installation()
  expect(currentBundle(root)).toBe(entryOf(root))
  write('src/db/engine.test.ts', '')
  write('src/db/engine.testing.ts', '')
  expect(currentBundle(root)).toBe(entryOf(root))
})

it.each<[string, (root: string, write: (path: string, text: string) => void) => void]>([
  ['a source has another size', (_root, write) => write('src/db/engine.ts', '12')],
  ['a source was written later', root => utimesSync(join(root, 'src/db/engine.ts'), 1, 1)],
  ['a source was added', (_root, write) => write('src/db/other.ts', '')],
  ['a source was removed', root => rmSync(join(root, 'src/db/engine.ts'))],
  ['the client has changed', (_root, write) => write('clients/typescript/src/index.ts', '12')],
  ['a dependency has changed', (_root, write) => write('package-lock.json', '12')],
  ['the build was interrupted', root => rmSync(stampOf(root))],
])('is not used when %s', (_case, change) => {
  const { root, write } = installation()
  change(root, write)
  expect(currentBundle(root)).toBeUndefined()
})
