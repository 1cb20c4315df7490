/** A question → an answer: computed where it is about the data, else from what the records say; worded by a model if there is one. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { errors, HttpError } from '../../kernel/errors.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { living } from '../../kernel/statements.ts'
import { kinds } from '../records/query/kinds.ts'
import { type Findings, find } from '../search/search.ts'
import { type Words, wordsFor } from './account/words.ts'
import { computedAnswer } from './answer.ts'
import { composedAnswer, isMisread, possibly } from './composed.ts'
import { isNone, mayReplace } from './likelihood.ts'
import { asksFor, speaksOf } from './prose/about-data.ts'
import { type Answer, notComputed, refusal, withRelated } from './prose/answer.ts'
import { extract } from './prose/extract.ts'
import { worded } from './prose/worded.ts'
import { type Memory, memoryFrom, memoryOf, withNames } from './thread/memory.ts'
import { understand } from './understand/index.ts'
import type { Meaning } from './understand/meaning.ts'
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
  const { computed, meaning, isFollowUp } = await compute(ctx, question, words, types, before)
  const isRead = meaning !== undefined
  const isDoubtful =
    isRead &&
    !isFollowUp &&
    !computed?.alternatives &&
    (await isMisread(ctx, question, words, meaning, computed))
  if (isRead && !isDoubtful && (computed?.grounded || computed?.alternatives)) {
    return { answer: computed, memory: memoryFrom(meaning, [], computed, before) }
  }
  const likeliest =
    (isRead && !isDoubtful) || (before && leans(question))
      ? undefined
      : await composedAnswer(ctx, question, words, types)
  const composed = likeliest && mayReplace(likeliest.answer, computed) ? likeliest : undefined
  if (composed?.isSure) {
    return { answer: composed.answer, memory: memoryFrom(composed.meaning, [], composed.answer, before) }
  }
  // doubted, but there is nothing else that it may ask: the rules are right more often than not
  const isMeant = isRead && !(isDoubtful && (composed || (computed && isNone(computed))))
  if (isMeant && computed?.grounded) {
    return { answer: computed, memory: memoryFrom(meaning, [], computed, before) }
  }
  const text = before ? withNames(question, before) : question
  const findings = await find(ctx, text, 'hybrid', { types })
  const read = isMeant ? computed : undefined
  const said = read ?? (await fromWords(text, words, topK, findings))
  const doubted = !isMeant && computed?.grounded ? possibly(computed) : undefined
  const answer =
    said.confidence === 'none' ? (composed?.answer ?? doubted ?? withRelated(said, findings)) : said
  const named = answer.grounded ? namedIn(words) : []
  return { answer, memory: memoryFrom(read ? meaning : undefined, named, answer, before) }
}

const PRONOUNS = /^(?:it|its|they|them|their|theirs|those|these|he|him|his|she|her|hers|ones|there)$/

/** A pronoun may stand for records of the answer before, which the judge does not see. */
const leans = (question: string): boolean => tokensOf(question).some(token => PRONOUNS.test(token))

async function compute(
  ctx: Ctx,
  question: string,
  words: Words,
  types: readonly string[],
  before: Memory | undefined,
): Promise<{ computed?: Answer | undefined; meaning?: Meaning; isFollowUp?: boolean }> {
  const understood = understand(question, words, new Date(), before)
  if (!understood) return {}
  try {
    const computed = await computedAnswer(ctx, kinds(), words, understood, types)
    const { meaning, isFollowUp = false } = understood
    return { computed, meaning, isFollowUp }
  } catch (error) {
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
