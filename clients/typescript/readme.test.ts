/** The package as it is published: built to JavaScript and declarations, and the examples of its README run with it. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anyEngine, newAccount } from '../../test/support/service.ts'

const run = promisify(execFile)
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const compiler = path('../../node_modules/typescript/bin/tsc')
const folder = mkdtempSync(join(tmpdir(), 'kith-client-'))
const installed = join(folder, 'node_modules/@kith/client')

/** All examples as one program, in their order. */
function examples(url: string, key: string): string {
  const blocks = [...readFileSync(path('README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)]
  const text = blocks.map(([, code]) => code).join('\n')
  return text.replace("'http://localhost:8000'", JSON.stringify(url)).replace("'sk_…'", JSON.stringify(key))
}

const tsc = (...args: string[]) =>
  run(process.execPath, [compiler, ...args], { cwd: folder }).catch(error => error as { stdout: string })

beforeAll(async () => {
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(installed, 'package.json'), readFileSync(path('package.json')))
  const { stdout } = await tsc('-p', path('tsconfig.json'), '--outDir', join(installed, 'dist'))
  expect(stdout).toBe('')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('compiles and runs the examples of the README', async () => {
  const { url, key } = await newAccount(anyEngine[0]!)
  writeFileSync(join(folder, 'examples.ts'), examples(url, key))
  const options = ['--target', 'es2023', '--lib', 'es2023,dom', '--module', 'nodenext', '--strict']
  const compiled = await tsc(...options, '--skipLibCheck', '--types', '', 'examples.ts')
  expect(compiled.stdout).toBe('')
  const { stdout } = await run(process.execPath, ['examples.js'], { cwd: folder })
  for (const line of ['1 Acme Ann', '422', 'contact.created', 'signed']) expect(stdout).toContain(line)
})
