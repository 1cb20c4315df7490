/** Serving the web client: its pages, files, caching and policy, and that no stale build is served. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawClient } from '../../../test/support/raw-client.ts'
import { onAnyEngine } from '../../../test/support/service.ts'
import { accountPages } from '../account-pages.ts'
import { answerOf } from '../error-answer.ts'
import { createLog } from '../log.ts'
import { build, buildState } from './build.ts'
import { type WebClient, webClient } from './client.ts'
import { web } from './index.ts'

const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const SCRIPT = `console.log('${'kith '.repeat(400)}')`

const roots: string[] = []
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

function newRoot(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'kith-web-'))
  roots.push(root)
  write(root, files)
  return root
}

function write(root: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
}

/** A stand-in for Vite: copies the page, and fails when the source says so, in the middle of its work. */
const VITE = `import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
const source = readFileSync('web/src/main.ts', 'utf8')
const dist = process.argv[process.argv.indexOf('--outDir') + 1]
rmSync(dist, { recursive: true, force: true })
mkdirSync(dist + '/assets', { recursive: true })
if (source.includes('broken')) process.exit(1)
writeFileSync(dist + '/index.html', '<title>' + source + '</title>')
writeFileSync(dist + '/favicon.svg', '<svg/>')
writeFileSync(dist + '/assets/main-abc123.js', ${JSON.stringify(SCRIPT)})
`
const SOURCES = {
  'node_modules/vite/bin/vite.js': VITE,
  'node_modules/vite/package.json': '{ "type": "module" }',
  'web/src/main.ts': 'first',
  'web/index.html': '',
}

function serve(root: string): { app: FastifyInstance; client: WebClient } {
  const app = fastify()
  const client = webClient(root, createLog('silent'))
  app.setErrorHandler((error, _request, reply) => {
    const { status, body } = answerOf(error)
    void reply.code(status).send(body)
  })
  accountPages(app, client)
  web(app, client)
  return { app, client }
}

describe('the web client', () => {
  let app: FastifyInstance
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  beforeAll(async () => {
    const root = newRoot(SOURCES)
    await build(root, 'inherit')
    app = serve(root).app
  })

  it.each(['/', '/contacts', '/deals/0190?view=board', '/setup', '/contacts/', '/a/b/c'])(
    'has its page at %s, for browsers',
    async url => {
      const { statusCode, headers, body } = await get(url, PAGE)
      expect([statusCode, body]).toEqual([200, '<title>first</title>'])
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'accept, accept-encoding' })
      const policy = String(headers['content-security-policy'])
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
      const again = await get(url, { ...PAGE, 'if-none-match': String(headers.etag) })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    },
  )

  it.each(['/contacts', '/nothing', '/index.html', '/assets/missing.js', '/assets/', '/.sources', '/x.js'])(
    'leaves %s unknown to programs',
    async url => {
      expect(await get(url, { accept: '*/*' }).then(answer => [answer.statusCode, answer.json()])).toEqual([
        404,
        { detail: 'Not Found' },
      ])
    },
  )

  it.each([
    ...[
      '/api/nothing',
      '/api',
      '/docs/x',
      '/kb',
      '/share',
      '/mcp/x',
      '/account/x',
      '/health/x',
      '/metrics/x',
    ],
    ...['/assets/missing.js', '/assets/..%2findex.html', '/assets/main-abc123.js.br'],
  ])('leaves %s unknown to browsers', async url => {
    expect(await get(url, PAGE)).toMatchObject({ statusCode: 404, body: '{"detail":"Not Found"}' })
  })

  it.each(['/assets/../.sources', '/..%2fsrc/main.ts', '/%2e%2e/src/main.ts', '/..\\src\\main.ts'])(
    'serves nothing outside its folder for %s',
    async url => {
      const { statusCode, body } = await get(url, PAGE)
      expect([404, '<title>first</title>']).toContain(statusCode === 200 ? body : statusCode)
    },
  )

  it('tells programs at / where the reference is', async () => {
    const { statusCode, headers, body } = await get('/')
    expect([statusCode, headers.vary]).toEqual([200, 'accept'])
    expect(JSON.parse(body)).toEqual({
      name: 'Kith',
      docs: '/docs',
      openapi: '/openapi.json',
      llms: '/llms.txt',
    })
  })

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0.9', 'br'],
    ['identity', undefined],
    ['', undefined],
  ])('sends assets for Accept-Encoding "%s" as %s, to be stored for good', async (accepted, coding) => {
    const answer = await get('/assets/main-abc123.js', { 'accept-encoding': accepted })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    expect(answer.headers['content-encoding']).toBe(coding)
    if (coding === 'br') expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(SCRIPT)
    if (coding !== undefined) expect(answer.rawPayload.length).toBeLessThan(SCRIPT.length / 4)
    else expect(answer.body).toBe(SCRIPT)
  })

  it('sends other files with an ETag', async () => {
    const { statusCode, headers } = await get('/favicon.svg')
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' })
    expect(await get('/favicon.svg', { 'if-none-match': String(headers.etag) })).toMatchObject({
      statusCode: 304,
    })
  })
})

