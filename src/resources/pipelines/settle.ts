/** What holds between pipelines, their stages and their deals once stages were changed, deleted, restored or undone. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { lockRecords } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { living, rows, updateRows } from '../../kernel/statements.ts'
import { arrange, isOpen, stagesOf } from './order.ts'
import { MAX_STAGES } from './record.ts'

export const lastOpenStage = () => errors.conflict('A pipeline keeps at least one open stage')

export function mustHaveRoom(count: number): void {
  if (count >= MAX_STAGES) throw errors.conflict(`A pipeline has at most ${MAX_STAGES} stages`)
}

/** The pipelines of those of the stages that are outside the trash, or in it. */
export async function pipelinesOf(
  ctx: Ctx,
  stages: ReturnType<typeof living>,
  ids: readonly string[],
): Promise<string[]> {
  const pipelines = await query(
    ctx,
    sql<{
      id: string
    }>`select distinct s.pipeline_id as id from ${stages} s where s.id = any(${ids}::uuid[])`,
  )
  return pipelines.map(row => row.id)
}

/** Locks pipelines before their stages are restored. */
export async function lockPipelines(tx: Ctx, ids: readonly string[]): Promise<void> {
  const locked = await lockRecords(tx, 'pipelines', ids)
  if (locked.length < ids.length) throw errors.conflict('Its pipeline is in the trash: restore that instead')
}

/** The positions of a pipeline's stages have no gaps, and one of the stages is open. */
export async function settlePipelines(tx: Ctx, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const stages = await stagesOf(tx, id)
    mustHaveRoom(stages.length - 1)
    if (!stages.some(isOpen)) throw lastOpenStage()
    await arrange(
      tx,
      stages.map(stage => stage.id),
    )
  }
}

/**
 * The deals of stages that have become another type are open, or closed: as of now, or still as of then if the stage was
 * won and is lost now, or the other way round. The trigger of `closed_at` decides it.
 */
export const restateDeals = (tx: Ctx, stageIds: readonly string[]): Promise<unknown> =>
  updateRows(
    tx,
    'deals',
    sql`closed_at = r.closed_at, updated_at = now()`,
    sql`r.stage_id = any(${stageIds}::uuid[]) and r.deleted_at is null`,
  )

/** Waits for transactions that are adding deals to the stages, so that these deals are seen afterwards. */
export async function lockStages(tx: Ctx, ids: readonly string[]): Promise<void> {
  await lockRecords(tx, 'pipelines', await pipelinesOf(tx, rows(tx, 'stages'), ids))
  await lockRecords(tx, 'stages', ids)
}

/** Stages have got former values by an undo, and those in `retyped` their former type. */
export async function settleStages(
  tx: Ctx,
  ids: readonly string[],
  retyped: readonly string[],
): Promise<void> {
  const pipelineIds = await pipelinesOf(tx, living(tx, 'stages'), ids)
  await lockPipelines(tx, pipelineIds)
  await settlePipelines(tx, pipelineIds)
  await restateDeals(tx, retyped)
}
