/**
 * The process is killed again and again in the middle of an import. What is there at the end, and what is reported,
 * is the same as after a quiet run. `KITH_KILLS=20 KITH_KILL_ROWS=50000` runs it at full length.
 */
import { describe, expect, it } from 'vitest'
import { type RunningKith, startKith, tempFolder } from '../../../../test/support/process.ts'
import {
  type Answer,
  type EngineKind,
  engines,
  freshDatabase,
  newAccount,
  request,
} from '../../../../test/support/service.ts'
import { formOf } from './testing.ts'

const KILLS = Number(process.env.KITH_KILLS ?? 2)
const ROWS = Number(process.env.KITH_KILL_ROWS ?? 1000)
const KEY = 'sk_kills_0123456789abcdef'

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

const settingsOf = async (kind: EngineKind) => ({
  KITH_API_KEY: KEY,
  KITH_DATA_DIR: tempFolder(),
  KITH_LOG_LEVEL: 'error',
  KITH_JOB_HOLD_SECONDS: '1',
  ...(kind === 'server' ? { DATABASE_URL: await freshDatabase() } : {}),
})

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

const caller =
  ({ url }: RunningKith): Call =>
  (method, path, body) =>
    request(url + path, method, body, { 'x-api-key': KEY })

async function begun(call: Call): Promise<string> {
  const upload = await call('POST', '/api/imports', formOf(file, { entity_type: 'contact' }))
  expect(upload, upload.text).toMatchObject({ status: 201, body: { total_rows: ROWS } })
  expect((await call('POST', `/api/imports/${upload.body.id}/start`)).status).toBe(202)
  return upload.body.id
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Looks until the import has come further than `than`, or is done; answers how far it is. */
async function further(
  call: Call,
  id: string,
  than: number,
): Promise<{ processed_rows: number; status: string }> {
  for (let i = 0; i < 2000 + ROWS; i++) {
    const { body } = await call('GET', `/api/imports/${id}`)
    if (body.status !== 'running' || body.processed_rows > than) return body
    await pause(20)
  }
  throw new Error('the import does not go on')
}

/** Everything that an import leaves behind, but for what is different each time by nature. */
async function outcome(call: Call, id: string) {
  const { body } = await call('GET', `/api/imports/${id}`)
  const errors = await call('GET', `/api/imports/${id}/errors.csv`)
  const texts = []
  for (const [entity_type, fields] of [
    ['contact', ['first_name', 'last_name', 'email', 'company_name', 'tags', 'birthday']],
    ['company', ['name']],
  ] as const) {
    const made = await call('POST', '/api/exports', { entity_type, fields })
    await call('GET', `/api/jobs/${made.body.job_id}/events`)
    texts.push((await call('GET', `/api/exports/${made.body.id}/download`)).text)
  }
  const { items } = (await call('GET', '/api/operations')).body
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
      const { call: quiet } = await newAccount(kind)
      const quietId = await begun(quiet)
      const begunAt = performance.now()
      while ((await further(quiet, quietId, ROWS)).status === 'running') await pause(50)
      // on a fast machine the pauses before the kills are shorter, so that there is something left to kill
      const pauseMs = Math.min(150, (performance.now() - begunAt) / (2 * KILLS))
      const expected = await outcome(quiet, quietId)
      expect(expected.counts).toMatchObject({ status: 'completed', processed_rows: ROWS })
      expect(expected.counts.error_count).toBeGreaterThan(ROWS / 60)

      const env = await settingsOf(kind)
      let kith = await startKith({ env })
      const id = await begun(caller(kith))
      let done = -1
      let kills = 0
      while (kills < KILLS) {
        const { processed_rows, status } = await further(caller(kith), id, done)
        if (status !== 'running') break
        done = processed_rows
        await pause(Math.random() * pauseMs)
        await kith.stop('SIGKILL')
        kills++
        kith = await startKith({ env })
      }
      while ((await further(caller(kith), id, ROWS)).status === 'running') await pause(50)
      expect(await outcome(caller(kith), id)).toEqual(expected)
      expect(kills).toBeGreaterThan(Math.min(KILLS, 3) - 1)
    },
    240_000 + KILLS * 20_000 + ROWS * 10,
  )
})
