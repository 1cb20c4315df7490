/** Every command of docs/guides is run, and prints what the guide shows. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, type Service } from '../src/service.ts'
import { bare, readGuide, runGuide, shown } from './support/guides.ts'
import { SLOW } from './support/process.ts'
import { accountOn, anyEngine, testConfig } from './support/service.ts'

const root = new URL('../', import.meta.url)
const guides = readdirSync(new URL('docs/guides/', root)).filter(name => name.endsWith('.md'))

let service: Service
let url: string
beforeAll(async () => {
  const config = await testConfig(anyEngine[0]!)
  // the receiver of the guide about webhooks is on this machine
  service = await createService({ ...config, webhooks: { ...config.webhooks, allow: ['127.0.0.0/8'] } })
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => service?.close())

describe('a guide', SLOW, () => {
  it.each(guides)('%s', async name => {
    const guide = readGuide(readFileSync(new URL(`docs/guides/${name}`, root), 'utf8'))
    expect(guide.steps).not.toEqual([])
    const folder = mkdtempSync(join(tmpdir(), 'kith-guide-'))
    try {
      const outputs = await runGuide(guide, folder, await accountOn(service, url))
      for (const [index, { output, commands }] of guide.steps.entries())
        if (output !== undefined) expect(bare(outputs[index] ?? ''), commands).toMatch(shown(output))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

it('a guide is read as its reader reads it', () => {
  const text =
    'Text\n```js a.mjs\nx\n```\n\n```sh\necho 1\n```\n```json\n{ "a": "…" }\n```\n\n```json\n{}\n```\n'
  expect(readGuide(text)).toEqual({
    steps: [{ commands: 'echo 1\n', output: '{ "a": "…" }\n' }],
    files: new Map([['a.mjs', 'x\n']]),
  })
  expect(bare('{"a": "any (thing)"}')).toMatch(shown('{ "a": "…" }'))
  expect(bare('{"b": 1}')).not.toMatch(shown('{ "a": … }'))
})
