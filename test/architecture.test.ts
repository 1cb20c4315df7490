/** The structure that ARCHITECTURE.md describes, read from the code itself. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('testing.ts'))
  .map(name => join(src, name))
const textOf = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))

/** Imports of types count like those that exist at run time. */
const importsOf = (file: string): string[] =>
  [...textOf.get(file)!.matchAll(/^(?:import|export)\s[^'"]*?from\s+'(\.[^']+)'/gms)]
    .map(match => resolve(dirname(file), match[1]!))
    .filter(path => textOf.has(path))

/** Each layer may import itself and what stands to its right. `config.ts` is data for all of them. */
const LAYERS = [
  'main.ts',
  'cli',
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

it('imports only from lower layers', () => {
  const wrong = files.flatMap(file =>
    importsOf(file)
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
    for (const other of importsOf(file)) visit(other, [...trail, file])
    state.set(file, 'done')
  }
  for (const file of files) visit(file, [])
  expect(cycles).toEqual([])
})

it('has no cycle between the folders of features', () => {
  const roomOf = (file: string) => relative(src, file).split('/')[1] ?? ''
  const edges = new Map<string, Set<string>>()
  for (const file of files.filter(file => layerOf(file) === 'features')) {
    const targets = edges.get(roomOf(file)) ?? new Set()
    for (const other of importsOf(file)) {
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

it('names tables in resources and features only through functions that add the account', () => {
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

/** Features of one subject, in a folder of their own. */
const GROUPS = ['features/records', 'features/transfer']

const foldersIn = (parent: string): string[] =>
  readdirSync(join(src, parent), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => `${parent}/${entry.name}`)

/** Threads, ids, what is derived from declarations, texts by their hash: the same for every database. */
const PROCESS_WIDE = [
  'features/ask/account/countries.ts',
  'features/ask/account/likeness.ts',
  'features/inbound/parse.ts',
  'features/records/query/kinds.ts',
  'kernel/ids.ts',
  'kernel/schema/marks.ts',
  'resources/accounts/passwords.ts',
  'resources/kb/convert.ts',
]

it('has no state of a database in modules: it belongs to Services (kernel/process-state.ts)', () => {
  const state = /^(?:let |(?:export )?const [a-z]\w*(?::[^=]*)? = new (?:Map|Set)(?:<.*>)?\(\))/m
  const stateful = files
    .filter(file => ['http', 'worker', 'features', 'resources', 'mail', 'kernel'].includes(layerOf(file)))
    .filter(file => !/-(?:worker|thread)\.ts$/.test(file) && state.test(textOf.get(file)!))
    .map(file => relative(src, file))
  expect(stateful.filter(file => !PROCESS_WIDE.includes(file))).toEqual([])
})

it('tests every resource and every feature on both engines', () => {
  const parents = ['resources', 'features', ...GROUPS]
  const untested = parents
    .flatMap(foldersIn)
    .filter(folder => !GROUPS.includes(folder))
    .filter(folder => {
      const tests = readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' }).filter(name =>
        /test(ing)?\.ts$/.test(name),
      )
      return !tests.some(name =>
        /onBothEngines\(|each\(engines\)/.test(readFileSync(join(src, folder, name), 'utf8')),
      )
    })
  expect(untested).toEqual([])
})

/** A process of the service, a database server, a browser */
const STARTS = [
  /import \{[^}]*\b(?:startKith|run)\b[^}]*\} from '[^']*support\/process\.ts'/,
  /startOwnPostgresServer/,
  /support\/(?:browser|chromium)\.ts/,
]

it('names tests slow that start processes, database servers or browsers', () => {
  const root = resolve(src, '..')
  const quick = ['src', 'test', 'clients'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.test.ts') && !name.endsWith('.slow.test.ts'))
      .filter(name => !name.includes('node_modules'))
      .map(name => join(folder, name)),
  )
  const wrong = quick.filter(name => {
    const text = readFileSync(join(root, name), 'utf8')
    return STARTS.some(start => start.test(text))
  })
  // this file names them; the fault tests have small counts in `npm test`, as docs/trust.md promises
  const exceptions = ['test/architecture.test.ts', 'test/faults.test.ts']
  expect(wrong.filter(name => !exceptions.includes(name))).toEqual([])
})
