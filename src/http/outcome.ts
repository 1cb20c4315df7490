import type { Readable } from 'node:stream'
import { isReply } from '../kernel/reply.ts'
import { isRecord } from '../lib/values.ts'

/** The HTTP response of a handler's answer. */
export interface Outcome {
  status: number
  headers: Record<string, string>
  /** JSON text, as a string or as bytes, or a body of another kind */
  body: string | Buffer | { raw: string | Buffer | Readable }
  /** what is stored for a replay if the body contains a secret */
  stored?: string
}

export function outcomeOf(answer: unknown, status: number, shownOnce: readonly string[] = []): Outcome {
  if (shownOnce.length > 0 && !isReply(answer)) {
    const rest = Object.entries(isRecord(answer) ? answer : {}).filter(([name]) => !shownOnce.includes(name))
    const stored = JSON.stringify(Object.fromEntries(rest))
    return { status, headers: { 'cache-control': 'no-store' }, body: JSON.stringify(answer), stored }
  }
  if (!isReply(answer)) return { status, headers: {}, body: JSON.stringify(answer) }
  const body = 'json' in answer.content ? JSON.stringify(answer.content.json) : answer.content
  return { status: answer.status ?? status, headers: answer.headers, body }
}
