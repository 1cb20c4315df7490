/** Clients that hold a connection and neither send nor read: what they cost in memory. */
import { connect, type Socket } from 'node:net'
import { MAX_STREAMS } from '../../src/kernel/open-streams.ts'
import type { OwnPostgresServer } from '../../test/support/postgres-server.ts'
import type { Row } from './deaths.ts'
import { databaseFor, type EngineKind, KEY, newTarget, pause } from './service.ts'
import { call } from './writers.ts'

/**
 * A third each: a body that never ends, a page of 400 KB that is not read, an event stream that is not read. The row
 * also has what as many clients cost that send and read: the memory that the process needs to answer them at all.
 */
export async function slowClients(
  kind: EngineKind,
  count: number,
  runs: number,
  postgres: OwnPostgresServer,
): Promise<Row> {
  const slow: Cost[] = []
  const reading: Cost[] = []
  while (slow.length < runs) {
    slow.push(await costOf(kind, count, postgres, false))
    reading.push(await costOf(kind, count, postgres, true))
  }
  const each = (costs: Cost[], name: 'mb' | 'ms') => costs.map(cost => cost[name]).join(', ')
  return {
    fault: 'clients that send slowly or do not read answers and streams',
    engine: kind,
    amount: `${count} connections, ${runs} ${runs === 1 ? 'run' : 'runs'}`,
    result: `${each(slow, 'mb')} MB more memory, as many that send and read: ${each(reading, 'mb')} MB; another client was answered in ${each(slow, 'ms')} ms`,
    holds: slow.every(({ mb, status }) => mb < 50 && status === 200),
  }
}

interface Cost {
  mb: number
  ms: number
  status: number | undefined
}

/** By how much the memory of a new process grows. */
async function costOf(
  kind: EngineKind,
  count: number,
  postgres: OwnPostgresServer,
  reads: boolean,
): Promise<Cost> {
  const target = await newTarget({ env: await databaseFor(kind, postgres) })
  await target.start()
  const { url } = target
  await writeNotes(url)
  const keys = await newKeys(url, Math.ceil(count / 3 / MAX_STREAMS))
  // First uses make the process grow, whoever the client is: 51 MB in a run without the events and companies, 25 MB with.
  for (let i = 0; i < 50; i++) {
    await call(url, 'GET', PAGE)
    await call(url, 'GET', '/api/events?limit=100')
    await call(url, 'POST', '/api/companies', { name: 'Acme' })
  }
  const before = target.memory()
  const sockets = Array.from({ length: count }, (_, i) => holdOne(url, i, keys, reads))
  // long enough for the service to close connections that hold too much
  await pause(10_000)
  await writeNotes(url)
  const begun = performance.now()
  const answer = await call(url, 'GET', '/api/companies?page_size=1')
  const ms = Math.round(performance.now() - begun)
  const mb = Math.round(target.memory() - before)
  for (const socket of sockets) socket.destroy()
  await target.kill('SIGTERM')
  return { mb, ms, status: answer?.status }
}

async function writeNotes(url: string): Promise<void> {
  const content = 'x'.repeat(20_000)
  for (let i = 0; i < 100; i++) await call(url, 'POST', '/api/notes', { content })
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

function holdOne(url: string, turn: number, keys: string[], reads: boolean): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  if (reads) socket.resume()
  else socket.pause()
  const key = turn % 3 === 2 ? keys[Math.floor(turn / 3 / MAX_STREAMS)] : KEY
  const head = `HTTP/1.1\r\nhost: kith\r\nx-api-key: ${key}\r\n`
  const body = `{"name":"Acme"${' '.repeat(99_985)}}`
  const requests = [
    `POST /api/companies ${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${reads ? body : body.slice(0, 9)}`,
    `GET ${PAGE} ${head}\r\n`,
    `GET /api/events/stream?after=0 ${head}\r\n`,
  ]
  socket.write(requests[turn % 3] ?? '')
  return socket
}
