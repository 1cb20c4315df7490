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
  const whole = () => timeOf(() => work(size))
  const quarter = () => timeOf(() => work(size / 4))
  const first = await whole()
  if (first < SOON) return
  const limit = 10 * Math.min(await quarter(), await quarter())
  // The first time includes what the engine compiles.
  if (first >= limit) expect(await whole()).toBeLessThan(Math.max(SOON, limit))
}
