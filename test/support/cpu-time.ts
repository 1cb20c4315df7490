import { expect } from 'vitest'

/** Milliseconds of processor time of this thread: unlike the clock, the same on a busy machine. */
const cpuTime = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

async function timeOf(work: () => unknown): Promise<number> {
  const began = cpuTime()
  await work()
  return cpuTime() - began
}

/** Work that takes less than this need not be compared. */
const SOON = 1000

/** Garbage of other tests, collected during one measurement, took a second: the shortest of several counts. */
const ATTEMPTS = 6

/**
 * The time must grow with the size and not with its square: a quarter of the size takes about a quarter of the time,
 * where a square would take a sixteenth. A limit in milliseconds would depend on the machine.
 */
export async function expectLinear(work: (size: number) => unknown, size: number): Promise<void> {
  let whole = await timeOf(() => work(size))
  let quarter = Number.POSITIVE_INFINITY
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (whole < SOON) return
    quarter = Math.min(quarter, await timeOf(() => work(size / 4)))
    if (whole < 10 * quarter && attempt > 1) return
    whole = Math.min(whole, await timeOf(() => work(size)))
  }
  expect(whole).toBeLessThan(10 * quarter)
}
