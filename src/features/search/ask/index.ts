/** A question → an answer: computed where it is about the data, else from what the records say; worded by a model if there is one. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import { living } from '../../../kernel/statements.ts'
import type { Answer } from './answer.ts'
import { extract } from './extract.ts'
import { interpret } from './interpret.ts'
import { runPlan } from './run.ts'
import { worded } from './worded.ts'

export interface Question {
  question: string
  types: readonly string[]
  topK: number
  chatId?: string | undefined
}

export async function ask(ctx: Ctx, { question, types, topK, chatId }: Question): Promise<Answer> {
  if (chatId !== undefined) await checkChat(ctx, chatId)
  const plan = await interpret(ctx, question, types)
  const found = plan ? await runPlan(ctx, plan) : await extract(ctx, question, types, topK)
  return worded(ctx, question, types, found)
}

async function checkChat(ctx: Ctx, id: string): Promise<void> {
  const [chat] = await query(ctx, sql`select c.id from ${living(ctx, 'chats')} c where c.id = ${id}`)
  if (!chat) throw errors.referenceNotFound(['body', 'chat_id'], 'Chat', id)
}
