/** The typed client with the session of this page, and the cache of what it has read. */
import { Kith, KithError } from '@kith/client'
import { QueryClient } from '@tanstack/react-query'
import { type Issue, type Problem, problemsIn, textOf, withoutRequests } from '#lib/problems.ts'
import { onConnection, watchedFetch } from './connection.ts'
import { currentSession, currentToken, refresh, SessionError } from './session.ts'

/** Adds the account, and refreshes the session once when the service no longer accepts the token. */
const authorizedFetch: typeof fetch = async (input, init) => {
  const send = async (token: string) => {
    const headers = new Headers(init?.headers)
    const account = currentSession()?.account.id
    if (token) headers.set('authorization', `Bearer ${token}`)
    if (account) headers.set('x-account-id', account)
    return watchedFetch(input, { ...init, headers })
  }
  const response = await send(await currentToken())
  if (response.status !== 401 || !(await refresh())) return response
  return send(await currentToken())
}

export const kith = new Kith({ url: '', retries: 2, fetch: authorizedFetch })

/**
 * The client repeats failed requests, so the cache does not. `always`: a browser without a network would otherwise send
 * nothing, not even to a service on the same machine, and an edit would wait without a message.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 60_000, gcTime: 10 * 60_000, retry: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

onConnection(isAway => {
  if (!isAway) void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
})

/** Lists of a group are read again; a single record is not. */
export const refreshLists = (group: string) =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[1] === group && queryKey[0] !== 'record',
  })

/** What a 422 says about each value; empty for any other error. */
export function problemsOf(error: unknown): Problem[] {
  const hasDetail = error instanceof KithError || error instanceof SessionError
  return hasDetail && Array.isArray(error.detail) ? problemsIn(error.detail as Issue[]) : []
}

/** The sentence to show for an error. */
export function messageOf(error: unknown): string {
  const problems = problemsOf(error)
  if (problems.length > 0) return textOf(problems)
  if (error instanceof Error && error.name === 'KithConnectionError') {
    return 'The service cannot be reached. Check your connection and try again.'
  }
  return withoutRequests(error instanceof Error ? error.message : String(error))
}
