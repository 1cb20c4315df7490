/** What calls throw. */
import type { Schemas } from './types.ts'

export type Problem = Schemas['ValidationError']

export interface FailedRequest {
  method: string
  path: string
}

/** The service answered with a status of 400 or above. */
export class KithError extends Error {
  override readonly name = 'KithError'
  readonly status: number
  /** a sentence, or of a 422 every problem with the path to its value */
  readonly detail: string | Problem[]
  readonly requestId: string | undefined
  readonly headers: Headers
  readonly request: FailedRequest
  /** an earlier attempt was sent and its answer was lost, so that attempt may have succeeded */
  readonly isRepeat: boolean

  constructor(response: Response, detail: string | Problem[], request: FailedRequest, isRepeat: boolean) {
    super(sentence(detail) || `${request.method} ${request.path} answered ${response.status}`)
    this.status = response.status
    this.detail = detail
    this.headers = response.headers
    this.requestId = response.headers.get('x-request-id') ?? undefined
    this.request = request
    this.isRepeat = isRepeat
  }
}

/** No answer came: the connection failed, or the attempt took longer than `timeoutMs`. */
export class KithConnectionError extends Error {
  override readonly name = 'KithConnectionError'
  readonly request: FailedRequest

  constructor(request: FailedRequest, url: string, cause: unknown) {
    super(`No answer from ${url} to ${request.method} ${request.path}: ${reason(cause)}`, { cause })
    this.request = request
  }
}

const sentence = (detail: string | Problem[]): string =>
  typeof detail === 'string' ? detail : detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('\n')

/** fetch says "fetch failed" and gives the reason as its cause. */
function reason(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  return thrown.cause instanceof Error ? reason(thrown.cause) : thrown.message || thrown.name
}

/** The error of an answer, whose body a proxy may have written. */
export async function errorOf(response: Response, request: FailedRequest, isRepeat: boolean) {
  const text = await response.text().catch(() => '')
  return new KithError(response, detailOf(text), request, isRepeat)
}

function detailOf(text: string): string | Problem[] {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    if (typeof detail === 'string' || Array.isArray(detail)) return detail
  } catch {
    // not JSON: the text of a proxy
  }
  return text.slice(0, 500)
}
