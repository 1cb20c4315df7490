/** Too many clients, slow clients and a full disk. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type OwnPostgresServer, startOwnPostgresServer } from '../../test/support/postgres-server.ts'
import type { Row } from './deaths.ts'
import {
  databaseFor,
  type EngineKind,
  KEY,
  newFolder,
  newTarget,
  pause,
  type Target,
  timeLimit,
} from './service.ts'
import { call } from './writers.ts'

/** Two processes behind a proxy that routes requests by /ready, which it probes ten times a second. */
export async function rollingRestart(requests: number, postgres: OwnPostgresServer): Promise<Row> {
  const env = { ...(await databaseFor('server', postgres)), KITH_POOL_SIZE: '5' }
  const targets = [await newTarget({ env }), await newTarget({ env })]
  for (const target of targets) await target.start()
  const proxy = await startProxy(targets)
  const failures = new Map<string, number>()
  let sent = 0
  let isOver = false
  const agent = new Agent({ keepAlive: true })
  const client = async () => {
    while (!isOver) {
      sent++
      const outcome = await ask(proxy.url, agent)
      if (outcome !== '200') failures.set(outcome, (failures.get(outcome) ?? 0) + 1)
    }
  }
  const clients = Array.from({ length: 8 }, client)
  const isTimeUp = timeLimit()
  let restarts = 0
  try {
    while (restarts < 4 || (sent < requests && !isTimeUp())) {
      const target = targets[restarts % 2]
      await target?.kill('SIGTERM')
      await target?.start()
      restarts++
      // As a deployment does: the next process stops when the proxy has found this one ready, however slow the machine is.
      while (target && !proxy.isReady(target)) await pause(50)
      await pause(500)
    }
  } finally {
    // Also after a process that did not start: the clients would go on without end.
    isOver = true
    await Promise.all(clients)
    proxy.close()
    agent.destroy()
  }
  for (const target of targets) await target.kill('SIGTERM')
  const failed = [...failures].map(([what, n]) => `${n} × ${what}`).join(', ')
  return {
    fault: 'rolling restart of two processes behind a proxy',
    engine: 'server',
    amount: `${restarts} restarts, ${sent} requests`,
    result: failed || '0 failed',
    holds: failures.size === 0,
  }
}

