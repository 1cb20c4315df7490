/** Empties the assistant's answers about an erased person; the messages themselves remain. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { rows, updateRows } from '../../kernel/statements.ts'
import type { Person } from './person.ts'

const ERASED = 'This answer was about a person who has been erased.'
const EMPTY = { citations: [], conflicts: [], grounded: false }

export async function eraseAnswers(tx: Ctx, { ids, names, emails }: Person): Promise<void> {
  const traces = [...ids, ...emails, ...names.map(name => name.toLowerCase())]
  const mentions = (text: ReturnType<typeof sql>) =>
    sql`exists (select from unnest(${traces}::text[]) t where strpos(lower(${text}), t) > 0)`
  const answers = await query(
    tx,
    sql<{ id: string; chat_id: string }>`select m.id, m.chat_id from ${rows(tx, 'chat_messages')} m
      where m.role in ('assistant', 'tool') and ${mentions(sql`m.content || m.metadata::text`)}`,
  )
  if (answers.length === 0) return
  const messageIds = answers.map(({ id }) => id)
  await updateRows(
    tx,
    'chat_messages',
    {
      content: ERASED,
      attachments: sql`'{}'`,
      metadata: sql`jsonb_strip_nulls(jsonb_build_object('status', r.metadata -> 'status', 'model', r.metadata -> 'model'))
        || ${JSON.stringify(EMPTY)}::jsonb
        || case when r.metadata ? 'proposals' then jsonb_build_object('proposals', coalesce((
            select jsonb_agg(p) from jsonb_array_elements(r.metadata -> 'proposals') p
            where not ${mentions(sql`p::text`)}), '[]')) else '{}' end`,
      updated_at: sql`now()`,
    },
    sql`r.id = any(${messageIds}::uuid[])`,
  )
  // Chat titles, which the service takes from a question and clients may take from an answer.
  const titled = await updateRows(
    tx,
    'chats',
    { title: null, updated_at: sql`now()` },
    sql`r.id = any(${[...new Set(answers.map(one => one.chat_id))]}::uuid[]) and ${mentions(sql`r.title`)}`,
    sql<{ id: string }>`r.id`,
  )
  await forget(tx, [...messageIds, ...titled.map(({ id }) => id)])
}

export const forget = (tx: Ctx, ids: readonly string[]) =>
  query(tx, sql`select forget_values(${ids}::uuid[])`)
