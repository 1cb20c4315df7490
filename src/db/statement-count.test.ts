import { expect, it } from 'vitest'
import { statementCount } from './statement-count.ts'

const never = new AbortController().signal

it('resolves once there are more statements than the given number', async () => {
  const count = statementCount()
  let isOver = false
  const waiting = count.above(1, never).then(() => {
    isOver = true
  })
  count.add()
  await Promise.resolve()
  expect([count.value, isOver]).toEqual([1, false])
  count.add()
  await waiting
  expect(isOver).toBe(true)
  await count.above(1, never)
})

it('resolves when it is aborted', async () => {
  const stopping = new AbortController()
  const waiting = statementCount().above(0, stopping.signal)
  stopping.abort()
  await waiting
  await statementCount().above(0, stopping.signal)
})
