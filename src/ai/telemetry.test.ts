/** The local models send and store nothing about their use. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { SLOW, tempFolder } from '../../test/support/process.ts'

const embedder = new URL('./local-embedder.ts', import.meta.url).href
const speech = new URL('./speech/speech-thread.ts', import.meta.url).href

it.each([
  [
    'embeddings',
    `const { localEmbedder } = await import('${embedder}')
    console.log((await localEmbedder(undefined).embed(['Hello'], true)).length)
    process.exit()`,
  ],
  [
    'speech',
    `const { withThread } = await import('${speech}')
    await withThread({ name: 'none' }, async () => {})
    console.log(process.env.ORT_DISABLE_TELEMETRY)
    process.exit()`,
  ],
])('%s', SLOW, async (_model, program) => {
  const home = tempFolder()
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: { PATH: process.env.PATH, HOME: home },
  })
  expect(stdout.trim()).toBe('1')
  expect(readdirSync(home)).toEqual([])
})
