/** Which stage a request means, and what it may say about a deal there. */
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

interface Wish {
  pipeline_id?: string
  stage_id?: string
}

/** Returns the stage that a wish means. `from` is the pipeline that the deal is in: it may stay there though archived. */
export type ChooseStage = (wish: Wish, from?: string) => Stage

/**
 * A stage implies its pipeline, a pipeline its first open stage; the default pipeline is used otherwise. The stages are
 * locked until the transaction ends, so that they cannot be deleted meanwhile. `isAlone` blocks other transactions that
 * compute a position in one of them.
 */
export async function stageChoice(tx: Ctx, wishes: readonly Wish[], isAlone = false): Promise<ChooseStage> {
  const pipelines = await existingIds(
    tx,
    targets.pipeline,
    wishes.flatMap(({ pipeline_id }) => pipeline_id ?? []),
  )
  const stageIds = wishes.flatMap(({ stage_id }) => stage_id ?? [])
  const open = wishes.filter(({ stage_id }) => stage_id === undefined)
  const isDefault = open.some(({ pipeline_id }) => pipeline_id === undefined)
  const candidates = sql<
    Stage & { is_default: boolean }
  >`select s.id, s.pipeline_id, s.type, p.is_archived, p.is_default
      from ${living(tx, 'stages')} s join ${living(tx, 'pipelines')} p on p.id = s.pipeline_id
      where s.id = any(${stageIds}::uuid[]) or s.type = 'open' and (
        p.id = any(${open.flatMap(({ pipeline_id }) => pipeline_id ?? [])}::uuid[])
        or ${isDefault} and p.is_default)
      order by s.position, s.id for ${isAlone ? sql`no key update` : sql`key share`} of s`
  const stages = wishes.length === 0 ? [] : await query(tx, candidates)
  return (wish, from) => {
    const { pipeline_id: pipelineId, stage_id: stageId } = wish
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
      throw errors.invalidValue(['body', field], 'this pipeline is archived', wish[field])
    }
    return stage
  }
}

export function checkLostReason(reason: string | null | undefined, type: StageType): void {
  if (reason == null || type === 'lost') return
  throw errors.invalidValue(['body', 'lost_reason'], 'only a lost deal has a reason for it', reason)
}
