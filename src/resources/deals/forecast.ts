/** The forecast: totals of deals by month, owner or stage, and by currency. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import {
  date,
  type Infer,
  int,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { living } from '../../kernel/statements.ts'

const forecastQuery = object({
  group_by: withDefault(oneOf(['month', 'owner', 'stage']), 'month'),
  pipeline_id: optional(uuid({ description: 'Default: all pipelines' })),
  from: optional(date({ description: 'The first day' })),
  to: optional(date({ description: 'The last day' })),
})

const sums = { count: int({ min: 0 }), amount: number(), weighted_amount: number() }
const totals = list(
  object({ currency: text(), ...sums, open: object(sums), won: object(sums), lost: object(sums) }),
)

const forecast = object(
  {
    group_by: oneOf(['month', 'owner', 'stage']),
    groups: list(
      object({
        key: nullable(text(), {
          description:
            'A month (2026-01), or the id of a user or stage; null for deals without a date or owner',
        }),
        name: nullable(text()),
        totals,
      }),
    ),
    totals,
  },
  { title: 'Forecast' },
)

/** The key of a deal's group (`d`), its name and its order, from the key (`g.key`). */
const GROUPS = {
  month: {
    key: sql`to_char(d.day, 'YYYY-MM')`,
    name: () => sql`g.key`,
    order: () => sql`g.key`,
  },
  owner: {
    key: sql`d.owner_id::text`,
    name: () => sql`member_name(g.key::uuid)`,
    order: () => sql`lower(member_name(g.key::uuid)), g.key`,
  },
  stage: {
    key: sql`d.stage_id::text`,
    name: (ctx: Ctx) => sql`(select s.name from ${living(ctx, 'stages')} s where s.id = g.key::uuid)`,
    order: (ctx: Ctx) => sql`(select row(p.position, p.id, s.position, s.id) from ${living(ctx, 'stages')} s
      join ${living(ctx, 'pipelines')} p on p.id = s.pipeline_id where s.id = g.key::uuid)`,
  },
}

type Forecast = Infer<typeof forecast>
type Totals = Forecast['totals'][number]
type ForecastQuery = Infer<typeof forecastQuery>

interface Line {
  /** the row has the totals of all groups */
  overall: boolean
  key: string | null
  name: string | null
  totals: Pick<Totals, 'currency' | 'open' | 'won' | 'lost'> & { all: Totals['open'] }
}

const sumsWhere = (condition: RawBuilder<unknown>) => sql`json_build_object(
  'count', coalesce(sum(w.deals) filter (where ${condition}), 0),
  'amount', coalesce(sum(w.amount) filter (where ${condition}), 0),
  'weighted_amount', coalesce(sum(w.weighted_amount) filter (where ${condition}), 0))`

/**
 * A deal counts on the day it was closed or, while it is open, on the day it is expected to close. As on the
 * board, deals of the same group and probability are added up before they are weighted.
 */
const linesOf = (ctx: Ctx, params: ForecastQuery) => {
  const group = GROUPS[params.group_by]
  const conditions = [
    ...(params.pipeline_id === undefined ? [] : [sql`d.pipeline_id = ${params.pipeline_id}`]),
    ...(params.from === undefined ? [] : [sql`d.day >= ${params.from}::date`]),
    ...(params.to === undefined ? [] : [sql`d.day <= ${params.to}::date`]),
  ]
  return query(
    ctx,
    sql<Line>`
      with alike as (
        select ${group.key} as key, d.currency, d.stage_id, d.probability, count(*) as deals,
          coalesce(sum(d.amount), 0) as amount
        from (
          select r.*, coalesce((r.closed_at at time zone 'UTC')::date, r.expected_close_date) as day
          from ${living(ctx, 'deals')} r
        ) d
        ${conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`}
        group by 1, 2, 3, 4
      ), weighed as (
        select a.key, a.currency, a.deals, a.amount, s.type,
          a.amount * coalesce(a.probability, s.probability) * 0.01 as weighted_amount
        from alike a join ${living(ctx, 'stages')} s on s.id = a.stage_id
      )
      select g.overall, g.key, ${group.name(ctx)} as name, g.totals
      from (
        select grouping(w.key) = 1 as overall, w.key, w.currency,
          json_build_object('currency', w.currency, 'all', ${sumsWhere(sql`true`)},
            'open', ${sumsWhere(sql`w.type = 'open'`)}, 'won', ${sumsWhere(sql`w.type = 'won'`)},
            'lost', ${sumsWhere(sql`w.type = 'lost'`)}) as totals
        from weighed w group by grouping sets ((w.key, w.currency), (w.currency))
      ) g
      order by ${group.order(ctx)} nulls last, g.key nulls last, g.currency`,
  )
}

const totalsOf = ({ totals: { currency, all, open, won, lost } }: Line): Totals => ({
  currency,
  ...all,
  open,
  won,
  lost,
})

export async function forecastOf(ctx: Ctx, params: ForecastQuery): Promise<Forecast> {
  const lines = await linesOf(ctx, params)
  const groups = new Map<string | null, Forecast['groups'][number]>()
  for (const line of lines.filter(line => !line.overall)) {
    const group = groups.get(line.key) ?? { key: line.key, name: line.name, totals: [] }
    group.totals.push(totalsOf(line))
    groups.set(line.key, group)
  }
  return {
    group_by: params.group_by,
    groups: [...groups.values()],
    totals: lines.filter(line => line.overall).map(totalsOf),
  }
}

export const forecastEndpoint = endpoint({
  method: 'GET',
  path: '/api/deals/forecast',
  tag: 'Deals',
  permission: 'deals:read',
  summary: 'Get the forecast',
  description:
    'A deal counts on the day it was closed or, while it is open, on its expected_close_date. There is a total ' +
    'of all deals, and one each of open, won and lost deals; amounts in different currencies are not added up.',
  query: forecastQuery,
  response: forecast,
  run: (ctx, request) => forecastOf(ctx, request.query),
})
