/** An answer while it is being given, in the process that gives it: what has been said, and who follows it. */

import type { ChatMessage } from '../../resources/chats/messages.ts'
import type { Citation } from '../ask/index.ts'

/** Why an answer ended before its end. */
export type Reason =
  | 'stopped'
  | 'client_left'
  | 'service_stopped'
  | 'interrupted'
  | 'too_long'
  | 'took_too_long'

export class CutShort extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(`The answer was cut short: ${reason}`)
    this.reason = reason
  }
}

export interface ToolUse {
  name: string
  /** what it was asked, in short */
  asked: string
  /** how much had been said by then */
  at: number
}

/** All that the streams of an answer are made of; bounded, however long or slow the readers are. */
export interface Progress {
  text: string
  tools: ToolUse[]
  citations: Citation[]
}

export interface Answering {
  readonly messageId: string
  readonly progress: Progress
  /** aborted with a CutShort */
  readonly signal: AbortSignal
  readonly followers: number
  /** the message as it was stored in the end */
  readonly ended: ChatMessage | undefined
  say(text: string): void
  use(tool: Omit<ToolUse, 'at'>): void
  cite(citations: readonly Citation[]): void
  cut(reason: Reason): void
  /** Until the returned function is called, a client follows this answer. */
  follow(): () => void
  /** Calls back at the next change; returns what takes that back. */
  onChange(wake: () => void): () => void
  end(message: ChatMessage): void
}

export const MAX_TEXT = 100_000
const MAX_TOOLS = 50

export function newAnswering(
  messageId: string,
  graceMs: number,
  isFollowedElsewhere: () => boolean = () => false,
): Answering {
  const progress: Progress = { text: '', tools: [], citations: [] }
  const controller = new AbortController()
  const waiting = new Set<() => void>()
  let followers = 0
  let grace: NodeJS.Timeout | undefined
  let ended: ChatMessage | undefined
  const changed = () => {
    for (const wake of [...waiting]) wake()
  }
  const cut = (reason: Reason) => {
    if (!ended && !controller.signal.aborted) controller.abort(new CutShort(reason))
  }
  const leaveForGood = () => {
    if (followers > 0) return
    if (isFollowedElsewhere()) grace = setTimeout(leaveForGood, graceMs).unref()
    else cut('client_left')
  }
  return {
    messageId,
    progress,
    signal: controller.signal,
    get followers() {
      return followers
    },
    get ended() {
      return ended
    },
    say(text) {
      if (controller.signal.aborted) return
      // what PostgreSQL cannot keep
      const room = MAX_TEXT - progress.text.length
      progress.text += text.replaceAll('\0', '').slice(0, Math.max(0, room))
      if (text.length > room) cut('too_long')
      changed()
    },
    use(tool) {
      if (progress.tools.length >= MAX_TOOLS) return
      progress.tools.push({ ...tool, at: progress.text.length })
      changed()
    },
    cite(citations) {
      progress.citations.push(...citations)
      changed()
    },
    cut,
    follow() {
      followers++
      clearTimeout(grace)
      let left = false
      return () => {
        if (left) return
        left = true
        if (--followers === 0 && !ended) grace = setTimeout(leaveForGood, graceMs).unref()
      }
    },
    onChange(wake) {
      waiting.add(wake)
      return () => waiting.delete(wake)
    },
    end(message) {
      ended = message
      clearTimeout(grace)
      changed()
    },
  }
}
