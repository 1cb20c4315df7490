/** The fault runs in small. `npm run faults` does the same with large numbers, and more (docs/trust.md). */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseRestarts, kills } from '../tools/faults/deaths.ts'
import { powerFailures } from '../tools/faults/power.ts'
import { cleanUp } from '../tools/faults/service.ts'
import { type OwnPostgresServer, startOwnPostgresServer } from './support/postgres-server.ts'
import { SLOW } from './support/process.ts'
import { engines } from './support/service.ts'

let postgres: OwnPostgresServer
beforeAll(async () => {
  postgres = await startOwnPostgresServer({ durable: true })
}, SLOW.timeout)
afterAll(async () => {
  cleanUp()
  await postgres.stop()
})

const holding = { result: expect.stringContaining('0 lost, 0 doubled'), holds: true }

it.each(engines)('a kill loses and doubles nothing (%s)', SLOW, async kind => {
  expect(await kills(kind, 1, postgres)).toMatchObject(holding)
})

it.runIf(engines.includes('server'))('nor does a crash of PostgreSQL', SLOW, async () => {
  expect(await databaseRestarts(2, postgres)).toMatchObject(holding)
})

it.runIf(engines.includes('embedded'))('nor does a power failure', SLOW, async () => {
  expect(await powerFailures(1)).toMatchObject(holding)
})
