/** Bodies that are announced and do not come: nobody makes the service hold memory or connections with them. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { allEndpoints, type Service } from '../src/service.ts'
import { serviceWith } from './support/person.ts'
import { waitFor } from './support/process.ts'
import { engines, request } from './support/service.ts'

const KEY = 'sk_slow_0123456789abcdef'

describe.each(engines)('a body that does not come (%s)', kind => {
  let service: Service
  let url: string
  beforeAll(async () => {
    const started = await serviceWith(kind, ({ limits }) => ({
      apiKey: KEY,
      limits: { ...limits, requestTimeoutMs: 1000, uploadBytesPerSecond: 10, connections: 40 },
    }))
    service = started.service
    url = started.url
  })
  afterAll(() => service?.close())

  function opened(): { socket: Socket; answer: () => string; closed: Promise<unknown> } {
    const { port, hostname } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    onTestFinished(() => {
      socket.destroy()
    })
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    return { socket, answer: () => text, closed: once(socket, 'close') }
  }

  /** Announces a body of 10 MB and sends a few bytes of it. */
  function announce(method: string, path: string, headers: Record<string, string> = {}) {
    const connection = opened()
    const lines = Object.entries({
      host: 'kith',
      'content-type': 'application/json',
      'content-length': '10000000',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    connection.socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n{"name": `)
    return connection
  }

  const status = async (answer: () => string) =>
    Number((await waitFor(() => (answer().includes('\r\n\r\n') ? answer() : undefined))).slice(9, 12))

  it('is not waited for without credentials, anywhere', { timeout: 120_000 }, async () => {
    const guarded = allEndpoints().filter(
      ({ method, permission }) => method !== 'GET' && permission !== 'public',
    )
    expect(guarded.length).toBeGreaterThan(100)
    for (const { method, path } of guarded) {
      const { socket, answer } = announce(method, path.replace(/\{\w+\}/g, 'x'))
      expect([method, path, await status(answer)]).toEqual([method, path, 401])
      socket.destroy()
    }
  })

  it.each([
    ['a bad key', 'POST', '/api/contacts', { 'x-api-key': 'sk_wrong' }, 401],
    ['a path that does not exist', 'POST', '/api/nowhere', {}, 404],
    ['a method that is not allowed', 'POST', '/api/companies/x/team', { 'x-api-key': KEY }, 405],
    ['more than a stranger may send', 'POST', '/api/auth/login', {}, 413],
  ])(
    'is not waited for after %s, and the connection is closed',
    async (_, method, path, headers, expected) => {
      const { answer, closed } = announce(method, path, headers)
      expect(await status(answer)).toBe(expected)
      await closed
    },
  )

  it('is discarded while it still comes, so that the client can read the answer', async () => {
    const body = 'x'.repeat(3_000_000)
    expect((await request(`${url}/api/contacts`, 'POST', body)).status).toBe(401)
  })

  it.each([
    ['a caller', '/api/companies', { 'x-api-key': KEY }],
    ['a stranger', '/api/auth/login', { 'content-length': '10000' }],
    ['an upload', '/api/imports', { 'x-api-key': KEY, 'content-type': 'multipart/form-data; boundary=b' }],
  ])('is cut off when it comes too slowly: %s', async (_, path, headers) => {
    const { socket, answer, closed } = announce('POST', path, headers)
    // a byte now and then does not help
    const drip = setInterval(() => socket.write(' '), 200)
    await closed
    clearInterval(drip)
    expect(answer()).toMatch(/^HTTP\/1.1 408 /)
    expect(answer()).toContain('{"detail":"The request body arrived too slowly"}')
  })

  it('may take its time as an upload that goes on', async () => {
    const { socket, answer } = opened()
    const begin =
      '--b\r\nContent-Disposition: form-data; name="entity_type"\r\n\r\ncontact\r\n' +
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nfirst_name\n'
    const rows = Array.from({ length: 12 }, (_, n) => `Person number ${n} with a long name\n`)
    const end = '\r\n--b--\r\n'
    const length = Buffer.byteLength(begin + rows.join('') + end)
    socket.write(
      `POST /api/imports HTTP/1.1\r\nhost: kith\r\nx-api-key: ${KEY}\r\ncontent-length: ${length}\r\n` +
        `content-type: multipart/form-data; boundary=b\r\n\r\n${begin}`,
    )
    for (const row of rows) {
      await new Promise(resolve => setTimeout(resolve, 200))
      socket.write(row)
    }
    socket.write(end)
    expect(await status(answer)).toBe(201)
  })

  it('leaves room for a limited number of connections', async () => {
    const sockets = Array.from({ length: 60 }, () => opened())
    const dropped = await waitFor(() => {
      const ended = sockets.filter(({ socket }) => socket.destroyed || socket.readableEnded).length
      return ended >= 20 ? ended : undefined
    })
    expect(dropped).toBeLessThan(60)
    for (const { socket } of sockets) socket.destroy()
    await waitFor(async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok)
  })
})
