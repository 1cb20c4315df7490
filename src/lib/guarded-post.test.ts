import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { networks } from './addresses.ts'
import { guardedClient, MAX_RESPONSE_BYTES } from './guarded-post.ts'

/** A server that counts connections. */
async function server(answer: http.RequestListener = (_, response) => response.end('ok')) {
  const listening = http.createServer(answer)
  let connections = 0
  listening.on('connection', () => {
    connections++
  })
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    listening.closeAllConnections()
    listening.close()
  })
  const { port } = listening.address() as AddressInfo
  return { port, connections: () => connections }
}

function client(allow: string[], options: { timeoutMs?: number; names?: string[][] } = {}) {
  const answers = [...(options.names ?? [])]
  const made = guardedClient({
    allowed: networks(allow),
    timeoutMs: options.timeoutMs ?? 5000,
    ...(options.names ? { resolve: async () => answers.shift() ?? [] } : {}),
  })
  onTestFinished(() => made.close())
  return made
}

const post = (made: ReturnType<typeof client>, url: string) =>
  made.post(new URL(url), { 'x-test': '1' }, 'body').then(
    ({ status, body }) => `${status} ${body}`,
    (error: Error) => error.message,
  )

const REFUSED = 'The address is not on the public internet, and its network is not allowed'

it('refuses private addresses in every notation', async () => {
  const { port, connections } = await server()
  const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0.0.0.0', '[::1]']
  const further = ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[::]']
  for (const host of [...hosts, ...further])
    for (const scheme of ['http', 'https'])
      expect(await post(client([]), `${scheme}://${host}:${port}/`)).toBe(REFUSED)
  expect(connections()).toBe(0)
})

it('checks the address that a name resolves to at connection time', async () => {
  const { port, connections } = await server()
  const rebinding = client([], { names: [['127.0.0.1'], ['::1', '169.254.169.254'], []] })
  expect(await post(rebinding, `https://rebinding.test:${port}/`)).toBe(REFUSED)
  expect(await post(rebinding, `https://rebinding.test:${port}/`)).toBe(REFUSED)
  expect(await post(rebinding, `https://rebinding.test:${port}/`)).toBe('The host name was not found')
  expect(connections()).toBe(0)
  // of several addresses only those that are allowed are tried
  const mixed = client(['127.0.0.0/8'], { names: [['10.0.0.1', '127.0.0.1']] })
  expect(await post(mixed, `http://mixed.test:${port}/`)).toBe('200 ok')
  // without TLS only into a network that is allowed
  const named = client(['10.0.0.0/8'], { names: [['1.1.1.1']] })
  expect(await post(named, `http://public.test:${port}/`)).toBe(REFUSED)
})

it('follows no redirect, and limits the size and time of a response', async () => {
  const inward = await server()
  const { port } = await server((request, response) => {
    if (request.url === '/redirect') {
      response.writeHead(307, { location: `http://127.0.0.1:${inward.port}/` }).end()
    } else if (request.url === '/large') {
      response.write('x'.repeat(MAX_RESPONSE_BYTES - 1))
      setInterval(() => response.write('xx'), 5).unref()
    }
  })
  const at = (path: string) => `http://127.0.0.1:${port}${path}`
  const allowed = client(['127.0.0.1'], { timeoutMs: 2000 })
  expect(await post(allowed, at('/redirect'))).toBe('307 ')
  expect(inward.connections()).toBe(0)
  expect((await post(allowed, at('/large'))).length).toBe('200 '.length + MAX_RESPONSE_BYTES)
  const hasty = client(['127.0.0.1'], { timeoutMs: 100 })
  expect(await post(hasty, at('/hang'))).toBe('No answer within 0.1 seconds')
  const { port: closed } = await server()
  expect(await post(allowed, `https://127.0.0.1:${closed}/`)).toMatch(/SSL|TLS|wrong version/i)
})
