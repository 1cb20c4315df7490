/**
 * How many rows one transaction takes. Others wait for the embedded engine's one connection while it lasts: as soon as
 * somebody does, batches become small, and grow again when nobody has for a while.
 */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { Ctx } from '../../../kernel/context.ts'

export const BATCH = {
  server: { most: 1500, least: 100 },
  embedded: { most: 500, least: 50 },
}

export interface BatchSize {
  size(): number
  /** After each batch. A request that waits gets the connection, and half as long as the batch has had it. */
  emptyStages(isWaitedFor: boolean, ms: number): Promise<void>
}

export function batchSize(ctx: Ctx): BatchSize {
  const { most, least } = BATCH[ctx.services.engine.kind]
  let size = Math.min(most, 4 * least)
  return {
    size: () => size,
    async emptyStages(isWaitedFor, ms) {
      size = isWaitedFor ? Math.max(least, size >> 1) : Math.min(most, Math.ceil(size * 1.25))
      await turn()
      if (isWaitedFor) await pause(Math.min(ms / 2, 250))
    },
  }
}
