/** Pipelines and stages that rows of deals name. */

import { settleClosing } from './closing.ts'
import type { Draft, NamedRecords } from './draft.ts'
import type { StageInfo } from './lookups.ts'
import { noteMissing } from './missing.ts'
import { isOfPipeline, sameName } from './relations.ts'
import { rowError } from './row-values.ts'
import type { Plan } from './types.ts'

/** `stages`: those of the default pipeline first. */
export function resolveStages(plan: Plan, stages: readonly StageInfo[], drafts: readonly Draft[]): void {
  for (const draft of drafts) settleClosing(draft, resolveStage(plan, stages, draft)?.type)
}

function resolveStage(plan: Plan, stages: readonly StageInfo[], draft: Draft): StageInfo | undefined {
  const pipeline = pipelineOf(plan, stages, draft)
  if (pipeline === 'failed') return undefined
  const among = stages.filter(stage => !pipeline || stage.pipeline_id === pipeline)
  const link = draft.links.stage_id
  const stage = link
    ? stageOf(plan, draft, link, among)
    : pipeline
      ? among.find(({ type }) => type === 'open')
      : undefined
  if (stage === 'failed') return undefined
  const ended = closed(draft, stage, among)
  if (ended === 'failed') return undefined
  const last = ended ?? stage
  setStage(draft, last)
  return last
}

/** What is to be created was created before the rows, unless it was refused. */
const unlessMade = (rule: 'fail' | 'empty' | 'create') => (rule === 'create' ? 'fail' : rule)

/** The id of the pipeline that the row, or else the import, names. */
function pipelineOf(plan: Plan, stages: readonly StageInfo[], draft: Draft): string | 'failed' | undefined {
  const link = draft.links.pipeline_id
  const names = link ? [...link.ids, ...link.names] : plan.pipeline === undefined ? [] : [plan.pipeline]
  const [first] = names
  if (first === undefined) return undefined
  const there = stages.find(stage => names.some(name => isOfPipeline(stage, name)))
  if (there) return there.pipeline_id
  const rule = link ? unlessMade(plan.onMissing.pipeline) : 'fail'
  return noteMissing(draft, 'pipeline_id', 'Pipeline', link?.names[0] ?? first, rule)
}

function stageOf(
  plan: Plan,
  draft: Draft,
  link: NamedRecords,
  among: readonly StageInfo[],
): StageInfo | 'failed' | undefined {
  const byId = among.find(({ id }) => link.ids.some(other => other.toLowerCase() === id))
  if (byId) return byId
  const matches = among.filter(({ name }) => link.names.some(other => sameName(other, name)))
  const pipelines = [...new Set(matches.map(stage => stage.pipeline_name))]
  const value = link.names[0] ?? link.ids[0] ?? ''
  if (pipelines.length > 1) {
    const message = `There is such a stage in ${pipelines.slice(0, 3).join(', ')}: name the pipeline in a column, or in options.pipeline`
    draft.errors.push(rowError('ambiguous_stage', message, value, null, 'stage_id'))
    return 'failed'
  }
  return matches[0] ?? noteMissing(draft, 'stage_id', 'Stage', value, unlessMade(plan.onMissing.stage))
}

/** In other products a deal that was won or lost may be in an open stage; here the stage decides. */
function closed(
  draft: Draft,
  stage: StageInfo | undefined,
  among: readonly StageInfo[],
): StageInfo | 'failed' | undefined {
  const { dealStatus: type } = draft
  if ((type !== 'won' && type !== 'lost') || stage?.type === type) return undefined
  const pipeline = stage?.pipeline_id ?? among[0]?.pipeline_id
  const end = among.find(other => other.type === type && other.pipeline_id === pipeline)
  if (end) return end
  const message = `This deal is ${type}, and its pipeline has no stage for ${type} deals: add one`
  draft.errors.push(rowError('reference_not_found', message, type, null, 'status'))
  return 'failed'
}

function setStage(draft: Draft, stage: StageInfo | undefined): void {
  if (!stage) return
  draft.input.stage_id = stage.id
  draft.input.pipeline_id = stage.pipeline_id
  // The stage's own probability is not stored with the deal: it changes with the stage.
  if (draft.input.probability === stage.probability) delete draft.input.probability
}
