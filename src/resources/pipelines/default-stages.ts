import { newId } from '../../kernel/ids.ts'

const STAGES = [
  { name: 'Lead', type: 'open', probability: 10 },
  { name: 'Qualified', type: 'open', probability: 25 },
  { name: 'Proposal', type: 'open', probability: 50 },
  { name: 'Negotiation', type: 'open', probability: 75 },
  { name: 'Won', type: 'won', probability: 100 },
  { name: 'Lost', type: 'lost', probability: 0 },
] as const

/** What every new pipeline begins with: without an open stage it could hold no deal. */
export const defaultStages = (pipelineId: string) =>
  STAGES.map((stage, position) => ({ id: newId(), pipeline_id: pipelineId, ...stage, position }))
