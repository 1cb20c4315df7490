/** Limits open event streams, because each occupies a connection until its client disconnects. */
import type { Ctx } from './context.ts'
import { errors } from './errors.ts'
import { processState } from './process-state.ts'

export const MAX_STREAMS = 20
const WAIT_SECONDS = 5

const openIn = processState(() => new Map<string, number>())

/** Counts a stream of the caller; the returned function releases it. Throws when too many are open. */
export function openStream({ services, caller: { kind, id, accountId } }: Ctx): () => void {
  const open = openIn(services)
  const caller = `${accountId} ${kind} ${id}`
  const count = open.get(caller) ?? 0
  if (count >= MAX_STREAMS) {
    throw errors.usedUp(`You have ${MAX_STREAMS} event streams open: close one first`, WAIT_SECONDS)
  }
  open.set(caller, count + 1)
  let isOpen = true
  return () => {
    if (!isOpen) return
    isOpen = false
    const remaining = (open.get(caller) ?? 1) - 1
    if (remaining === 0) open.delete(caller)
    else open.set(caller, remaining)
  }
}
