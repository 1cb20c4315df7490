import { transaction } from '../../kernel/context.ts'
import { lockRecords } from '../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty, pageOf } from '../../kernel/general-endpoints.ts'
import { listParameters } from '../../kernel/list-parameters.ts'
import type { Resource } from '../../kernel/resource.ts'
import { list, object, uuid, without } from '../../kernel/schema/index.ts'
import { createPipeline, pipelineOperations, pipelineRecord, removePipelines } from './pipelines.ts'
import {
  MAX_STAGES,
  type Pipeline,
  type PipelineInput,
  pipelineCreate,
  type Stage,
  type StageInput,
} from './record.ts'
import { removeStages, reorderStages, stageOperations, stageRecord } from './stages.ts'
import { deletion, stageUpdates } from './undoable-endpoints.ts'

const pipelineResource: Resource<PipelineInput, Pipeline> = {
  name: 'deals',
  path: '/api/deals/pipelines',
  idParam: 'pipeline_id',
  tag: 'Pipelines',
  record: pipelineRecord,
  operations: pipelineOperations,
}

const stageResource: Resource<StageInput, Stage> = {
  name: 'deals',
  path: '/api/deals/stages',
  idParam: 'stage_id',
  tag: 'Stages',
  record: stageRecord,
  operations: stageOperations,
}

const creation = endpoint({
  method: 'POST',
  path: '/api/deals/pipelines',
  tag: 'Pipelines',
  permission: 'deals:write',
  summary: 'Create a pipeline',
  description: 'With the given stages, or with six common ones.',
  body: pipelineCreate,
  response: pipelineRecord.output,
  status: 201,
  single: true,
  run: (ctx, { body }) => createPipeline(ctx, body),
})

const ofPipeline = '/api/deals/pipelines/{pipeline_id}/stages'

const stagesOfPipeline: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: ofPipeline,
    tag: 'Stages',
    permission: 'deals:read',
    summary: 'List the stages of a pipeline',
    description: 'In the order of the pipeline, unless `sort_by` is given.',
    query: without(listParameters(stageRecord), ['pipeline_id']),
    response: pageOf(stageResource),
    run: async (ctx, { params, query }) => {
      await pipelineOperations.get(ctx, params.pipeline_id)
      return stageOperations.list(ctx, { ...query, pipeline_id: params.pipeline_id })
    },
  }),
  endpoint({
    method: 'POST',
    path: ofPipeline,
    tag: 'Stages',
    permission: 'deals:write',
    summary: 'Create a stage in a pipeline',
    description: `Without \`position\`, an open stage follows the last open one, and any other comes last. Without \`probability\`, a won stage has 100, a lost one 0, and an open one that of the open stage before it. 409 if the pipeline has ${MAX_STAGES} stages.`,
    body: without(stageRecord.input, ['pipeline_id'], { title: 'PipelineStageCreate' }),
    response: stageRecord.output,
    status: 201,
    single: true,
    run: (ctx, { params, body }) =>
      transaction(ctx, async tx => {
        const locked = await lockRecords(tx, 'pipelines', [params.pipeline_id])
        if (locked.length === 0) throw errors.notFound('Pipeline')
        return stageOperations.create(tx, { ...body, pipeline_id: params.pipeline_id })
      }),
  }),
  endpoint({
    method: 'PUT',
    path: `${ofPipeline}/reorder`,
    tag: 'Stages',
    permission: 'deals:write',
    summary: 'Reorder the stages of a pipeline',
    description:
      '422 unless the list has every stage of the pipeline exactly once. Deals stay in their stages.',
    body: object({
      stage_ids: list(uuid(), { max: MAX_STAGES, description: 'Every stage of the pipeline, once' }),
    }),
    response: empty,
    run: async (ctx, { params, body }) => {
      await reorderStages(ctx, params.pipeline_id, body.stage_ids)
      return {}
    },
  }),
]

export const pipelines: Resource<PipelineInput, Pipeline> = {
  ...pipelineResource,
  endpoints: [creation, deletion(pipelineResource, 'pipeline_delete', removePipelines), ...stagesOfPipeline],
}

export const stages: Resource<StageInput, Stage> = {
  ...stageResource,
  endpoints: [deletion(stageResource, 'stage_delete', removeStages), ...stageUpdates(stageResource)],
}