const ask = (url: string, agent: Agent): Promise<string> =>
  new Promise(resolve => {
    get(`${url}/api/companies?page_size=1`, { agent, headers: { 'x-api-key': KEY } }, answer => {
      answer
        .resume()
        .on('end', () => {
          const reason = answer.headers['x-reason']
          resolve(reason === undefined ? String(answer.statusCode) : `${answer.statusCode} (${reason})`)
        })
        .on('error', error => resolve(error.message))
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })

async function startProxy(targets: Target[]) {
  const ready = new Set(targets)
  const agent = new Agent({ keepAlive: true })
  let isOpen = true
  // One probe of a process at a time, as proxies do: the answers to two could come in the wrong order.
  const probe = async (target: Target) => {
    const answer = await fetch(`${target.url}/ready`).catch(() => undefined)
    await answer?.text()
    if (answer?.status === 200) ready.add(target)
    else ready.delete(target)
  }
  const watch = async (target: Target) => {
    for (; isOpen; await pause(100)) await probe(target)
  }
  // A process whose /ready was never probed assumes that there is no proxy.
  await Promise.all(targets.map(probe))
  for (const target of targets) void watch(target)
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const candidates = [...ready]
    const target = candidates[turn++ % candidates.length]
    if (!target) return outgoing.writeHead(502, { 'x-reason': 'no process is ready' }).end()
    const forwarded = httpRequest(
      target.url + incoming.url,
      { agent, method: incoming.method, headers: incoming.headers },
      answer => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    forwarded.on('error', (error: NodeJS.ErrnoException) => {
      const reason = `${error.code ?? error.message}${forwarded.reusedSocket ? ' on a connection that was used before' : ''}`
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502, { 'x-reason': reason }).end()
    })
    return incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.on('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isReady: (target: Target) => ready.has(target),
    close() {
      isOpen = false
      agent.destroy()
      server.close()
    },
  }
}

export async function smallPool(clients: number, postgres: OwnPostgresServer): Promise<Row> {
  const target = await newTarget({ env: { ...(await databaseFor('server', postgres)), KITH_POOL_SIZE: '3' } })
  await target.start()
  const statuses = new Map<number, number>()
  let slowest = 0
  let withoutHint = 0
  const one = async () => {
    for (let i = 0; i < 10; i++) {
      const begun = performance.now()
      const answer = await call(
        target.url,
        i % 2 ? 'GET' : 'POST',
        '/api/companies',
        i % 2 ? undefined : { name: 'A' },
      )
      slowest = Math.max(slowest, performance.now() - begun)
      statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1)
      if (answer?.status === 503 && answer.retryAfter === null) withoutHint++
    }
  }
  await Promise.all(Array.from({ length: clients }, one))
  await target.kill('SIGTERM')
  return {
    fault: `pool of 3 connections, ${clients} clients`,
    engine: 'server',
    amount: `${clients * 10} requests`,
    result: `${[...statuses].map(([status, n]) => `${n} × ${status || 'no answer'}`).join(', ')}; slowest ${(slowest / 1000).toFixed(1)} s`,
    holds: withoutHint === 0 && [...statuses.keys()].every(status => [200, 201, 503].includes(status)),
  }
}

/** The size of the disk that becomes full. A new data folder takes 60 MB on the embedded engine, 120 MB on a server. */
const DISK_MB = { embedded: 96, server: 256 }

/** The disk of the database becomes full, and then has free space again. */
export async function fullDisk(kind: EngineKind): Promise<Row> {
  const folder = newFolder()
  const size = DISK_MB[kind]
  const row = { fault: 'disk full, then room again', engine: kind, amount: `tmpfs of ${size} MB` }
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return {
      ...row,
      result: 'skipped: mounting a file system is not permitted here',
      holds: true,
      isSkipped: true,
    }
  }
  // The server runs as another user than root.
  chmodSync(folder, 0o755)
  const postgres =
    kind === 'server' ? await startOwnPostgresServer({ durable: true, parent: folder }) : undefined
  const target = await newTarget(
    postgres ? { env: await databaseFor('server', postgres) } : { dataDir: folder },
  )
  try {
    await target.start()
    return { ...row, ...(await fillAndFree(target.url, folder)) }
  } finally {
    await target.kill('SIGKILL')
    await postgres?.stop()
    execFileSync('umount', [folder])
  }
}

async function fillAndFree(url: string, folder: string): Promise<Pick<Row, 'result' | 'holds'>> {
  const filler = join(folder, 'filler')
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - 4 * 1024 * 1024)))
  const stored: unknown[] = []
  let refused = 'never'
  for (let i = 0; i < 200 && refused === 'never'; i++) {
    const answer = await call(url, 'POST', '/api/notes', { content: randomBytes(60_000).toString('base64') })
    if (answer?.status === 201) stored.push(answer.body.id)
    else refused = answer ? `${answer.status} ${answer.body.detail}` : 'no answer'
  }
  const reading = (await call(url, 'GET', '/api/notes?page_size=1'))?.status
  rmSync(filler)
  let again: number | undefined
  for (let i = 0; i < 100 && again !== 201; i++) {
    again = (await call(url, 'POST', '/api/notes', { content: 'again' }))?.status
    await pause(100)
  }
  let lost = 0
  for (const id of stored) if ((await call(url, 'GET', `/api/notes/${id}`))?.status !== 200) lost++
  return {
    result: `${stored.length} written, then "${refused}"; a list meanwhile: ${reading}; ${lost} lost; with room again: ${again}`,
    holds: lost === 0 && again === 201 && refused.startsWith('507'),
  }
}
