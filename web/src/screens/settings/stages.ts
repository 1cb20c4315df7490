/** Changes of stages, shown at once: pipelines are read with their stages. */
import type { Schemas } from '@kith/client'
import { kith, queryClient } from '#data/client.ts'
import { refreshLists } from '#data/records.ts'
import { offerUndo, offerUndoOf } from '#data/undo.ts'

export type Stage = Schemas['Stage']
type StageChanges = Partial<Pick<Stage, 'name' | 'type' | 'probability' | 'rotten_after_days'>>

interface Pages {
  pages: { items: Schemas['Pipeline'][] }[]
}

const isPipelines = (queryKey: readonly unknown[]) => queryKey[0] === 'list' && queryKey[1] === 'pipelines'

/** The stages of a pipeline in every list that was read; a refused change is thrown, and they are read again. */
async function optimistic<T>(
  pipeline_id: string,
  change: (stages: Stage[]) => Stage[],
  send: () => Promise<T>,
): Promise<T> {
  queryClient.setQueriesData<Pages>(
    { predicate: query => isPipelines(query.queryKey) },
    data =>
      data && {
        ...data,
        pages: data.pages.map(page => ({
          ...page,
          items: page.items.map(one =>
            one.id === pipeline_id ? { ...one, stages: change(one.stages) } : one,
          ),
        })),
      },
  )
  try {
    return await send()
  } finally {
    refreshPipelines()
  }
}

function refreshPipelines(): void {
  void refreshLists('pipelines')
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[3] === 'board' })
}

export async function changeStage(stage: Stage, changes: StageChanges): Promise<void> {
  const set = (next: StageChanges) =>
    optimistic(
      stage.pipeline_id,
      stages => stages.map(one => (one.id === stage.id ? { ...one, ...next } : one)),
      async () => {
        const request = { path: { stage_id: stage.id }, body: next }
        const answer = await kith.response('PATCH', '/api/deals/stages/{stage_id}', request)
        return answer.headers.get('x-operation-id')
      },
    )
  const fields = Object.keys(changes) as (keyof StageChanges)[]
  const before = Object.fromEntries(fields.map(field => [field, stage[field]])) as StageChanges
  const operation = await set(changes)
  const message = `Changed ${changes.name ?? stage.name}`
  // Another type closes or reopens the deals: only the undo of the operation gives them their former times.
  if (operation === null) offerUndo(message, () => set(before))
  else offerUndoOf(message, operation)
}

export async function moveStage(stages: readonly Stage[], from: number, to: number): Promise<void> {
  const moved = stages[from]
  if (!moved || to < 0 || to >= stages.length) return
  const { pipeline_id } = moved
  const reorder = (next: Stage[]) =>
    optimistic(
      pipeline_id,
      () => next,
      () =>
        kith.request('PUT', '/api/deals/pipelines/{pipeline_id}/stages/reorder', {
          path: { pipeline_id },
          body: { stage_ids: next.map(({ id }) => id) },
        }),
    )
  const next = stages.toSpliced(from, 1).toSpliced(to, 0, moved)
  await reorder(next)
  offerUndo(`Moved ${moved.name}`, () => reorder([...stages]))
}

export async function addStage(pipeline_id: string, name: string): Promise<void> {
  await kith.stages.create({ pipeline_id, name, type: 'open', probability: 50 })
  refreshPipelines()
}

export async function deleteStage(stage: Stage): Promise<void> {
  await optimistic(
    stage.pipeline_id,
    stages => stages.filter(({ id }) => id !== stage.id),
    () => kith.stages.delete(stage.id),
  )
  offerUndo(`Deleted ${stage.name}`, async () => {
    await kith.stages.restore(stage.id)
    await refreshLists('pipelines')
  })
}
