import type { Readable } from 'node:stream'
import { isReply } from '../kernel/reply.ts'

/** What a handler's answer comes to on the wire. */
export interface Outcome {
  status: number
  headers: Record<string, string>
  /** JSON text, or a body of another kind */
  body: string | { raw: string | Buffer | Readable }
}

export function outcomeOf(answer: unknown, status: number): Outcome {
  if (!isReply(answer)) return { status, headers: {}, body: JSON.stringify(answer) }
  const body = 'json' in answer.content ? JSON.stringify(answer.content.json) : answer.content
  return { status: answer.status ?? status, headers: answer.headers, body }
}
