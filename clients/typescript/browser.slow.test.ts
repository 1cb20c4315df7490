/** The client as it is published, in a page and in a worker of a browser, which call the service from another origin. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, type Service } from '../../src/service.ts'
import { executablePath, newContext, sharedBrowser } from '../../test/support/chromium.ts'
import { accountOn, anyEngine, testConfig } from '../../test/support/service.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Runs in the browser. Every line needs something that browsers treat in their own way: CORS, streams, uploads. */
const PROGRAM = `
import { Kith, KithError } from './index.js'
export async function work(url, apiKey) {
  const kith = new Kith({ url, apiKey })
  const acme = await kith.companies.create({ name: 'Acme' })
  await kith.companies.update(acme.id, { city: 'Graz' }, { ifMatch: acme })
  const outdated = await kith.companies.update(acme.id, { city: 'Linz' }, { ifMatch: acme }).catch(error => error)
  await kith.companies.patch(acme.id, { metadata: { tier: 'a' } })
  const invalid = await kith.companies.create({ name: '' }).catch(error => error)
  const file = await kith.files.create({
    file: new File(['signed'], 'contract.txt', { type: 'text/plain' }), entity_type: 'company', entity_id: acme.id,
  })
  const content = await kith.request('GET', '/api/files/{file_id}/content', { path: { file_id: file.id } })
  const names = []
  for await (const company of kith.companies.all()) names.push(company.name + ' ' + company.city)
  const stop = new AbortController()
  const types = []
  for await (const { type } of kith.events.stream({ after: 0, types: 'company.*', signal: stop.signal })) {
    types.push(type)
    if (types.length === 3) stop.abort()
  }
  await kith.companies.delete(acme.id)
  return {
    outdated: outdated.status, invalid: invalid instanceof KithError && invalid.detail[0].loc, names, types,
    content: await content.text(),
  }
}`
const WORKER = `import { work } from './work.js'
onmessage = ({ data }) => work(...data).then(result => postMessage({ result }), error => postMessage({ error: String(error) }))`

const withBrowser = executablePath ? describe : describe.skip
withBrowser('in a browser (left out where none is installed)', { timeout: 120_000 }, () => {
  const dist = mkdtempSync(join(tmpdir(), 'kith-client-'))
  let browser: Browser
  let files: Server
  let page: string
  let service: Service
  let url: string

  beforeAll(async () => {
    const compiler = path('../../node_modules/typescript/bin/tsc')
    await promisify(execFile)(process.execPath, [compiler, '-p', path('tsconfig.json'), '--outDir', dist])
    files = createServer(async (request, response) => {
      const name = normalize(request.url ?? '/')
      const own: Record<string, string> = {
        '/': '<!doctype html>',
        '/work.js': PROGRAM,
        '/worker.js': WORKER,
      }
      const content = own[name] ?? (await readFile(join(dist, name), 'utf8').catch(() => undefined))
      const type = name === '/' ? 'text/html' : 'text/javascript'
      response.writeHead(content === undefined ? 404 : 200, { 'content-type': type }).end(content)
    })
    await new Promise<void>(resolve => files.listen(0, '127.0.0.1', resolve))
    const address = files.address()
    page = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    service = await createService(await testConfig(anyEngine[0]!, { corsOrigins: [page] }))
    url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await sharedBrowser()
  }, 180_000)
  afterAll(async () => {
    await service?.close()
    files?.close()
    rmSync(dist, { recursive: true, force: true })
  })

  const expected = {
    outdated: 412,
    invalid: ['body', 'name'],
    names: ['Acme Graz'],
    types: ['company.created', 'company.updated', 'company.updated'],
    content: 'signed',
  }

  it.each([
    ['a page', `args => import('/work.js').then(({ work }) => work(...args))`],
    [
      'a worker',
      `args => new Promise((resolve, reject) => {
        const worker = new Worker('/worker.js', { type: 'module' })
        worker.onmessage = ({ data }) => data.error ? reject(new Error(data.error)) : resolve(data.result)
        worker.onerror = event => reject(new Error(event.message))
        worker.postMessage(args)
      })`,
    ],
  ])('works in %s', async (_where, program) => {
    const { key } = await accountOn(service, url)
    const context = await newContext(browser)
    const tab = await context.newPage()
    await tab.goto(page)
    expect(await tab.evaluate(`(${program})(${JSON.stringify([url, key])})`)).toEqual(expected)
    await context.close()
  })
})