describe('the build of the web client', () => {
  it('is made again when a source has changed, and never served stale', async () => {
    const root = newRoot(SOURCES)
    expect(await buildState(root)).toBe('missing')
    await build(root, 'inherit')
    expect(await buildState(root)).toBe('current')
    write(root, { 'web/src/main.ts': 'second' })
    expect(await buildState(root)).toBe('stale')
    const { app, client } = serve(root)
    const during = await app.inject({ url: '/', headers: PAGE })
    expect(during.statusCode).toBe(503)
    expect(during.body).toContain('is being built')
    expect(during.body).toContain('http-equiv="refresh"')
    await client.settled()
    const after = await app.inject({ url: '/', headers: PAGE })
    expect([after.statusCode, after.body]).toEqual([200, '<title>second</title>'])
    write(root, { 'web/src/new.ts': '' })
    expect(await buildState(root)).toBe('stale')
  })

  it('that another process makes leaves the served one alone until it is complete', async () => {
    const root = newRoot(SOURCES)
    await build(root, 'inherit')
    const { app } = serve(root)
    const page = async () => {
      const { statusCode, body } = await app.inject({ url: '/contacts', headers: PAGE })
      return [statusCode, body]
    }
    expect(await page()).toEqual([200, '<title>first</title>'])
    write(root, { 'web/src/main.ts': 'broken' })
    await expect(build(root, 'inherit')).rejects.toThrow('vite ended with the code 1')
    expect(await page()).toEqual([200, '<title>first</title>'])
    // between the two renames
    renameSync(join(root, 'web/dist'), join(root, 'web/dist.former'))
    expect(await page()).toEqual([503, expect.stringContaining('is being built')])
    write(root, { 'web/src/main.ts': 'third' })
    await build(root, 'inherit')
    expect(await page()).toEqual([200, '<title>third</title>'])
    expect(readdirSync(join(root, 'web')).filter(name => name.startsWith('dist'))).toEqual(['dist'])
  })

  it('can be made by two processes at the same time', async () => {
    const root = newRoot(SOURCES)
    for (const source of ['first', 'second']) {
      write(root, { 'web/src/main.ts': source })
      await Promise.all([build(root, 'inherit'), build(root, 'inherit')])
      expect(await buildState(root)).toBe('current')
      expect(readdirSync(join(root, 'web')).filter(name => name.startsWith('dist'))).toEqual(['dist'])
    }
  })

  it('that fails is not served', async () => {
    const { app, client } = serve(newRoot({ ...SOURCES, 'web/src/main.ts': 'broken' }))
    await client.settled()
    const { statusCode, body } = await app.inject({ url: '/', headers: PAGE })
    expect([statusCode, body]).toEqual([
      503,
      expect.stringContaining('could not be built: run "npm run web"'),
    ])
  })

  it('that is missing in an installation without sources is explained', async () => {
    const { app } = serve(newRoot({}))
    const { statusCode, body } = await app.inject({ url: '/contacts', headers: PAGE })
    expect([statusCode, body]).toEqual([503, expect.stringContaining('run "npm ci", then "npm run web"')])
  })

  it('has the pages that links in mails lead to, which work without it, too', async () => {
    const built = serve(newRoot({ 'web/dist/.sources': 'x', 'web/dist/index.html': 'released' })).app
    const unbuilt = serve(newRoot({})).app
    for (const [path, page] of [
      ['/account/confirm-email', '/confirm-email'],
      ['/account/accept-invitation', '/invitation'],
      ['/account/reset-password', '/reset-password'],
    ] as const) {
      expect((await built.inject({ url: path })).headers.location).toBe(page)
      expect((await unbuilt.inject({ url: path })).body).toContain('<form')
    }
  })

  it('is trusted in a release without sources', async () => {
    const root = newRoot({ 'web/dist/.sources': 'x', 'web/dist/index.html': 'released' })
    const { body } = await serve(root).app.inject({ url: '/', headers: PAGE })
    expect(body).toBe('released')
  })
})

onAnyEngine('the web client in the service', account => {
  it('changes nothing for paths of the service', async () => {
    const { url } = await account()
    const client = rawClient(url)
    const get = (path: string, method = 'GET') =>
      client.send({ method, url: path, headers: PAGE } as Parameters<typeof client.send>[0])
    for (const path of ['/api/nothing', '/api/companies/x/y/z', '/assets/x.js'])
      expect(await get(path)).toMatchObject({ status: 404, text: '{"detail":"Not Found"}' })
    expect(await get('/contacts', 'POST')).toMatchObject({ status: 404, text: '{"detail":"Not Found"}' })
    expect(await get('/api/companies')).toMatchObject({ status: 401 })
    for (const path of ['/docs', '/contacts', '/']) {
      const { headers } = await get(path)
      expect([path, headers['content-type']]).toEqual([path, 'text/html; charset=utf-8'])
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    client.close()
  })
})
