/** An answer as its followers see it: in progress here or in another process, or stored. */
import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { updateRows } from '../../kernel/statements.ts'
import type { ChatMessage } from '../../resources/chats/messages.ts'
import { answeringOf } from './active-answers.ts'
import { type Abandoned, messageOf } from './answer-store.ts'
import type { Answering, Progress } from './answering.ts'

export interface AnswerState {
  progress: Progress
  /** the stored message, once the answer has ended */
  ended: ChatMessage | undefined
}

export interface Following {
  read(): Promise<AnswerState> | AnswerState
  /** Resolves at the next change, at the latest after this time, or when the client disconnects. */
  changed(ms: number, disconnected: AbortSignal): Promise<void>
  leave(): void
}

const POLL_MS = 400

export function follow(ctx: Ctx, message: ChatMessage, active?: Answering): Following {
  const answering = active ?? answeringOf(ctx.services, message.id)
  if (answering) return inThisProcess(answering)
  if (message.metadata.status === 'answering') return inOtherProcess(ctx, message)
  const state = stateOf(message)
  return { read: () => state, changed: () => Promise.resolve(), leave() {} }
}

function inThisProcess(answering: Answering): Following {
  const leave = answering.follow()
  return {
    read: () => ({ progress: answering.progress, ended: answering.ended }),
    changed: (ms, disconnected) =>
      new Promise(resolve => {
        const done = () => {
          clearTimeout(timer)
          unsubscribe()
          disconnected.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, ms)
        const unsubscribe = answering.onChange(done)
        disconnected.addEventListener('abort', done)
        if (disconnected.aborted || answering.ended) done()
      }),
    leave,
  }
}

/** Reads the text that another process stores in the database. */
function inOtherProcess(ctx: Ctx, message: ChatMessage): Following {
  return {
    async read() {
      const [lease] = await updateRows(
        ctx,
        'chat_answers',
        { followed_until: sql`now() + interval '5 seconds'` },
        sql`r.message_id = ${message.id}`,
        sql<Abandoned>`r.said, r.progress`,
      )
      if (!lease) return stateOf((await messageOf(ctx, message.id)) ?? message)
      const { tools = [], citations = [] } = lease.progress
      return { progress: { text: lease.said, tools, citations }, ended: undefined }
    },
    changed: (_, disconnected) =>
      new Promise(resolve => {
        const timer = setTimeout(resolve, POLL_MS)
        disconnected.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      }),
    leave() {},
  }
}

function stateOf(message: ChatMessage): AnswerState {
  // the assistant itself stored this metadata
  const { tools = [], citations = [] } = message.metadata as Partial<Progress>
  return { progress: { text: message.content, tools, citations }, ended: message }
}

/** The message once its answer has ended; undefined when the client disconnected. */
export async function ended(
  following: Following,
  disconnected: AbortSignal,
): Promise<ChatMessage | undefined> {
  try {
    while (!disconnected.aborted) {
      const state = await following.read()
      if (state.ended) return state.ended
      await following.changed(30_000, disconnected)
    }
    return undefined
  } finally {
    following.leave()
  }
}

/** Stops an answer, whichever process produces it, and waits for its end. */
export async function stopAnswer(
  ctx: Ctx,
  message: ChatMessage,
  disconnected: AbortSignal,
): Promise<ChatMessage> {
  const answering = answeringOf(ctx.services, message.id)
  if (answering) answering.cut('stopped')
  else
    await updateRows(
      ctx,
      'chat_answers',
      { stop_requested_at: sql`now()` },
      sql`r.message_id = ${message.id}`,
    )
  return (await ended(follow(ctx, message, answering), disconnected)) ?? message
}
