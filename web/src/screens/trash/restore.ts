/** Takes records out of the trash at once; Undo puts them back. */
import { showError } from '#components/toast.tsx'
import { changeCached, restoreCached } from '#data/cache.ts'
import { queryClient } from '#data/client.ts'
import { methodsOf } from '#data/groups.ts'
import { refreshLists } from '#data/records.ts'
import { offerUndo } from '#data/undo.ts'
import { formatCount } from '#lib/format.ts'
import { type Deleted, TRASH_KINDS, type TrashGroup, titleOf } from './kinds.ts'

export async function restore(group: TrashGroup, records: readonly Deleted[]): Promise<void> {
  const methods = methodsOf(group)
  const before = records.flatMap(({ id }) => changeCached(queryClient, group, id, () => undefined))
  const restored: string[] = []
  try {
    for (const { id } of records) {
      await methods.restore(id)
      restored.push(id)
    }
  } catch (error) {
    restoreCached(queryClient, before.toReversed())
    showError(error)
  }
  await refreshLists(group)
  if (restored.length === 0) return
  offerUndo(messageOf(group, records, restored.length), async () => {
    for (const id of restored) await methods.delete(id)
    await refreshLists(group)
  })
}

function messageOf(group: TrashGroup, records: readonly Deleted[], count: number): string {
  const { one, label } = TRASH_KINDS[group]
  const [first] = records
  return `Restored ${count === 1 && first ? titleOf(first) : formatCount(count, one, label.toLowerCase())}`
}
