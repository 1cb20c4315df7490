import type { Readable } from 'node:stream'
import { property } from '../lib/values.ts'

/** A response other than a JSON value with the endpoint's default status. */
export interface Reply {
  readonly isReply: true
  status?: number
  headers: Record<string, string>
  /** a JSON value, or a body that is sent unchanged */
  content: { json: unknown } | { raw: string | Buffer | Readable }
}

/** A JSON response with its own headers or status. */
export const jsonReply = (json: unknown, headers: Record<string, string> = {}, status?: number): Reply => ({
  isReply: true,
  headers,
  content: { json },
  ...(status === undefined ? {} : { status }),
})

/** A response that is not JSON: a file, an event stream, an HTML page. */
export function rawReply(
  raw: string | Buffer | Readable,
  type: string,
  headers: Record<string, string> = {},
): Reply {
  return { isReply: true, headers: { 'content-type': type, ...headers }, content: { raw } }
}

/** Headers that make a browser save the response under this name. */
export function asDownload(fileName: string): Record<string, string> {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return {
    'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
  }
}

export const isReply = (answer: unknown): answer is Reply => property(answer, 'isReply') === true
