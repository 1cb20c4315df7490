/** A stop loses nothing: what was begun is answered, and whoever holds a connection is told. */
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { type RunningKith, SLOW, startKith, waitFor } from './support/process.ts'
import { type EngineKind, engines, freshDatabase, request } from './support/service.ts'

const KEY = 'sk_stopping_0123456789abc'
const HEAD = `host: kith\r\nx-api-key: ${KEY}\r\n`
const LIST = `GET /api/companies HTTP/1.1\r\n${HEAD}\r\n`
const READY = `GET /ready HTTP/1.1\r\n${HEAD}\r\n`
const BODY = '{"name":"Begun before the end"}'
const CREATE = `POST /api/companies HTTP/1.1\r\n${HEAD}content-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n`

async function start(kind: EngineKind, env: Record<string, string> = {}): Promise<RunningKith> {
  const database = kind === 'server' ? { DATABASE_URL: await freshDatabase() } : {}
  return startKith({ env: { KITH_API_KEY: KEY, ...STOP_TIMEOUT, ...database, ...env } })
}

/** A connection byte by byte. */
function dial({ url }: RunningKith) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  let received = ''
  let trouble: string | undefined
  socket.on('data', chunk => {
    received += chunk
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    trouble = error.code
  })
  const closed = new Promise<string>(resolve => socket.on('close', () => resolve(trouble ?? 'in peace')))
  const answers = () => received.split(/(?=HTTP\/1\.1 )/).filter(text => text !== '')
  return {
    closed,
    send: (text: string) => socket.write(text),
    /** The answers so far, once there are that many. */
    answers: (count: number) => waitFor(() => (answers().length >= count ? answers() : undefined)),
  }
}

const saysClose = (answer: string) => /^connection: close\r$/im.test(answer)
/** Far longer than any test takes: a process that ends before it has not waited for the timeout. */
const STOP_TIMEOUT = { KITH_STOP_TIMEOUT_MS: '150000' }
const exited = async (kith: RunningKith) => {
  const begun = Date.now()
  const code = await kith.exited
  expect(Date.now() - begun).toBeLessThan(Number(STOP_TIMEOUT.KITH_STOP_TIMEOUT_MS))
  return code
}
const stopping = (kith: RunningKith) =>
  waitFor(() => /stopping: \/ready now fails/.test(kith.stdout()) || undefined)

describe.each(engines)('SIGTERM (%s)', SLOW, kind => {
  it('finishes requests in flight, closes connections, and exits with 0', async () => {
    const kith = await start(kind)
    const [slow, idle, used, unused] = [dial(kith), dial(kith), dial(kith), dial(kith)]
    idle.send(LIST)
    used.send(LIST)
    slow.send(CREATE + BODY.slice(0, 10))
    expect((await idle.answers(1))[0]).toMatch(/^HTTP\/1\.1 200 /)
    await used.answers(1)
    kith.child.kill('SIGTERM')
    await stopping(kith)
    const since = dial(kith)
    since.send(CREATE + BODY.slice(0, 10))

    // Readiness is off for those who have a connection and for those who make one.
    used.send(READY)
    const [, red] = await used.answers(2)
    expect(red).toMatch(/^HTTP\/1\.1 503 .*\{"status":"stopping"\}$/s)
    expect(await request(`${kith.url}/ready`, 'GET')).toMatchObject({
      status: 503,
      body: { status: 'stopping' },
    })
    // Nobody else is turned away while it lasts.
    await kith.client.companies.list()
    // Of several requests at once, each is answered.
    const pipelined = dial(kith)
    pipelined.send(LIST + READY + LIST)
    const three = await pipelined.answers(3)
    expect(three.map(answer => answer.slice(9, 12))).toEqual(['200', '503', '200'])
    expect(three.map(saysClose)).toEqual([false, false, false])
    since.send(BODY.slice(10))
    const [kept] = await since.answers(1)
    expect(kept).toMatch(/^HTTP\/1\.1 201 /)
    expect(saysClose(kept!)).toBe(false)

    slow.send(BODY.slice(10))
    const [made] = await slow.answers(1)
    expect(made).toMatch(/^HTTP\/1\.1 201 .*"name":"Begun before the end"/s)
    expect(saysClose(made!)).toBe(true)
    expect(await exited(kith)).toBe(0)
    for (const connection of [slow, since, idle, used, unused, pipelined])
      expect(await connection.closed).toBe('in peace')
    expect(kith.log().at(-1)).toMatchObject({ msg: 'stopped' })
    expect(kith.stderr()).toBe('')
  })
})

/** What is the same whatever the database is tried on the one that starts sooner. */
const either = engines.at(-1)!

