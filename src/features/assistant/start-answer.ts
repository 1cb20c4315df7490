/** Produces an answer: stores the text so far in intervals, and the final answer at the end. */
import type { Ctx } from '../../kernel/context.ts'
import type { ChatMessage } from '../../resources/chats/messages.ts'
import { trackAnswer } from './active-answers.ts'
import { cutMetadata, type Ending, finishAnswer, messageOf, saveProgress } from './answer-store.ts'
import { type Answering, newAnswering } from './answering.ts'
import { respond } from './respond.ts'
import type { Metadata, Response } from './response.ts'
import type { Turn } from './turn.ts'

/** The stored text is at most this old. */
const SAVE_MS = 300
/** How often the lease is renewed, which also reads whether another process requested a stop. */
const RENEW_MS = 1000
const MAX_MS = 5 * 60_000
const ENDING_ATTEMPTS = 5

/** Starts to answer; `ended` of the result is set when the answer is stored. */
export function startAnswer(ctx: Ctx, turn: Turn & { answer: ChatMessage }): Answering {
  let followedElsewhere = false
  const { graceMs } = ctx.services.config.assistant
  const answering = newAnswering(turn.answer.id, graceMs, () => followedElsewhere)
  const stopSaving = storeProgress(ctx, answering, followed => {
    followedElsewhere = followed
  })
  const tooLong = setTimeout(() => answering.cut('took_too_long'), MAX_MS).unref()
  const settled = answered(ctx, turn, answering)
    .then(async ending => {
      clearTimeout(tooLong)
      await stopSaving()
      answering.end(await stored(ctx, turn, ending))
    })
    .catch(error => {
      ctx.services.log.error({ err: error, message: turn.answer.id }, 'an answer could not be stored')
      // the lease expires, and another process finishes the answer
      const metadata = { ...turn.answer.metadata, status: 'failed', error: 'The answer could not be stored' }
      answering.end({ ...turn.answer, content: answering.progress.text, metadata })
    })
  trackAnswer(ctx.services, answering, settled)
  return answering
}

async function answered(
  ctx: Ctx,
  turn: Turn & { answer: ChatMessage },
  answering: Answering,
): Promise<Ending> {
  const startedAt = performance.now()
  const { replaces } = turn
  const usage = (response: Partial<Response>) => ({
    model: response.metadata?.model ?? null,
    prompt_tokens: response.tokens?.prompt ?? 0,
    completion_tokens: response.tokens?.completion ?? 0,
    ...(response.estimated ? { estimated: true } : {}),
    duration_ms: Math.round(performance.now() - startedAt),
  })
  const ending = (response: Partial<Response>, status: Metadata): Ending => {
    const { text, tools, citations } = answering.progress
    const metadata = { tools, citations, ...response.metadata, ...status, usage: usage(response) }
    return { content: text, metadata, replaces, tokens: response.tokens }
  }
  try {
    const response = await respond(ctx, turn.question, answering)
    return ending(response, response.status ?? { status: 'completed' })
  } catch (error) {
    const partial = (error as { response?: Partial<Response> }).response ?? {}
    if (answering.signal.aborted) return ending(partial, cutMetadata(answering.signal.reason.reason))
    ctx.services.log.error({ err: error, message: turn.answer.id }, 'the assistant failed')
    return ending(partial, { status: 'failed', cut_short: true, error: 'The assistant failed: ask again' })
  }
}

function storeProgress(ctx: Ctx, answering: Answering, elsewhere: (followed: boolean) => void) {
  let storedSize = -1
  let storedAt = 0
  let busy: Promise<void> = Promise.resolve()
  // three renewals per lease, so that it does not expire while the process runs
  const renewMs = Math.min(RENEW_MS, ctx.services.config.jobs.leaseMs / 3)
  const size = () =>
    answering.progress.text.length + answering.progress.tools.length + answering.progress.citations.length
  const save = async () => {
    if (size() === storedSize && Date.now() - storedAt < renewMs) return
    const now = size()
    const lease = await saveProgress(ctx, answering.messageId, answering.progress)
    storedSize = now
    storedAt = Date.now()
    ctx.services.log.debug({ message: answering.messageId, size: now }, 'answer progress stored')
    if (!lease) answering.cut('interrupted')
    else if (lease.stopRequested) answering.cut('stopped')
    elsewhere(lease?.followed === true)
  }
  let running = false
  const timer = setInterval(() => {
    if (running) return
    running = true
    busy = save()
      .catch(error => ctx.services.log.warn({ err: error }, 'the text so far could not be stored'))
      .finally(() => {
        running = false
      })
  }, SAVE_MS).unref()
  return async () => {
    clearInterval(timer)
    await busy
  }
}

/** Retries, because the database may be unavailable for a moment. */
async function stored(ctx: Ctx, turn: Turn & { answer: ChatMessage }, ending: Ending): Promise<ChatMessage> {
  for (let attempt = 1; ; attempt++) {
    try {
      const message = await finishAnswer(ctx, turn.answer.id, ending)
      return message ?? (await messageOf(ctx, turn.answer.id)) ?? turn.answer
    } catch (error) {
      if (attempt === ENDING_ATTEMPTS) throw error
      await new Promise(resolve => setTimeout(resolve, 200 * attempt))
    }
  }
}
