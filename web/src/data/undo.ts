/** Undo of a change: in the toast after it, and by key as long as the page is open. */
import { showError, toast } from '#components/toast.tsx'
import { kith, queryClient } from './client.ts'
import { currentSession } from './session.ts'

interface Change {
  message: string
  account: string | undefined
  undo: () => Promise<unknown>
  closeToast: () => void
}

/** The latest one last. */
const changes: Change[] = []
const MOST_CHANGES = 20

/** Says what was done, with a button that undoes it. */
export function offerUndo(message: string, undo: () => Promise<unknown>): void {
  const run = () => void revert(change, 'Undone')
  const closeToast = toast(message, { label: 'Undo', run })
  const change: Change = { message, account: currentSession()?.account.id, undo, closeToast }
  changes.push(change)
  if (changes.length > MOST_CHANGES) changes.shift()
}

/** Tries each change once: one that is refused was changed again by somebody else. */
async function revert(change: Change, message: string): Promise<void> {
  changes.splice(changes.indexOf(change), 1)
  await change.undo().then(() => toast(message), showError)
}

/** The latest change in this account that can be undone. */
export const lastChange = (): Change | undefined =>
  changes.findLast(({ account }) => account === currentSession()?.account.id)

export function undoLast(): void {
  const change = lastChange()
  if (!change) return void toast('There is nothing to undo')
  change.closeToast()
  void revert(change, `Undone: ${change.message}`)
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
