/** One call over fetch: address, credentials, attempts. */
import { errorOf, KithConnectionError, type KithError } from './errors.ts'
import { etagOf } from './etag.ts'
import { postsWithoutKey, readingPosts } from './generated/openapi.ts'
import type { CallOptions } from './types.ts'

export interface KithOptions {
  /** the address of the service, such as http://localhost:8000 */
  url: string
  apiKey?: string | undefined
  /** a person's access token instead of a key, or a function that returns the current one */
  token?: string | (() => string | Promise<string>) | undefined
  /** the account, with a token */
  accountId?: string | undefined
  /** how often a call is tried again; 4 */
  retries?: number | undefined
  /** milliseconds for each attempt; 60,000, and no limit for forms with files */
  timeoutMs?: number | undefined
  /** sent with every call */
  headers?: Record<string, string> | undefined
  fetch?: typeof fetch | undefined
}

export interface Call extends CallOptions {
  path?: object | undefined
  query?: object | undefined
  body?: unknown
  /** the type of a body that is not a form */
  contentType?: string | undefined
  /** the answer is a stream: nothing limits how long it takes */
  isStream?: boolean | undefined
  /** JSON-RPC: an error is an answer, and a message that may have arrived is not sent again */
  isMessage?: boolean | undefined
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 8000
/** A service that asks for a longer pause is left to the caller. */
const LONGEST_RETRY_AFTER_S = 60
const GATEWAY_FAILED = [502, 504]
const NOT_NOW = [429, 503]

export type Send = (method: string, path: string, call?: Call) => Promise<Response>

/** Returns the function that sends calls; it throws on every answer of 400 or above. */
export function sender(options: KithOptions): Send {
  const { retries = 4, fetch: fetchNow = globalThis.fetch } = options
  const base = options.url.replace(/\/+$/, '')

  return async (method, path, call = {}) => {
    const url = base + address(path, call)
    const request = { method, path }
    const { init, isRepeatable } = prepare(method, path, call)
    let isRepeat = false
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries
      const headers = {
        ...init.headers,
        ...(await credentials(options)),
        ...options.headers,
        ...call.headers,
      }
      const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? (init.body instanceof FormData ? 0 : 60_000)
      try {
        const signal = signalOf(call, call.isStream ? 0 : timeoutMs)
        const response = await fetchNow(url, { ...init, headers, ...(signal ? { signal } : {}) })
        if (response.ok || (call.isMessage && response.status !== 429)) return response
        const error = await errorOf(response, request, isRepeat)
        if (isLast || !mayRepeat(error, isRepeatable)) throw error
        if (GATEWAY_FAILED.includes(error.status)) isRepeat = true
        await pause(retryAfterMs(response) ?? backoffMs(attempt), call.signal)
      } catch (thrown) {
        call.signal?.throwIfAborted()
        if (isAnswer(thrown)) throw thrown
        if (isLast || !isRepeatable) throw new KithConnectionError(request, base, thrown)
        isRepeat = true
        await pause(backoffMs(attempt), call.signal)
      }
    }
  }
}

const isAnswer = (thrown: unknown): thrown is KithError =>
  thrown instanceof Error && thrown.name === 'KithError'

function address(path: string, { path: values = {}, query = {} }: Call): string {
  const parameters = new Map(Object.entries(values))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters.get(name)
    if (value === undefined || value === '') throw new TypeError(`${path} needs ${name}`)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    if (name === 'cf' && typeof value === 'object' && value !== null) addCustomFields(search, value)
    else search.append(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** Filters by custom fields are parameters of their own: `{ tier: 'gold' }` is `cf.tier=gold`. */
function addCustomFields(search: URLSearchParams, filters: object): void {
  for (const [key, value] of Object.entries(filters))
    search.append(key.startsWith('cf.') ? key : `cf.${key}`, String(value))
}

/** The request, and whether it may be sent again when its answer was lost. */
function prepare(method: string, path: string, call: Call) {
  const isPost = method === 'POST'
  const hasNoKey = call.isMessage || postsWithoutKey.includes(path)
  const takesKey = isPost && !readingPosts.includes(path) && !hasNoKey
  const ifMatch = call.ifMatch === undefined ? undefined : etagOf(call.ifMatch)
  const body = bodyOf(call)
  const isJson = body !== undefined && !(body instanceof FormData)
  const init = {
    method,
    headers: {
      ...(isJson ? { 'content-type': call.contentType ?? 'application/json' } : {}),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(takesKey ? { 'idempotency-key': call.idempotencyKey ?? newKey() } : {}),
    },
    ...(body === undefined ? {} : { body }),
  }
  return { init, isRepeatable: ifMatch === undefined && !(isPost && hasNoKey) }
}

/** crypto.randomUUID is missing in browsers on pages without TLS. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

function bodyOf({ body }: Call): string | FormData | undefined {
  if (body === undefined) return undefined
  if (body instanceof FormData) return body
  return hasFile(body) ? formOf(body) : JSON.stringify(body)
}

const hasFile = (body: unknown): body is Record<string, unknown> & { file: Blob } =>
  typeof body === 'object' && body !== null && 'file' in body && body.file instanceof Blob

/** The file comes last: the service reads the other fields before it. */
function formOf({ file, ...fields }: Record<string, unknown> & { file: Blob }): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  form.append('file', file)
  return form
}

async function credentials({ apiKey, token, accountId }: KithOptions): Promise<Record<string, string>> {
  if (apiKey !== undefined) return { 'x-api-key': apiKey }
  const current = typeof token === 'function' ? await token() : token
  return {
    ...(current === undefined ? {} : { authorization: `Bearer ${current}` }),
    ...(accountId === undefined ? {} : { 'x-account-id': accountId }),
  }
}

/** 429 and 503 of the service mean that nothing was done; those of a proxy may come late. */
function mayRepeat({ status, headers }: KithError, isRepeatable: boolean): boolean {
  const seconds = Number(headers.get('retry-after') ?? 0)
  if (seconds > LONGEST_RETRY_AFTER_S) return false
  return status === 429 || (isRepeatable && (NOT_NOW.includes(status) || GATEWAY_FAILED.includes(status)))
}

function retryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

/** Doubles each time, with up to half of it taken away at random so that clients do not return together. */
export function backoffMs(attempt: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS) * (1 - Math.random() / 2)
}

function signalOf({ signal }: Call, timeoutMs: number): AbortSignal | undefined {
  if (timeoutMs <= 0) return signal
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal ? AbortSignal.any([signal, timeout]) : timeout
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
