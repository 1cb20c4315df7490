/** `/api/search`: finding records by words and by meaning, answers from them, and the state of the index. */

import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import type { Resource } from '../../kernel/resource.ts'
import {
  dict,
  int,
  list,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { ask } from './ask/index.ts'
import { filtered } from './filter.ts'
import { readableTypes } from './load.ts'
import {
  answer,
  entityTypes,
  indexStatus,
  MODES,
  questionText,
  result,
  results,
  typeList,
} from './schemas.ts'
import { find, resultOf } from './search.ts'
import { similar } from './similar.ts'
import { ENTITY_TYPES } from './sources/index.ts'
import { reindex, status } from './status.ts'
import { typeAhead } from './type-ahead.ts'

const tag = 'Search'
const pageOfAll = <T>(items: readonly T[], page: number, size: number) => ({
  items: items.slice((page - 1) * size, page * size),
  total: items.length,
  page,
  page_size: size,
  total_pages: Math.ceil(items.length / size),
})

export const searchEndpoints = (resources: readonly Resource[]): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/search',
    tag,
    permission: 'search:read',
    summary: 'Find records while typing',
    description: 'Whole names, addresses, domains and numbers first, then what begins with what was typed.',
    query: object({
      q: questionText,
      entity_types: typeList,
      limit: withDefault(int({ min: 1, max: 50 }), 10),
    }),
    response: results,
    run: async (ctx, { query }) => {
      const items = await typeAhead(ctx, query.q, readableTypes(ctx, query.entity_types), query.limit)
      return { ...pageOfAll(items, 1, query.limit), mode: 'keyword' }
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/search',
    tag,
    permission: 'search:read',
    role: 'viewer',
    summary: 'Search by words, by meaning, or both',
    body: object({
      query: questionText,
      entity_types: entityTypes,
      mode: withDefault(oneOf(MODES), 'hybrid'),
      filter: optional(
        dict({
          description: 'Filters as the lists have them; kinds of record without such a filter are left out',
          examples: [{ status: 'lead' }],
        }),
      ),
      page: withDefault(int({ min: 1 }), 1),
      page_size: withDefault(int({ min: 1, max: 100 }), 20),
    }),
    response: results,
    run: async (ctx, { body }) => {
      const within = await filtered(ctx, resources, readableTypes(ctx, body.entity_types), body.filter)
      const { found, terms, mode } = await find(ctx, body.query, body.mode, within)
      const page = pageOfAll(found, body.page, body.page_size)
      return { ...page, items: page.items.map(one => resultOf(one, terms)), mode }
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/search/ask',
    tag,
    permission: 'search:read',
    role: 'viewer',
    summary: 'Answer a question from the records',
    description:
      'Questions about the data (how many, how much, which, who, when) are computed; others are answered with what the records say. Numbers in brackets are those of the citations. `grounded` is false when the records do not hold the answer: `confidence` is then `low` for an answer that begins with "Possibly:" and cites its record, or `none` for a refusal, which lists the closest passages under `related`. A question in which a word like or, all, every, only, could or if cannot be read is refused.',
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
  }),
  endpoint({
    method: 'POST',
    path: '/api/search/similar',
    tag,
    permission: 'search:read',
    role: 'viewer',
    summary: 'Find records that say much the same as a given one',
    body: object({
      entity_type: oneOf(ENTITY_TYPES as [string, ...string[]]),
      entity_id: uuid(),
      entity_types: entityTypes,
      limit: withDefault(int({ min: 1, max: 50 }), 10),
    }),
    response: object({ items: list(result) }),
    run: async (ctx, { body }) => ({
      items: await similar(
        ctx,
        body.entity_type,
        body.entity_id,
        readableTypes(ctx, body.entity_types),
        body.limit,
      ),
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/api/search/reindex',
    tag,
    permission: 'search:write',
    role: 'admin',
    summary: 'Make the index anew in the background',
    description: 'Until it is done, the present one answers.',
    status: 202,
    response: object({ status: text({ examples: ['queued'] }) }),
    run: async ctx => {
      await reindex(ctx)
      return { status: 'queued' }
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/search/status',
    tag,
    permission: 'search:read',
    summary: 'How far the index is',
    response: indexStatus,
    run: ctx => status(ctx),
  }),
]
