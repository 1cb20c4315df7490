/** The stages of a pipeline in their order: positions count from 0 without gaps. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { living, updateRows } from '../../kernel/statements.ts'
import type { StageType } from './record.ts'

export interface StageInOrder {
  id: string
  type: StageType
  probability: number
}

export const isOpen = ({ type }: Pick<StageInOrder, 'type'>): boolean => type === 'open'

/** Lock the pipeline first if the result must not change. */
export const stagesOf = (ctx: Ctx, pipelineId: string): Promise<StageInOrder[]> =>
  query(
    ctx,
    sql<StageInOrder>`select s.id, s.type, s.probability from ${living(ctx, 'stages')} s
      where s.pipeline_id = ${pipelineId} order by s.position, s.id`,
  )

export async function arrange(tx: Ctx, ids: readonly string[]): Promise<void> {
  const position = sql`array_position(${ids}::uuid[], r.id) - 1`
  await updateRows(
    tx,
    'stages',
    sql`position = ${position}, updated_at = now()`,
    sql`r.id = any(${ids}::uuid[]) and r.position <> ${position}`,
  )
}

/** `id` at `index` among the others, or at the end if there are fewer. */
export function placed(stages: readonly StageInOrder[], id: string, index: number): string[] {
  const ids = stages.map(stage => stage.id).filter(other => other !== id)
  ids.splice(index, 0, id)
  return ids
}
