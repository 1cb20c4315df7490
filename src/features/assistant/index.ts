/** The assistant in chats: answers messages as JSON or as a stream. */

import type { Ctx } from '../../kernel/context.ts'
import { type ApiRequest, type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { eventStream } from '../../kernel/event-stream.ts'
import { jsonReply, type Reply, rawReply } from '../../kernel/reply.ts'
import { boolean, combined, nullable, object, withDefault } from '../../kernel/schema/index.ts'
import { type ChatMessage, message, messages } from '../../resources/chats/messages.ts'
import type { Answering } from './answering.ts'
import { answerEvents, END, positionIn } from './events.ts'
import { ended, follow, stopAnswer } from './following.ts'
import { startAnswer } from './start-answer.ts'
import { latestAnswer, repeatTurn, type Turn, writeTurn } from './turn.ts'
import { usageEndpoint } from './usage.ts'

const tag = 'Chat messages'
const write = { method: 'POST', tag, permission: 'chats:write' } as const

const answered = object(
  {
    ...message.output.fields,
    reply: nullable(message.output, { description: 'The assistant’s answer; null when there is none' }),
  },
  { title: 'AnsweredChatMessage' },
)

const STREAM =
  'With `Accept: text/event-stream` the answer comes as events: `message_start`, `tool`, `message_delta`, `citation`, `message_end`, `error`. ' +
  'After a lost connection `GET /api/chats/messages/{message_id}/events` with `Last-Event-ID` gives the rest.'

const EVENTS = { 'text/event-stream': { type: 'string' } }

const wantsStream = (request: ApiRequest): boolean =>
  /\btext\/event-stream\b/i.test(request.header('accept') ?? '')

function streamed(
  ctx: Ctx,
  request: ApiRequest,
  answer: ChatMessage,
  active?: Answering,
  replayed = false,
): Reply {
  const from = positionIn(request.header('last-event-id'))
  const { heartbeatMs } = ctx.services.config.assistant
  const source = answerEvents(answer, follow(ctx, answer, active), from)
  const headers: Record<string, string> = replayed ? { 'idempotency-replayed': 'true' } : {}
  const options = { heartbeatMs, retryMs: 1000, headers, endsItself: true }
  return eventStream(ctx.services, source, request.signal, options)
}

/** A repeated request gets the same answer, also while that is still being produced. */
async function answerTurn(ctx: Ctx, request: ApiRequest, turn: Turn): Promise<Reply> {
  const { question, answer, replayed } = turn
  const headers: Record<string, string> = replayed ? { 'idempotency-replayed': 'true' } : {}
  if (!answer) return jsonReply({ ...question, reply: null }, headers, 201)
  const active = replayed ? undefined : startAnswer(ctx, { ...turn, answer })
  if (wantsStream(request)) return streamed(ctx, request, answer, active, replayed)
  const reply = await ended(follow(ctx, answer, active), request.signal)
  return jsonReply({ ...question, reply: reply ?? answer }, headers, 201)
}

/** The answer with this id, or the answer to the question with this id. */
async function findAnswer(ctx: Ctx, id: string): Promise<ChatMessage> {
  const named = await messages.get(ctx, id)
  const answer = named.role === 'user' ? await latestAnswer(ctx, named) : named
  if (answer?.role !== 'assistant') throw errors.notFound('Answer')
  return answer
}

export const assistantEndpoints: Endpoint[] = [
  endpoint({
    ...write,
    path: '/api/chats/{chat_id}/messages',
    summary: 'Send a message',
    description: `The answer is in \`reply\`, with its sources in its metadata. ${STREAM}`,
    body: combined(
      message.input,
      object({
        respond: withDefault(boolean({ description: 'Whether the assistant answers the message' }), true),
      }),
    ),
    response: answered,
    responseContent: EVENTS,
    status: 201,
    replaysItself: true,
    run: async (ctx, request) => {
      const { respond, ...input } = request.body
      const turn = await writeTurn(
        ctx,
        request,
        request.params.chat_id,
        input,
        respond && input.role === 'user',
      )
      return answerTurn(ctx, request, turn)
    },
  }),
  endpoint({
    ...write,
    path: '/api/chats/messages/{message_id}/regenerate',
    summary: 'Regenerate an answer',
    description: `Accepts the id of the answer or of its question, and returns the question with the new answer in \`reply\`. The earlier answer is moved to the trash once there is a new one. ${STREAM}`,
    response: answered,
    responseContent: EVENTS,
    status: 201,
    replaysItself: true,
    run: async (ctx, request) =>
      answerTurn(ctx, request, await repeatTurn(ctx, request, request.params.message_id)),
  }),
  endpoint({
    ...write,
    path: '/api/chats/messages/{message_id}/stop',
    summary: 'Stop an answer',
    description: 'The text so far is stored and marked as cut short. A finished answer is not changed.',
    response: message.output,
    replaysItself: true,
    run: async (ctx, request) =>
      stopAnswer(ctx, await findAnswer(ctx, request.params.message_id), request.signal),
  }),
  endpoint({
    method: 'GET',
    path: '/api/chats/messages/{message_id}/events',
    tag,
    permission: 'chats:read',
    summary: 'Stream an answer',
    description:
      'Starts at the beginning, or after the event in `Last-Event-ID`. After `message_end` it responds with 204, which stops an EventSource.',
    responseContent: EVENTS,
    run: async (ctx, request) => {
      const answer = await findAnswer(ctx, request.params.message_id)
      if (request.header('last-event-id') === END)
        return { ...rawReply('', 'text/event-stream'), status: 204 }
      return streamed(ctx, request, answer)
    },
  }),
  usageEndpoint,
]
