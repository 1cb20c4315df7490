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

/**
 * The time must grow with the size and not with its square: a quarter of the size takes about a quarter of the time,
 * where a square would take a sixteenth. A limit in milliseconds would depend on the machine.
 */
export async function expectLinear(work: (size: number) => unknown, size: number): Promise<void> {
  if ((await timeOf(() => work(size))) < SOON) return
  const quarter = () => timeOf(() => work(size / 4))
  const quarterTime = Math.min(await quarter(), await quarter())
  expect(await timeOf(() => work(size))).toBeLessThan(Math.max(SOON, 10 * quarterTime))
}
