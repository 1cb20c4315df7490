/** Bodies that are announced and do not come: nobody makes the service hold memory or connections with them. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { allEndpoints, type Service } from '../src/service.ts'
import { serviceWith } from './support/person.ts'
import { waitFor } from './support/process.ts'
import { anyEngine, request } from './support/service.ts'

const KEY = 'sk_slow_0123456789abcdef'

// Bodies are read before any statement.
describe.each(anyEngine)('a body that does not come (%s)', kind => {
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

  interface Opened {
    socket: Socket
    answer: () => string
    /** of the answer, once its head is here */
    status: Promise<number>
    closed: Promise<unknown>
  }

  function opened(): Opened {
    const { port, hostname } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    onTestFinished(() => {
      socket.destroy()
    })
    let text = ''
    const { promise: status, resolve } = Promise.withResolvers<number>()
    socket.on('data', chunk => {
      text += chunk
      if (text.includes('\r\n\r\n')) resolve(Number(text.slice(9, 12)))
    })
    return { socket, answer: () => text, status, closed: once(socket, 'close') }
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

  it('is not waited for without credentials, anywhere', async () => {
    const guarded = allEndpoints().filter(
      ({ method, permission }) => method !== 'GET' && permission !== 'public',
    )
    expect(guarded.length).toBeGreaterThan(100)
    for (const { method, path } of guarded) {
      const { socket, status } = announce(method, path.replace(/\{\w+\}/g, 'x'))
      expect([method, path, await status]).toEqual([method, path, 401])
      socket.destroy()
    }
  })

  it('is not waited for after a refusal, and the connection is closed', async () => {
    const refused: [why: string, path: string, headers: Record<string, string>, status: number][] = [
      ['a bad key', '/api/contacts', { 'x-api-key': 'sk_wrong' }, 401],
      ['a path that does not exist', '/api/nowhere', {}, 404],
      ['a method that is not allowed', '/api/companies/x/team', { 'x-api-key': KEY }, 405],
      ['more than a stranger may send', '/api/auth/login', {}, 413],
    ]
    // Together, because each connection is closed some seconds later.
    await Promise.all(
      refused.map(async ([why, path, headers, expected]) => {
        const { status, closed } = announce('POST', path, headers)
        expect([why, await status]).toEqual([why, expected])
        await closed
      }),
    )
  })

  it('is read and discarded, so that the client can read the response', async () => {
    const body = 'x'.repeat(3_000_000)
    expect((await request(`${url}/api/contacts`, 'POST', body)).status).toBe(401)
  })

  it('is aborted when it arrives too slowly', async () => {
    const slow: [who: string, path: string, headers: Record<string, string>][] = [
      ['a caller', '/api/companies', { 'x-api-key': KEY }],
      ['a stranger', '/api/auth/login', { 'content-length': '10000' }],
      ['an upload', '/api/imports', { 'x-api-key': KEY, 'content-type': 'multipart/form-data; boundary=b' }],
    ]
    await Promise.all(
      slow.map(async ([who, path, headers]) => {
        const { socket, answer, closed } = announce('POST', path, headers)
        // a byte now and then does not help
        const drip = setInterval(() => socket.write(' '), 200)
        await closed
        clearInterval(drip)
        expect(answer(), who).toMatch(/^HTTP\/1.1 408 /)
        expect(answer(), who).toContain('{"detail":"The request body arrived too slowly"}')
      }),
    )
  })

  it('may take long as a continuing upload', async () => {
    const { socket, status } = opened()
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
    expect(await status).toBe(201)
  })

  it('counts towards the maximum number of connections', async () => {
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
