/** Moves a deal on the board: to another stage, or to another position in its own. */
import { sql } from 'kysely'
import { type Ctx, query, transaction } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { datetime, type Infer, int, object, optional, uuid } from '../../kernel/schema/index.ts'
import { type Columns, living, updateRows } from '../../kernel/statements.ts'
import { shortText } from '../shared/fields.ts'
import { changedDates, lastEntries } from './dates.ts'
import type { Deal } from './fields.ts'
import { dealOperations, dealRecord } from './operations.ts'
import { afterMove, checkLostReason, stageChoice } from './stage-choice.ts'

const move = object({
  stage_id: uuid(),
  position: optional(
    int({
      min: 0,
      max: 1_000_000,
      description: 'The position among the other deals of the stage, from 0; default: last',
    }),
  ),
  lost_reason: shortText({ description: 'For a lost stage' }),
  closed_at: optional(datetime({ description: 'For a won or lost stage; default: now' })),
})

export function moveDeal(
  ctx: Ctx,
  id: string,
  { stage_id, position, lost_reason, closed_at }: Infer<typeof move>,
): Promise<Deal> {
  return transaction(ctx, async tx => {
    const deal = await dealOperations.get(tx, id)
    // Every transaction locks the stage before the deal. One at a time computes a position in a column, so
    // that the neighbours do not change meanwhile; deals may still be added at the end.
    const choose = await stageChoice(tx, [{ stage_id }], position !== undefined)
    const stage = choose({ stage_id }, deal.pipeline_id)
    checkLostReason(lost_reason, stage.type)
    const [stays] = await query(
      tx,
      sql<{ stays: boolean }>`select d.stage_id = ${stage.id} as stays from ${living(tx, 'deals')} d
        where d.id = ${id} for update`,
    )
    if (!stays) throw errors.notFound(dealRecord.label)

    const set: Columns<'deals'> = { stage_id: stage.id, updated_at: sql`now()` }
    if (lost_reason !== undefined) set.lost_reason = lost_reason
    if (closed_at !== undefined) {
      const entries = await lastEntries(tx, [id])
      const dates = changedDates({ closed_at }, deal, stage.type, !stays.stays, entries)
      Object.assign(set, dates, stays.stays ? {} : afterMove(stage.type))
    }
    if (position !== undefined) set.position = (await positionAt(tx, stage.id, id, position)) ?? sql`null`
    // the database puts it last
    else if (!stays.stays) set.position = sql`null`
    await updateRows(tx, 'deals', set, sql`r.id = ${id}`)
    return dealOperations.get(tx, id)
  })
}

/** Each deal that others add to the column meanwhile can take an attempt. Two were too few for seven at once. */
const ATTEMPTS = 10

/** A position between the neighbours that a deal has at `index`; null is the end. */
async function positionAt(tx: Ctx, stageId: string, dealId: string, index: number): Promise<number | null> {
  for (let attempt = 1; ; attempt++) {
    const neighbours = await query(
      tx,
      sql<{ position: number }>`select d.position from ${living(tx, 'deals')} d
        where d.stage_id = ${stageId} and d.id <> ${dealId}
        order by d.position, d.id offset ${Math.max(index - 1, 0)} limit 2`,
    )
    const [before, after] = index === 0 ? [undefined, neighbours[0]] : neighbours
    if (after === undefined) return null
    if (before === undefined) return after.position - 1
    const middle = (before.position + after.position) / 2
    if (before.position < middle && middle < after.position) return middle
    if (attempt === ATTEMPTS) throw errors.conflict('The column is being changed by others: try again')
    // the interval was halved too often, or two deals were added at the same time
    await query(tx, sql`select space_out_stage(${tx.account}, ${stageId})`)
  }
}

export const moveEndpoint = endpoint({
  method: 'POST',
  path: '/api/deals/{deal_id}/move',
  tag: 'Deals',
  permission: 'deals:write',
  summary: 'Move a deal to another stage',
  description:
    'Another stage sets stage_entered_at and, when it is won or lost, closed_at; leaving a lost stage clears ' +
    'lost_reason, and the probability becomes that of the stage.',
  body: move,
  response: dealRecord.output,
  single: true,
  run: (ctx, { params, body }) => moveDeal(ctx, params.deal_id, body),
})
