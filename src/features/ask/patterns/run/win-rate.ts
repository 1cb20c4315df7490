/** How many of the deals that came to an end were won, also for each of something. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../../kernel/context.ts'
import { rows } from '../../../../kernel/statements.ts'
import type { Answer } from '../../prose/answer.ts'
import type { Plan } from '../plan.ts'
import { answer, cite, number } from './said.ts'
import { found, source } from './select.ts'

interface Ended {
  label: string | null
  won: number
  lost: number
}

export async function winRate(ctx: Ctx, plan: Plan): Promise<Answer> {
  const type = sql`(select s.type from ${rows(ctx, 'stages')} s where s.id = r.stage_id)`
  const group = plan.groupBy
  const ended = await query(
    ctx,
    sql<Ended>`select ${group ? sql`${group.value}::text` : sql`null::text`} as label,
      count(*) filter (where ${type} = 'won') as won, count(*) filter (where ${type} = 'lost') as lost
      from ${source(ctx, plan)} group by 1 order by 1 nulls last limit 100`,
  )
  const closed = {
    ...plan,
    conditions: [...plan.conditions, { where: sql`${type} <> 'open'`, said: 'closed' }],
  }
  const { rows: list } = await found(ctx, closed, [])
  const citations = cite(plan, list, [])
  if (!group) {
    const { won, lost } = ended[0] ?? { won: 0, lost: 0 }
    return answer(`Win rate: ${rateOf({ won, lost })}.`, citations, { won, lost })
  }
  const known = ended.filter(({ won, lost }) => won + lost > 0)
  const texts = best(known, plan.top).map(one => `${one.label ?? `no ${group.label}`}: ${rateOf(one)}`)
  return answer(`Win rate by ${group.label}: ${texts.join('; ') || 'none'}.`, citations, {
    group_by: group.label,
    groups: ended,
  })
}

/** Those with the best rate, or with the worst. */
function best(list: Ended[], top: number | undefined): Ended[] {
  if (top === undefined) return list
  const rates = list.map(({ won, lost }) => won / (won + lost))
  const wanted = top > 0 ? Math.max(...rates) : Math.min(...rates)
  return list.filter((_, i) => rates[i] === wanted)
}

const rateOf = ({ won, lost }: Omit<Ended, 'label'>): string =>
  won + lost === 0
    ? `unknown, for no deal has been closed (${won} won, ${lost} lost)`
    : `${number((100 * won) / (won + lost))}% (${won} won, ${lost} lost)`
