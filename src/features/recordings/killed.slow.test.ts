/** A process is killed during a transcription: the next one writes every word once. */
import { describe, expect, it } from 'vitest'
import { SLOW, startKith, tempFolder, waitFor } from '../../../test/support/process.ts'
import { anyEngine, freshDatabase, type Item, request } from '../../../test/support/service.ts'
import { longCall } from './long-call.testing.ts'

const KEY = 'sk_killed_0123456789abcdef'
const headers = { 'x-api-key': KEY }
/** The process is killed after the first, long before the model has recognised the second. */
const TIMES = 2

describe.each(anyEngine)('a killed process (%s)', SLOW, kind => {
  it('leaves a recording that is transcribed exactly once', async () => {
    const database = kind === 'server' ? { DATABASE_URL: await freshDatabase() } : {}
    const env = {
      KITH_API_KEY: KEY,
      KITH_DATA_DIR: tempFolder(),
      KITH_JOB_HOLD_SECONDS: '1',
      KITH_LOG_LEVEL: 'error',
      ...database,
    }
    const first = await startKith({ env })
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(longCall(TIMES))]), 'long.wav')
    const sent = await request(`${first.url}/api/transcriptions`, 'POST', form, headers)
    expect(sent.status).toBe(202)
    const path = `/api/transcriptions/${sent.body.id}`
    const seen = async (url: string): Promise<Item> =>
      (await request(url + path, 'GET', undefined, headers)).body
    const midway = await waitFor(async () => {
      const now = await seen(first.url)
      return now.segments.length > 0 ? now : undefined
    })
    expect(midway).toMatchObject({ status: 'processing', text: null })
    expect(midway.progress).toBeGreaterThan(0)
    await first.stop('SIGKILL')

    const second = await startKith({ env })
    const done = await waitFor(async () => {
      const now = await seen(second.url)
      return now.status === 'completed' ? now : undefined
    })
    expect(done.segments).toHaveLength(TIMES)
    expect(done.text.match(/renewal of the contract/g)).toHaveLength(TIMES)
    const jobs = await request(`${second.url}/api/jobs?entity_id=${sent.body.id}`, 'GET', undefined, headers)
    await waitFor(async () => {
      const { body } = await request(`${second.url}/api/jobs/${done.job_id}`, 'GET', undefined, headers)
      return body.status === 'completed' || undefined
    })
    expect(jobs.body.total).toBe(1)
    await second.stop()
  })
})
