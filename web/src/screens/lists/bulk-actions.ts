/** Changes of many records at once, each of which can be undone. */

import type { ListGroupName } from '#app/router.tsx'
import { showError } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { type Kind, kindOf, methodsOf } from '#data/groups.ts'
import { refreshLists } from '#data/records.ts'
import { offerUndoOf, undoAll } from '#data/undo.ts'
import { formatCount } from '#lib/format.ts'

/** The service takes this many ids in a call. */
const BATCH = 1000

const batches = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, index) =>
    ids.slice(index * BATCH, (index + 1) * BATCH),
  )

export const countOf = (kind: Kind, count: number): string =>
  formatCount(count, kind, kind === 'company' ? 'companies' : kind === 'activity' ? 'activities' : `${kind}s`)

/** Changes each batch; where one is refused, those before it are undone, so that all rows change or none. */
async function run<T>(
  group: ListGroupName,
  message: string,
  batched: readonly T[],
  send: (batch: T) => Promise<string>,
): Promise<boolean> {
  const operations: string[] = []
  try {
    for (const batch of batched) operations.push(await send(batch))
    await refreshLists(group)
    offerUndoOf(message, ...operations.filter(Boolean))
    return true
  } catch (error) {
    showError(error)
    const done = operations.filter(Boolean)
    if (done.length > 0) await undoAll(done).catch(showError)
    return false
  }
}

export const deleteMany = (group: ListGroupName, ids: string[]) =>
  run(group, `Deleted ${countOf(kindOf(group), ids.length)}`, batches(ids), async body => {
    const response = await kith.response('POST', `/api/${group}/bulk-delete`, { body })
    return response.headers.get('x-operation-id') ?? ''
  })

export const updateMany = (group: ListGroupName, ids: string[], set: object, label: string) =>
  run(group, `Changed ${label} of ${countOf(kindOf(group), ids.length)}`, batches(ids), async batch => {
    const { operation_id } = await methodsOf(group).bulkUpdate({ ids: batch, set })
    return operation_id
  })

export const tagMany = (group: ListGroupName, ids: string[], tag_ids: string[], remove: boolean) =>
  run(
    group,
    `${remove ? 'Untagged' : 'Tagged'} ${countOf(kindOf(group), ids.length)}`,
    batches(ids),
    async entity_ids => {
      const body = { tag_ids, entity_type: kindOf(group), entity_ids, remove }
      return (await kith.request('POST', '/api/tags/bulk-assign', { body })).operation_id
    },
  )

export const mergeMany = (group: 'contacts' | 'companies', primary_id: string, secondary_ids: string[]) =>
  run(
    group,
    `Merged ${countOf(kindOf(group), secondary_ids.length + 1)}`,
    [{ primary_id, secondary_ids }],
    async body => (await kith.request('POST', `/api/${group}/merge`, { body })).operation_id,
  )
