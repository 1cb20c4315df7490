/** How many rows one transaction of an import takes. */
import type { Ctx } from '../../../kernel/context.ts'
import { type StepSize, stepSize } from '../../../kernel/step-size.ts'

export const BATCH = {
  server: { most: 1500, least: 100 },
  embedded: { most: 500, least: 50 },
}

export function batchSize(ctx: Ctx): StepSize {
  const { most, least } = BATCH[ctx.services.engine.kind]
  return stepSize({ most, least, first: 4 * least })
}
