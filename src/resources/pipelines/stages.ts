/** The stages of a pipeline. Changes lock the pipeline, because some rules concern all of its stages. */
import { sql } from 'kysely'
import { type Ctx, query, queryOne, transaction } from '../../kernel/context.ts'
import { crud, lockRecords } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import type { Operations } from '../../kernel/resource.ts'
import { living, rows, updateRows } from '../../kernel/statements.ts'
import { emptyStages } from './delete-stages.ts'
import { inheritedProbability } from './new-stages.ts'
import { arrange, placed, type StageInOrder, stagesOf } from './order.ts'
import { MAX_STAGES, type Stage, type StageInput, stage } from './record.ts'

const base = crud(stage)

const isOpen = (one: StageInOrder) => one.type === 'open'

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

function mustHaveRoom(count: number): void {
  if (count >= MAX_STAGES) throw errors.conflict(`A pipeline has at most ${MAX_STAGES} stages`)
}

function update(ctx: Ctx, id: string, input: Partial<StageInput>): Promise<Stage> {
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
    const { type = before.type } = change
    const retyped = type !== before.type
    if (retyped) {
      if (isOpen(before) && stages.filter(isOpen).length === 1) throw lastOpenStage()
      if (type !== 'open') change.probability ??= inheritedProbability(type, [])
      // waits for transactions that are adding deals, so that these deals are seen below
      await lockRecords(tx, 'stages', [id])
    }
    await base.update(tx, id, change)
    if (retyped) await restateDeals(tx, id)
    if (position !== undefined) await arrange(tx, placed(stages, id, position))
    return base.get(tx, id)
  })
}

/** The deals of a stage that has become another type are closed, or open again, as of now. */
const restateDeals = (tx: Ctx, stageId: string) =>
  updateRows(
    tx,
    'deals',
    { closed_at: null, updated_at: sql`now()` },
    sql`r.stage_id = ${stageId} and r.deleted_at is null`,
  )

const lastOpenStage = () => errors.conflict('A pipeline keeps at least one open stage')

export function removeStages(ctx: Ctx, ids: readonly string[], moveTo?: string): Promise<number> {
  return transaction(ctx, async tx => {
    const pipelineIds = await pipelinesOf(tx, living(tx, 'stages'), ids)
    if (pipelineIds.length === 0) return 0
    await lockRecords(tx, 'pipelines', pipelineIds)
    const leaving = await emptyStages(tx, ids, moveTo)
    for (const pipelineId of pipelineIds) {
      const staying = (await stagesOf(tx, pipelineId)).filter(one => !leaving.includes(one.id))
      if (!staying.some(isOpen)) throw lastOpenStage()
      await arrange(
        tx,
        staying.map(one => one.id),
      )
    }
    return base.remove(tx, leaving)
  })
}

function restore(ctx: Ctx, ids: readonly string[]): Promise<number> {
  return transaction(ctx, async tx => {
    const trashed = sql`(select s.* from ${rows(tx, 'stages')} s where s.deleted_at is not null)`
    const pipelineIds = await pipelinesOf(tx, trashed, ids)
    const there = await lockRecords(tx, 'pipelines', pipelineIds)
    if (there.length < pipelineIds.length) {
      throw errors.conflict('Its pipeline is in the trash: restore that instead')
    }
    const restored = await base.restore(tx, ids)
    for (const pipelineId of pipelineIds) {
      const stages = await stagesOf(tx, pipelineId)
      mustHaveRoom(stages.length - 1)
      await arrange(
        tx,
        stages.map(one => one.id),
      )
    }
    return restored
  })
}

async function pipelinesOf(
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
  update,
  remove: removeStages,
  restore,
}
