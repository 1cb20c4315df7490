/** The stages that a deal has been in. The database writes the history; here it is read. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { datetime, list, nullable, number, object, uuid } from '../../kernel/schema/index.ts'
import { rows, type TableName } from '../../kernel/statements.ts'
import { referenceItem } from '../shared/fields.ts'
import { dealOperations } from './operations.ts'

const entry = object(
  {
    id: uuid(),
    deal_id: uuid(),
    from_stage: nullable(referenceItem, { description: 'null where the deal began' }),
    to_stage: nullable(referenceItem, { description: 'null once the stage has been removed for good' }),
    pipeline: nullable(referenceItem),
    entered_at: datetime(),
    left_at: nullable(datetime()),
    seconds: number({ min: 0, description: 'How long it was in the stage, or has been until now' }),
    moved_by: nullable(uuid()),
  },
  { title: 'StageHistoryEntry' },
)

/** Stages and pipelines in the trash keep their names here: what happened, happened there. */
const item = (ctx: Ctx, table: TableName, column: string) =>
  sql`(select json_build_object('id', t.id, 'name', t.name) from ${rows(ctx, table)} t where t.id = h.${sql.ref(column)})`

export async function stageHistory(ctx: Ctx, dealId: string): Promise<unknown[]> {
  await dealOperations.get(ctx, dealId)
  return query(
    ctx,
    sql`select h.id, h.deal_id, ${item(ctx, 'stages', 'from_stage_id')} as from_stage,
        ${item(ctx, 'stages', 'to_stage_id')} as to_stage, ${item(ctx, 'pipelines', 'pipeline_id')} as pipeline,
        h.entered_at, h.left_at,
        round(greatest(extract(epoch from coalesce(h.left_at, now()) - h.entered_at), 0), 3) as seconds, h.moved_by
      from (
        select m.*, lead(m.entered_at) over (order by m.seq) as left_at
        from ${rows(ctx, 'deal_stage_history')} m where m.deal_id = ${dealId}
      ) h
      order by h.seq`,
  )
}

export const stageHistoryEndpoint = endpoint({
  method: 'GET',
  path: '/api/deals/{deal_id}/stage-history',
  tag: 'Deals',
  permission: 'deals:read',
  summary: 'List the stages that a deal has been in, the first one first',
  response: list(entry),
  run: (ctx, { params }) => stageHistory(ctx, params.deal_id),
})
