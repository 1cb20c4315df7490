import { newId } from '../../kernel/ids.ts'

const STAGES = [
  { name: 'Lead', type: 'open', probability: 10 },
  { name: 'Qualified', type: 'open', probability: 25 },
  { name: 'Proposal', type: 'open', probability: 50 },
  { name: 'Negotiation', type: 'open', probability: 75 },
  { name: 'Won', type: 'won', probability: 100 },
  { name: 'Lost', type: 'lost', probability: 0 },
] as const

/** The stages of a new pipeline: without an open stage it could have no deals. */
export const defaultStages = (pipelineId: string) =>
  STAGES.map((stage, position) => ({ id: newId(), pipeline_id: pipelineId, ...stage, position }))
