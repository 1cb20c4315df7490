/** Sums, averages and medians, also for each of something. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../../kernel/context.ts'
import { rows } from '../../../../kernel/statements.ts'
import type { Answer } from '../answer.ts'
import { type Field, TABLES } from '../fields/index.ts'
import type { Plan } from '../plan.ts'
import { answer, cite, described, named, shown } from './said.ts'
import { found, type Sql, source } from './select.ts'

type Totals = Extract<Plan['measure'], { field: Field }>

export async function total(ctx: Ctx, asked: Plan, measure: Totals): Promise<Answer> {
  const plan = measure.kind === 'sum' ? asked : ofThoseThatHaveIt(ctx, asked, measure)
  const value = weightedValue(ctx, measure)
  const currency = currencyOf(plan, measure)
  const sums = await query(
    ctx,
    sql<{ currency: string | null; value: number | null; count: number }>`select ${currency} as currency,
      ${aggregate(measure, value)} as value, count(*) as count
      from ${source(ctx, plan)} group by 1 order by 2 desc nulls last`,
  )
  const { rows: list, count } = await found(ctx, plan, [measure.field])
  const valued = sums.filter(row => row.value !== null)
  const figure =
    valued.map(row => shown(measure.field, row.value, row.currency)).join(' and ') ||
    (measure.kind === 'sum' ? '0' : 'none')
  const label = `${LABELS[measure.kind]}${measure.weighted ? ' weighted' : ''} ${measure.field.label}`
  const text = `${label}: ${figure}, from ${described(plan, count)}${count === 0 ? '' : `: ${named(list, [measure.field])}`}.`
  const values = sums.map(row => ({ currency: row.currency, value: row.value, count: row.count }))
  return answer(text, cite(plan, list, [measure.field]), {
    entity_type: plan.entity,
    measure: measure.kind,
    count,
    values,
  })
}

/** An average is one of the records that have the figure. */
const ofThoseThatHaveIt = (ctx: Ctx, plan: Plan, { field }: Totals): Plan => ({
  ...plan,
  conditions: [...plan.conditions, { where: sql`${field.value(ctx)} is not null`, said: '' }],
})

const LABELS: Record<Totals['kind'], string> = { sum: 'Total', average: 'Average', median: 'Median' }

const aggregate = ({ kind }: Totals, value: Sql): Sql =>
  kind === 'median'
    ? sql`percentile_cont(0.5) within group (order by (${value})::float8)`
    : sql`${sql.raw(kind === 'sum' ? 'sum' : 'avg')}(${value})::float8`

const currencyOf = (plan: Plan, measure: Totals): Sql =>
  measure.field.key === 'amount' && plan.entity === 'deal' ? sql`r.currency` : sql`null::text`

const weightedValue = (ctx: Ctx, measure: Totals): Sql =>
  measure.weighted
    ? sql`(${measure.field.value(ctx)} * coalesce(r.probability, (select s.probability from ${rows(ctx, 'stages')} s where s.id = r.stage_id)) / 100)`
    : measure.field.value(ctx)

export async function groups(ctx: Ctx, plan: Plan, group: NonNullable<Plan['groupBy']>): Promise<Answer> {
  const totals = 'field' in plan.measure ? plan.measure : undefined
  const value = totals ? aggregate(totals, weightedValue(ctx, totals)) : sql`count(*)::float8`
  const list = await query(
    ctx,
    sql<{ label: string | null; currency: string | null; value: number | null; count: number }>`
      select ${group.value}::text as label, ${totals ? currencyOf(plan, totals) : sql`null::text`} as currency,
        ${value} as value, count(*) as count
      from ${source(ctx, plan)} group by 1, 2 order by ${byTime(group.label) ? sql`1` : sql`3 desc nulls last, 1`} limit 100`,
  )
  const ends =
    plan.top === undefined
      ? list
      : best(
          list.filter(row => row.label !== null),
          plan.top,
        )
  const { many, one } = TABLES[plan.entity]
  const texts = ends.map(row => {
    const counted = `${row.count} ${row.count === 1 ? one : many}`
    const name = row.label ?? `no ${group.label}`
    return totals
      ? `${name}: ${shown(totals.field, totals.kind === 'sum' ? (row.value ?? 0) : row.value, row.currency)} (${counted})`
      : `${name}: ${counted}`
  })
  const { rows: behind, count } = await found(ctx, plan, totals ? [totals.field] : [])
  const label = totals ? `${LABELS[totals.kind]} ${totals.field.label}` : many
  const head = plan.top === undefined ? `${label} by ${group.label}, ${described(plan, count)}: ` : ''
  const data = {
    entity_type: plan.entity,
    group_by: group.label,
    groups: ends.map(row => ({ ...row, label: row.label })),
  }
  return answer(
    `${head}${texts.join('; ') || 'none'}.`,
    cite(plan, behind, totals ? [totals.field] : []),
    data,
  )
}

const byTime = (label: string) => ['day', 'week', 'month', 'quarter', 'year'].includes(label)

function best<R extends { value: number | null }>(list: R[], top: number): R[] {
  const values = list.map(row => row.value ?? 0)
  const wanted = top > 0 ? Math.max(...values) : Math.min(...values)
  return list.filter(row => (row.value ?? 0) === wanted)
}
