/** Answers by the language model if one is configured, otherwise from the records. */
import { ModelFailure } from '../../ai/language-model/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { ChatMessage } from '../../resources/chats/messages.ts'
import type { Answering } from './answering.ts'
import { answerByModel } from './by-model.ts'
import { answerByRecords } from './by-records.ts'
import type { Response, Spent } from './response.ts'

const MESSAGES: Record<ModelFailure['kind'], string> = {
  unreachable: 'The language model cannot be reached',
  refused: 'The language model refused the request',
  rate_limited: 'The language model is overloaded',
  timed_out: 'The language model took too long',
  malformed: 'The language model answered something that cannot be used',
}

/** If the model fails before its first text, the records answer; if it fails later, its text is stored. */
export async function respond(ctx: Ctx, question: ChatMessage, answering: Answering): Promise<Response> {
  const endpoint = ctx.services.config.languageModel
  if (!endpoint) return answerByRecords(ctx, question, answering)
  const spent: Spent = {}
  try {
    return await answerByModel(ctx, endpoint, question, answering, spent)
  } catch (error) {
    if (answering.signal.aborted)
      throw Object.assign(answering.signal.reason, { response: withModel(spent, endpoint.model) })
    if (!(error instanceof ModelFailure)) throw error
    ctx.services.log.warn({ err: error, message: answering.messageId }, 'the language model did not answer')
    const reason = error.kind
    if (answering.progress.text.trim() !== '') {
      const status = { status: 'failed', cut_short: true, reason, error: MESSAGES[reason] }
      return { ...withModel(spent, endpoint.model), status }
    }
    const fallback = await answerByRecords(ctx, question, answering)
    return {
      ...fallback,
      ...spent,
      metadata: { ...fallback.metadata, fallback: { model: endpoint.model, reason } },
    }
  }
}

const withModel = (spent: Spent, model: string): Response => ({
  ...spent,
  metadata: { model, grounded: false, conflicts: [] },
})
