/** Sums, averages and medians, also for each of something. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../../kernel/context.ts'
import { rows } from '../../../../kernel/statements.ts'
import type { Answer } from '../../prose/answer.ts'
import { type Field, TABLES } from '../fields/index.ts'
import type { Plan } from '../plan.ts'
import { answer, cite, described, named, shown } from './said.ts'
import { found, type Sql, source } from './select.ts'

const MAX_GROUPS = 100

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
  const label = labelOf(measure)
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

const labelOf = ({ kind, weighted, field }: Totals): string =>
  `${LABELS[kind]}${weighted ? ' weighted' : ''} ${field.label}`

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
      from ${source(ctx, plan)} group by 1, 2 ${havingOf(plan)} order by ${orderOf(plan, group.label)} limit ${MAX_GROUPS}`,
  )
  const ends =
    plan.top === undefined
      ? list.filter(row => !plan.having || row.label !== null)
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
  const kept = plan.having ? onlyOf(plan, group, ends) : plan
  const { rows: behind, count } = await found(ctx, kept, totals ? [totals.field] : [])
  const label = totals ? labelOf(totals) : many
  const head = plan.top === undefined ? `${label} by ${group.label}, ${described(kept, count)}: ` : ''
  const data = {
    entity_type: plan.entity,
    group_by: group.label,
    groups: ends.map(row => ({ ...row, label: row.label })),
  }
  return answer(
    `${head}${texts.join('; ') || 'none'}.${plan.top === undefined ? sumOf(plan, list) : ''}`,
    cite(plan, behind, totals ? [totals.field] : []),
    data,
  )
}

/** What all groups come to, where that is one figure. */
function sumOf(
  { measure }: Plan,
  list: readonly { currency: string | null; value: number | null }[],
): string {
  const isOne = new Set(list.map(({ currency }) => currency)).size === 1
  if (measure.kind !== 'sum' || !isOne || list.length < 2 || list.length === MAX_GROUPS) return ''
  const sum = list.reduce((all, { value }) => all + (value ?? 0), 0)
  return ` In all: ${shown(measure.field, sum, list[0]!.currency)}.`
}

const orderOf = ({ top = 0 }: Plan, label: string): Sql =>
  top < 0 ? sql`3, 1` : top === 0 && byTime(label) ? sql`1` : sql`3 desc nulls last, 1`

const byTime = (label: string) => ['day', 'week', 'month', 'quarter', 'year'].includes(label)

const havingOf = ({ having }: Plan): Sql =>
  having
    ? sql`having ${sql.join(
        having.map(({ op, value }) => sql`count(*) ${sql.raw(op)} ${value}`),
        sql` and `,
      )}`
    : sql``

/** The records of the groups that are left. */
const onlyOf = (
  plan: Plan,
  group: NonNullable<Plan['groupBy']>,
  ends: readonly { label: string | null }[],
): Plan => ({
  ...plan,
  conditions: [
    ...plan.conditions,
    {
      where: sql`${group.value}::text = any(${ends.flatMap(({ label }) => label ?? [])}::text[])`,
      said: `each with ${plan.having!.map(({ op, value }) => `${op} ${value}`).join(' and ')}`,
    },
  ],
})

/** The first ones, the last ones when `top` is negative; those that are level with the last one belong to it. */
function best<R extends { value: number | null }>(list: R[], top: number): R[] {
  const sorted = [...list].sort((a, b) => Math.sign(top) * ((b.value ?? 0) - (a.value ?? 0)))
  const last = sorted[Math.min(Math.abs(top), sorted.length) - 1]
  return last === undefined
    ? []
    : sorted.filter((row, i) => i < Math.abs(top) || (row.value ?? 0) === (last.value ?? 0))
}
