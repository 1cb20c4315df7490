/** Runs a plan and says what came out, with the records behind the figure. */
import type { Ctx } from '../../../kernel/context.ts'
import { type Answer, withinScopes } from '../prose/answer.ts'
import type { Plan } from './plan.ts'
import { compared, share } from './run/compared.ts'
import { lastContact } from './run/last-contact.ts'
import { records } from './run/records.ts'
import { groups, total } from './run/totals.ts'
import { winRate } from './run/win-rate.ts'

export const runPlan = (ctx: Ctx, plan: Plan): Promise<Answer> =>
  withinScopes(ctx, reading => run(reading, plan))

function run(ctx: Ctx, plan: Plan): Promise<Answer> {
  const { measure } = plan
  if (measure.kind === 'last contact') return lastContact(ctx, plan, measure.asks)
  if (measure.kind === 'compared') return compared(ctx, measure.sides)
  if (measure.kind === 'share') return share(ctx, measure.part, measure.whole)
  if (measure.kind === 'win rate') return winRate(ctx, plan)
  if (plan.groupBy) return groups(ctx, plan, plan.groupBy)
  if (measure.kind === 'sum' || measure.kind === 'average' || measure.kind === 'median')
    return total(ctx, plan, measure)
  return records(ctx, plan)
}
