/** Changes of many records at once, each of which can be undone. */

import type { ListGroupName } from '#app/router.tsx'
import { showError } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { type Kind, kindOf, methodsOf } from '#data/groups.ts'
import { refreshLists } from '#data/records.ts'
import { offerUndoOf } from '#data/undo.ts'
import { formatCount } from '#lib/format.ts'

/** The service takes this many ids in a call. */
const BATCH = 1000

const batches = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, index) =>
    ids.slice(index * BATCH, (index + 1) * BATCH),
  )

export const countOf = (kind: Kind, count: number): string =>
  formatCount(count, kind, kind === 'company' ? 'companies' : kind === 'activity' ? 'activities' : `${kind}s`)

async function run(group: ListGroupName, message: string, work: () => Promise<string[]>): Promise<boolean> {
  try {
    const operations = await work()
    await refreshLists(group)
    offerUndoOf(message, ...operations)
    return true
  } catch (error) {
    showError(error)
    return false
  }
}

export const deleteMany = (group: ListGroupName, ids: string[]) =>
  run(group, `Deleted ${countOf(kindOf(group), ids.length)}`, async () => {
    const operations: string[] = []
    for (const body of batches(ids)) {
      const response = await kith.response('POST', `/api/${group}/bulk-delete`, { body })
      operations.push(response.headers.get('x-operation-id') ?? '')
    }
    return operations.filter(Boolean)
  })

export const updateMany = (group: ListGroupName, ids: string[], set: object, label: string) =>
  run(group, `Changed ${label} of ${countOf(kindOf(group), ids.length)}`, async () => {
    const operations: string[] = []
    for (const batch of batches(ids)) {
      const { operation_id } = await methodsOf(group).bulkUpdate({ ids: batch, set })
      operations.push(operation_id)
    }
    return operations
  })

export const tagMany = (group: ListGroupName, ids: string[], tag_ids: string[], remove: boolean) =>
  run(group, `${remove ? 'Untagged' : 'Tagged'} ${countOf(kindOf(group), ids.length)}`, async () => {
    const operations: string[] = []
    for (const entity_ids of batches(ids)) {
      const body = { tag_ids, entity_type: kindOf(group), entity_ids, remove }
      operations.push((await kith.request('POST', '/api/tags/bulk-assign', { body })).operation_id)
    }
    return operations
  })

export const mergeMany = (group: 'contacts' | 'companies', primary_id: string, secondary_ids: string[]) =>
  run(group, `Merged ${countOf(kindOf(group), secondary_ids.length + 1)}`, async () => {
    const body = { primary_id, secondary_ids }
    const { operation_id } = await kith.request('POST', `/api/${group}/merge`, { body })
    return [operation_id]
  })
