/** The stages that a deal has been in. The database writes the history; here it is read. */
import { sql } from 'kysely'
import { type Ctx, one, query } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { asPage, pageFields, pageParameters } from '../../kernel/page.ts'
import type { Page } from '../../kernel/resource.ts'
import { datetime, nullable, number, object, uuid } from '../../kernel/schema/index.ts'
import { rows, type TableName } from '../../kernel/statements.ts'
import { referenceItem } from '../shared/fields.ts'
import { dealOperations } from './operations.ts'

const entry = object(
  {
    id: uuid(),
    deal_id: uuid(),
    from_stage: nullable(referenceItem, { description: 'null for the first stage' }),
    to_stage: nullable(referenceItem, { description: 'null once the stage has been purged' }),
    pipeline: nullable(referenceItem),
    entered_at: datetime(),
    left_at: nullable(datetime()),
    seconds: number({ min: 0, description: 'The time in the stage, for the current stage until now' }),
    moved_by: nullable(uuid()),
  },
  { title: 'StageHistoryEntry' },
)

/** Stages and pipelines in the trash are named here, too: the history does not change. */
const item = (ctx: Ctx, table: TableName, column: string) =>
  sql`(select json_build_object('id', t.id, 'name', t.name) from ${rows(ctx, table)} t where t.id = h.${sql.ref(column)})`

async function stageHistory(
  ctx: Ctx,
  dealId: string,
  { page, page_size }: { page: number; page_size: number },
): Promise<Page<unknown>> {
  await dealOperations.get(ctx, dealId)
  const ofDeal = sql`${rows(ctx, 'deal_stage_history')} m where m.deal_id = ${dealId}`
  const count = await query(ctx, sql<{ total: number }>`select count(*) as total from ${ofDeal}`)
  const items = await query(
    ctx,
    sql`select h.id, h.deal_id, ${item(ctx, 'stages', 'from_stage_id')} as from_stage,
        ${item(ctx, 'stages', 'to_stage_id')} as to_stage, ${item(ctx, 'pipelines', 'pipeline_id')} as pipeline,
        h.entered_at, h.left_at,
        round(greatest(extract(epoch from coalesce(h.left_at, now()) - h.entered_at), 0), 3) as seconds, h.moved_by
      from (select m.*, lead(m.entered_at) over (order by m.seq) as left_at from ${ofDeal}) h
      order by h.seq limit ${page_size} offset ${(page - 1) * page_size}`,
  )
  const { total } = one(count)
  return asPage(items, total, page, page_size)
}

export const stageHistoryEndpoint = endpoint({
  method: 'GET',
  path: '/api/deals/{deal_id}/stage-history',
  tag: 'Deals',
  permission: 'deals:read',
  summary: 'List the stage history of a deal',
  description: 'The stages that the deal has been in, oldest first.',
  query: object(pageParameters()),
  response: object(pageFields(entry), { title: 'StageHistoryPage' }),
  run: (ctx, request) => stageHistory(ctx, request.params.deal_id, request.query),
})
