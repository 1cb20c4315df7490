/** Fields of a deal that follow from its stage, its company and the current time, in SQL; the deal is `r`. */
import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import type { Link } from '../../kernel/links.ts'
import { living, rows } from '../../kernel/statements.ts'

// From all stages, also deleted ones: a deal in the trash may be in a stage in the trash.
const ofStage = (ctx: Ctx, expression: ReturnType<typeof sql>) =>
  sql`(select ${expression} from ${rows(ctx, 'stages')} s where s.id = r.stage_id)`

export const status = (ctx: Ctx) => ofStage(ctx, sql`s.type`)

/** A reason stays in the row when the stage of a lost deal becomes another type, so that it is there when that is reverted. */
export const lostReason = (ctx: Ctx) =>
  sql`(case when r.lost_reason is null then null when ${status(ctx)} = 'lost' then r.lost_reason end)`

export const probability = (ctx: Ctx) => sql`coalesce(r.probability, ${ofStage(ctx, sql`s.probability`)})`

export const amountSource = () => sql`(case when r.amount is not null then r.amount_source end)`
export const weightedAmount = (ctx: Ctx) => sql`(r.amount * ${probability(ctx)} * 0.01)`

export const stageItem = (ctx: Ctx) => ofStage(ctx, sql`json_build_object('id', s.id, 'name', s.name)`)

export const pipelineItem = (ctx: Ctx) => sql`(
  select json_build_object('id', p.id, 'name', p.name) from ${rows(ctx, 'pipelines')} p where p.id = r.pipeline_id)`

export const daysInStage = () =>
  sql`greatest(floor(extract(epoch from now() - r.stage_entered_at) / 86400), 0)::int`

/** Whether the deal is rotten in the stage `s`; null where that has no limit. */
export const rottenIn = sql`(s.type = 'open' and r.stage_entered_at < now() - make_interval(days => s.rotten_after_days))`

export const isRotten = (ctx: Ctx) => ofStage(ctx, sql`coalesce(${rottenIn}, false)`)

/** The id of the company or primary contact: hidden while that record is in the trash, null when the link is removed. */
export const linkedId = (name: string, link: Link) => (ctx: Ctx) => {
  const other = sql.ref(link.other)
  return sql`(select l.${other} from ${rows(ctx, link.table)} l
    join ${living(ctx, link.target.table)} t on t.id = l.${other}
    where l.deal_id = r.id and l.${other} = r.${sql.ref(name)})`
}
