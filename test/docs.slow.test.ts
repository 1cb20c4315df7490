/** The reference for people, programs and language models: complete, and from here alone. */
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { allEndpoints } from '../src/service.ts'
import { executablePath, newContext, sharedBrowser } from './support/chromium.ts'
import { engines, request, serviceOn } from './support/service.ts'

const endpoints = allEndpoints()
let url: string
beforeAll(async () => {
  url = (await serviceOn(engines.at(-1)!)).url
})
const get = (path: string, headers: Record<string, string> = {}) =>
  request(url + path, 'GET', undefined, headers)

describe('over HTTP (all there is where no browser is installed)', () => {
  it('links to everything at the root', async () => {
    const { status, body } = await get('/')
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Kith' })
    for (const path of [body.docs, body.openapi, body.llms])
      expect(await get(path)).toMatchObject({ status: 200 })
  })

  it('has a page that loads nothing from other hosts, which its policy forbids', async () => {
    for (const path of ['/docs', '/docs/']) {
      const { status, headers, text } = await get(path)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      const policy = headers.get('content-security-policy')!
      expect(policy).toMatch(/^default-src 'none'; /)
      expect(policy).toContain("connect-src 'self'")
      expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/)
      const loaded = [...text.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)].map(
        match => match[1]!,
      )
      expect(loaded.length).toBeGreaterThan(2)
      for (const address of loaded) expect(address).toMatch(/^(\/docs\/|data:)/)
    }
  })

  it('serves the script of the page compressed and cached', async () => {
    const load = (encoding: string) =>
      fetch(`${url}/docs/scalar.js`, { headers: { 'accept-encoding': encoding } })
    const compressed = await load('gzip')
    const { headers } = compressed
    expect(compressed.status).toBe(200)
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('content-encoding')).toBe('gzip')
    const text = await compressed.text()
    expect(text).toContain('createApiReference')
    const plain = await load('identity')
    expect(plain.headers.get('content-encoding')).toBe(null)
    expect((await plain.text()) === text).toBe(true)
    const again = await get('/docs/scalar.js', { 'if-none-match': headers.get('etag')! })
    expect(again).toMatchObject({ status: 304, text: '' })
    const start = await get('/docs/start.js')
    expect(start.text).toMatch(/^Scalar\.createApiReference\('#app', /)
    expect(start.text).not.toMatch(/https?:/)
  })

  it('has every endpoint in the OpenAPI document', async () => {
    const { body } = await get('/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    const missing = endpoints.filter(({ method, path }) => !body.paths[path]?.[method.toLowerCase()])
    expect(missing).toEqual([])
  })

  it('has every endpoint and rule in llms.txt', async () => {
    const { headers, text } = await get('/llms.txt')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    for (const rule of ['X-API-Key', 'page_size', '"detail"', 'Idempotency-Key', 'If-Match', 'Retry-After']) {
      expect(text).toContain(rule)
    }
    const untold = endpoints
      .filter(({ method }) => method !== 'PATCH')
      .map(({ method, path, summary }) => `- ${method} ${path}: ${summary}`)
      .filter(line => !text.includes(line))
    expect(untold).toEqual([])
    for (const { tag } of endpoints) expect(text).toContain(`\n## ${tag}\n`)
    // a share is for signed-in people unless it is made public
    const shared = 'GET /api/chats/shares/{token}: Get a shared chat.'
    expect(text).toContain(`${shared} Needs credentials, of any account, for what is not public.`)
    const { body } = await get('/openapi.json')
    expect(body.paths['/api/chats/shares/{token}'].get.security[0]).toEqual({})
    expect(body.paths['/api/chats/shares/{token}'].get.security).toHaveLength(3)
  })
})

const withBrowser = executablePath ? describe : describe.skip
withBrowser('in a browser (left out where none is installed)', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await sharedBrowser()
  })

  it('shows the reference in light and dark colours without requests to other hosts and without errors', async () => {
    const viewport = { width: 1400, height: 900 }
    // The sign that it is loading moves: drawing it took 2.9 s of processor time.
    const context = await newContext(browser, { viewport, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const asked = new Set<string>()
    const complaints: string[] = []
    page.on('request', request => asked.add(new URL(request.url()).origin))
    const isForeign = ({ origin }: URL) => origin !== new URL(url).origin
    await context.route(isForeign, route => route.abort())
    page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${url}/docs`)
    await page.getByRole('heading', { name: 'Kith', exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Authentication' }).first().waitFor()
    await page.getByText('List companies').first().waitFor()
    expect(await page.title()).toContain('Kith')
    const background = () =>
      page.evaluate(
        `getComputedStyle(document.querySelector('.scalar-app')).getPropertyValue('--scalar-background-1').trim()`,
      )
    expect(await background()).toMatch(/^#0|^#1/)
    // without loading it again, which takes 7 to 10 s of processor time
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(background).toMatch(/^#fff/)
    // time for whatever it would like to load later
    await page.waitForTimeout(1500)
    expect([...asked]).toEqual([new URL(url).origin])
    expect(complaints).toEqual([])
    await context.close()
  })
})
