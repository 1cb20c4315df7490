/** Webhooks of a service that is killed again and again: nothing is lost, and each record keeps its order. */
import { describe, expect, it } from 'vitest'
import type { Event, Kith } from '#client'
import { SLOW, startKith, tempFolder, waitFor } from '../../../test/support/process.ts'
import { anyEngine, freshDatabase } from '../../../test/support/service.ts'
import { receiver, sequencesByRecord } from './receiver.testing.ts'

const FULL = process.env.KITH_TEST_FULL === 'true'
const [KILLS, CHANGES, RECORDS, WRITERS] = FULL ? [20, 10_000, 200, 4] : [1, 80, 10, 4]
const KEY = 'sk_webhooks_0123456789abcdef'

describe.each(anyEngine)('webhooks (%s)', { timeout: FULL ? 1_800_000 : SLOW.timeout }, kind => {
  it('lose nothing and keep the order of each record when processes are killed', async () => {
    const env = {
      KITH_API_KEY: KEY,
      KITH_DATA_DIR: tempFolder(),
      KITH_LOG_LEVEL: 'error',
      KITH_RATE_LIMIT: '0',
      KITH_WEBHOOK_ALLOW: '127.0.0.0/8',
      KITH_WEBHOOK_RETRY_SECONDS: '1',
      KITH_JOB_HOLD_SECONDS: '1',
      ...(kind === 'server' ? { DATABASE_URL: await freshDatabase() } : {}),
    }
    let kith = await startKith({ env })
    /** A request whose process was killed is repeated; it may have been carried out all the same. */
    const insist = <T>(call: (client: Kith) => Promise<T>) =>
      waitFor(() => call(kith.client).catch(() => undefined))
    const taker = await receiver()
    let count = 0
    taker.react = () => ({ status: ++count % 50 === 0 ? 500 : 200 })
    await kith.client.webhooks.create({ url: taker.url, event_types: ['company.*'] })
    const companies: string[] = []
    for (let i = 0; i < RECORDS; i++)
      companies.push((await kith.client.companies.create({ name: `C${i}` })).id)

    let written = 0
    const writers = Array.from({ length: WRITERS }, async () => {
      for (let n = written++; n < CHANGES; n = written++)
        await insist(client => client.companies.update(companies[n % RECORDS]!, { city: `City ${n}` }))
    })
    for (let kill = 1; kill <= KILLS; kill++) {
      await waitFor(() => (written > (kill * CHANGES) / (KILLS + 1) ? true : undefined), SLOW.timeout)
      await kith.stop('SIGKILL')
      kith = await startKith({ env })
    }
    await Promise.all(writers)

    const expected: Event[] = []
    for await (const event of kith.client.events.all({ types: 'company.*' })) expected.push(event)
    const accepted = () => new Set(taker.accepted.map(({ event }) => event.sequence))
    await waitFor(() => (accepted().size >= expected.length ? true : undefined), SLOW.timeout)
    expect([...accepted()].sort((a, b) => a - b)).toEqual(expected.map(({ sequence }) => sequence))
    const orderOf = Map.groupBy(expected, ({ record }) => record.id)
    for (const [id, sequences] of sequencesByRecord(taker.accepted))
      expect(sequences).toEqual(orderOf.get(id)?.map(({ sequence }) => sequence))
    if (FULL)
      console.log(
        `${kind}: ${expected.length} events, ${taker.accepted.length - expected.length} of them twice`,
      )
    await kith.stop()
  })
})
