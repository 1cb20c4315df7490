/** What undoes a change, as data: it is stored, so that a reload does not lose it. */
import { toast } from '#components/toast.tsx'
import { changeCached } from './cache.ts'
import { kith, queryClient, refreshLists } from './client.ts'
import type { StageMove } from './deal-moves.ts'
import { type FieldEdit, inOrder, writeEdit } from './field-edit.ts'
import { methodsOf, type WriteGroup } from './groups.ts'

export type UndoStep =
  /** refused if it is an edit of a field that somebody has changed since */
  | { kind: 'patch'; group: WriteGroup; id: string; changes: object; edit?: FieldEdit }
  | { kind: 'restore'; group: WriteGroup; id: string }
  | { kind: 'move'; move: StageMove }
  /** of bulk changes, tags, merges and imports */
  | { kind: 'operations'; ids: readonly string[] }

export async function undoStep(step: UndoStep): Promise<void> {
  switch (step.kind) {
    case 'patch': {
      const { group, id, changes, edit } = step
      const methods = methodsOf<{ id: string }>(group)
      const undone = await inOrder(id, () =>
        edit ? writeEdit(methods, id, changes, edit) : methods.patch(id, changes),
      )
      changeCached(queryClient, group, id, () => undone)
      return
    }
    case 'restore':
      await methodsOf(step.group).restore(step.id)
      await refreshLists(step.group)
      return
    case 'move': {
      const { moveDeal } = await import('./deal-moves.ts')
      await moveDeal(step.move)
      return
    }
    case 'operations':
      await undoAll(step.ids)
  }
}

/** Undoes operations, the latest one first. */
export async function undoAll(operations: readonly string[]): Promise<void> {
  let conflicts = 0
  for (const operation_id of operations.toReversed()) {
    const path = { operation_id }
    const result = await kith.request('POST', '/api/operations/{operation_id}/undo', { path })
    conflicts += result.conflicts.length
  }
  await queryClient.invalidateQueries()
  if (conflicts > 0) toast(`${conflicts} were changed again since and stay as they are`)
}
