/** The general update and delete of stages and pipelines where they change deals, too: these answer with an operation. */
import { type Endpoint, endpoint, pathParam } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty, endpointsOf, ifUnchanged, updateRequested } from '../../kernel/general-endpoints.ts'
import type { OperationKind } from '../../kernel/operation.ts'
import { jsonReply } from '../../kernel/reply.ts'
import type { Resource } from '../../kernel/resource.ts'
import { moveToQuery } from './delete-stages.ts'
import { asOneChange } from './operation.ts'
import type { Stage, StageInput } from './record.ts'
import { changeStage, type removeStages, type StageChange } from './stages.ts'

/** PUT and PATCH of a stage. */
export const stageUpdates = (resource: Resource<StageInput, Stage>): Endpoint[] =>
  endpointsOf(resource)
    .filter(({ method }) => method === 'PUT' || method === 'PATCH')
    .map(general => ({
      ...general,
      description: `${general.description} Another \`type\` closes or reopens the deals of the stage: \`closed_at\` stays when they were won and are lost now, or the other way round, and \`lost_reason\` is shown again when they are lost again. Such a change is an operation, which can be undone: the response header X-Operation-ID has its id.`,
      operationHeader: true,
      async run(ctx, request) {
        let change: StageChange | undefined
        const update: typeof resource.operations.update = async (tx, id, input) => {
          change = await changeStage(tx, id, input)
          return change.stage
        }
        const operations = { ...resource.operations, update }
        const stage = await updateRequested(ctx, { ...resource, operations }, request)
        return jsonReply(stage, change?.operationId ? { 'x-operation-id': change.operationId } : {})
      },
    }))

/** The general delete, which can first move the deals to another stage. */
export const deletion = (resource: Resource, kind: OperationKind, remove: typeof removeStages): Endpoint =>
  endpoint({
    method: 'DELETE',
    path: `${resource.path}/{${resource.idParam}}`,
    tag: resource.tag,
    permission: 'deals:write',
    summary: `Delete a ${resource.record.label.toLowerCase()}`,
    description:
      'Moves it to the trash, from which it can be restored. A restore does not move back the deals that were moved to another stage; the undo of the operation in the response header X-Operation-ID does, with the values that they had.',
    query: moveToQuery,
    response: empty,
    operationHeader: true,
    run: (ctx, request) =>
      ifUnchanged(ctx, resource, request, async tx => {
        const { operationId } = await asOneChange(tx, kind, resource.record.table, async inside => {
          const gone = await remove(inside, [pathParam(request, resource.idParam)], request.query.move_to)
          if (gone === 0) throw errors.notFound(resource.record.label)
        })
        return jsonReply({}, { 'x-operation-id': operationId })
      }),
  })
