import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { idleClient } from './idle-client.ts'

it('takes a client that is idle, unless another caller waits for one or the pool ends', async () => {
  const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 1 })
  onTestFinished(() => (pool.ended ? undefined : pool.end()))
  expect(idleClient(pool)).toBeUndefined()
  const first = await pool.connect()
  expect(idleClient(pool)).toBeUndefined()
  first.release()
  const taken = idleClient(pool)
  expect(taken).toBe(first)
  expect(pool.idleCount).toBe(0)
  const waiting = pool.connect()
  taken?.release()
  expect(idleClient(pool)).toBeUndefined()
  const second = await waiting
  second.release()
  expect(pool.idleCount).toBe(1)
  const early = pool.connect()
  // it is handed out in the next turn
  expect([pool.idleCount, pool.waitingCount]).toEqual([1, 1])
  expect(idleClient(pool)).toBeUndefined()
  ;(await early).release()
  const ended = pool.end()
  expect(idleClient(pool)).toBeUndefined()
  await ended
})
