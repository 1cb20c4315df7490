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

/** For changes that the service groups as an operation: bulk changes, tags, merges, imports. */
export function offerUndoOf(message: string, operation_id: string): void {
  offerUndo(message, async () => {
    const path = { operation_id }
    const { conflicts } = await kith.request('POST', '/api/operations/{operation_id}/undo', { path })
    await queryClient.invalidateQueries()
    if (conflicts.length > 0) toast(`${conflicts.length} were changed again since and stay as they are`)
  })
}
