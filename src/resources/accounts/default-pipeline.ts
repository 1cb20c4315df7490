import { newId } from '../../kernel/ids.ts'

const STAGES = [
  { name: 'Lead', type: 'open', probability: 10 },
  { name: 'Qualified', type: 'open', probability: 25 },
  { name: 'Proposal', type: 'open', probability: 50 },
  { name: 'Negotiation', type: 'open', probability: 75 },
  { name: 'Won', type: 'won', probability: 100 },
  { name: 'Lost', type: 'lost', probability: 0 },
] as const

/** The pipeline that a new account has. */
export function defaultPipeline() {
  const pipeline = { id: newId(), name: 'Sales pipeline', is_default: true, position: 0 }
  const stages = STAGES.map((stage, position) => ({
    id: newId(),
    pipeline_id: pipeline.id,
    ...stage,
    position,
  }))
  return { pipeline, stages }
}
