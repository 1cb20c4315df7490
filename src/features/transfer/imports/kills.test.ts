/**
 * The process is killed again and again in the middle of an import. What is there at the end, and what is reported,
 * is the same as after a quiet run. `KITH_KILLS=20 KITH_KILL_ROWS=50000` runs it at full length.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type EngineKind, engines, freshDatabase, request } from '../../../../test/support/service.ts'
import { formOf } from './testing.ts'

const KILLS = Number(process.env.KITH_KILLS ?? 2)
const ROWS = Number(process.env.KITH_KILL_ROWS ?? 1000)
const KEY = 'sk_kills_0123456789abcdef'
const root = resolve(import.meta.dirname, '../../../..')

/** Good rows, bad rows, repeated people, people of the same companies, however they are written. */
const file = [
  'First Name,Last Name,Email,Company Name,Labels,Birthday',
  ...Array.from({ length: ROWS }, (_, i) => {
    const n = i % 97 === 0 ? Math.floor(i / 2) : i
    const email = i % 53 === 0 ? `broken ${i}` : `person${n}@example.com`
    const company = i % 3 === 0 ? '' : i % 2 === 0 ? `Company ${i % 200}` : `COMPANY ${i % 200}`
    return `First${n},"Last ""${i}""",${email},${company},${i % 5 === 0 ? `group ${i % 7}` : ''},${i % 101 === 0 ? '31.31.2020' : ''}`
  }),
].join('\n')

interface Running {
  child: ChildProcess
  url: string
}

const alive = new Set<ChildProcess>()
const folders: string[] = []
afterAll(() => {
  for (const child of alive) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function place(kind: EngineKind) {
  const dataDir = mkdtempSync(join(tmpdir(), 'kith-kills-'))
  folders.push(dataDir)
  return {
    KITH_DATA_DIR: dataDir,
    ...(kind === 'server' ? { DATABASE_URL: await freshDatabase() } : {}),
  }
}

async function started(where: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, ['bin/kith.mjs', 'start'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      KITH_API_KEY: KEY,
      KITH_LOG_LEVEL: 'error',
      KITH_JOB_HOLD_SECONDS: '1',
      KITH_INDEXER: 'off',
      ...where,
    },
  })
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  let said = ''
  for await (const chunk of child.stdout!) {
    said += chunk
    const url = /running at (\S+)/.exec(said)?.[1]
    if (url) {
      child.stdout!.resume()
      return { child, url }
    }
  }
  throw new Error(`the service did not start: ${said}`)
}

const call = (url: string, method: string, path: string, body?: unknown) =>
  request(url + path, method, body, { 'x-api-key': KEY })

async function begun(url: string): Promise<string> {
  const upload = await call(url, 'POST', '/api/imports', formOf(file, { entity_type: 'contact' }))
  expect(upload, upload.text).toMatchObject({ status: 201, body: { total_rows: ROWS } })
  expect((await call(url, 'POST', `/api/imports/${upload.body.id}/start`)).status).toBe(202)
  return upload.body.id
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Looks until the import has come further than `than`, or is done; answers how far it is. */
async function further(
  url: string,
  id: string,
  than: number,
): Promise<{ processed_rows: number; status: string }> {
  for (let i = 0; i < 2000 + ROWS; i++) {
    const { body } = await call(url, 'GET', `/api/imports/${id}`)
    if (body.status !== 'running' || body.processed_rows > than) return body
    await pause(20)
  }
  throw new Error('the import does not go on')
}

/** Everything that an import leaves behind, but for what is different each time by nature. */
async function outcome(url: string, id: string) {
  const { body } = await call(url, 'GET', `/api/imports/${id}`)
  const errors = await call(url, 'GET', `/api/imports/${id}/errors.csv`)
  const texts = []
  for (const [entity_type, fields] of [
    ['contact', ['first_name', 'last_name', 'email', 'company_name', 'tags', 'birthday']],
    ['company', ['name']],
  ] as const) {
    const made = await call(url, 'POST', '/api/exports', { entity_type, fields })
    await call(url, 'GET', `/api/jobs/${made.body.job_id}/events`)
    texts.push((await call(url, 'GET', `/api/exports/${made.body.id}/download`)).text)
  }
  const { items } = (await call(url, 'GET', '/api/operations')).body
  const { status, total_rows, processed_rows, created_count, updated_count, skipped_count, error_count } =
    body
  return {
    counts: { status, total_rows, processed_rows, created_count, updated_count, skipped_count, error_count },
    operation: { kind: items[0].kind, record_count: items[0].record_count },
    errors: errors.text,
    contacts: texts[0],
    companies: texts[1],
  }
}

describe.each(engines)('an import under kill -9 (%s)', kind => {
  it(
    `goes on where it was, ${KILLS} times`,
    async () => {
      const quiet = await started(await place(kind))
      const quietId = await begun(quiet.url)
      const begunAt = performance.now()
      while ((await further(quiet.url, quietId, ROWS)).status === 'running') await pause(50)
      // on a fast machine the pauses before the kills are shorter, so that there is something left to kill
      const pauseMs = Math.min(150, (performance.now() - begunAt) / (2 * KILLS))
      const expected = await outcome(quiet.url, quietId)
      quiet.child.kill('SIGKILL')
      expect(expected.counts).toMatchObject({ status: 'completed', processed_rows: ROWS })
      expect(expected.counts.error_count).toBeGreaterThan(ROWS / 60)

      const where = await place(kind)
      let service = await started(where)
      const id = await begun(service.url)
      let done = -1
      let kills = 0
      while (kills < KILLS) {
        const { processed_rows, status } = await further(service.url, id, done)
        if (status !== 'running') break
        done = processed_rows
        await pause(Math.random() * pauseMs)
        service.child.kill('SIGKILL')
        await once(service.child, 'exit')
        kills++
        service = await started(where)
      }
      while ((await further(service.url, id, ROWS)).status === 'running') await pause(50)
      expect(await outcome(service.url, id)).toEqual(expected)
      service.child.kill('SIGKILL')
      expect(kills).toBeGreaterThan(Math.min(KILLS, 3) - 1)
    },
    240_000 + KILLS * 20_000 + ROWS * 10,
  )
})
