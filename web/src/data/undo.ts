/** The Undo of the toast after a change. */
import { showError, toast } from '#components/toast.tsx'
import { kith, queryClient } from './client.ts'

/** Says what was done, with a button that undoes it. */
export function offerUndo(message: string, undo: () => Promise<unknown>): void {
  toast(message, {
    label: 'Undo',
    run: () => undo().then(() => toast('Undone'), showError),
  })
}

/** For changes that the service groups as operations: bulk changes, tags, merges, imports. */
export const offerUndoOf = (message: string, ...operations: string[]): void =>
  offerUndo(message, () => undoAll(operations))

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
