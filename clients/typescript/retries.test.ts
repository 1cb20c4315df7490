/** Attempts, pauses and idempotency keys: against a fetch that fails, and against the service with lost answers. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../test/support/service.ts'
import { Kith, KithConnectionError } from './src/index.ts'

interface Sent {
  method: string
  path: string
  key: string | null
}

/** A client whose calls get these answers, one after the other; an Error is a failed connection. */
function scripted(answers: (Response | Error)[], options: { retries?: number } = {}) {
  const sent: Sent[] = []
  const fake: typeof fetch = async (address, init) => {
    const headers = new Headers(init?.headers)
    const { pathname } = new URL(String(address))
    sent.push({ method: init?.method ?? '', path: pathname, key: headers.get('idempotency-key') })
    const next = answers.shift()
    if (next === undefined) throw new Error('no answer left')
    if (next instanceof Error) throw next
    return next
  }
  return { kith: new Kith({ url: 'http://kith.test/', apiKey: 'sk_test', fetch: fake, ...options }), sent }
}

const ok = (body: object = { id: '1' }) => Response.json(body)
const refused = (status: number, headers: Record<string, string> = { 'retry-after': '0' }) =>
  Response.json({ detail: `Answered ${status}` }, { status, headers })
const lost = () => new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })

it('repeats a write under one key', async () => {
  const { kith, sent } = scripted([refused(429), lost(), refused(503), refused(502), ok()])
  expect(await kith.companies.create({ name: 'Acme' })).toEqual({ id: '1' })
  expect(sent.length).toBe(5)
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  expect(sent[0]!.key).toMatch(/^[0-9a-f]{32}$/)
})

it('sends keys with posts that write, and the one it was given', async () => {
  const { kith, sent } = scripted([ok(), ok(), ok(), ok(), ok()])
  await kith.companies.create({ name: 'Acme' }, { idempotencyKey: 'mine' })
  await kith.companies.query({ where: { field: 'name', value: 'Acme' } })
  await kith.companies.update('1', { city: 'Graz' })
  await kith.request('POST', '/api/search/ask', { body: { question: 'Who?' } })
  await kith.request('POST', '/api/auth/forgot-password', { body: { email: 'ann@example.com' } })
  expect(sent.map(({ key }) => key)).toEqual(['mine', null, null, null, null])
})

it.each([
  ['an error of the caller', [refused(422)], 1],
  ['a pause that is too long', [refused(503, { 'retry-after': '3600' })], 1],
  ['more failures than retries', [refused(503), refused(503), refused(503)], 3],
])('gives up on %s', async (_, answers, attempts) => {
  const { kith, sent } = scripted(answers, { retries: 2 })
  await expect(kith.companies.list()).rejects.toMatchObject({ name: 'KithError' })
  expect(sent.length).toBe(attempts)
})

it('returns the errors of MCP, and sends a message again only where it was refused unread', async () => {
  const { kith, sent } = scripted([refused(429), refused(400), refused(503), lost()])
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  expect((await kith.mcp(message)).status).toBe(400)
  expect((await kith.mcp(message)).status).toBe(503)
  await expect(kith.mcp(message)).rejects.toThrow(KithConnectionError)
  expect(sent).toEqual(Array(4).fill({ method: 'POST', path: '/mcp', key: null }))
})

it('does not repeat what could count twice', async () => {
  const login = scripted([lost(), ok()])
  const credentials = { email: 'ann@example.com', password: 'correct horse' }
  const attempt = login.kith.request('POST', '/api/auth/login', { body: credentials })
  await expect(attempt).rejects.toBeInstanceOf(KithConnectionError)
  await expect(attempt).rejects.toThrow(/POST \/api\/auth\/login: read ECONNRESET$/)
  const guarded = scripted([lost(), ok()])
  const change = guarded.kith.companies.update('1', { city: 'Graz' }, { ifMatch: '"etag"' })
  await expect(change).rejects.toBeInstanceOf(KithConnectionError)
  expect([login.sent.length, guarded.sent.length]).toEqual([1, 1])
})

it('takes a 404 to a repeated delete for success, and no other', async () => {
  await scripted([lost(), refused(404)]).kith.companies.delete('1')
  const { kith } = scripted([refused(429), refused(404)])
  await expect(kith.companies.delete('1')).rejects.toMatchObject({ status: 404 })
})

it('stops at once when it is aborted', async () => {
  const stop = new AbortController()
  const { kith, sent } = scripted([refused(503, { 'retry-after': '60' })])
  const call = kith.companies.list({}, { signal: stop.signal })
  await expect.poll(() => sent.length).toBe(1)
  stop.abort(new Error('enough'))
  await expect(call).rejects.toThrow('enough')
})

it('asks for the token of each attempt', async () => {
  const tokens = ['first', 'second']
  const seen: (string | null)[] = []
  const answers = [refused(429), ok({ items: [] })]
  const kith = new Kith({
    url: 'http://kith.test',
    token: async () => tokens.shift() ?? '',
    accountId: 'a',
    fetch: async (_, init) => {
      const headers = new Headers(init?.headers)
      seen.push(headers.get('authorization'), headers.get('x-account-id'))
      return answers.shift()!
    },
  })
  await kith.companies.list()
  expect(seen).toEqual(['Bearer first', 'a', 'Bearer second', 'a'])
})

onAnyEngine('lost answers', account => {
  it('do not write twice', async () => {
    const { url, key } = await account()
    let calls = 0
    const losing: typeof fetch = async (address, init) => {
      const response = await fetch(address, init)
      await response.arrayBuffer()
      if (calls++ % 2 === 0) throw lost()
      return fetch(address, init)
    }
    const kith = new Kith({ url, apiKey: key, fetch: losing })
    for (let at = 0; at < 5; at++) await kith.companies.create({ name: `Company ${at}` })
    const [first] = (await kith.companies.list()).items
    await kith.companies.delete(first!.id)
    expect((await kith.companies.list()).total).toBe(4)
    expect((await kith.companies.list({ deleted: true })).total).toBe(1)
  })
})