describe('SIGTERM', SLOW, () => {
  it('exits soon with idle connections, and at once without connections', async () => {
    const kith = await start(either, { KITH_LOG_LEVEL: 'silent' })
    const connections = Array.from({ length: 20 }, () => dial(kith))
    for (const connection of connections) connection.send(LIST)
    for (const connection of connections) await connection.answers(1)
    // As browsers do: opened in advance, never used.
    connections.push(dial(kith))
    // A connection that was not accepted before the listener closes is reset by the kernel. Connections are accepted in
    // order: once a later one is answered, the unused one has been accepted.
    const last = dial(kith)
    last.send(LIST)
    await last.answers(1)
    kith.child.kill('SIGINT')
    expect(await exited(kith)).toBe(0)
    for (const connection of connections) expect(await connection.closed).toBe('in peace')
  })

  it('counts as one signal when it arrives twice at once, and ends the process when it is repeated', async () => {
    const kith = await start(either)
    const slow = dial(kith)
    slow.send(CREATE + BODY.slice(0, 10))
    await waitFor(async () => (await request(`${kith.url}/metrics`, 'GET')).status === 200)
    kith.child.kill('SIGINT')
    kith.child.kill('SIGINT')
    await stopping(kith)
    // a signal that comes within 200 ms is the same one; this wait may take longer, never shorter
    await new Promise(resolve => setTimeout(resolve, 400))
    expect(kith.child.exitCode).toBe(null)
    kith.child.kill('SIGINT')
    expect(await exited(kith)).toBe(1)
    await slow.closed
  })

  it('does not wait forever', async () => {
    const kith = await start(either, { KITH_STOP_TIMEOUT_MS: '500' })
    const stuck = dial(kith)
    stuck.send(CREATE + BODY.slice(0, 10))
    await waitFor(async () => (await request(`${kith.url}/ready`, 'GET')).status === 200)
    kith.child.kill('SIGTERM')
    expect(await exited(kith)).toBe(0)
    expect(kith.log()).toContainEqual(
      expect.objectContaining({
        msg: 'stopping: closing the connections of requests that take too long',
        requests: 1,
      }),
    )
    await stuck.closed
  })

  it('accepts connections until /ready has failed once', async () => {
    const kith = await start(either)
    expect((await request(`${kith.url}/ready`, 'GET')).status).toBe(200)
    kith.child.kill('SIGTERM')
    await stopping(kith)
    for (let i = 0; i < 20; i++) await kith.client.companies.list()
    expect((await request(`${kith.url}/ready`, 'GET')).status).toBe(503)
    await kith.client.companies.list()
    expect(await exited(kith)).toBe(0)
  })

  it('accepts connections for KITH_DRAIN_MS while /ready fails', async () => {
    const kith = await start(either, { KITH_DRAIN_MS: '4000' })
    const begun = Date.now()
    kith.child.kill('SIGTERM')
    await stopping(kith)
    expect((await request(`${kith.url}/ready`, 'GET')).status).toBe(503)
    await kith.client.companies.list()
    expect(await kith.exited).toBe(0)
    expect(Date.now() - begun).toBeGreaterThanOrEqual(4000)
  })
})

describe.runIf(engines.includes('server'))('SIGTERM under load (server)', SLOW, () => {
  it('answers requests that the database delays, including several on one connection', async () => {
    const url = await freshDatabase()
    const kith = await startKith({ env: { KITH_API_KEY: KEY, ...STOP_TIMEOUT, DATABASE_URL: url } })
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    await holder.query('begin; lock table kith.companies')
    const held = dial(kith)
    held.send(LIST + LIST + CREATE + BODY)
    await waitFor(async () => {
      const { rows } = await holder.query(
        `select from pg_locks where not granted and relation = 'kith.companies'::regclass`,
      )
      return rows.length >= 3 || undefined
    })
    kith.child.kill('SIGTERM')
    await stopping(kith)
    // Answers within 50 ms of the signal may keep their connection; these are held up for longer.
    await holder.query('select pg_sleep(2)')
    await holder.query('commit')
    await holder.end()
    const answers = await held.answers(3)
    expect(answers.map(answer => answer.slice(9, 12))).toEqual(['200', '200', '201'])
    expect(answers.map(saysClose)).toEqual([false, false, true])
    expect(await held.closed).toBe('in peace')
    expect(await exited(kith)).toBe(0)
  })

  it('neither refuses nor aborts requests of a constantly active client', async () => {
    const kith = await start('server', { KITH_LOG_LEVEL: 'warn' })
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    const seen: Record<string, number> = {}
    const note = (what: string) => {
      seen[what] = (seen[what] ?? 0) + 1
      return what
    }
    const once = () =>
      new Promise<string>(resolve => {
        const call = get(`${kith.url}/api/companies`, { agent, headers: { 'x-api-key': KEY } }, response => {
          response.resume().on('end', () => resolve(note(String(response.statusCode))))
        })
        call.on('error', (error: NodeJS.ErrnoException) => {
          // A new connection that still waits in the kernel's queue when the listener closes is reset there,
          // unseen by the service: it is refused like those that come after it.
          const unseen = error.code === 'ECONNRESET' && !call.reusedSocket
          resolve(note(unseen ? 'ECONNREFUSED' : (error.code ?? error.message)))
        })
      })
    const caller = async () => {
      while ((await once()) === '200');
    }
    const callers = Array.from({ length: 20 }, caller)
    await waitFor(() => (seen['200'] ?? 0) > 200 || undefined)
    kith.child.kill('SIGTERM')
    await Promise.all(callers)
    expect(await kith.exited).toBe(0)
    // Refused by the operating system once nobody listens any more: that is how a load balancer knows.
    expect(Object.keys(seen).sort()).toEqual(['200', 'ECONNREFUSED'])
    expect(seen.ECONNREFUSED).toBe(20)
  })
})
