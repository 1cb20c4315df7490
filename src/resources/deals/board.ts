/** The board: a column for each stage of a pipeline, in two statements however many stages and deals there are. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { conditionsOf } from '../../kernel/list-query.ts'
import { selectList } from '../../kernel/list-statement.ts'

import { checkPage } from '../../kernel/page-budget.ts'

import {
  boolean,
  type Infer,
  int,
  list,
  nullable,
  number,
  object,
  optional,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { living } from '../../kernel/statements.ts'
import { stageFields } from '../pipelines/record.ts'
import { type Deal, dealOutput } from './fields.ts'
import { dealFilters } from './filters.ts'
import { dealRecord } from './operations.ts'

const { pipeline_id: _pipeline, stage_id: _stage, status: _status, ...filters } = dealFilters
const filterSchemas = Object.entries(filters).map(
  ([name, filter]) => [name, optional(filter.schema)] as const,
)

const boardQuery = object({
  pipeline_id: optional(uuid({ description: 'Default: the default pipeline' })),
  limit: withDefault(int({ min: 0, max: 100, description: 'How many deals of each column are shown' }), 20),
  search: optional(text({ max: 1000 })),
  ...Object.fromEntries(filterSchemas),
})

const board = object(
  {
    pipeline: object({
      id: uuid(),
      name: text(),
      description: nullable(text()),
      is_default: boolean(),
      is_archived: boolean(),
    }),
    columns: list(
      object({
        stage: object({ id: uuid(), ...stageFields }),
        count: int({ min: 0 }),
        sums: list(object({ currency: text(), amount: number(), weighted_amount: number() })),
        deals: list(dealOutput, { description: 'The first ones, in the order of their positions' }),
      }),
    ),
  },
  { title: 'Board' },
)

type Board = Infer<typeof board>
type Column = Omit<Board['columns'][number], 'deals'> & Pick<Board, 'pipeline'>

/**
 * Deals of one stage, currency and probability are added up first, so that weighting takes one multiplication
 * per group instead of one per deal.
 */
const columnsOf = (ctx: Ctx, isMeant: RawBuilder<unknown>, conditions: RawBuilder<unknown>) =>
  query(
    ctx,
    sql<Column>`
      with groups as (
        select r.stage_id, r.currency, r.probability, count(*) as deals, coalesce(sum(r.amount), 0) as amount
        from ${living(ctx, 'deals')} r
        where r.stage_id in (
          select s.id from ${living(ctx, 'stages')} s join ${living(ctx, 'pipelines')} p on p.id = s.pipeline_id
          where ${isMeant}) ${conditions}
        group by r.stage_id, r.currency, r.probability
      ), sums as (
        select g.stage_id, g.currency, sum(g.deals)::int as deals, sum(g.amount) as amount,
          sum(g.amount * coalesce(g.probability, s.probability) * 0.01) as weighted_amount
        from groups g join ${living(ctx, 'stages')} s on s.id = g.stage_id
        group by g.stage_id, g.currency
      )
      select
        json_build_object('id', p.id, 'name', p.name, 'description', p.description, 'is_default', p.is_default,
          'is_archived', p.is_archived) as pipeline,
        json_build_object('id', s.id, 'name', s.name, 'type', s.type, 'probability', s.probability,
          'position', s.position, 'color', s.color, 'rotten_after_days', s.rotten_after_days) as stage,
        (select coalesce(sum(u.deals), 0)::int from sums u where u.stage_id = s.id) as count,
        (select coalesce(json_agg(json_build_object('currency', u.currency, 'amount', u.amount,
            'weighted_amount', u.weighted_amount) order by u.currency), '[]'::json)
          from sums u where u.stage_id = s.id) as sums
      from ${living(ctx, 'pipelines')} p join ${living(ctx, 'stages')} s on s.pipeline_id = p.id
      where ${isMeant} order by s.position, s.id`,
  )

async function firstDeals(
  ctx: Ctx,
  stageIds: string[],
  conditions: RawBuilder<unknown>,
  limit: number,
): Promise<Deal[]> {
  const keys = sql`select k.key from unnest(${stageIds}::uuid[]) as c (stage_id)
    cross join lateral (
      select r.id as key from ${living(ctx, 'deals')} r where r.stage_id = c.stage_id ${conditions}
      order by r.position, r.id limit ${limit}
    ) k`
  await checkPage(ctx, dealRecord, () => keys)
  return query(
    ctx,
    sql<Deal>`select ${selectList(ctx, dealRecord)}
      from (${keys}) k join ${living(ctx, 'deals')} r on r.id = k.key
      order by r.position, r.id`,
  )
}

export async function boardOf(ctx: Ctx, params: Infer<typeof boardQuery>): Promise<Board> {
  const { pipeline_id: pipelineId, limit, ...filter } = params
  const isMeant = pipelineId === undefined ? sql`p.is_default` : sql`p.id = ${pipelineId}`
  const parts = await conditionsOf(ctx, dealRecord, filter)
  const conditions = parts.length === 0 ? sql`` : sql`and ${sql.join(parts, sql` and `)}`

  const columns = await columnsOf(ctx, isMeant, conditions)
  const [first] = columns
  if (!first) throw errors.notFound('Pipeline')
  const stageIds = columns.map(column => column.stage.id)
  const deals = limit === 0 ? [] : await firstDeals(ctx, stageIds, conditions, limit)
  return {
    pipeline: first.pipeline,
    columns: columns.map(({ stage, count, sums }) => ({
      stage,
      count,
      sums,
      deals: deals.filter(deal => deal.stage_id === stage.id),
    })),
  }
}

export const boardEndpoint = endpoint({
  method: 'GET',
  path: '/api/deals/board',
  tag: 'Deals',
  permission: 'deals:read',
  summary: 'Get a pipeline as a board',
  description: 'One column for each stage, with its totals and first deals.',
  query: boardQuery,
  response: board,
  run: (ctx, request) => boardOf(ctx, request.query),
})
