/** Stores a question and its empty answer, before the answer is produced. */
import { sql } from 'kysely'
import { type Ctx, query, queryOne, transaction } from '../../kernel/context.ts'
import { lockRecords } from '../../kernel/crud.ts'
import type { ApiRequest } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { hashOf, storedResponse, storeResponse } from '../../kernel/replay.ts'
import { insertRows, living, rows } from '../../kernel/statements.ts'
import {
  addMessage,
  type ChatMessage,
  type ChatMessageInput,
  message,
  messages,
} from '../../resources/chats/messages.ts'
import { insertPending, messageOf } from './answer-store.ts'
import { checkFiles } from './attachments/attached.ts'
import { countRequest } from './quota.ts'

export interface Turn {
  question: ChatMessage
  /** the assistant's message, empty at first; undefined when no answer was requested */
  answer: ChatMessage | undefined
  /** the earlier answer to the same question, which this one replaces */
  replaces?: string | undefined
  /** the request repeats an earlier one with the same Idempotency-Key, which produces or produced the answer */
  replayed: boolean
}

/** Stores a message and, if it is to be answered, its pending answer. */
export const writeTurn = (
  ctx: Ctx,
  request: ApiRequest,
  chatId: string,
  input: ChatMessageInput,
  respond: boolean,
) =>
  once(ctx, request, async tx => {
    if (respond) await countRequest(tx)
    await checkFiles(tx, chatId, input.attachments)
    const question = await addMessage(tx, chatId, input)
    return { question, answer: respond ? await beginAnswer(tx, question) : undefined }
  })

/** Answers a question again. The current answer remains until the new one is stored. */
export const repeatTurn = (ctx: Ctx, request: ApiRequest, messageId: string) =>
  once(ctx, request, async tx => {
    const named = await messages.get(tx, messageId)
    const question = named.role === 'user' ? named : await questionOf(tx, named)
    await lockRecords(tx, message.table, [question.id])
    const latest = await latestAnswer(tx, question)
    if (latest && (await isBeingAnswered(tx, latest.id)))
      throw errors.conflict('This question is still being answered: stop that first')
    const before = named.role === 'user' ? latest : named
    await countRequest(tx)
    return { question, answer: await beginAnswer(tx, question, before), replaces: before?.id }
  })

async function questionOf(tx: Ctx, answer: ChatMessage): Promise<ChatMessage> {
  const id = answer.role === 'assistant' ? answer.metadata.question_id : undefined
  const question =
    typeof id === 'string' &&
    (await queryOne(
      tx,
      sql<{ id: string }>`select m.id from ${living(tx, 'chat_messages')} m
        where m.id::text = ${id} and m.chat_id = ${answer.chat_id} and m.role = 'user'`,
    ))
  if (!question) throw errors.conflict('There is no question that this message answers')
  return messages.get(tx, question.id)
}

async function isBeingAnswered(tx: Ctx, messageId: string): Promise<boolean> {
  const lease = await queryOne(
    tx,
    sql`select a.message_id from ${rows(tx, 'chat_answers')} a where a.message_id = ${messageId}`,
  )
  return lease !== undefined
}

/** The answer to a question, the latest if there are several. */
export async function latestAnswer(ctx: Ctx, question: ChatMessage): Promise<ChatMessage | undefined> {
  const [latest] = await query(
    ctx,
    sql<{ id: string }>`select m.id from ${living(ctx, 'chat_messages')} m
      where m.chat_id = ${question.chat_id} and m.role = 'assistant' and m.metadata->>'question_id' = ${question.id}
      order by m.id desc limit 1`,
  )
  return latest && messages.get(ctx, latest.id)
}

/** A later version replaces the earlier one. */
async function beginAnswer(tx: Ctx, question: ChatMessage, before?: ChatMessage): Promise<ChatMessage> {
  const id = newId()
  const earlier = before && { version: Number(before.metadata.version ?? 1) + 1, replaces: before.id }
  const metadata = { status: 'answering', question_id: question.id, ...earlier }
  await insertRows(tx, 'chat_messages', [
    {
      id,
      chat_id: question.chat_id,
      role: 'assistant',
      content: '',
      metadata: JSON.stringify(metadata),
      ...(before ? { created_at: before.created_at } : {}),
    },
  ])
  await insertPending(tx, id, question.chat_id)
  const created = await messageOf(tx, id)
  if (!created) throw new Error('the message that was just inserted does not exist')
  return created
}

/**
 * An answer takes longer than a transaction may. Therefore the ids of the created messages are stored under the
 * Idempotency-Key instead of the response: a repeat follows the answer in progress, or returns the stored one.
 */
function once(
  ctx: Ctx,
  request: ApiRequest,
  work: (tx: Ctx) => Promise<Omit<Turn, 'replayed'>>,
): Promise<Turn> {
  const key = request.header('idempotency-key')
  const hash = hashOf(request)
  return transaction(ctx, async tx => {
    const stored = key === undefined ? undefined : await storedResponse(tx, key, hash)
    if (stored) return replayed(tx, JSON.parse(stored.body))
    const turn = await work(tx)
    const ids = { question: turn.question.id, answer: turn.answer?.id ?? null }
    if (key !== undefined)
      await storeResponse(tx, key, hash, { status: 201, headers: {}, body: JSON.stringify(ids) })
    return { ...turn, replayed: false }
  })
}

async function replayed(tx: Ctx, ids: { question: string; answer: string | null }): Promise<Turn> {
  const question = await messageOf(tx, ids.question)
  const answer = ids.answer === null ? undefined : await messageOf(tx, ids.answer)
  if (!question || (ids.answer !== null && !answer)) throw errors.notFound('Message')
  return { question, answer, replayed: true }
}
