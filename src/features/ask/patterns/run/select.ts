/** The records that a plan is about. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from '../../../../kernel/context.ts'
import { living } from '../../../../kernel/statements.ts'
import { type Field, TABLES } from '../fields/index.ts'
import type { Plan } from '../plan.ts'

export type Sql = RawBuilder<unknown>
export type Row = Record<string, unknown> & { id: string; name: string; updated_at: string }

/** How many records are cited. */
export const MAX_CITED = 50

const whereOf = (plan: Plan): Sql =>
  sql.join([sql`true`, ...plan.conditions.map(({ where }) => sql`(${where})`)], sql` and `)

export const source = (ctx: Ctx, plan: Plan): Sql =>
  sql`${living(ctx, TABLES[plan.entity].table)} r where ${whereOf(plan)}`

const nameOf = (plan: Plan): Sql =>
  plan.entity === 'note'
    ? sql`coalesce(r.title, left(r.content, 80))`
    : sql`r.${sql.ref(TABLES[plan.entity].name)}`

export async function found(
  ctx: Ctx,
  plan: Plan,
  fields: readonly Field[],
): Promise<{ rows: Row[]; count: number }> {
  const { order } = plan
  const extra = fields.map((field, i) => sql`, ${field.value(ctx)} as ${sql.ref(`f${i}`)}`)
  const currency = plan.entity === 'deal' ? sql`, r.currency` : sql``
  const by = order
    ? sql`${order.by} ${sql.raw(order.descending ? 'desc' : 'asc')} nulls last`
    : plan.entity === 'activity'
      ? sql`coalesce(r.falls_due_at, r.start_at, r.created_at)`
      : plan.entity === 'deal'
        ? sql`r.amount desc nulls last`
        : sql`lower(${nameOf(plan)})`
  const list = await query(
    ctx,
    sql<Row & { total: number }>`select r.id, ${nameOf(plan)} as name, r.updated_at, count(*) over () as total
      ${sql.join([sql``, ...extra], sql` `)} ${currency} ${order ? sql`, ${order.by} as ordered` : sql``}
      from ${source(ctx, plan)} ${order && !order.isWhole ? sql`and ${order.by} is not null` : sql``}
      order by ${by}, r.id limit ${order && !order.isWhole ? order.limit + (order.skip ?? 0) + 20 : MAX_CITED}`,
  )
  if (!order || order.isWhole) return { rows: list, count: list[0]?.total ?? 0 }
  const from = list.slice(order.skip ?? 0)
  // those that are level with the last one belong to it
  const last = from[order.limit - 1]
  const kept = last
    ? from.filter((row, i) => i < order.limit || String(row.ordered) === String(last.ordered))
    : from
  return { rows: kept, count: kept.length }
}
