/** Creates the pipelines and stages that a file names and the account does not have (`on_missing: create`). */
import type { Ctx } from '../../../kernel/context.ts'
import { pipelineOperations } from '../../../resources/pipelines/pipelines.ts'
import { removeStages, stageOperations } from '../../../resources/pipelines/stages.ts'
import type { CsvRecord } from './csv-parser.ts'
import { stageTypeOf } from './deal-status.ts'
import { draftOf } from './drafts.ts'
import { type StageInfo, stagesOf } from './lookups.ts'
import { unlessRefused } from './refused.ts'
import { isOfPipeline, sameName } from './relations.ts'
import type { NamedStages, Plan } from './types.ts'

/** A column with more different values does not contain stages. */
const MAX_NAMED = 500
const MAX_NAME = 255

const stageColumns = (plan: Plan) =>
  plan.columns.filter(
    ({ field: { destination } }) =>
      destination.at === 'link' && ['stage_id', 'pipeline_id'].includes(destination.field),
  )

/** Collects the names while a file is read; undefined where nothing is to be created. */
export function namedStages(plan: Plan) {
  const { stage, pipeline } = plan.onMissing
  const columns = stageColumns(plan)
  if ((stage !== 'create' && pipeline !== 'create') || columns.length === 0) return undefined
  const pipelines = new Map<string, { pipeline: string | undefined; stages: Map<string, string> }>()
  let count = 0
  const keyOf = (name: string) => name.trim().toLowerCase()
  return {
    add(record: CsvRecord): void {
      const { links } = draftOf(record, columns, plan.width)
      const name = links.pipeline_id?.names[0] ?? plan.pipeline
      const key = name === undefined ? '' : keyOf(name)
      const stage = links.stage_id?.names[0]
      const group = pipelines.get(key)
      if (group && (stage === undefined || group.stages.has(keyOf(stage)))) return
      // Nothing is created for a row with a cell that cannot be read.
      if (draftOf(record, plan.columns, plan.width).errors.length > 0 || count++ > MAX_NAMED) return
      const stages = group?.stages ?? new Map()
      if (stage !== undefined) stages.set(keyOf(stage), stage)
      pipelines.set(key, { pipeline: name, stages })
    },
    list: (): NamedStages[] =>
      [...pipelines.values()].map(group => ({
        pipeline: group.pipeline,
        stages: [...group.stages.values()],
      })),
  }
}

/** Creates those that are missing. Where one is refused, its rows fail. */
export async function createStages(tx: Ctx, plan: Plan): Promise<void> {
  let stages = plan.named.length === 0 ? [] : await stagesOf(tx)
  for (const { pipeline, stages: names } of plan.named) {
    const isInPipeline = (stage: StageInfo) =>
      pipeline === undefined ? stage.is_default : isOfPipeline(stage, pipeline)
    if (pipeline !== undefined && !stages.some(isInPipeline)) {
      if (plan.onMissing.pipeline !== 'create') continue
      if (await unlessRefused(() => createPipeline(tx, pipeline, names))) stages = await stagesOf(tx)
      continue
    }
    const ofPipeline = stages.filter(isInPipeline)
    const [target] = ofPipeline
    // Without a pipeline, a stage of any of them is the one that is meant.
    const candidates = pipeline === undefined ? stages : ofPipeline
    for (const name of plan.onMissing.stage === 'create' ? names : []) {
      if (candidates.some(stage => sameName(stage.name, name)) || !target) continue
      await unlessRefused(() => createStage(tx, target.pipeline_id, name))
    }
    stages = await stagesOf(tx)
  }
}

/** With the stages that the file names in it, and the default stages that end a deal. */
async function createPipeline(tx: Ctx, name: string, stageNames: readonly string[]): Promise<void> {
  if (!fits(name)) return
  const { id } = await pipelineOperations.create(tx, { name: name.trim() })
  const defaults = (await stagesOf(tx)).filter(stage => stage.pipeline_id === id)
  const additional = stageNames.filter(other => !defaults.some(stage => sameName(stage.name, other)))
  for (const other of additional) await createStage(tx, id, other)
  const unnamed = defaults.filter(
    stage => stage.type === 'open' && !stageNames.some(other => sameName(stage.name, other)),
  )
  const hasOpen = stageNames.some(other => stageTypeOf(other) === 'open')
  if (hasOpen)
    await removeStages(
      tx,
      unnamed.map(stage => stage.id),
    )
}

/**
 * An open stage has the probability 0. That of the stage before it, usually 75, would count its deals in the forecast
 * whatever they are, and the order in which a file names stages is not that of a pipeline.
 */
async function createStage(tx: Ctx, pipeline_id: string, name: string): Promise<void> {
  if (!fits(name)) return
  const type = stageTypeOf(name)
  const chance = type === 'open' ? { probability: 0 } : {}
  await stageOperations.create(tx, { pipeline_id, name: name.trim(), type, ...chance })
}

const fits = (name: string): boolean => name.trim() !== '' && [...name.trim()].length <= MAX_NAME
