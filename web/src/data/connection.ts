/** Whether the service answers. The shell says when it does not; what could not be read is read again afterwards. */
import { useSyncExternalStore } from 'react'

let isAway = false
const listeners = new Set<(isAway: boolean) => void>()

/** A proxy answers with these while the service behind it is away. */
const AWAY: readonly number[] = [502, 504]

function set(next: boolean): void {
  if (next === isAway) return
  isAway = next
  for (const listener of listeners) listener(isAway)
}

export function onConnection(listener: (isAway: boolean) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** No answer: the network or the service is away. */
class Unreachable extends Error {
  override readonly name = 'KithConnectionError'
}

/** `fetch` that notices whether the service answers. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init)
    set(AWAY.includes(response.status))
    return response
  } catch (error) {
    if (init?.signal?.aborted) throw error
    set(true)
    throw new Unreachable('The service cannot be reached', { cause: error })
  }
}

export const useIsAway = (): boolean => useSyncExternalStore(onConnection, () => isAway)
