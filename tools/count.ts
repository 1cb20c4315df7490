/**
 * `npm run count`: counts constructs that the type checker cannot verify, and the size of the code. Counts come from
 * the syntax tree, so comments and strings are not included; tests, their support files and imports are left out.
 *
 * `npm run count -- <kind>` lists the locations of one kind, e.g. `npm run count -- casts`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { sql } from 'kysely'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import { SyntaxKind } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'
import { SYSTEM } from '../src/db/engine.ts'
import { withScratchDatabase } from '../src/db/scratch.ts'

const root = resolve(import.meta.dirname, '..')
const src = join(root, 'src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('testing.ts'))
  .map(name => join(src, name))
  .sort()

type Kind = 'Item' | 'casts' | 'non-null' | 'any'
const places: Record<Kind, string[]> = { Item: [], casts: [], 'non-null': [], any: [] }
const importsOf = new Map<string, string[]>()

function kindOf(node: Node): Kind | undefined {
  if (is.isAsExpression(node)) return node.type.getText() === 'const' ? undefined : 'casts'
  if (is.isTypeAssertion(node)) return 'casts'
  if (is.isNonNullExpression(node)) return 'non-null'
  if (node.kind === SyntaxKind.AnyKeyword) return 'any'
  if (is.isIdentifier(node) && node.text === 'Item' && !is.isImportSpecifier(node.parent)) return 'Item'
  return undefined
}

function read(file: string, tree: SourceFile): void {
  const visit = (node: Node): void => {
    const kind = kindOf(node)
    if (kind) places[kind].push(`${relative(root, file)}:${lineAt(tree.text, node.end)}`)
    node.forEachChild(visit)
  }
  visit(tree)
  const specifiers = tree.statements.flatMap(statement =>
    is.isImportDeclaration(statement) || is.isExportDeclaration(statement) ? [statement.moduleSpecifier] : [],
  )
  const paths = specifiers.flatMap(specifier =>
    specifier && is.isStringLiteral(specifier) && specifier.text.startsWith('.')
      ? [resolve(dirname(file), specifier.text)]
      : [],
  )
  importsOf.set(file, paths)
}

const lineAt = (text: string, position: number) => text.slice(0, position).split('\n').length

/** Sets of files that import each other, type imports included (Tarjan's strongly connected components). */
function circles(): string[][] {
  const circles: string[][] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const visit = (file: string): number => {
    const own = index.size
    let lowest = own
    index.set(file, own)
    stack.push(file)
    for (const other of importsOf.get(file) ?? []) {
      if (!importsOf.has(other)) continue
      if (!index.has(other)) lowest = Math.min(lowest, visit(other))
      else if (stack.includes(other)) lowest = Math.min(lowest, index.get(other) ?? own)
    }
    low.set(file, lowest)
    if (lowest === own) {
      const component = stack.splice(stack.indexOf(file))
      if (component.length > 1) circles.push(component.map(path => relative(root, path)))
    }
    return lowest
  }
  for (const file of importsOf.keys()) if (!index.has(file)) visit(file)
  return circles
}

/** Triggers of the migrated schema; PostgreSQL's own, behind foreign keys, do not count. */
function triggers(): Promise<number> {
  return withScratchDatabase(async engine => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_trigger t
      join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'kith'::regnamespace and not t.tgisinternal`.execute(engine.as(SYSTEM))
    return rows[0]?.count ?? 0
  })
}

const api = new API({ cwd: root })
try {
  const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects()
  for (const file of files) {
    const tree = project?.program.getSourceFile(file)
    if (!tree) throw new Error(`${file} is not part of the project`)
    read(file, tree)
  }
} finally {
  api.close()
}

const requested = process.argv[2]
if (requested === 'circles') for (const circle of circles()) console.log(circle.join(' ↔ '))
else if (requested) for (const place of places[requested as Kind]) console.log(place)
else {
  const lines = files.map(file => readFileSync(file, 'utf8').split('\n').length - 1)
  console.table({
    ...Object.fromEntries(Object.entries(places).map(([kind, found]) => [kind, found.length])),
    lines: lines.reduce((sum, count) => sum + count, 0),
    files: files.length,
    triggers: await triggers(),
    'import circles': circles().length,
  })
}
