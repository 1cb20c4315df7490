/** The sequence of the account's last event, which the stream of live updates reports. */
import { useSyncExternalStore } from 'react'

let position: number | undefined
const listeners = new Set<() => void>()

export function setEventPosition(sequence: number | undefined): void {
  position = sequence
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Undefined until the stream has begun. */
export const useEventPosition = (): number | undefined => useSyncExternalStore(subscribe, () => position)
