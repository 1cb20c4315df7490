/** Answers without a language model: computed figures, or quotes from records; follow-ups use the earlier messages. */
import type { Ctx } from '../../kernel/context.ts'
import type { ChatMessage } from '../../resources/chats/messages.ts'
import { askAfter, memoryOf } from '../ask/index.ts'
import { readableTypes } from '../search/load.ts'
import { questionOf } from '../search/words.ts'
import type { Answering } from './answering.ts'
import { answerFromFiles, asksAboutFiles } from './by-files.ts'
import type { Response } from './response.ts'
import { noAnswer, notFilledIn, smallTalk } from './small-talk.ts'

const TOP_K = 5
const MAX_NAMED = 3

export async function answerByRecords(
  ctx: Ctx,
  question: ChatMessage,
  answering: Answering,
): Promise<Response> {
  const text = questionOf(question.content)
  const greeting = smallTalk(text)
  if (greeting !== undefined) {
    answering.say(greeting)
    return { metadata: { citations: [], conflicts: [], grounded: false, model: 'assistant' } }
  }
  // earlier chats are not evidence
  const types = readableTypes(ctx, undefined).filter(type => type !== 'chat_message')
  if (asksAboutFiles(text)) {
    const fileAnswer = await fromFiles(ctx, question, text, answering)
    if (fileAnswer) return fileAnswer
  }
  const memory = await memoryOf(ctx, question.chat_id, question.id)
  const result = await unlessCut(answering, askAfter(ctx, { question: text, types, topK: TOP_K }, memory))
  const { answer, citations, conflicts, grounded, confidence, related, model, data } = result.answer
  const fileAnswer = grounded ? undefined : await fromFiles(ctx, question, text, answering)
  if (fileAnswer) return fileAnswer
  const named = citations.slice(0, MAX_NAMED)
  if (confidence !== 'none') answering.say(answer)
  else if (named.length > 0) answering.say(notFilledIn(named.map(({ name }) => name)))
  else answering.say(related.length > 0 ? answer : noAnswer(types.length > 0))
  const cited = grounded ? citations : named
  answering.cite(cited)
  return {
    metadata: {
      citations: cited,
      conflicts,
      grounded,
      confidence,
      ...(related.length > 0 ? { related } : {}),
      model,
      ...(data === null ? {} : { data }),
      ...(result.memory ? { memory: result.memory } : {}),
    },
  }
}

async function fromFiles(
  ctx: Ctx,
  question: ChatMessage,
  text: string,
  answering: Answering,
): Promise<Response | undefined> {
  const quoted = await answerFromFiles(ctx, question.chat_id, text)
  if (!quoted) return undefined
  answering.say(quoted.answer)
  answering.cite(quoted.citations)
  return {
    metadata: {
      citations: quoted.citations,
      conflicts: [],
      grounded: true,
      confidence: 'high',
      model: 'extractive',
    },
  }
}

/** Work that cannot be aborted continues; its result is dropped. */
function unlessCut<T>({ signal }: Answering, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
