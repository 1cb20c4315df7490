/** `POST /api/search/ask`: the answer to a question. */
import { endpoint } from '../../kernel/endpoint.ts'
import {
  boolean,
  datetime,
  dict,
  int,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  sometimes,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { readableTypes } from '../search/load.ts'
import { entityTypes, questionText } from '../search/schemas.ts'
import { ask } from './index.ts'

const citation = object(
  {
    index: int({ description: 'As in the brackets of the answer' }),
    entity_type: text(),
    entity_id: uuid(),
    name: text(),
    snippet: text(),
    updated_at: datetime(),
    score: number(),
  },
  { title: 'Citation' },
)

const related = object(
  {
    entity_type: text(),
    entity_id: uuid(),
    name: text(),
    snippet: text(),
    updated_at: datetime(),
    score: number({ description: 'How close it is; higher is closer' }),
  },
  { title: 'RelatedPassage' },
)

const answer = object(
  {
    answer: text(),
    citations: list(citation),
    conflicts: list(
      object({ statements: list(object({ index: int(), text: text(), updated_at: datetime() })) }),
      { description: 'Where records disagree, the newest first' },
    ),
    grounded: boolean({
      description: 'Whether the records hold the answer. False for an unsure answer and for a refusal.',
    }),
    confidence: oneOf(['high', 'low', 'none'], {
      description:
        'high: the answer is sure or was computed; low: the cited record may hold the answer, which then begins with "Possibly:"; none: refused',
    }),
    related: list(related, {
      description:
        'Of a refusal: the three passages closest to the question, best first. They do not answer it.',
    }),
    model: text({
      description:
        'data: computed; extractive: the records’ own words; otherwise the language model that put it into words',
    }),
    data: nullable(
      dict({
        description:
          'The figures behind an answer that was computed. `query`: what was computed, to be run again by `POST /api/query`. `sides`: of a comparison, the query and the figures of each side. `reading`: of a freely worded question, what it was taken to ask.',
      }),
    ),
    alternatives: sometimes(
      list(dict(), {
        description:
          'Where a question can be read in several ways: the query of each, for `POST /api/query`. The answer asks which one is meant.',
      }),
    ),
  },
  { title: 'Answer' },
)

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
