/** Which stage a request means, and what it may say about a deal there. */
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { checkReferences } from '../../kernel/links.ts'
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

interface Choosing {
  /** the pipeline that the deal is in: it may stay there though it is archived */
  from?: string
  /** whether to block other transactions that compute a position in the stage */
  alone?: boolean
}

/**
 * A stage implies its pipeline, a pipeline its first open stage; the default pipeline is used otherwise. Locked until
 * the transaction ends, so that it cannot be deleted meanwhile.
 */
export async function chooseStage(tx: Ctx, wish: Wish, choosing: Choosing = {}): Promise<Stage> {
  const { pipeline_id: pipelineId, stage_id: stageId } = wish
  if (pipelineId !== undefined) {
    await checkReferences(tx, targets.pipeline, [pipelineId], () => ['body', 'pipeline_id'])
  }
  const which =
    stageId !== undefined
      ? sql`s.id = ${stageId}`
      : sql`s.type = 'open' and ${pipelineId === undefined ? sql`p.is_default` : sql`p.id = ${pipelineId}`}`
  const stage = await queryOne(
    tx,
    sql<Stage>`select s.id, s.pipeline_id, s.type, p.is_archived
      from ${living(tx, 'stages')} s join ${living(tx, 'pipelines')} p on p.id = s.pipeline_id
      where ${which} order by s.position, s.id limit 1
      for ${choosing.alone ? sql`no key update` : sql`key share`} of s`,
  )
  if (!stage) {
    if (stageId !== undefined) throw errors.referenceNotFound(['body', 'stage_id'], 'Stage', stageId)
    throw errors.conflict('There is no pipeline with an open stage: create one first')
  }
  const field = stageId === undefined ? 'pipeline_id' : 'stage_id'
  if (pipelineId !== undefined && stage.pipeline_id !== pipelineId) {
    throw errors.invalidValue(['body', 'stage_id'], 'this stage belongs to another pipeline', stageId)
  }
  if (stage.is_archived && stage.pipeline_id !== choosing.from) {
    throw errors.invalidValue(['body', field], 'this pipeline is archived', wish[field])
  }
  return stage
}

export function checkLostReason(reason: string | null | undefined, type: StageType): void {
  if (reason == null || type === 'lost') return
  throw errors.invalidValue(['body', 'lost_reason'], 'only a lost deal has a reason for it', reason)
}
