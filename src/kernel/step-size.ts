/**
 * How many items one transaction of a long operation takes. On the embedded engine, others wait for its one connection
 * meanwhile: once a statement has waited, steps become smaller; they grow again while none waits.
 */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'

export interface StepSize {
  size(): number
  /** After each step. A request that waited gets the connection, for half as long as the step had it. */
  done(isWaitedFor: boolean, ms: number): Promise<void>
}

export function stepSize({ most, least, first }: { most: number; least: number; first: number }): StepSize {
  let size = Math.min(most, first)
  return {
    size: () => size,
    async done(isWaitedFor, ms) {
      size = isWaitedFor ? Math.max(least, size >> 1) : Math.min(most, Math.ceil(size * 1.25))
      await turn()
      if (isWaitedFor) await pause(Math.min(ms / 2, 250))
    },
  }
}
