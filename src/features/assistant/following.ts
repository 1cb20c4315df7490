/** An answer as seen by those who follow it: given here, given by another process, or stored already. */
import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { updateRows } from '../../kernel/statements.ts'
import type { ChatMessage } from '../../resources/chats/messages.ts'
import { answeringOf } from './active-answers.ts'
import { type Abandoned, messageOf } from './answer-store.ts'
import type { Answering, Progress } from './answering.ts'

export interface Seen {
  progress: Progress
  /** the message as it was stored in the end */
  ended: ChatMessage | undefined
}

export interface Following {
  look(): Promise<Seen> | Seen
  /** Resolves at the next change, at the latest after this time, or when the client disconnects. */
  changed(ms: number, gone: AbortSignal): Promise<void>
  leave(): void
}

const LOOK_MS = 400

export function follow(ctx: Ctx, message: ChatMessage, given?: Answering): Following {
  const answering = given ?? answeringOf(ctx.services, message.id)
  if (answering) return here(answering)
  if (message.metadata.status === 'answering') return elsewhere(ctx, message)
  const seen = seenIn(message)
  return { look: () => seen, changed: () => Promise.resolve(), leave() {} }
}

function here(answering: Answering): Following {
  const leave = answering.follow()
  return {
    look: () => ({ progress: answering.progress, ended: answering.ended }),
    changed: (ms, gone) =>
      new Promise(resolve => {
        const done = () => {
          clearTimeout(timer)
          forget()
          gone.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, ms)
        const forget = answering.onChange(done)
        gone.addEventListener('abort', done)
        if (gone.aborted || answering.ended) done()
      }),
    leave,
  }
}

/** What another process says is read from what it leaves in the database. */
function elsewhere(ctx: Ctx, message: ChatMessage): Following {
  return {
    async look() {
      const [kept] = await updateRows(
        ctx,
        'chat_answers',
        { followed_until: sql`now() + interval '5 seconds'` },
        sql`r.message_id = ${message.id}`,
        sql<Abandoned>`r.said, r.progress`,
      )
      if (!kept) return seenIn((await messageOf(ctx, message.id)) ?? message)
      const { tools = [], citations = [] } = kept.progress
      return { progress: { text: kept.said, tools, citations }, ended: undefined }
    },
    changed: (_, gone) =>
      new Promise(resolve => {
        const timer = setTimeout(resolve, LOOK_MS)
        gone.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      }),
    leave() {},
  }
}

function seenIn(message: ChatMessage): Seen {
  // what the assistant itself stored with its answer
  const { tools = [], citations = [] } = message.metadata as Partial<Progress>
  return { progress: { text: message.content, tools, citations }, ended: message }
}

/** The message once its answer has ended; undefined when the client disconnected. */
export async function ended(following: Following, gone: AbortSignal): Promise<ChatMessage | undefined> {
  try {
    while (!gone.aborted) {
      const seen = await following.look()
      if (seen.ended) return seen.ended
      await following.changed(30_000, gone)
    }
    return undefined
  } finally {
    following.leave()
  }
}

/** Stops an answer, whichever process produces it, and waits for its end. */
export async function stopAnswer(ctx: Ctx, message: ChatMessage, gone: AbortSignal): Promise<ChatMessage> {
  const answering = answeringOf(ctx.services, message.id)
  if (answering) answering.cut('stopped')
  else
    await updateRows(
      ctx,
      'chat_answers',
      { stop_requested_at: sql`now()` },
      sql`r.message_id = ${message.id}`,
    )
  return (await ended(follow(ctx, message, answering), gone)) ?? message
}
