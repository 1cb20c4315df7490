/**
 * The bundle: the service and most of its dependencies in one file, which a process loads in a third of the time
 * (decision 44). It is used only while every source is the one that it was made from; otherwise the sources are.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Relative to the installation. The lock file stands for the dependencies. */
const FOLDERS = ['src', 'clients/typescript/src']
const FILES = ['package.json', 'package-lock.json']

const isSource = name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.testing.ts')

export const entryOf = root => join(root, 'dist/kith.mjs')
export const stampOf = root => join(root, 'dist/.sources')

/** Names, sizes and times of change of all sources: reading them takes 20 ms on a busy machine. */
export function sourcesOf(root) {
  const lines = []
  const add = path => {
    const { size, mtimeMs } = statSync(`${root}/${path}`)
    lines.push(`${path} ${size} ${mtimeMs}`)
  }
  // `readdirSync` with `recursive` takes twice as long
  const addFolder = folder => {
    for (const entry of readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) addFolder(path)
      else if (isSource(path)) add(path)
    }
  }
  FILES.forEach(add)
  FOLDERS.forEach(addFolder)
  return lines.sort().join('\n')
}

/** The path of the bundle, or undefined if there is none of these sources. */
export function currentBundle(root) {
  try {
    return readFileSync(stampOf(root), 'utf8') === sourcesOf(root) ? entryOf(root) : undefined
  } catch {
    return undefined
  }
}
