/**
 * `npm run bench:events -- [server|embedded]`: what events cost writers while a stream or a webhook reads them, what 500
 * streams cost in memory, and how soon another process sees an event.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AS_STARTED } from './as-started.ts'
import { type BenchService, benchService } from './service.ts'

const engine = process.argv[2] === 'embedded' ? 'embedded' : 'server'
const PORT = 18_731
const WRITES = Number(process.env.KITH_BENCH_WRITES ?? 300)
const ROUNDS = 3
const STREAMS = 500
const STREAMS_OF_A_KEY = 20

const json = 'application/json'
const service = await benchService(engine, PORT, { KITH_WEBHOOK_ALLOW: '127.0.0.0/8', KITH_INDEXER: 'false' })
let received = 0
const receiver = http.createServer((request, response) => {
  request.resume().on('end', () => {
    received++
    response.end()
  })
})
await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
try {
  const companies = await Promise.all(
    Array.from({ length: 20 }, (_, i) => create('/api/companies', { name: `C${i}` })),
  )
  let written = 0
  const write = async () => {
    for (let i = 0; i < WRITES; i++) {
      const { id } = companies[i % companies.length]!
      await service.call('PUT', `/api/companies/${id}`, JSON.stringify({ city: `City ${written++}` }), json)
    }
  }
  await write()
  const times: Record<string, { ms: number[]; cpu: number[] }> = {}
  const round = async (name: string, settled: () => Promise<void>) => {
    const [began, cpu] = [performance.now(), service.cpu()]
    await write()
    const ms = performance.now() - began
    await settled()
    times[name] ??= { ms: [], cpu: [] }
    const time = times[name]
    time.ms.push(ms / WRITES)
    time.cpu.push((service.cpu() - cpu) / WRITES)
  }
  for (let i = 0; i < ROUNDS; i++) {
    await round('nobody reads', async () => {})
    const stream = await openStream(service.headers)
    await round('a stream reads', () => until(() => stream.events >= WRITES))
    stream.close()
    const { port } = receiver.address() as AddressInfo
    const hook = await create('/api/webhooks', { url: `http://127.0.0.1:${port}/`, event_types: ['*'] })
    received = 0
    await round('a webhook is sent', () => until(() => received >= WRITES))
    await service.call('DELETE', `/api/webhooks/${hook.id}`)
  }
  console.log(`${engine}: a write and its event, medians of ${ROUNDS} rounds of ${WRITES}`)
  const base = times['nobody reads']!
  for (const [name, { ms, cpu }] of Object.entries(times))
    console.log(
      `${name.padEnd(20)} ${median(ms).toFixed(2)} ms a write (${(median(ms) / median(base.ms)).toFixed(2)}), ` +
        `${median(cpu).toFixed(2)} ms of the process (${(median(cpu) / median(base.cpu)).toFixed(2)})`,
    )

  const keys: string[] = []
  for (let i = 0; i < STREAMS / STREAMS_OF_A_KEY; i++)
    keys.push((await create('/api/api-keys', { name: `Key ${i}` })).key)
  const before = service.memory()
  const streams: Awaited<ReturnType<typeof openStream>>[] = []
  for (let i = 0; i < STREAMS; i++)
    streams.push(await openStream({ 'x-api-key': keys[Math.floor(i / STREAMS_OF_A_KEY)]! }))
  const opened = service.memory()
  let most = opened
  const timer = setInterval(() => {
    most = Math.max(most, service.memory())
  }, 20)
  for (let i = 0; i < 20; i++)
    await service.call(
      'PUT',
      `/api/companies/${companies[i]!.id}`,
      JSON.stringify({ city: `${Date.now()}` }),
      json,
    )
  const began = performance.now()
  await until(() => streams.every(({ events }) => events >= 20))
  clearInterval(timer)
  console.log(
    `${STREAMS} streams: ${(opened - before).toFixed(0)} MB open, ${(most - before).toFixed(0)} MB while each gets 20 events, ` +
      `${(performance.now() - began).toFixed(0)} ms after the last write`,
  )
  for (const stream of streams) stream.close()
  if (engine === 'server') await otherProcess(service)
} finally {
  await service.stop()
  receiver.closeAllConnections()
  receiver.close()
}

/** How long after the answer to a write a stream of another process has its event. */
async function otherProcess({ databaseUrl, headers }: BenchService): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kith-bench-'))
  const env = { ...process.env, PORT: String(PORT + 1), DATABASE_URL: databaseUrl, KITH_DATA_DIR: dataDir }
  const other = spawn(process.execPath, AS_STARTED, {
    stdio: 'ignore',
    env: { ...env, KITH_INDEXER: 'false' },
  })
  await until(
    async () => (await fetch(`http://127.0.0.1:${PORT + 1}/ready`).catch(() => undefined))?.ok === true,
  )
  const stream = await openStream(headers, PORT + 1)
  const waits: number[] = []
  for (let i = 1; i <= 20; i++) {
    await create('/api/companies', { name: `Other ${i}` })
    const began = performance.now()
    await until(() => stream.events >= i)
    waits.push(performance.now() - began)
  }
  stream.close()
  other.kill('SIGTERM')
  rmSync(dataDir, { recursive: true, force: true })
  console.log(
    `another process: median ${median(waits).toFixed(0)} ms, at most ${Math.max(...waits).toFixed(0)} ms`,
  )
}

async function create(path: string, body: object): Promise<{ id: string; key: string }> {
  const response = await service.call('POST', path, JSON.stringify(body), json)
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { id: string; key: string }
}

/** A stream by a plain request: a client of 500 streams must not need more memory than the service. */
function openStream(
  headers: Record<string, string>,
  port = PORT,
): Promise<{ events: number; close(): void }> {
  return new Promise((resolve, reject) => {
    const request = http.get(
      { port, host: '127.0.0.1', path: '/api/events/stream', headers, agent: false },
      response => {
        const stream = { events: 0, close: () => request.destroy() }
        if (response.statusCode !== 200) reject(new Error(`a stream was answered ${response.statusCode}`))
        response.setEncoding('utf8').on('data', (text: string) => {
          stream.events += text.split('\nevent: ').length - 1
          resolve(stream)
        })
        response.on('error', () => {})
      },
    )
    request.on('error', reject)
  })
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise(resolve => setTimeout(resolve, 5))
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
