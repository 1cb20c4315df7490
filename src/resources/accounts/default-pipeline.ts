import { newId } from '../../kernel/ids.ts'
import { defaultStages } from '../pipelines/default-stages.ts'

/** The pipeline that a new account has. */
export function defaultPipeline() {
  const pipeline = { id: newId(), name: 'Sales pipeline', is_default: true, position: 0 }
  return { pipeline, stages: defaultStages(pipeline.id) }
}
