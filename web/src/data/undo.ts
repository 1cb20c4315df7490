/** Undo of a change: in the toast after it, and by key as long as the tab is open. */
import { showError, toast } from '#components/toast.tsx'
import { currentSession } from './session.ts'
import { type UndoStep, undoStep } from './undo-steps.ts'

export { undoAll } from './undo-steps.ts'

interface Change {
  message: string
  user: string | undefined
  account: string | undefined
  /** a function lasts as long as the page */
  undo: UndoStep | (() => Promise<unknown>)
  closeToast?: () => void
}

const MOST_CHANGES = 20
const STORED = 'kith.undo'

/** The latest one last; it begins with those before a reload. */
const changes: Change[] = storedChanges()

function storedChanges(): Change[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}

function store(): void {
  const lasting = changes.filter(({ undo }) => typeof undo !== 'function')
  try {
    sessionStorage.setItem(STORED, JSON.stringify(lasting))
  } catch {
    // blocked by the browser: a reload forgets them
  }
}

/** Says what was done, with a button that undoes it. */
export function offerUndo(message: string, undo: Change['undo']): void {
  const run = () => void revert(change, 'Undone')
  const closeToast = toast(message, { label: 'Undo', run })
  const session = currentSession()
  const change: Change = { message, user: session?.user.id, account: session?.account.id, undo, closeToast }
  changes.push(change)
  if (changes.length > MOST_CHANGES) changes.shift()
  store()
}

/** Tries each change once: one that is refused was changed again by somebody else. */
async function revert(change: Change, message: string): Promise<void> {
  changes.splice(changes.indexOf(change), 1)
  store()
  const { undo } = change
  await (typeof undo === 'function' ? undo() : undoStep(undo)).then(() => toast(message), showError)
}

/** The person's latest change in this account that can be undone. */
export function lastChange(): Change | undefined {
  const session = currentSession()
  return changes.findLast(({ user, account }) => user === session?.user.id && account === session?.account.id)
}

export function undoLast(): void {
  const change = lastChange()
  if (!change) return void toast('There is nothing to undo')
  change.closeToast?.()
  void revert(change, `Undone: ${change.message}`)
}

/** For changes that the service groups as operations: bulk changes, tags, merges, imports. */
export const offerUndoOf = (message: string, ...operations: string[]): void =>
  offerUndo(message, { kind: 'operations', ids: operations })
