import type { Readable } from 'node:stream'
import { property } from '../lib/values.ts'

/** What a handler returns when the answer is not simply a JSON value with the endpoint's status. */
export interface Reply {
  readonly isReply: true
  status?: number
  headers: Record<string, string>
  /** a JSON value, or a body that is sent as it is */
  content: { json: unknown } | { raw: string | Buffer | Readable }
}

/** A JSON answer with headers or a status of its own. */
export const jsonReply = (json: unknown, headers: Record<string, string> = {}, status?: number): Reply => ({
  isReply: true,
  headers,
  content: { json },
  ...(status === undefined ? {} : { status }),
})

/** A file, an event stream, a page. */
export function rawReply(
  raw: string | Buffer | Readable,
  type: string,
  headers: Record<string, string> = {},
): Reply {
  return { isReply: true, headers: { 'content-type': type, ...headers }, content: { raw } }
}

/** Headers that make a browser save the answer under this name. */
export function asDownload(fileName: string): Record<string, string> {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return {
    'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
  }
}

export const isReply = (answer: unknown): answer is Reply => property(answer, 'isReply') === true
