/** Tries again to save what the service did not take, once it may take it. */
import { KithError } from '@kith/client'
import { onConnection } from './connection.ts'

/** For failures that the connection does not show, such as too many requests. */
const RETRY_MS = 3000

/** Whether the same request may succeed later: the service was away, failed or had too many requests. */
export const isTemporary = (error: unknown): boolean =>
  !(error instanceof KithError) || error.status >= 500 || error.status === 429

/** Calls `run` once, when the service answers again or after a while; the result cancels it. */
export function whenBack(run: () => void): () => void {
  const stop = () => {
    clearTimeout(timer)
    unsubscribe()
  }
  const start = () => {
    stop()
    run()
  }
  const timer = setTimeout(start, RETRY_MS)
  const unsubscribe = onConnection(isAway => !isAway && start())
  return stop
}
