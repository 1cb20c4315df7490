import { KithError } from '@kith/client'
import { notifyManager, type Query } from '@tanstack/react-query'
import { CloudAlert, CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { messageOf, queryClient } from '#data/client.ts'
import { useIsAway } from '#data/connection.ts'

const cache = queryClient.getQueryCache()

const isGone = ({ state: { error } }: Query): boolean => error instanceof KithError && error.status === 404

/**
 * What is on the screen and could not be read. A record that never was there has a page that says so, and a preview has
 * its own message: half a text often has none.
 */
const isUnread = (query: Query): boolean =>
  query.state.status === 'error' &&
  query.isActive() &&
  query.meta?.hasOwnMessage !== true &&
  !(isGone(query) && query.state.data === undefined)

function problem(): string {
  const query = cache.getAll().find(isUnread)
  if (!query) return ''
  return isGone(query)
    ? 'This was deleted. You see it as it was before.'
    : `Not everything here is up to date: ${messageOf(query.state.error)}`
}

const subscribe = (listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener))

const readAgain = () => void queryClient.refetchQueries({ type: 'active', predicate: isUnread })

/**
 * Says that what is shown may be old or missing. It is over the screen, so that nothing moves, and the screen keeps what
 * it has: a form that is replaced by an error would lose what was typed into it.
 */
export function ReadNotice() {
  const isAway = useIsAway()
  const text = useSyncExternalStore(subscribe, problem)
  const Icon = isAway ? CloudOff : CloudAlert
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-2 z-60 flex justify-center px-2">
      {(isAway || text) && (
        <span className="flex items-center gap-2 rounded-lg bg-warn-soft px-3 py-1.5 text-warn shadow-float">
          <Icon size={14} className="shrink-0" />
          {isAway ? 'The service cannot be reached. Trying again…' : text}
          {!isAway && (
            <button
              type="button"
              onClick={readAgain}
              className="pointer-events-auto shrink-0 rounded-md px-1.5 font-medium underline hover:no-underline"
            >
              Try again
            </button>
          )}
        </span>
      )}
    </div>
  )
}
