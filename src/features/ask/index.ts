/** A question → an answer: computed where it is about the data, else from what the records say; worded by a model if there is one. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { living } from '../../kernel/statements.ts'
import { zip } from '../../lib/values.ts'
import { kinds } from '../records/query/kinds.ts'
import { type Findings, find } from '../search/search.ts'
import { computedAnswer } from './answer.ts'
import { speaksOf } from './patterns/grammar/about-data.ts'
import { mentionsIn } from './patterns/grammar/mentions.ts'
import { vocabularyOf } from './patterns/grammar/vocabulary.ts'
import { interpret, reads } from './patterns/interpret.ts'
import type { Plan } from './patterns/plan.ts'
import { runPlan } from './patterns/run.ts'
import { followUp, type Understood } from './patterns/thread/follow-up.ts'
import { type Memory, memoryFrom, memoryOf, type Subject } from './patterns/thread/memory.ts'
import { type Answer, notComputed, refusal, withRelated } from './prose/answer.ts'
import { extract } from './prose/extract.ts'
import { worded } from './prose/worded.ts'

export { type Memory, memoryOf } from './patterns/thread/memory.ts'
export type { Answer, Citation } from './prose/answer.ts'

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
  const { answer, understood } = await answerTo(ctx, { question, types, topK }, memory)
  return worded(ctx, understood ?? question, types, answer)
}

interface Told {
  /** in the records' words and figures, whatever model there is */
  answer: Answer
  /** the question as it was understood; null when words cannot say it */
  understood: string | null
}

/** The same without a language model, after what was said before, and with what is to be remembered of it. */
export async function askAfter(
  ctx: Ctx,
  asked: Question,
  before: Memory | undefined,
): Promise<Told & { memory: Memory | undefined }> {
  const told = await answerTo(ctx, asked, before)
  const { answer, understood } = told
  const words = answer.model === 'extractive' && answer.grounded
  const named = words ? await namedIn(ctx, understood ?? asked.question, asked.types) : []
  return { ...told, memory: memoryFrom(understood, named, answer, before) }
}

async function answerTo(
  ctx: Ctx,
  { question, types, topK }: Question,
  before: Memory | undefined,
): Promise<Told> {
  const { question: understood, plans = [], isWhole } = await understand(ctx, question, types, before)
  const words = understood ?? question
  // the chart reads a question without a previous one first
  const read = isWhole ? await computedAnswer(ctx, kinds(), words.replace(LEADING, ''), types) : undefined
  const computed = read?.grounded
    ? read
    : ((await firstGrounded(ctx, plans)) ?? read ?? (await computedAnswer(ctx, kinds(), words, types)))
  if (computed?.grounded || computed?.alternatives) return { answer: computed, understood }
  const findings = await find(ctx, words, 'hybrid', { types })
  const answer = computed ?? (await fromWords(ctx, words, types, topK, findings))
  return { answer: answer.confidence === 'none' ? withRelated(answer, findings) : answer, understood }
}

/** Joins a question to the one before it without changing what it asks. */
const LEADING = /^\s*(?:and|but|so|also)\b[\s,]*/i

/** What the records say. A question about the data that was not understood is not answered with just any of it. */
async function fromWords(
  ctx: Ctx,
  question: string,
  types: readonly string[],
  topK: number,
  findings: Findings,
): Promise<Answer> {
  const { asked, left, unread } = await reads(ctx, question, types)
  if (unread !== undefined) return notComputed(unread)
  const answer = await extract(question, findings, topK)
  if (answer.confidence === 'none') return answer
  const told = [answer.answer, ...answer.citations.map(({ name }) => name)].join('\n')
  return asked && !speaksOf(told, left, asked) ? refusal(answer.model) : answer
}

/** Tries the question as a follow-up, then standalone, then as a fragment of the previous question. */
async function understand(
  ctx: Ctx,
  question: string,
  types: readonly string[],
  memory: Memory | undefined,
): Promise<Understood & { isWhole?: true }> {
  const leaning = memory && (await followUp(ctx, question, types, memory))
  if (leaning?.plans) return leaning
  for (const words of leaning?.question ? [leaning.question, question] : [question]) {
    const plan = await interpret(ctx, words, types)
    if (plan) return { question: words, plans: [plan], isWhole: true }
  }
  const fragment = memory && !leaning ? await followUp(ctx, question, types, memory, true) : undefined
  return fragment?.plans ? fragment : (leaning ?? { question, isWhole: true })
}

/** Of several ways to understand a question, the first that finds something; the first when none does. */
async function firstGrounded(ctx: Ctx, plans: readonly Plan[]): Promise<Answer | undefined> {
  let best: Answer | undefined
  for (const plan of plans) {
    const answer = await runPlan(ctx, plan)
    if (answer.grounded) return answer
    if (!best || (best.citations.length === 0 && answer.citations.length > 0)) best = answer
  }
  return best
}

async function namedIn(ctx: Ctx, question: string, types: readonly string[]): Promise<Subject[]> {
  const { mentions } = await mentionsIn(ctx, question, await vocabularyOf(ctx), types)
  return mentions.flatMap(({ records }) =>
    records === undefined
      ? []
      : zip(records.ids, records.names).map(([id, name]) => ({
          entity_type: records.kind,
          entity_id: id,
          name,
        })),
  )
}

async function checkChat(ctx: Ctx, id: string): Promise<void> {
  const [chat] = await query(ctx, sql`select c.id from ${living(ctx, 'chats')} c where c.id = ${id}`)
  if (!chat) throw errors.referenceNotFound(['body', 'chat_id'], 'Chat', id)
}
