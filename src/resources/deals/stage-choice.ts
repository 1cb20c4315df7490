/** Which stage a request selects, and the values that a deal may have there. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { existingIds } from '../../kernel/links.ts'
import { living } from '../../kernel/statements.ts'
import { type StageType, targets } from '../pipelines/record.ts'

export interface Stage {
  id: string
  pipeline_id: string
  type: StageType
  is_archived: boolean
}

interface StageRequest {
  pipeline_id?: string
  stage_id?: string
}

/** Returns the requested stage. `from` is the deal's current pipeline, in which it may remain even if that is archived. */
export type ChooseStage = (request: StageRequest, from?: string) => Stage

/**
 * A stage implies its pipeline, a pipeline its first open stage; the default pipeline is used otherwise. The stages are
 * locked until the transaction ends, so that they cannot be deleted meanwhile. `isAlone` blocks other transactions that
 * compute a position in one of them.
 */
export async function stageChoice(
  tx: Ctx,
  requests: readonly StageRequest[],
  isAlone = false,
): Promise<ChooseStage> {
  const pipelines = await existingIds(
    tx,
    targets.pipeline,
    requests.flatMap(({ pipeline_id }) => pipeline_id ?? []),
  )
  const stageIds = requests.flatMap(({ stage_id }) => stage_id ?? [])
  const open = requests.filter(({ stage_id }) => stage_id === undefined)
  const isDefault = open.some(({ pipeline_id }) => pipeline_id === undefined)
  const candidates = sql<
    Stage & { is_default: boolean }
  >`select s.id, s.pipeline_id, s.type, p.is_archived, p.is_default
      from ${living(tx, 'stages')} s join ${living(tx, 'pipelines')} p on p.id = s.pipeline_id
      where s.id = any(${stageIds}::uuid[]) or s.type = 'open' and (
        p.id = any(${open.flatMap(({ pipeline_id }) => pipeline_id ?? [])}::uuid[])
        or ${isDefault} and p.is_default)
      order by s.position, s.id for ${isAlone ? sql`no key update` : sql`key share`} of s`
  const stages = requests.length === 0 ? [] : await query(tx, candidates)
  return (request, from) => {
    const { pipeline_id: pipelineId, stage_id: stageId } = request
    if (pipelineId !== undefined && !pipelines.has(pipelineId))
      throw errors.referenceNotFound(['body', 'pipeline_id'], targets.pipeline.label, pipelineId)
    const stage = stages.find(({ id, type, pipeline_id, is_default }) =>
      stageId !== undefined
        ? id === stageId
        : type === 'open' && (pipelineId === undefined ? is_default : pipeline_id === pipelineId),
    )
    if (!stage) {
      if (stageId !== undefined) throw errors.referenceNotFound(['body', 'stage_id'], 'Stage', stageId)
      throw errors.conflict('There is no pipeline with an open stage: create one first')
    }
    const field = stageId === undefined ? 'pipeline_id' : 'stage_id'
    if (pipelineId !== undefined && stage.pipeline_id !== pipelineId) {
      throw errors.invalidValue(['body', 'stage_id'], 'this stage belongs to another pipeline', stageId)
    }
    if (stage.is_archived && stage.pipeline_id !== from) {
      throw errors.invalidValue(['body', field], 'this pipeline is archived', request[field])
    }
    return stage
  }
}

export function checkLostReason(reason: string | null | undefined, type: StageType): void {
  if (reason == null || type === 'lost') return
  throw errors.invalidValue(['body', 'lost_reason'], 'only a lost deal has a reason for it', reason)
}

/** The values that a deal loses in another stage, for a move with a time: the triggers then set nothing. */
export const afterMove = (type: StageType): { probability: null; lost_reason?: null } =>
  type === 'lost' ? { probability: null } : { probability: null, lost_reason: null }
