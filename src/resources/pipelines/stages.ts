/** The stages of a pipeline. Changes lock the pipeline, because some rules concern all of its stages. */
import { sql } from 'kysely'
import { type Ctx, queryOne, transaction } from '../../kernel/context.ts'
import { crud, lockRecords } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import type { Operations } from '../../kernel/resource.ts'
import { living, rows } from '../../kernel/statements.ts'
import { emptyStages } from './delete-stages.ts'
import { inheritedProbability } from './new-stages.ts'
import { asOneChange } from './operation.ts'
import { arrange, isOpen, placed, stagesOf } from './order.ts'
import { type Stage, type StageInput, stage } from './record.ts'
import {
  lastOpenStage,
  lockPipelines,
  lockStages,
  mustHaveRoom,
  pipelinesOf,
  restateDeals,
  settlePipelines,
} from './settle.ts'

const base = crud(stage)

function create(ctx: Ctx, input: StageInput): Promise<Stage> {
  return transaction(ctx, async tx => {
    const pipelineId = input.pipeline_id ?? (await defaultPipelineId(tx))
    if ((await lockRecords(tx, 'pipelines', [pipelineId])).length === 0) {
      throw errors.referenceNotFound(['body', 'pipeline_id'], 'Pipeline', pipelineId)
    }
    const stages = await stagesOf(tx, pipelineId)
    mustHaveRoom(stages.length)
    const last = input.type === 'open' ? stages.findLastIndex(isOpen) + 1 : stages.length
    const position = Math.min(input.position ?? last, stages.length)
    const stage = await base.create(tx, {
      ...input,
      pipeline_id: pipelineId,
      probability: input.probability ?? inheritedProbability(input.type, stages.slice(0, position)),
      position,
    })
    await arrange(tx, placed(stages, stage.id, position))
    return stage
  })
}

async function defaultPipelineId(ctx: Ctx): Promise<string> {
  const pipeline = await queryOne(
    ctx,
    sql<{ id: string }>`select p.id from ${living(ctx, 'pipelines')} p where p.is_default`,
  )
  if (!pipeline) throw errors.conflict('There is no default pipeline: create one first')
  return pipeline.id
}

export interface StageChange {
  stage: Stage
  /** of a change of the type, which changes the deals of the stage, too */
  operationId?: string
}

export function changeStage(ctx: Ctx, id: string, input: Partial<StageInput>): Promise<StageChange> {
  return transaction(ctx, async tx => {
    const { pipeline_id: pipelineId } = await base.get(tx, id)
    if (input.pipeline_id !== undefined && input.pipeline_id !== pipelineId) {
      throw errors.invalidValue(['body', 'pipeline_id'], 'a stage stays in its pipeline', input.pipeline_id)
    }
    await lockRecords(tx, 'pipelines', [pipelineId])
    const stages = await stagesOf(tx, pipelineId)
    const before = stages.find(one => one.id === id)
    if (!before) throw errors.notFound(stage.label)
    const { position, pipeline_id: _, ...change } = input
    const write = async () => {
      await base.update(tx, id, change)
      if (position !== undefined) await arrange(tx, placed(stages, id, position))
    }
    const { type = before.type } = change
    if (type === before.type) {
      await write()
      return { stage: await base.get(tx, id) }
    }
    if (isOpen(before) && stages.filter(isOpen).length === 1) throw lastOpenStage()
    // Without a probability it has that of a new stage in its place: the 100 of a won stage is not that of open deals.
    const others = stages.filter(one => one !== before)
    change.probability ??= inheritedProbability(type, others.slice(0, position ?? stages.indexOf(before)))
    await lockStages(tx, [id])
    const { operationId } = await asOneChange(tx, 'stage_type', stage.table, async () => {
      await write()
      await restateDeals(tx, [id])
    })
    return { stage: await base.get(tx, id), operationId }
  })
}

export function removeStages(ctx: Ctx, ids: readonly string[], moveTo?: string): Promise<number> {
  return transaction(ctx, async tx => {
    const pipelineIds = await pipelinesOf(tx, living(tx, 'stages'), ids)
    if (pipelineIds.length === 0) return 0
    await lockRecords(tx, 'pipelines', pipelineIds)
    const removed = await base.remove(tx, await emptyStages(tx, ids, moveTo))
    await settlePipelines(tx, pipelineIds)
    return removed
  })
}

function restore(ctx: Ctx, ids: readonly string[]): Promise<number> {
  return transaction(ctx, async tx => {
    const trashed = sql`(select s.* from ${rows(tx, 'stages')} s where s.deleted_at is not null)`
    const pipelineIds = await pipelinesOf(tx, trashed, ids)
    await lockPipelines(tx, pipelineIds)
    const restored = await base.restore(tx, ids)
    await settlePipelines(tx, pipelineIds)
    return restored
  })
}

export function reorderStages(ctx: Ctx, pipelineId: string, ids: readonly string[]): Promise<void> {
  return transaction(ctx, async tx => {
    if ((await lockRecords(tx, 'pipelines', [pipelineId])).length === 0) throw errors.notFound('Pipeline')
    const stages = new Set((await stagesOf(tx, pipelineId)).map(one => one.id))
    const stranger = ids.findIndex(id => !stages.has(id))
    if (stranger >= 0) {
      throw errors.referenceNotFound(['body', 'stage_ids', stranger], 'Stage', ids[stranger])
    }
    if (ids.length !== stages.size || new Set(ids).size !== stages.size) {
      throw errors.invalidValue(['body', 'stage_ids'], 'name each stage of the pipeline once', ids)
    }
    await arrange(tx, ids)
  })
}

export const stageRecord = base.record
export const stageOperations: Operations<StageInput, Stage> = {
  ...base,
  create,
  update: async (ctx, id, input) => (await changeStage(ctx, id, input)).stage,
  remove: removeStages,
  restore,
}
