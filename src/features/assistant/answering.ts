/** An answer in progress, in the process that produces it: its text so far and its followers. */

import type { ChatMessage } from '../../resources/chats/messages.ts'
import type { Citation } from '../ask/index.ts'

/** Why an answer was cut short. */
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
  /** the arguments, shortened */
  asked: string
  /** the length of the text when it was called */
  at: number
}

/** The content of an answer's streams; bounded, whatever the number and speed of their readers. */
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
  /** the stored message, once the answer has ended */
  readonly ended: ChatMessage | undefined
  say(text: string): void
  use(tool: Omit<ToolUse, 'at'>): void
  cite(citations: readonly Citation[]): void
  cut(reason: Reason): void
  /** A client follows the answer until it calls the returned function. */
  follow(): () => void
  /** Calls `wake` at each change; the returned function ends that. */
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
  const cutUnlessFollowed = () => {
    if (followers > 0) return
    if (isFollowedElsewhere()) grace = setTimeout(cutUnlessFollowed, graceMs).unref()
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
      const room = MAX_TEXT - progress.text.length
      // PostgreSQL cannot store NUL
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
      let hasLeft = false
      return () => {
        if (hasLeft) return
        hasLeft = true
        if (--followers === 0 && !ended) grace = setTimeout(cutUnlessFollowed, graceMs).unref()
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
