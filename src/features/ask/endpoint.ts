/** `POST /api/search/ask`: the answer to a question. */
import { endpoint } from '../../kernel/endpoint.ts'
import { int, object, optional, uuid, withDefault } from '../../kernel/schema/index.ts'
import { readableTypes } from '../search/load.ts'
import { entityTypes, questionText } from '../search/schemas.ts'
import { ask } from './index.ts'
import { answer } from './schemas.ts'

export const askEndpoint = endpoint({
  method: 'POST',
  path: '/api/search/ask',
  tag: 'Search',
  permission: 'search:read',
  role: 'viewer',
  summary: 'Ask a question',
  description:
    'Questions about the data (how many, how much, which, who, when) are computed; others are answered with what the records say. Numbers in brackets are those of the citations. `grounded` is false when the records do not hold the answer: `confidence` is then `low` for an answer that begins with "Possibly:" and cites its record, or `none` for a refusal, which lists the closest passages under `related`. A computed answer that ends with "Read as: …" states how a freely worded question was understood. A question in which a word like or, all, every, only, could or if cannot be read is refused.',
  body: object({
    question: questionText,
    entity_types: entityTypes,
    top_k: withDefault(int({ min: 1, max: 20 }), 5),
    chat_id: optional(uuid({ description: 'The chat in which it is asked' })),
  }),
  response: answer,
  // it writes nothing and may wait for a language model: no transaction is kept open for a repeat
  replaysItself: true,
  run: (ctx, { body }) => {
    // what was asked and answered before is no evidence, unless it is asked for
    const types = readableTypes(ctx, body.entity_types).filter(
      type => type !== 'chat_message' || body.entity_types?.includes(type),
    )
    return ask(ctx, { question: body.question, types, topK: body.top_k, chatId: body.chat_id })
  },
})
