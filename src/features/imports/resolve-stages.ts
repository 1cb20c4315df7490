/** Pipelines and stages that rows of deals name. */
import { settleClosing } from './closing.ts'
import { type Draft, rowError, type Tie } from './drafts.ts'
import type { StageInfo } from './lookups.ts'

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** A stage by its name, within its pipeline where that is named, else in the default one, else in any. */
export function resolveStages(stages: readonly StageInfo[], drafts: readonly Draft[]): void {
  for (const draft of drafts) settleClosing(draft, resolveStage(stages, draft)?.type)
}

function resolveStage(stages: readonly StageInfo[], draft: Draft): StageInfo | undefined {
  const pipeline = draft.ties.pipeline_id
  const wanted = draft.ties.stage_id
  const among = pipeline
    ? stages.filter(stage => isWanted(pipeline, stage.pipeline_id, stage.pipeline_name))
    : stages
  if (pipeline && among.length === 0) {
    fail(draft, 'pipeline_id', 'Pipeline', pipeline)
    return undefined
  }
  const stage = wanted
    ? among.find(({ id, name }) => isWanted(wanted, id, name))
    : pipeline
      ? among.find(({ type }) => type === 'open')
      : undefined
  if (wanted && !stage) {
    fail(draft, 'stage_id', 'Stage', wanted)
    return undefined
  }
  const last = closed(draft, stage, among) ?? stage
  place(draft, last)
  return last
}

const isWanted = (tie: Tie, id: string, name: string): boolean =>
  tie.ids.some(other => other.toLowerCase() === id) || tie.names.some(other => same(other, name))

const fail = (draft: Draft, field: string, label: string, tie: Tie) =>
  draft.errors.push(
    rowError('reference_not_found', `${label} not found`, tie.names[0] ?? tie.ids[0] ?? '', null, field),
  )

/** Elsewhere a deal that was won or lost may still stand in an open stage; here the stage says it. */
function closed(
  { dealStatus }: Draft,
  stage: StageInfo | undefined,
  among: readonly StageInfo[],
): StageInfo | undefined {
  const type = dealStatus?.replace(/^closed[\s_-]*/, '')
  if ((type !== 'won' && type !== 'lost') || stage?.type === type) return undefined
  const pipeline = stage?.pipeline_id ?? among[0]?.pipeline_id
  return among.find(other => other.type === type && other.pipeline_id === pipeline)
}

function place(draft: Draft, stage: StageInfo | undefined): void {
  if (!stage) return
  draft.input.stage_id = stage.id
  draft.input.pipeline_id = stage.pipeline_id
  // The stage's own probability is not written down: it changes with the stage.
  if (draft.input.probability === stage.probability) delete draft.input.probability
}
