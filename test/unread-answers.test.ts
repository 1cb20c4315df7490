/** Answers that their clients do not read. */
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import fastify, { type FastifyInstance } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { type ReadTimeouts, unreadAnswers } from '../src/http/unread-answers.ts'

const NEVER = 3_600_000
/** More than the operating system takes for a client that reads nothing. */
const LARGE = 'x'.repeat(64 * 1024 * 1024)

async function listening(timeouts: ReadTimeouts): Promise<FastifyInstance> {
  const app = fastify({ forceCloseConnections: true })
  unreadAnswers(app, timeouts)
  app.get('/large', async () => LARGE)
  app.get('/small', async () => 'small')
  app.get('/timeout', async ({ raw }) => String(raw.socket.timeout))
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return app
}

/** Resolves with the number of bytes that came once the connection is closed. */
function asked(app: FastifyInstance, path: string, { reads }: { reads: boolean }) {
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  let bytes = 0
  socket.write(`GET ${path} HTTP/1.1\r\nhost: kith\r\nconnection: ${reads ? 'close' : 'keep-alive'}\r\n\r\n`)
  if (reads) socket.on('data', chunk => (bytes += chunk.length))
  const closed = new Promise<number>(resolve => socket.on('close', () => resolve(bytes)))
  onTestFinished(() => void socket.destroy())
  return closed
}

const text = (app: FastifyInstance, path: string, agent: Agent) =>
  new Promise<string>((resolve, reject) => {
    const { port } = app.server.address() as { port: number }
    get({ port, host: '127.0.0.1', path, agent }, answer => resolve(textOf(answer))).on('error', reject)
  })

it('are dropped when the client takes nothing for a while; one that reads gets all of it', async () => {
  const app = await listening({ usualMs: 300, shortMs: 300, bytes: Infinity })
  const closed = new Promise(resolve =>
    app.server.once('connection', socket => socket.once('close', resolve)),
  )
  asked(app, '/large', { reads: false })
  await closed
  // This process is the client too: work of other tests has stopped it from reading for more than 300 ms.
  const patient = await listening({ usualMs: 10_000, shortMs: 10_000, bytes: Infinity })
  expect(await asked(patient, '/large', { reads: true })).toBeGreaterThan(LARGE.length)
})

it('are dropped sooner when they are large together', async () => {
  const app = await listening({ usualMs: NEVER, shortMs: 300, bytes: LARGE.length * 1.5 })
  const closed = new Promise(resolve => app.server.on('connection', socket => socket.once('close', resolve)))
  asked(app, '/large', { reads: false })
  asked(app, '/large', { reads: false })
  await closed
})

it('leave the next request on the connection its time', async () => {
  const app = await listening({ usualMs: NEVER, shortMs: NEVER, bytes: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  expect(await text(app, '/small', agent)).toBe('small')
  expect(await text(app, '/timeout', agent)).toBe('0')
})
