/** Clients that hold a connection and neither send nor read: what they cost in memory. */
import { connect, type Socket } from 'node:net'
import { MAX_STREAMS } from '../../src/kernel/open-streams.ts'
import type { OwnPostgresServer } from '../../test/support/postgres-server.ts'
import type { Row } from './deaths.ts'
import { databaseFor, type EngineKind, KEY, newTarget, pause } from './service.ts'
import { call } from './writers.ts'

/** A third each: a body that never ends, a page of 400 KB that is not read, an event stream that is not read. */
export async function slowClients(
  kind: EngineKind,
  count: number,
  postgres: OwnPostgresServer,
): Promise<Row> {
  const target = await newTarget({ env: await databaseFor(kind, postgres) })
  await target.start()
  const writeNotes = async () => {
    const content = 'x'.repeat(20_000)
    for (let i = 0; i < 100; i++) await call(target.url, 'POST', '/api/notes', { content })
  }
  await writeNotes()
  const keys = await newKeys(target.url, Math.ceil(count / 3 / MAX_STREAMS))
  // What the process needs for such requests of clients that read is not the cost of those that do not.
  for (let i = 0; i < 50; i++) await call(target.url, 'GET', PAGE)
  const before = target.memory()
  const sockets = Array.from({ length: count }, (_, i) => holdOne(target.url, i, keys))
  // long enough for the service to close connections that hold too much
  await pause(10_000)
  await writeNotes()
  const begun = performance.now()
  const answer = await call(target.url, 'GET', '/api/companies?page_size=1')
  const ms = performance.now() - begun
  const growth = target.memory() - before
  for (const socket of sockets) socket.destroy()
  await target.kill('SIGTERM')
  return {
    fault: 'clients that send slowly or do not read answers and streams',
    engine: kind,
    amount: `${count} connections`,
    result: `${Math.round(growth)} MB more memory; another client was answered ${answer?.status} in ${Math.round(ms)} ms`,
    holds: growth < 50 && answer?.status === 200,
  }
}

const PAGE = '/api/notes?page_size=20'

/** One caller may open so many streams only. */
async function newKeys(url: string, count: number): Promise<string[]> {
  const keys: string[] = []
  while (keys.length < count) {
    const answer = await call(url, 'POST', '/api/api-keys', { name: 'streams', scopes: ['*'] })
    if (answer?.status !== 201) throw new Error(`no key was made: ${answer?.status}`)
    keys.push(String(answer.body.key))
  }
  return keys
}

function holdOne(url: string, turn: number, keys: string[]): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  socket.pause()
  const key = turn % 3 === 2 ? keys[Math.floor(turn / 3 / MAX_STREAMS)] : KEY
  const head = `HTTP/1.1\r\nhost: kith\r\nx-api-key: ${key}\r\n`
  const body = 'content-type: application/json\r\ncontent-length: 100000\r\n'
  const requests = [
    `POST /api/companies ${head}${body}\r\n{"name":"`,
    `GET ${PAGE} ${head}\r\n`,
    `GET /api/events/stream?after=0 ${head}\r\n`,
  ]
  socket.write(requests[turn % 3] ?? '')
  return socket
}
