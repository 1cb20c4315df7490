/** The stages that a pipeline is created with. */
import { newId } from '../../kernel/ids.ts'
import type { NewStage, StageType } from './record.ts'

/** Won stages have probability 100, lost ones 0; an open stage has that of the open stage before it. */
export function inheritedProbability(
  type: StageType,
  before: readonly { type: StageType; probability: number }[],
): number {
  if (type !== 'open') return type === 'won' ? 100 : 0
  return before.findLast(stage => stage.type === 'open')?.probability ?? 0
}

export function stageRows(pipelineId: string, stages: readonly NewStage[]) {
  const rows: (NewStage & { id: string; pipeline_id: string; probability: number; position: number })[] = []
  for (const [position, stage] of stages.entries()) {
    const probability = stage.probability ?? inheritedProbability(stage.type, rows)
    rows.push({ ...NO_VALUES, ...stage, id: newId(), pipeline_id: pipelineId, probability, position })
  }
  return rows
}

/** Rows that are inserted together have the same keys. */
const NO_VALUES = { color: null, rotten_after_days: null }
