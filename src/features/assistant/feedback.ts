/** Ratings of the assistant's answers: one per user and answer, which the user can change or delete. */
import { sql } from 'kysely'
import { type Ctx, one, query, queryOne } from '../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty } from '../../kernel/general-endpoints.ts'
import {
  datetime,
  type Infer,
  int,
  list,
  nullable,
  object,
  oneOf,
  optional,
  type Schema,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import { deleteRows, insertRows, living, rows } from '../../kernel/statements.ts'

const ratings = oneOf(['up', 'down'])
/** Some clients send numbers. */
const NUMBERS = new Map<string, 'up' | 'down'>([
  ['1', 'up'],
  ['+1', 'up'],
  ['-1', 'down'],
])

const rating: Schema<'up' | 'down'> = {
  ...ratings,
  json: { ...ratings.json, description: '1 and -1 are accepted for up and down' },
  check(input, loc, issues) {
    const isScalar = typeof input === 'number' || typeof input === 'string'
    return (isScalar && NUMBERS.get(String(input))) || ratings.check(input, loc, issues)
  },
}

const feedback = object(
  {
    message_id: uuid(),
    user_id: uuid(),
    created_at: datetime(),
    updated_at: datetime(),
    rating: ratings,
    comment: nullable(text()),
  },
  { title: 'ChatFeedback' },
)

type Feedback = Infer<typeof feedback>
const rated = object({ rating, comment: optional(nullable(text({ max: 5000 }))) })

const fields = (name: string) =>
  sql.join(Object.keys(feedback.fields).map(field => sql.ref(`${name}.${field}`)))

async function checkIsAnswer(ctx: Ctx, messageId: string): Promise<void> {
  const message = await queryOne(
    ctx,
    sql<{ role: string }>`select m.role from ${living(ctx, 'chat_messages')} m
      join ${living(ctx, 'chats')} c on c.id = m.chat_id where m.id = ${messageId}`,
  )
  if (!message) throw errors.notFound('Message')
  if (message.role !== 'assistant') throw errors.conflict('Only an answer of the assistant can be rated')
}

async function rate(ctx: Ctx, messageId: string, input: Infer<typeof rated>): Promise<Feedback> {
  await checkIsAnswer(ctx, messageId)
  const row = {
    message_id: messageId,
    user_id: ctx.user,
    rating: input.rating,
    comment: input.comment ?? null,
  }
  const stored = await insertRows(ctx, 'chat_feedback', [row], {
    onConflict: sql`(account_id, message_id, user_id) do update
      set rating = excluded.rating, comment = excluded.comment, updated_at = now()`,
    returning: sql<Feedback>`${fields('r')}`,
  })
  return one(stored)
}

async function remove(ctx: Ctx, messageId: string): Promise<void> {
  await checkIsAnswer(ctx, messageId)
  await deleteRows(ctx, 'chat_feedback', sql`r.message_id = ${messageId} and r.user_id = ${ctx.user}`)
}

async function all(ctx: Ctx, messageId: string): Promise<{ items: Feedback[]; up: number; down: number }> {
  await checkIsAnswer(ctx, messageId)
  const items = await query(
    ctx,
    sql<Feedback>`select ${fields('f')} from ${rows(ctx, 'chat_feedback')} f where f.message_id = ${messageId}
      order by f.created_at, f.user_id limit 1000`,
  )
  const count = (value: string) => items.filter(item => item.rating === value).length
  return { items, up: count('up'), down: count('down') }
}

const tag = 'Chat messages'
const path = '/api/chats/messages/{message_id}/feedback'

export const feedbackEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path,
    tag,
    permission: 'chats:write',
    summary: 'Set feedback on an answer',
    description:
      'One rating per user: another call replaces it. Messages show the caller’s own rating in `metadata.feedback`.',
    body: rated,
    response: feedback,
    run: (ctx, { params, body }) => rate(ctx, params.message_id, body),
  }),
  endpoint({
    method: 'GET',
    path,
    tag,
    permission: 'chats:read',
    summary: 'List feedback on an answer',
    description:
      'That of all members, oldest first, at most 1,000. 409 for a message that is not an answer of the assistant.',
    response: object(
      { items: list(feedback), up: int({ min: 0 }), down: int({ min: 0 }) },
      { title: 'ChatMessageFeedbackList' },
    ),
    run: (ctx, { params }) => all(ctx, params.message_id),
  }),
  endpoint({
    method: 'DELETE',
    path,
    tag,
    permission: 'chats:write',
    summary: 'Delete feedback on an answer',
    description: 'Deletes the caller’s own rating, if there is one.',
    response: empty,
    run: async (ctx, { params }) => {
      await remove(ctx, params.message_id)
      return {}
    },
  }),
]
