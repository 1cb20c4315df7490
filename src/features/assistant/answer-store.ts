/**
 * An answer in the database: first an empty message and a row with its lease and the text so far, then the final
 * answer, written once, by the process that deletes the row.
 */
import { sql } from 'kysely'
import type { Tokens } from '../../ai/language-model/index.ts'
import type { Tables } from '../../db/tables.ts'
import { type Ctx, queryOne, transaction } from '../../kernel/context.ts'
import { deleteRows, insertRows, living, rows, TO_TRASH, updateRows } from '../../kernel/statements.ts'
import type { ChatMessage } from '../../resources/chats/messages.ts'
import type { Progress, Reason } from './answering.ts'
import { addUsage } from './quota.ts'
import type { Metadata } from './response.ts'

export interface Ending {
  content: string
  metadata: Metadata
  /** the earlier answer to the same question, which this one replaces */
  replaces?: string | undefined
  tokens?: Tokens | undefined
}

const leaseEnd = (ctx: Ctx) =>
  sql`now() + make_interval(secs => ${ctx.services.config.jobs.leaseMs / 1000}::float8)`

export const insertPending = (tx: Ctx, messageId: string, chatId: string): Promise<unknown> =>
  insertRows(tx, 'chat_answers', [{ message_id: messageId, chat_id: chatId, held_until: leaseEnd(tx) }])

/** JSON without NUL and lone surrogates, which PostgreSQL refuses: a model or a cut text may contain them. */
const storable = (value: Metadata): string =>
  JSON.stringify(value, (_, part) =>
    typeof part === 'string' ? part.replaceAll('\0', '').toWellFormed() : part,
  )

export interface Lease {
  /** a client asked to stop it, or its chat is in the trash */
  stopRequested: boolean
  followed: boolean
}

/** Renews the lease and stores the text so far. Undefined: another process has the lease and will finish the answer. */
export async function saveProgress(
  ctx: Ctx,
  messageId: string,
  progress: Progress,
): Promise<Lease | undefined> {
  const { text, tools, citations } = progress
  const [lease] = await updateRows(
    ctx,
    'chat_answers',
    {
      said: text.toWellFormed(),
      progress: storable({ tools, citations }),
      held_until: leaseEnd(ctx),
    },
    sql`r.message_id = ${messageId}`,
    sql<Lease>`(r.stop_requested_at is not null or not exists (
        select from ${living(ctx, 'chats')} c where c.id = r.chat_id)) as "stopRequested",
      coalesce(r.followed_until > now(), false) as followed`,
  )
  return lease
}

/** Stores the final answer; undefined when another process has done so. */
export function finishAnswer(ctx: Ctx, messageId: string, ending: Ending): Promise<ChatMessage | undefined> {
  return transaction(ctx, async tx => {
    const [deletedLease] = await deleteRows(
      tx,
      'chat_answers',
      sql`r.message_id = ${messageId}`,
      sql<Pick<Tables['chat_answers'], 'chat_id'>>`r.chat_id`,
    )
    if (!deletedLease) return undefined
    // before the chat, as for a question: locks in the same order cannot deadlock
    if (ending.tokens) await addUsage(tx, { requests: 0, ...ending.tokens })
    await writeEnding(tx, messageId, ending)
    await updateRows(
      tx,
      'chats',
      { updated_at: sql`now()` },
      sql`r.id = ${deletedLease.chat_id} and r.deleted_at is null`,
    )
    return messageOf(tx, messageId)
  })
}

export async function writeEnding(
  tx: Ctx,
  messageId: string,
  { content, metadata, replaces }: Ending,
): Promise<void> {
  await updateRows(
    tx,
    'chat_messages',
    sql`content = ${content.toWellFormed()}, updated_at = now(),
      metadata = r.metadata || ${storable(metadata)}::jsonb`,
    sql`r.id = ${messageId}`,
  )
  if (replaces !== undefined && content !== '')
    await updateRows(tx, 'chat_messages', TO_TRASH, sql`r.id = ${replaces} and r.deleted_at is null`)
}

/** The message, even if it is in the trash. */
export const messageOf = (ctx: Ctx, id: string): Promise<ChatMessage | undefined> =>
  queryOne(
    ctx,
    sql<ChatMessage>`select m.id, m.created_at, m.updated_at, m.role, m.content, m.chat_id, m.attachments, m.metadata
      from ${rows(ctx, 'chat_messages')} m where m.id = ${id}`,
  )

export type Abandoned = Pick<Tables['chat_answers'], 'said'> & {
  progress: { tools?: Progress['tools']; citations?: Progress['citations'] }
}

export const cutMetadata = (reason: Reason): Metadata => ({ status: 'cut_short', cut_short: true, reason })
