/** A question → an answer: computed where it is about the data, else from what the records say; worded by a model if there is one. */
import { sql } from 'kysely'
import { ModelUnavailable } from '../../ai/embeddings.ts'
import { type Ctx, query } from '../../kernel/context.ts'
import { errors, HttpError } from '../../kernel/errors.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { living } from '../../kernel/statements.ts'
import { type Findings, find } from '../search/search.ts'
import { type Words, wordsFor } from './account/words.ts'
import { type Computed, computedAnswer } from './answer.ts'
import { modelsFor } from './decide.ts'
import { asksFor, speaksOf } from './prose/about-data.ts'
import { type Answer, notComputed, refusal, withRelated } from './prose/answer.ts'
import { extract } from './prose/extract.ts'
import { worded } from './prose/worded.ts'
import { type Memory, memoryFrom, memoryOf, withNames } from './thread/memory.ts'
import { understand } from './understand/index.ts'
import { tokensOf } from './understand/tokens.ts'
import { unreadIn } from './understand/unread.ts'

export type { Answer, Citation } from './prose/answer.ts'
export { type Memory, memoryOf } from './thread/memory.ts'

export interface Question {
  question: string
  types: readonly string[]
  topK: number
  chatId?: string | undefined
}

export async function ask(ctx: Ctx, { question, types, topK, chatId }: Question): Promise<Answer> {
  if (chatId !== undefined) await checkChat(ctx, chatId)
  const readsChats = hasScope(ctx.caller.scopes, 'chats:read')
  const memory = chatId === undefined || !readsChats ? undefined : await memoryOf(ctx, chatId)
  const { answer } = await answerTo(ctx, { question, types, topK }, memory)
  return worded(ctx, memory ? withNames(question, memory) : question, types, answer)
}

interface AnswerInThread {
  /** in the records' words and figures, whatever model there is */
  answer: Answer
  memory: Memory | undefined
}

/** The same without a language model: after the memory of earlier questions, and with the memory for the next. */
export const askAfter = (ctx: Ctx, asked: Question, before: Memory | undefined): Promise<AnswerInThread> =>
  answerTo(ctx, asked, before)

async function answerTo(
  ctx: Ctx,
  { question, types, topK }: Question,
  before: Memory | undefined,
): Promise<AnswerInThread> {
  const words = await wordsFor(ctx, question, types)
  const computed = await compute(ctx, question, words, types, before)
  const isComputed = computed?.isSure || computed?.answer.alternatives
  if (computed && isComputed && !computed.isDoubted) return inThread(computed, before)
  const text = before ? withNames(question, before) : question
  const findings = await find(ctx, text, 'hybrid', { types })
  if (computed && isComputed) {
    const answer = await fromWords(text, words, topK, findings)
    const [first] = answer.citations
    const isClear = answer.grounded && first && first.score >= CLEAR
    return isClear
      ? { answer, memory: memoryFrom(undefined, namedIn(words), answer, before) }
      : inThread(computed, before)
  }
  const possible = computed?.answer.confidence === 'low' ? computed.answer : undefined
  // what the records' fields do not say is not looked for in texts
  const refused = possible ? undefined : computed
  const said = refused?.answer ?? (await fromWords(text, words, topK, findings))
  const answer = said.confidence === 'none' ? (possible ?? withRelated(said, findings)) : said
  const named = answer.grounded ? namedIn(words) : []
  return { answer, memory: memoryFrom(refused?.meaning, named, answer, before) }
}

const inThread = ({ answer, meaning }: Computed, before: Memory | undefined): AnswerInThread => ({
  answer,
  memory: memoryFrom(meaning, [], answer, before),
})

/** The score of a text that is preferred to a computed answer in doubt: 2.75 above the margin from which it is sure. */
const CLEAR = 0.94

const PRONOUNS = /^(?:it|its|they|them|their|theirs|those|these|he|him|his|she|her|hers|ones|there)$/

/** A pronoun may stand for records of the answer before, which the judge does not see. */
const leans = (question: string): boolean => tokensOf(question).some(token => PRONOUNS.test(token))

async function compute(
  ctx: Ctx,
  question: string,
  words: Words,
  types: readonly string[],
  before: Memory | undefined,
): Promise<Computed | undefined> {
  const understood = understand(question, words, new Date(), before)
  const isJudged = !understood?.isFollowUp && !(before && leans(question))
  const models = isJudged ? modelsFor(ctx.services, question) : undefined
  try {
    return await computedAnswer(ctx, question, words, understood, types, models)
  } catch (error) {
    if (error instanceof ModelUnavailable) return computedAnswer(ctx, question, words, understood, types)
    // a memory can hold any query: one that cannot run is as if it were none
    if (!before || !(error instanceof HttpError)) throw error
    return compute(ctx, question, words, types, undefined)
  }
}

/** What the records say. A question about the data that was not understood is not answered with just any of it. */
async function fromWords(question: string, words: Words, topK: number, findings: Findings): Promise<Answer> {
  const unread = unreadIn(question, words, new Date())
  const { left, operator } = unread
  const asked = asksFor(question)
  if (asked && operator !== undefined) return notComputed(operator)
  const answer = await extract(question, findings, topK, unread)
  // "show me the Acme renewal" asks for all that is said of it
  const isNamed = asked?.kind === 'list' && left.length === 0 && words.mentions.some(({ records }) => records)
  if (answer.confidence === 'none' || !asked || isNamed) return answer
  const shown = [answer.answer, ...answer.citations.map(({ name }) => name)].join('\n')
  return speaksOf(shown, left, asked) ? answer : refusal(answer.model)
}

const namedIn = ({ mentions }: Words) =>
  mentions.flatMap(({ records }) =>
    (records?.ids ?? []).map((id, i) => ({
      entity_type: records?.kind ?? '',
      entity_id: id,
      name: records?.names[i] ?? '',
    })),
  )

async function checkChat(ctx: Ctx, id: string): Promise<void> {
  const [chat] = await query(ctx, sql`select c.id from ${living(ctx, 'chats')} c where c.id = ${id}`)
  if (!chat) throw errors.referenceNotFound(['body', 'chat_id'], 'Chat', id)
}
