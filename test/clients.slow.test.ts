/** Clients that two generators make from the published document: programs against them compile, and one runs. */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { openApi } from '../src/http/openapi/index.ts'
import { allEndpoints } from '../src/service.ts'
import { engines, newAccount } from './support/service.ts'

const run = promisify(execFile)
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const generated = path('clients/generated')

beforeAll(async () => {
  rmSync(generated, { recursive: true, force: true })
  mkdirSync(generated)
  writeFileSync(`${generated}/openapi.json`, JSON.stringify(openApi(allEndpoints())))
  await run(process.execPath, [path('clients/generate.mjs'), `${generated}/openapi.json`, generated])
})

it('compile', async () => {
  const compiler = path('../node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '-p', path('clients/tsconfig.json')]).catch(
    error => error as { stdout: string },
  )
  expect(stdout).toBe('')
})

it('work', async () => {
  const { url, key } = await newAccount(engines.at(-1)!)
  // by a variable: without the generated files it has no types
  const program = './clients/with-sdk.ts'
  const { aDay } = await import(program)
  expect(await aDay(url, key)).toEqual({
    acme: [4, null, 'gold'],
    team: ['Ann'],
    links: 1,
    deal: ['open', 3],
    columns: true,
    gold: ['Acme'],
    none: 0,
    patched: { tier: 'gold', region: 'south' },
    stale: [412, true],
    invalid: [422, [expect.objectContaining({ loc: ['body', 'name'], type: 'string_too_short' })]],
    found: [['Big', 10]],
    undone: [2, 2, 0],
    trash: [['Beta', 'string']],
    restored: 'Beta',
    imported: ['uploaded', 1],
    template: 'string',
  })
})
