/**
 * The signed-in person. The access token is in memory only; the refresh token is in a cookie that scripts cannot read,
 * so a reload begins with a refresh.
 */
import type { Schemas } from '@kith/client'
import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '#lib/use-stored.ts'
import { watchedFetch } from './connection.ts'

export type Account = Schemas['Account']
export type User = Schemas['User']

export interface Session {
  user: User
  account: Account
  accounts: Account[]
}

type SessionAnswer = Pick<
  Schemas['BrowserSession'],
  'access_token' | 'expires_in' | 'user' | 'accounts' | 'account'
>

/** Refreshed this long before it expires, so that no request starts with a token that expires on its way. */
const MARGIN_MS = 30_000

let session: Session | undefined
let accessToken = ''
let expiresAt = 0
let refreshing: Promise<boolean> | undefined
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `stayIn` is the account that this page shows: another tab may have switched the session to another one. */
function enter({ access_token, expires_in, user, accounts, account }: SessionAnswer, stayIn?: string): void {
  accessToken = access_token
  expiresAt = Date.now() + expires_in * 1000
  const chosen = accounts.find(({ id }) => id === stayIn) ?? account ?? accounts[0]
  session = chosen ? { user, accounts, account: chosen } : undefined
  writeStored('session', 'yes')
  for (const listener of listeners) listener()
}

function leave(): void {
  accessToken = ''
  session = undefined
  if (readStored('session') !== '') writeStored('session', '')
  for (const listener of listeners) listener()
}

/** An error of the service: its sentence, or of a 422 every problem. */
export class SessionError extends Error {
  override readonly name = 'SessionError'
  readonly status: number
  readonly detail: unknown
  constructor(detail: unknown, status: number) {
    super(typeof detail === 'string' ? detail : `The service answered with ${status}. Try again in a moment.`)
    this.detail = detail
    this.status = status
  }
}

async function call<T>(method: string, path: string, body?: object, isAuthorized = false): Promise<T> {
  const response = await watchedFetch(path, {
    method,
    // A page that is left meanwhile would lose the new cookie, and the service accepts the former one for 30 s only.
    keepalive: true,
    headers: {
      'x-kith-session': '1',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(isAuthorized ? { authorization: `Bearer ${await currentToken()}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (response.ok) return (await response.json()) as T
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: unknown }
  throw new SessionError(detail, response.status)
}

export async function signIn(email: string, password: string): Promise<void> {
  enter(await call('POST', '/api/session', { email, password }))
}

/**
 * One refresh at a time; `false` means that the person must sign in. A lost connection or a service that fails is
 * thrown: the session may still be good, and leaving the screen would lose what was typed into it.
 */
export function refresh(): Promise<boolean> {
  refreshing ??= refreshNow().finally(() => {
    refreshing = undefined
  })
  return refreshing
}

/** Whether the service refused the session, rather than failed or had too many requests. */
const hasEnded = ({ status }: SessionError): boolean => status < 500 && status !== 429

async function refreshNow(): Promise<boolean> {
  // a browser that has never signed in has no cookie: the request would only be refused
  if (readStored('session') !== 'yes') return false
  try {
    enter(await call('POST', '/api/session/refresh'), session?.account.id)
    return session !== undefined
  } catch (error) {
    if (!(error instanceof SessionError) || !hasEnded(error)) throw error
    leave()
    return false
  }
}

export async function signOut(): Promise<void> {
  await call('DELETE', '/api/session').catch(() => {})
  leave()
}

export async function switchAccount(account_id: string): Promise<void> {
  enter(await call('POST', '/api/session/switch', { account_id }, true))
}

/** For the response of signing up, of the first run and of invitations. */
export const enterWith = (answer: SessionAnswer): void => enter(answer)

export { call as callSession }

export async function currentToken(): Promise<string> {
  if (Date.now() > expiresAt - MARGIN_MS) await refresh()
  return accessToken
}

export const currentSession = (): Session | undefined => session

// signing out in one tab ends the session of all of them
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === 'kith.session' && newValue === '' && session) leave()
})

export const useSession = (): Session | undefined => useSyncExternalStore(subscribe, currentSession)

/** Inside the shell, where a person is always signed in. */
export function useSignedIn(): Session {
  const current = useSession()
  if (!current) throw new Error('useSignedIn is for screens inside the shell')
  return current
}

/** Whether the person may change records: viewers only read, and see no controls to edit. */
export const useIsWriter = (): boolean => useSignedIn().account.role !== 'viewer'
