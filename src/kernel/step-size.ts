/**
 * The number of items in one transaction of a long operation. On the embedded engine other requests wait for the one
 * connection meanwhile: when a statement has waited, the steps become smaller; while none waits, they grow again.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

export interface StepSize {
  size(): number
  /** Call it after each step. If a request waited, it pauses for half the duration of the step. */
  done(isWaitedFor: boolean, ms: number): Promise<void>
}

export function stepSize({ most, least, first }: { most: number; least: number; first: number }): StepSize {
  let size = Math.min(most, first)
  return {
    size: () => size,
    async done(isWaitedFor, ms) {
      size = isWaitedFor ? Math.max(least, size >> 1) : Math.min(most, Math.ceil(size * 1.25))
      await nextTurn()
      if (isWaitedFor) await pause(Math.min(ms / 2, 250))
    },
  }
}
