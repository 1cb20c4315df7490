import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000

let minutes = 0
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** One timer for all components: a table shows hundreds of times. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    minutes++
    for (const each of listeners) each()
  }, MINUTE_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Draws the component again each minute, so that "now" does not remain. */
export const useEachMinute = (): void => void useSyncExternalStore(subscribe, () => minutes)
