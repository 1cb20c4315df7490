/** The structure that ARCHITECTURE.md describes, read from the code itself. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('testing.ts'))
  .map(name => join(src, name))
const textOf = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))

/** Imports that exist at run time and those of types alone. */
function importsOf(file: string, kind: 'all' | 'runtime'): string[] {
  const text = textOf.get(file)!
  const found = [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'/gms)]
  return found
    .filter(match => kind === 'all' || !match[1])
    .map(match => resolve(dirname(file), match[2]!))
    .filter(path => textOf.has(path))
}

/** Each layer may import itself and what stands to its right. `config.ts` is data for all of them. */
const LAYERS = [
  'main.ts',
  'service.ts',
  'http',
  'worker',
  'features',
  'resources',
  'ai',
  'mail',
  'kernel',
  'db',
  'settings',
  'lib',
]
const layerOf = (file: string) => relative(src, file).split('/')[0]!

it('imports only in the direction of the arrows', () => {
  const wrong = files.flatMap(file =>
    importsOf(file, 'all')
      .filter(other => layerOf(other) !== 'config.ts')
      .filter(other => LAYERS.indexOf(layerOf(other)) < LAYERS.indexOf(layerOf(file)))
      .map(other => `${relative(src, file)} → ${relative(src, other)}`),
  )
  expect(wrong).toEqual([])
})

it('knows every layer', () => {
  const unknown = files.map(layerOf).filter(layer => layer !== 'config.ts' && !LAYERS.includes(layer))
  expect([...new Set(unknown)]).toEqual([])
})

/** Folders in which imports of types alone may still form a circle. */
const TYPE_CIRCLES = /features\/transfer\/imports\//

it('has no cycles', () => {
  const state = new Map<string, 'open' | 'done'>()
  const cycles: string[] = []
  const visit = (file: string, trail: string[]): void => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(file)), file].map(path => relative(src, path)).join(' → '))
      return
    }
    state.set(file, 'open')
    const kind = TYPE_CIRCLES.test(file) ? 'runtime' : 'all'
    for (const other of importsOf(file, kind)) visit(other, [...trail, file])
    state.set(file, 'done')
  }
  for (const file of files) visit(file, [])
  expect(cycles).toEqual([])
})

it('has no circle between the rooms of the features', () => {
  const roomOf = (file: string) => relative(src, file).split('/')[1] ?? ''
  const edges = new Map<string, Set<string>>()
  for (const file of files.filter(file => layerOf(file) === 'features')) {
    const targets = edges.get(roomOf(file)) ?? new Set()
    for (const other of importsOf(file, 'all')) {
      if (layerOf(other) === 'features' && roomOf(other) !== roomOf(file)) targets.add(roomOf(other))
    }
    edges.set(roomOf(file), targets)
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(edges.get(from) ?? [])].some(
      next => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    )
  expect([...edges.keys()].filter(room => reaches(room, room))).toEqual([])
})

it('reads the environment in one file', () => {
  const readers = files.filter(file => /process\.env/.test(textOf.get(file)!))
  expect(readers.map(file => relative(src, file))).toEqual(['config.ts'])
})

/** Words that stand after from, join, into or update and are no account's table; people belong to several accounts. */
const ALLOWED = ['lateral', 'unnest', 'set', 'select', 'only', 'users', 'pg_catalog']

const namedByWith = (text: string, name: string) =>
  new RegExp(`\\b${name} (\\([a-z_, ]+\\) )?as (materialized )?\\(`).test(text)

it('names tables in resources and features only through the functions that put the account in', () => {
  const raw = files
    .filter(file => ['resources', 'features'].includes(layerOf(file)))
    // the accounts themselves are above any one account
    .filter(file => !relative(src, file).startsWith('resources/accounts/'))
    .flatMap(file =>
      [...textOf.get(file)!.matchAll(/sql(?:<[^`]*>)?`[^`]*`/g)].flatMap(([statement]) =>
        [...statement.matchAll(/\b(?:from|join|into|update)\s+([a-z_]{3,})\b(?!\s*\()/g)]
          .filter(([, name]) => !ALLOWED.includes(name!) && !namedByWith(textOf.get(file)!, name!))
          .map(([, name]) => `${relative(src, file)}: ${name}`),
      ),
    )
  expect(raw).toEqual([])
})

it('names tables outside kernel and db by functions that check the name', () => {
  const naming = files.filter(
    file => !['kernel', 'db'].includes(layerOf(file)) && /\bsql\.table\(/.test(textOf.get(file)!),
  )
  expect(naming.map(file => relative(src, file))).toEqual([])
})

it('keeps the kernel free of the resources it serves', () => {
  const names = readdirSync(join(src, 'resources'), { withFileTypes: true })
    // records of several kinds have a field called categories
    .filter(entry => entry.isDirectory() && !['shared', 'categories'].includes(entry.name))
    .map(entry => entry.name)
  const naming = files
    .filter(file => layerOf(file) === 'kernel')
    .filter(file => names.some(name => new RegExp(`'${name}'`).test(textOf.get(file)!)))
  expect(naming.map(file => relative(src, file))).toEqual([])
})

it('tests what runs on any engine on both somewhere in the same resource or feature', () => {
  const tests = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(name =>
    /^(resources|features)\/.*test(ing)?\.ts$/.test(name),
  )
  const foldersWith = (call: RegExp) =>
    new Set(
      tests
        .filter(name => call.test(readFileSync(join(src, name), 'utf8')))
        .map(name =>
          name
            .split('/')
            .slice(0, /^features\/(records|transfer)\//.test(name) ? 3 : 2)
            .join('/'),
        ),
    )
  const onBoth = foldersWith(/onBothEngines\(|each\(engines\)/)
  const onAny = foldersWith(/onAnyEngine\(|each\(anyEngine\)/)
  expect([...onAny].filter(folder => !onBoth.has(folder))).toEqual([])
})
